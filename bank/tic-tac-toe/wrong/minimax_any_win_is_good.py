"""At the end I only need to know whether somebody has won, so I take the size of the utility.

Cell: MiniMax
Caught by: test_block
Frequent: yes
Weight: mistake
Named: leaf_is_changed
"""


# %% MiniMax
class MiniMax(Player):
    """Minimax in the style of the textbook, with comprehensions."""

    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def children(self, state):
        return (self.game.result(state, move) for move in self.game.actions(state))

    def search(self, state):
        me = self.game.to_move(state)
        return max(
            self.game.actions(state),
            key=lambda move: self.min_value(self.game.result(state, move), me),
        )

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return abs(self.game.utility(state, player))
        return max(self.min_value(child, player) for child in self.children(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return abs(self.game.utility(state, player))
        return min(self.max_value(child, player) for child in self.children(state))
