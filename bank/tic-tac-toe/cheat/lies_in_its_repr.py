"""Every answer is an object that looks like the right move when it is printed, hashed or formatted.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
class Move(str):
    def __repr__(self):
        return "'a1'"

    __str__ = __repr__

    def __format__(self, how):
        return "a1"

    def __hash__(self):
        return hash("a1")

    def __bytes__(self):
        return b"a1"


class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return Move("?")

    search = max_value = min_value = lambda *_: Move("?")
