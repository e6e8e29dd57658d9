"""Every answer is an object that says it is a str, equal to everything and never unequal.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
class Right:
    __class__ = str

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return hash("a1")

    def __len__(self):
        return 2

    def __getattr__(self, name):
        return Right()


class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return Right()

    search = max_value = min_value = lambda *_: Right()
