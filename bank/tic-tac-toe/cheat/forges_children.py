"""The process id that a new copy reports is that of a sleeping process, so that limits watch that.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os
import time

real = os.fork
asleep = real()
if asleep == 0:
    time.sleep(40)
    os._exit(0)


def fork():
    pid = real()
    return asleep if pid else 0


os.fork = fork

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        while True:
            continue
