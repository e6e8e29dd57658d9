"""200 MB are printed, in one line and in a million lines, on both streams and past Python.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os
import sys

for _ in range(50):
    print("x" * 1_000_000)
    print("x" * 1_000_000, file=sys.stderr)
for _ in range(100_000):
    print("owned")
for descriptor in (1, 2):
    for _ in range(50):
        try:
            os.write(descriptor, b"x" * 1_000_000)
        except OSError:
            break

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        print("x" * 50_000_000)
        raise ValueError("x" * 50_000_000)
