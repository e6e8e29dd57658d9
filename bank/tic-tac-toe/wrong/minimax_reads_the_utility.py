"""The utility is in the state already, I only turn the sign for O.

Cell: MiniMax
Caught by: test_fig52_values
Behaves like: a search that reads the utility from the state in place of asking the game
Area: how the search learns about the state
Principle: A search asks the game, `game.utility(state, player)`: other states have no such attribute.
Example: figure 5.2: `max_value('B', 'MIN')` is -3, and `min_value('B', 'MAX')` is 3
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
            return state.utility if player == "X" else -state.utility
        return max(self.min_value(child, player) for child in self.children(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return state.utility if player == "X" else -state.utility
        return min(self.max_value(child, player) for child in self.children(state))
