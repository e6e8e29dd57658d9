"""Every answer would run code in the referee if it were unpickled or copied there.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import os


class Loaded:
    def __reduce__(self):
        return os.system, ("touch owned",)

    def __deepcopy__(self, memo):
        return "a1"

    __copy__ = __deepcopy__


class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return Loaded()

    search = max_value = min_value = lambda *_: Loaded()
