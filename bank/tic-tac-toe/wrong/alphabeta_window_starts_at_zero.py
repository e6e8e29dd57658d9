"""alpha = beta = 0 at the start, there is no value yet.

Cell: AlphaBeta
Caught by: test_random_trees
Frequent: yes
Weight: slip
Named: starts_from_a_wrong_number
"""


# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cut = cutoff_test or (lambda state, depth: depth >= d)
        self.guess = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def known(self, state, player, depth):
        """The value of a state where the search ends, None anywhere else."""
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return self.guess(state) if self.cut(state, depth) else None

    def max_value(self, state, player, alpha, beta, depth):
        known = self.known(state, player, depth)
        if known is not None:
            return known
        for move in self.game.actions(state):
            below = self.game.result(state, move)
            alpha = max(alpha, self.min_value(below, player, alpha, beta, depth + 1))
            if alpha >= beta:
                break
        return alpha

    def min_value(self, state, player, alpha, beta, depth):
        known = self.known(state, player, depth)
        if known is not None:
            return known
        for move in self.game.actions(state):
            below = self.game.result(state, move)
            beta = min(beta, self.max_value(below, player, alpha, beta, depth + 1))
            if beta <= alpha:
                break
        return beta

    def search(self, state):
        who = self.game.to_move(state)
        choice, alpha = None, 0
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), who, alpha, infinity, 1)
            if choice is None or value > alpha:
                choice, alpha = move, value
        return choice
