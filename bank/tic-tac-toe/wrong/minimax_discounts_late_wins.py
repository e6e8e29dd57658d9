"""A win now is better than a win later, so each ply takes off a little.

Cell: MiniMax
Caught by: test_fig52_values
Frequent: yes
Behaves like: a search that takes a little off a value for each ply
Area: how a value travels up the tree
Principle: The value of a state is the utility it leads to, unchanged, however far away that is.
Example: figure 5.2: `max_value('A', 'MAX')` is the number 3
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
            return self.game.utility(state, player)
        return 0.9 * max(self.min_value(child, player) for child in self.children(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return 0.9 * min(self.max_value(child, player) for child in self.children(state))
