"""The game comes with the call, so there is nothing to do in the constructor.

Cell: MiniMax
Caught by: test_fig52_moves
Behaves like: a search that forgets the game given to its constructor
Area: which game is searched
Principle: `MiniMax(game)` stores the game, and `search`, `max_value` and `min_value` use it.
Example: figure 5.2: `max_value('A', 'MAX')` is the number 3
"""


# %% MiniMax
class MiniMax(Player):
    """Minimax in the style of the textbook, with comprehensions."""

    def __init__(self, game=None):
        self.game = None

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
            return self.game.utility(state, player)
        return max(self.min_value(child, player) for child in self.children(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(self.max_value(child, player) for child in self.children(state))
