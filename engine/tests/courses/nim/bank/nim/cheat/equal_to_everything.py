"""Answers that say they are equal to whatever is expected.

Cell: MiniMax
Caught by: test_letters
"""

# %% +
class Equal:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


# %% MiniMax
class MiniMax:
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return Equal()
