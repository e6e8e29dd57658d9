"""Lengths without a message, messages without sense and half a message are written into sockets.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import os
import random
import stat

GARBAGE = [
    b"\xff\xff\xff\xff",
    b"\0\0\0\0",
    b"\0\0\0\x05\x91\x91\x91\x91\x91",
    b"\0\0\1\0{",
    b"\0\x3f\xff\xff" + b"\x91" * 70_000,
]


class MiniMax(Player):
    def __init__(self, game=None):
        random.shuffle(GARBAGE)
        for garbage in GARBAGE:
            for name in os.listdir("/proc/self/fd"):
                try:
                    if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                        os.write(int(name), garbage)
                except OSError:
                    continue
