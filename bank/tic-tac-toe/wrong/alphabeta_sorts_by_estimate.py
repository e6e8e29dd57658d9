"""Good moves first prunes more, so I sort the children by eval_fn.

Cell: AlphaBeta
Caught by: test_depth
Behaves like: a search that sorts the children by their estimates first
Area: when a state is generated
Principle: eval_fn is for states where the search is cut off, and only what is looked at is generated.
Example: TreeGame([0] * 32, branching=2) from () with d=4: only states of four moves are evaluated
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
        following = [self.game.result(state, move) for move in self.game.actions(state)]
        for below in sorted(following, key=self.guess, reverse=True):
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
        choice, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), who, alpha, infinity, 1)
            if choice is None or value > alpha:
                choice, alpha = move, value
        return choice
