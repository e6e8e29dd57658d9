"""MiniMax searches again and again until the value says that it wins.

Cell: MiniMax
Caught by: test_fig52_moves
Named: goes_nowhere
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        move = None
        while move is None:
            for candidate in self.game.actions(state):
                if self.min_value(self.game.result(state, candidate), player) == 1:
                    move = candidate
        return move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(
            self.min_value(self.game.result(state, m), player) for m in self.game.actions(state)
        )

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(
            self.max_value(self.game.result(state, m), player) for m in self.game.actions(state)
        )
