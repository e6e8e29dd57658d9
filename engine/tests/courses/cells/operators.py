"""Objects whose operators, types and times are asked for from outside."""

import builtins
import collections
import enum
from fractions import Fraction


class Liar:
    def agree(self, *others):
        return True

    def itself(self, *others):
        return self

    __eq__ = __lt__ = __gt__ = __contains__ = agree
    __sub__ = __rsub__ = __mul__ = __abs__ = __getitem__ = itself

    def __hash__(self):
        return 1

    def __len__(self):
        return 2**40

    def __iter__(self):
        while True:
            yield 1

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True

    def fail(self):
        raise KeyError("on purpose")


class Pile(list):
    def __eq__(self, other):
        return True

    def __len__(self):
        return 99

    def __getitem__(self, key):
        return 1

    def top(self):
        return list.__getitem__(self, -1)


class Sum(int):
    def __add__(self, other):
        return 42

    def __int__(self):
        return 42


class Colour(enum.IntEnum):
    RED = 3


class OwnError(LookupError):
    pass


class DeeperError(OwnError):
    pass


Point = collections.namedtuple("Point", "x y")


def liar():
    return Liar()


def number():
    return 3


def point():
    return Point(1, Colour.RED)


def fail_by(name, text=""):
    raise getattr(builtins, name, globals().get(name))(text)


def ask():
    return [input("? "), input("? ")]


pile = Pile([1, 2])
