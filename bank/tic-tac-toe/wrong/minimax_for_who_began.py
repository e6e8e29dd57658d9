"""I play for the player who began the game, so I ask who moves in the initial state.

Cell: MiniMax
Caught by: test_win_in_one
Behaves like: a search that always searches for the player who began the game
Area: for whom the search is made
Principle: The searching player is the one to move at the root, not in the initial state of the game.
Example: X X . / O O . / X . . with O to move: (1, 2) wins at once
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
        me = self.game.to_move(self.game.initial)
        return max(
            self.game.actions(state),
            key=lambda move: self.min_value(self.game.result(state, move), me),
        )

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(self.min_value(child, player) for child in self.children(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(self.max_value(child, player) for child in self.children(state))
