"""Every answer is something that belongs to the referee itself: the game that it has sent along.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return game

    def search(self, state):
        return self.game

    def max_value(self, state, player):
        return self.game

    min_value = max_value
