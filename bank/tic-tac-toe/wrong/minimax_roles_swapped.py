"""search takes the maximum, and what it takes it of is max_value.

Cell: MiniMax
Caught by: test_block
Frequent: yes
Weight: mistake
Named: levels_swapped
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def minimax(self, state, player, maximizing):
        """Both levels in one function."""
        g = self.game
        if g.terminal_test(state):
            return g.utility(state, player)
        values = [self.minimax(g.result(state, a), player, not maximizing) for a in g.actions(state)]
        return max(values) if maximizing else min(values)

    def max_value(self, state, player):
        return self.minimax(state, player, True)

    def min_value(self, state, player):
        return self.minimax(state, player, False)

    def search(self, state):
        player = self.game.to_move(state)
        values = {}
        for a in self.game.actions(state):
            values[a] = self.max_value(self.game.result(state, a), player)
        return max(values, key=values.get)
