"""An estimate cannot be better than a win, so I keep it between -1 and 1.

Cell: AlphaBeta
Caught by: test_evaluation
Behaves like: a search that cuts estimates to lie between -1 and 1
Area: what an unfinished game is worth
Principle: Where the search is cut off, the value is what `eval_fn(state)` says, unchanged.
Example: figure 5.2 from A with d=1 and an eval_fn that says B 1, C 5, D 3: MAX plays a2
"""


# %% AlphaBeta
class AlphaBeta(Player):
    """One function for both levels."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def value(self, state, player, alpha, beta, depth, maximizing):
        g = self.game
        if g.terminal_test(state):
            return g.utility(state, player)
        if self.cutoff_test(state, depth):
            return max(-1, min(1, self.eval_fn(state)))
        best = -infinity if maximizing else infinity
        for a in g.actions(state):
            v = self.value(g.result(state, a), player, alpha, beta, depth + 1, not maximizing)
            if maximizing:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def max_value(self, state, player, alpha, beta, depth):
        return self.value(state, player, alpha, beta, depth, True)

    def min_value(self, state, player, alpha, beta, depth):
        return self.value(state, player, alpha, beta, depth, False)

    def search(self, state):
        player = self.game.to_move(state)
        best, answer = -infinity, None
        for a in self.game.actions(state):
            v = self.min_value(self.game.result(state, a), player, best, infinity, 1)
            if answer is None or v > best:
                best, answer = v, a
        return answer
