"""Every answer is a text of 100 MB, or a list of a million integers of a million bits.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return "a1" * 50_000_000

    def max_value(self, *_):
        return [1 << 1_000_000] * 1_000_000

    search, min_value = __call__, max_value
