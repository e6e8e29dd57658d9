"""The process ends with status 0 before anything is checked, in a cell and at each question.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os

os._exit(0)

# %% MiniMax
import os


class MiniMax(Player):
    def __init__(self, game=None):
        os._exit(0)
