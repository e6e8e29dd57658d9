"""Every answer is NaN, which no comparison can prove wrong.

Cell: MiniMax; Caught by: test_fig52_values
"""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return float("nan")

    search = max_value = min_value = lambda *_: float("nan")
