"""Every value is registered as a number, and tells another one each time it is asked.

Cell: MiniMax; Caught by: test_fig52_values
"""

# %% MiniMax
import itertools
import numbers

told = itertools.cycle([3, 2, -3, -2, 4])


class Any3:
    def __float__(self):
        return float(next(told))

    def __int__(self):
        return next(told)

    __index__ = __int__

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


numbers.Real.register(Any3)


class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return Any3()

    search = max_value = min_value = lambda *_: Any3()
