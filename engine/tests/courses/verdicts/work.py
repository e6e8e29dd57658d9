"""The cell of the notebook: a function for each way in which student code can fail."""

import gc
import os
import socket


class Mine(KeyError):
    pass


class Equal:
    def __eq__(self, other):
        return True

    def __repr__(self):
        return "987654"


def right(n):
    return 2 * n + 1


def broken(items):
    return items[5]


def own_error():
    raise Mine("<b>mine</b>")


def half_printed():
    print("\ud83d")
    return 1


def half_raised():
    raise ArithmeticError("\ud83d")


def unwritten():
    raise NotImplementedError()


def endless():
    while True:
        pass


def busy(game):
    while True:
        game.actions(game.initial)


def greedy():
    return bytearray(10**12)


def deadly():
    os._exit(3)


def forging():
    for found in gc.get_objects():
        if type(found) is socket.socket and found.fileno() >= 0:
            found.send(bytes(3) + b"\1!")
    return 41


def liar():
    return Equal()
