"""Functions, classes and values that checks ask for."""

from collections import namedtuple
from fractions import Fraction

from piles import Position

echo = lambda *values: values[0] if len(values) == 1 else values


def is_same(one, other):
    return one is other


def ask(game, method, *args):
    return getattr(game, method)(*args)


def kind(value):
    return type(value).__name__


class Grade(float):
    pass


class Count(int):
    pass


class Yes(object):
    """Equal to everything, as a cheat would have it."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 1

    def __repr__(self):
        return "(0, 0)"

    def __bool__(self):
        raise RuntimeError("asked in the wrong process")


class Index:
    """A number in all but its class."""

    def __index__(self):
        return 3


class Box:
    """An object with state."""

    lid = "open"

    def __init__(self, thing=None):
        self.thing = thing

    @property
    def weight(self):
        return self.mass * 10

    @property
    def colour(self):
        raise ValueError("no colour")


def squares(state):
    yield from state.moves


def endless():
    while True:
        yield 1


def fails_half_way():
    yield 1
    raise KeyError("half way")


yes, index, box = Yes(), Index(), Box((1, 2))
results = {("X", "O"): 1, ("O", "X"): -0.0}
