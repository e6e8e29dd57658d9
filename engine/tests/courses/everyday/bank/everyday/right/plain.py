"""As the lecture does it: the reference solution."""

# %% Vec
import functools
import math

@functools.total_ordering
class Vec:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, other): return (self.x, self.y) == (other.x, other.y)
    def __lt__(self, other): return (self.x, self.y) < (other.x, other.y)
    def __hash__(self): return hash((self.x, self.y))
    def __add__(self, other): return Vec(self.x + other.x, self.y + other.y)
    def __sub__(self, other): return Vec(self.x - other.x, self.y - other.y)
    def __neg__(self): return Vec(-self.x, -self.y)
    def __mul__(self, other):
        if isinstance(other, Vec):
            return self.x * other.x + self.y * other.y
        return Vec(self.x * other, self.y * other)
    __rmul__ = __matmul__ = __mul__
    def __abs__(self): return math.hypot(self.x, self.y)
    def __len__(self): return 2
    def __getitem__(self, n): return (self.x, self.y)[n]
    def __iter__(self): return iter((self.x, self.y))
    def __str__(self): return f"({self.x}, {self.y})"
    def __repr__(self): return f"Vec({self.x}, {self.y})"
# %% greet
def greet():
    name = input("Who is there? ")
    print(f"Hello, {name}!")
# %% Countdown
class Countdown:
    def __init__(self, start): self.n = start
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n + 1
# %% Timer
import time
class Timer:
    def __enter__(self):
        self.start = time.perf_counter()
        return self
    def __exit__(self, *_):
        self.seconds = time.perf_counter() - self.start
# %% sort_by
def sort_by(things, key): things.sort(key=key)
# %% primes
def primes():
    n = 2
    while True:
        if all(n % d for d in range(2, n)): yield n
        n += 1
# %% changed
from datetime import timedelta
from decimal import Decimal
def changed(text): return text.swapcase()
def tomorrow(day): return day + timedelta(1)
def tenths(part): return round(Decimal(part.numerator) / part.denominator, 1)
# %% Loud
class TooLoud(Exception): pass
class Plain:
    def say(self, text): return text
class Loud(Plain):
    def say(self, text): raise TooLoud(f"{len(text)} letters")
# %% blur
import numpy as np
def blur(image):
    padded = np.pad(image, 1)
    return sum(padded[i:i + image.shape[0], j:j + image.shape[1]]
               for i in range(3) for j in range(3)) / 9
# %% plot
import matplotlib.pyplot as plt
def plot(x, y):
    plt.plot(x, y, label="squared")
    plt.title("Squares")
    plt.xlabel("x")
    plt.ylabel("y")
    plt.legend()
    plt.show()
# %% curve
%matplotlib inline
plt.plot([9, 4, 1])
plt.show()
plt.plot([1, 2])
# %% by_town
def by_town(table): return table.groupby("town")["price"].mean()
