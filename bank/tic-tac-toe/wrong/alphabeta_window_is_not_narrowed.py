"""alpha and beta are parameters, I hand them on as I got them and compare with them.

Cell: AlphaBeta
Caught by: test_fig52_pruning
Behaves like: a search that never narrows its window
Area: what is handed from level to level
Principle: max_value raises alpha and min_value lowers beta with each better value.
Example: TreeGame([1, 2, 3, 4, 5, 6, 7, 8], branching=2) from (): the leaf (0, 1, 1) is not generated
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
            return self.eval_fn(state)
        best = -infinity if maximizing else infinity
        for a in g.actions(state):
            v = self.value(g.result(state, a), player, alpha, beta, depth + 1, not maximizing)
            if maximizing:
                best = max(best, v)
            else:
                best = min(best, v)
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
            v = self.min_value(self.game.result(state, a), player, -infinity, infinity, 1)
            if answer is None or v > best:
                best, answer = v, a
        return answer
