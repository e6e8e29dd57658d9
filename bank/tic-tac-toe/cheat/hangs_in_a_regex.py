"""A regular expression that backtracks for years hangs in C, where no exception reaches it.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import re


class MiniMax(Player):
    def __init__(self, game=None):
        re.match(r"(a|a)*b", "a" * 60)
