"""Threads compute on after the cell and after each question, and one of them forges answers.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import threading
import time

END = time.time() + 60


def go_on():
    while time.time() < END:
        sum(range(10_000))


threads = [threading.Thread(target=go_on) for _ in range(8)]
for thread in threads:
    thread.start()

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        threading.Thread(target=go_on).start()
