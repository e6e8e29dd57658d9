"""A process with a session of its own stays behind, looks for the course and waits for its chance.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os
import time


def stay_behind():
    """Leave the process group and the session, and live for a minute."""
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in range(3, 64):
        try:
            os.close(number)
        except OSError:
            continue
    os.chdir("/")
    end = time.time() + 60
    while time.time() < end:
        time.sleep(1)
    os._exit(0)


stay_behind()

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        stay_behind()
        raise ValueError("look behind you")
