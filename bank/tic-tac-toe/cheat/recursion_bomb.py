"""A function calls itself without end, after the limit on that has been taken away.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import sys


class Deeper:
    def __repr__(self):
        return repr(self.__class__())

    def __eq__(self, other):
        return self == Deeper()

    __str__ = __repr__


class MiniMax(Player):
    def __init__(self, game=None):
        sys.setrecursionlimit(10**9)
        [[[repr(Deeper())]]]
