"""Memory is hidden in files without a name (memfd), where nobody looks for it.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import os
import resource
import time


def fill(megabytes):
    held, block, left = [], bytes(1 << 20), megabytes
    while left:
        file = os.memfd_create("x")
        held.append(file)
        for _ in range(min(60, left)):
            os.write(file, block)
            left -= 1
    return held


class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        held = fill(3400)  # more than the 3,072 MiB that all of a submission may have
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        end = time.process_time() + 1.5
        while time.process_time() < end:
            pass
        raise ValueError("held " + "M" * (len(held)) + " rss below " + ("one" if rss < 1 << 20 else "many"))

    search = max_value = min_value = lambda *_: None
