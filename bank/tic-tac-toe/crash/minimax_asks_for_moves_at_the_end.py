"""The value of a state is the largest value of its children. (Final states have none.)

Cell: MiniMax
Caught by: test_fig52_moves
Named: end_is_not_asked_for
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
        return max([self.min_value(child, player) for child in self.children(state)])

    def min_value(self, state, player):
        value = min(self.max_value(child, player) for child in self.children(state))
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return value
