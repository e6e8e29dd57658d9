"""The cell of the notebook: a function for each way in which student code can fail."""

import os


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


def unwritten():
    raise NotImplementedError()


def endless():
    while True:
        pass


def busy(game):
    while True:
        game.actions(game.initial)


def deadly():
    os._exit(3)


def liar():
    return Equal()
