"""Negamax: every level turns the sign, and a leaf has the utility for the player who searches.

Cell: MiniMax
Caught by: test_win_in_one
Behaves like: a search that turns signs on the way up but not at the leaves
Area: the sign of a value
Principle: If each level turns the sign, a leaf must be valued for who would move there.
Example: X O X / X . O / . . O with X to move: (2, 0) wins at once
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def negamax(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(
            -self.negamax(self.game.result(state, move), player)
            for move in self.game.actions(state)
        )

    def max_value(self, state, player):
        return self.negamax(state, player)

    def min_value(self, state, player):
        return -self.negamax(state, player)

    def search(self, state):
        player = self.game.to_move(state)
        return max(
            list(self.game.actions(state)),
            key=lambda move: -self.negamax(self.game.result(state, move), player),
        )
