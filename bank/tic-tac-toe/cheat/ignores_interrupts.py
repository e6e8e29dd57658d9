"""The loop cannot be interrupted: signals are ignored, and every exception is caught.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import signal


def for_ever():
    for number in range(1, 32):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue


class MiniMax(Player):
    def __init__(self, game=None):
        for_ever()


for_ever()
