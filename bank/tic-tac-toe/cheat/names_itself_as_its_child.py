"""The copy that a check asks for is said to be the process with the lowest id, or the parent.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import itertools
import os

real = os.fork
told = itertools.cycle([os.getpid(), os.getpgrp(), -1, 0, 1 << 40])


def fork():
    pid = real()
    return next(told) if pid else 0


os.fork = fork

# %% MiniMax blank
