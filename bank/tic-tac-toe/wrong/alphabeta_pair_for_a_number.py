"""Each function returns the value together with the move, and search takes the move.

Cell: AlphaBeta; Caught by: test_fig52_values; Weight: slip; Frequent: yes; Named: wrong_kind_of_answer
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
        player = self.game.to_move(state)
        value, move = self.max_value(state, player, -infinity, infinity, 0)
        return move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player), None
        if self.cutoff_test(state, depth):
            return self.eval_fn(state), None
        v, move = -infinity, None
        for a in self.game.actions(state):
            v2, _ = self.min_value(self.game.result(state, a), player, alpha, beta, depth + 1)
            if move is None or v2 > v:
                v, move = v2, a
                alpha = max(alpha, v)
            if v >= beta:
                return v, move
        return v, move

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player), None
        if self.cutoff_test(state, depth):
            return self.eval_fn(state), None
        v, move = infinity, None
        for a in self.game.actions(state):
            v2, _ = self.max_value(self.game.result(state, a), player, alpha, beta, depth + 1)
            if move is None or v2 < v:
                v, move = v2, a
                beta = min(beta, v)
            if v <= alpha:
                return v, move
        return v, move
