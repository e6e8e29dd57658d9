"""One power of integers takes all time and all memory, in one step of the interpreter.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = 10 ** (10**8)
        str(self.game ** (10**8))
