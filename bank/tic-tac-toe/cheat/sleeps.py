"""Every question is slept over, without using any time of the processor.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import select


class MiniMax(Player):
    def __init__(self, game=None):
        select.select([], [], [])
