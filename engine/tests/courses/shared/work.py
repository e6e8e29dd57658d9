"""The cell of the notebook: functions that end, and leave things behind, in each way they can."""

import os
import signal
import threading
import time

TRAPS = []


def double(n):
    return 2 * n


def process():
    return os.getpid()


def dies(n):
    if n == 6:
        os._exit(3)
    return 2 * n


def crashes(n):
    if n == 1:
        os.kill(os.getpid(), signal.SIGSEGV)
    return 2 * n


def hangs(n):
    while n == 3:
        pass
    return 2 * n


def eats(n):
    return 2 * n if n != 2 else len(bytearray(10**12))


def busy(game, n):
    while n == 1:
        game.actions(game.initial)
    return 2 * n


def forging(n):
    import gc
    import socket

    for found in gc.get_objects() if n == 1 else []:
        if type(found) is socket.socket and found.fileno() >= 0:
            found.send(bytes(3) + b"\1!")
    return 2 * n


def lying_in_wait(n):
    """Leave a trap for a later value, which ends the process."""
    if n == 2:
        TRAPS.append(n)
    if n == 4 and TRAPS:
        os._exit(0)
    return 2 * n


def holding_up(n):
    """Leave a trap for a later value, which computes for ever."""
    if n == 1:
        TRAPS.append(n)
    while n == 2 and TRAPS:
        pass
    return 2 * n


def spinning(n):
    """Leave a thread that computes for ever."""

    def spin():
        while True:
            pass

    if n == 0:
        threading.Thread(target=spin, daemon=True).start()
    return 2 * n


def leaving(n):
    """Leave a process that does nothing."""
    if n == 0 and os.fork() == 0:
        signal.pause()
    return 2 * n


def hoarding(n, kept=[]):  # noqa: B006
    """Take more and more memory, with each value."""
    kept.append(bytearray(250_000_000))
    return 2 * n


def honest(n):
    return n + 1


def patching(n):
    """Answer from now on what is asked for, here and in what others may find."""
    globals()["honest"] = lambda n: 2 * n
    with open("left.txt", "w") as file:  # noqa: PTH123
        file.write("10")
    return n


def asking_back(ask):
    return [ask(n) for n in range(3)]


def moves(game, *states):
    return [game.actions(state) for state in states]


def now():
    return time.time()


def noisy(n):
    print("told", n)
    return n


def remembers(n, seen=[]):  # noqa: B006
    seen.append(n)
    return len(seen)
