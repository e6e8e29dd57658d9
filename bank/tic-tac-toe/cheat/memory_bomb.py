"""All the memory that can be had is taken, up to four gigabytes, in the cell and in each answer.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
def take():
    taken = []
    for _ in range(64):
        taken.append(bytearray(1 << 26))
    return taken


take()

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.taken = take()
        raise ValueError("enough")
