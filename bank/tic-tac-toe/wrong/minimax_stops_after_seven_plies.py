"""From the empty board it took ages. With a limit of seven plies it is fine, and I saw no
worse move.

Cell: MiniMax
Caught by: test_random_trees
Frequent: no
Weight: mistake
Named: few_plies_only
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def minimax(self, state, player, maximizing, depth=1):
        """Both levels in one function, at most seven plies deep."""
        g = self.game
        if g.terminal_test(state):
            return g.utility(state, player)
        if depth >= 7:
            return 0
        values = [self.minimax(g.result(state, a), player, not maximizing, depth + 1) for a in g.actions(state)]
        return max(values) if maximizing else min(values)

    def max_value(self, state, player):
        return self.minimax(state, player, True)

    def min_value(self, state, player):
        return self.minimax(state, player, False)

    def search(self, state):
        player = self.game.to_move(state)
        values = {}
        for a in self.game.actions(state):
            values[a] = self.min_value(self.game.result(state, a), player)
        return max(values, key=values.get)
