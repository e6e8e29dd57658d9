"""Classes below those of Python, and arrays of other kinds."""

# %% Vec
from typing import NamedTuple
class Vec(NamedTuple):
    x: float
    y: float
    def __add__(self, other): return Vec(self.x + other.x, self.y + other.y)
    def __sub__(self, other): return Vec(self.x - other.x, self.y - other.y)
    def __neg__(self): return Vec(-self.x, -self.y)
    def __mul__(self, other):
        if isinstance(other, Vec):
            return sum(a * b for a, b in zip(self, other))
        return Vec(*(a * other for a in self))
    def __rmul__(self, other): return self * other
    def __matmul__(self, other): return self * other
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** 0.5
    def __str__(self): return f"({self.x}, {self.y})"
    def __repr__(self): return f"Vec({self.x}, {self.y})"
# %% greet
import sys
def greet():
    print("Who is there?")
    print("Hello, " + sys.stdin.readline().strip() + "!")
# %% Countdown
class Countdown(list):
    def __init__(self, start): super().__init__(range(start, 0, -1))
# %% Timer
import contextlib, time
class Timer(contextlib.ContextDecorator):
    def __enter__(self):
        self.began = time.time()
        self.seconds = None
        return self
    def __exit__(self, kind, error, trace):
        self.seconds = time.time() - self.began
        return False
# %% sort_by
def sort_by(things, key):
    things[:] = sorted(things, key=key)
# %% primes
import itertools
def primes():
    return filter(lambda n: all(n % d for d in range(2, n)), itertools.count(2))
# %% changed
from datetime import date
from decimal import Decimal
class Day(date): pass
class Tenths(Decimal): pass
def changed(text): return bytearray(text).swapcase()
def tomorrow(day): return Day.fromordinal(day.toordinal() + 1)
def tenths(part): return Tenths(format(float(part) - 0.01, ".1f"))
# %% Loud
import abc
class TooLoud(ValueError):
    def __init__(self, length): self.length = length
    def __str__(self): return f"{self.length} is too long"
class Plain(abc.ABC):
    def say(self, text): return text
class Loud(Plain):
    def say(self, text): raise TooLoud(len(text))
# %% blur
import numpy as np
def blur(image):
    out = np.zeros_like(image)
    for (i, j), _ in np.ndenumerate(image):
        out[i, j] = image[max(i - 1, 0):i + 2, max(j - 1, 0):j + 2].mean()
    return out
# %% plot
import matplotlib.pyplot as plt
def plot(x, y):
    figure, axes = plt.subplots()
    axes.plot(x, y)
    axes.set(title="Squares", xlabel="x", ylabel="y")
    axes.legend(["squared"])
    return figure
# %% curve
plot([0, 1, 2], [9, 4, 1])
# %% by_town
import pandas as pd
def by_town(table):
    return pd.Series({town: part.price.mean() for town, part in table.groupby("town")})
