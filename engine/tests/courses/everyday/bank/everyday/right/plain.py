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
    __rmul__ = __mul__
    def __abs__(self): return math.hypot(self.x, self.y)
    def __len__(self): return 2
    def __getitem__(self, n): return (self.x, self.y)[n]
    def __iter__(self): return iter((self.x, self.y))
    def __str__(self): return f"({self.x}, {self.y})"
    def __repr__(self): return f"Vec({self.x}, {self.y})"
# %% lookup
def lookup(prices, name):
    return prices[name]
# %% root
import math
def root(x):
    if x < 0:
        raise ValueError("x is negative")
    return math.sqrt(x)
# %% Stack
class EmptyStack(IndexError):
    pass

class Stack:
    def __init__(self): self._things = []
    def push(self, thing): self._things.append(thing)
    def pop(self):
        if not self._things:
            raise EmptyStack("nothing is there")
        return self._things.pop()
    def __len__(self): return len(self._things)
# %% Tally
import collections
class Tally(collections.Counter):
    def top(self): return self.most_common(1)[0][0]
# %% midpoint
def midpoint(a, b):
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
# %% counts
def counts(text):
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    return found
def longest(words, lengths): return [word for word in words if len(word) in lengths]
# %% vowels
def vowels(word):
    return {letter for letter in word if letter in "aeiou"}
# %% mean
from fractions import Fraction
def mean(numbers):
    return sum(map(Fraction, numbers)) / len(numbers)
# %% greet
def greet():
    name = input("Who is there? ")
    print(f"Hello, {name}!")
# %% report
import csv
def report(source, target):
    with open(source) as file:
        rows = list(csv.DictReader(file))
    with open(target, "w") as file:
        for name in rows[0]:
            print(f"{name}={sum(int(row[name]) for row in rows)}", file=file)
# %% statistics
def statistics(name):
    text = open(name).read()
    words = text.split()
    return len(text.splitlines()), len(words), max(words, key=len)
# %% LinkedList
class Node:
    def __init__(self, value, next=None): self.value, self.next = value, next

class LinkedList:
    def __init__(self): self.head = None
    def append(self, value):
        if self.head is None:
            self.head = Node(value)
            return
        node = self.head
        while node.next is not None:
            node = node.next
        node.next = Node(value)
    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.value
            node = node.next
    def __len__(self): return sum(1 for _ in self)
    def reverse(self):
        before, node = None, self.head
        while node is not None:
            node.next, before, node = before, node, node.next
        self.head = before
# %% Account
class Overdrawn(Exception):
    pass

class Account:
    def __init__(self, owner, balance=0): self.owner, self.balance = owner, balance
    def deposit(self, money): self.balance += money
    def withdraw(self, money):
        if money > self.balance:
            raise Overdrawn(f"{self.owner} has not so much")
        self.balance -= money
    def transfer(self, other, money):
        self.withdraw(money)
        other.deposit(money)
# %% Matrix
class Matrix:
    def __init__(self, rows): self.rows = [list(row) for row in rows]
    def __eq__(self, other): return self.rows == other.rows
    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in zip(*other.rows)]
                       for row in self.rows])
    def __getitem__(self, place): return self.rows[place[0]][place[1]]
    def __setitem__(self, place, value): self.rows[place[0]][place[1]] = value
    def transposed(self): return Matrix(zip(*self.rows))
    def det(self):
        (a, b), (c, d) = self.rows
        return a * d - b * c
    @property
    def shape(self): return len(self.rows), len(self.rows[0])
# %% fib
import functools
@functools.cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
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
# %% Suppress
class Suppress:
    def __enter__(self): return self
    def __exit__(self, kind, error, trace): return kind is not None and issubclass(kind, KeyError)
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
# %% standard
def standard(array): return (array - array.mean(axis=0)) / array.std(axis=0)
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
# %% brightest
import numpy as np
def brightest(image):
    return image.max(), np.unravel_index(image.argmax(), image.shape)
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
import pandas as pd
def by_town(table):
    return table.groupby("town")["price"].mean()
def with_share(table):
    return table.assign(share=table["price"] / table["price"].sum())
