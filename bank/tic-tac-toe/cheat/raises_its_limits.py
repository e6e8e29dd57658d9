"""The limits of the process are raised, and then ten seconds and three gigabytes are used up.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import resource

for name in dir(resource):
    if name.startswith("RLIMIT_"):
        try:
            resource.setrlimit(getattr(resource, name), (-1, -1))
        except (OSError, ValueError):
            continue

# %% MiniMax
import mmap
import time


class MiniMax(Player):
    def __init__(self, game=None):
        self.map = mmap.mmap(-1, 3 << 30)
        while time.process_time() < 30:
            pass
