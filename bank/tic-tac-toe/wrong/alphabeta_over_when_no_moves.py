"""No moves, no game: then I ask who has won.

Cell: AlphaBeta
Caught by: test_fig52_moves
Frequent: yes
Weight: slip
Named: end_is_not_asked_for
"""


# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player, choice, alpha = self.game.to_move(state), None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if choice is None or value > alpha:
                choice, alpha = move, value
        return choice

    def _at_the_end(self, state, moves, player, depth):
        if not moves:
            return self.game.utility(state, player)
        return self.eval_fn(state) if self.cutoff_test(state, depth) else None

    def max_value(self, state, player, alpha, beta, depth):
        moves = list(self.game.actions(state))
        value = self._at_the_end(state, moves, player, depth)
        if value is not None:
            return value
        value = -infinity
        for move in moves:
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            if value >= beta:
                break
            alpha = max(alpha, value)
        return value

    def min_value(self, state, player, alpha, beta, depth):
        moves = list(self.game.actions(state))
        value = self._at_the_end(state, moves, player, depth)
        if value is not None:
            return value
        value = infinity
        for move in moves:
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if value <= alpha:
                break
            beta = min(beta, value)
        return value
