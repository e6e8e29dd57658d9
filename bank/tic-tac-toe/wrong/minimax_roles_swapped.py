"""search takes the maximum, and what it takes it of is max_value.

Cell: MiniMax
Caught by: test_block
Frequent: yes
Behaves like: a search that takes the state after its own move for its own turn again
Area: who chooses at which level
Principle: After your move it is the opponent's turn: the children of the root belong to `min_value`.
Example: figure 5.2 with MAX to move in A: a1, since B is worth 3, C 2 and D 2
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
