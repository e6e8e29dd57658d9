"""Every way to wait for somebody to type is tried, and none of them comes back.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import os
import sys


class MiniMax(Player):
    def __init__(self, game=None):
        for wait in (input, sys.stdin.read, lambda: os.read(0, 1), open("/dev/tty").read):
            wait()
