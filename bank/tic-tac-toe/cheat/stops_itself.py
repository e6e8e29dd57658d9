"""The process stops itself, neither dead nor alive.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import os
import signal


class MiniMax(Player):
    def __init__(self, game=None):
        os.kill(os.getpid(), signal.SIGSTOP)
