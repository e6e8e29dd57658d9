"""Everything by hand, and dataclasses."""

# %% Vec
from dataclasses import dataclass
@dataclass(order=True, frozen=True, repr=False)
class Vec:
    x: float
    y: float
    def _pair(self): return [self.x, self.y]
    def __add__(self, other): return Vec(*[a + b for a, b in zip(self._pair(), other._pair())])
    def __sub__(self, other): return self + -other
    def __neg__(self): return self * -1
    def __mul__(self, other):
        try:
            return self.x * other.x + self.y * other.y
        except AttributeError:
            return Vec(self.x * other, self.y * other)
    def __rmul__(self, other): return Vec(other * self.x, other * self.y)
    def __abs__(self): return (self * self) ** 0.5
    def __len__(self): return len(self._pair())
    def __getitem__(self, n): return self._pair()[n]
    def __str__(self): return "(%s, %s)" % (self.x, self.y)
    def __repr__(self): return "Vec" + str(self)
# %% lookup
def lookup(prices, name):
    for other, price in prices.items():
        if other == name:
            return price
    raise KeyError(f"{name} is not there")
# %% root
def root(x):
    if x < 0:
        raise ValueError("negative!")
    guess = max(x, 1.0)
    for _ in range(60):
        guess = (guess + x / guess) / 2
    return guess
# %% Stack
from collections import deque
class EmptyStack(IndexError): pass
class Stack(deque):
    def push(self, thing): self.appendleft(thing)
    def pop(self):
        try:
            return self.popleft()
        except IndexError:
            raise EmptyStack from None
# %% Tally
class Tally:
    def __init__(self, items):
        self.counts = {}
        for item in items:
            self.counts[item] = self.counts.get(item, 0) + 1
    def __getitem__(self, key): return self.counts.get(key, 0)
    def __setitem__(self, key, value): self.counts[key] = value
    def __delitem__(self, key): del self.counts[key]
    def __iter__(self): return iter(self.counts)
    def __contains__(self, key): return key in self.counts
    def top(self): return sorted(self.counts, key=lambda key: -self.counts[key])[0]
# %% midpoint
from fractions import Fraction
def midpoint(a, b):
    x = Fraction(a[0] + b[0], 2)
    y = Fraction(a[1] + b[1], 2)
    return (x, y)
# %% counts
from collections import defaultdict
def counts(text):
    found = defaultdict(int)
    for word in text.split():
        found[word] += 1
    return found
def longest(words, lengths):
    for word in words:
        if lengths[0] <= len(word) <= lengths[-1]: yield word
# %% vowels
def vowels(word):
    return frozenset(filter("aeiou".__contains__, word))
# %% mean
from fractions import Fraction
def mean(numbers):
    total, count = Fraction(0), 0
    for number in numbers:
        total, count = total + number, count + 1
    return total / count
# %% greet
def greet():
    print("Hello, %s!" % input())
# %% report
def report(source, target):
    lines = open(source).read().split()
    sums = {name: 0 for name in lines[0].split(",")}
    for line in lines[1:]:
        for name, value in zip(sums, line.split(",")):
            sums[name] += int(value)
    out = open(target, "w")
    for name in sums:
        out.write(name + "=" + str(sums[name]) + " ")
    out.close()
# %% statistics
def statistics(name):
    lines = words = 0
    longest = ""
    for line in open(name):
        lines += 1
        for word in line.split():
            words += 1
            if len(word) > len(longest):
                longest = word
    return lines, words, longest
# %% LinkedList
class LinkedList:
    class Link:
        next = None
    def __init__(self):
        self.head, self.items = None, []
    def _link(self):
        self.head = None
        for item in self.items[::-1]:
            link = self.Link()
            link.value, link.next = item, self.head
            self.head = link
    def append(self, item):
        self.items += [item]
        self._link()
    def reverse(self):
        self.items = self.items[::-1]
        self._link()
    def __getitem__(self, n): return self.items[n]
    def __len__(self): return len(self.items)
# %% Account
Overdrawn = type("Overdrawn", (RuntimeError,), {})
class Account:
    def __init__(self, owner, start=0):
        self.owner, self.moves = owner, [start]
    @property
    def balance(self): return sum(self.moves)
    def deposit(self, money): self.moves.append(money)
    def withdraw(self, money):
        if self.balance - money < 0:
            raise Overdrawn("no, " + self.owner)
        self.moves.append(-money)
    def transfer(self, other, money):
        self.withdraw(money); other.deposit(money)
# %% Matrix
import numpy as np
class Matrix:
    def __init__(self, rows): self.array = np.array([list(row) for row in rows], dtype=float)
    def __eq__(self, other): return np.array_equal(self.array, other.array)
    def __matmul__(self, other): return Matrix(self.array @ other.array)
    def __getitem__(self, place): return self.array[place]
    def __setitem__(self, place, value): self.array[place] = value
    def transposed(self): return Matrix(self.array.T)
    def det(self): return np.linalg.det(self.array)
    @property
    def shape(self): return self.array.shape
# %% fib
def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
# %% Countdown
class Countdown:
    def __init__(self, start): self.start = start
    def __iter__(self):
        for n in range(self.start, 0, -1):
            yield n
# %% Timer
from time import monotonic
class Timer:
    seconds = 0
    def __enter__(self):
        self.t = monotonic()
        return self
    def __exit__(self, a, b, c):
        self.seconds += monotonic() - self.t
# %% Suppress
class Suppress:
    def __enter__(self): pass
    def __exit__(self, kind, error, trace): return isinstance(error, KeyError)
# %% sort_by
def sort_by(things, key):
    for end in range(len(things)):
        for i in range(end, 0, -1):
            if key(things[i]) < key(things[i - 1]):
                things[i], things[i - 1] = things[i - 1], things[i]
# %% primes
class primes:
    def __init__(self): self.found = []
    def __iter__(self): return self
    def __next__(self):
        n = self.found[-1] + 1 if self.found else 2
        while any(n % p == 0 for p in self.found): n += 1
        self.found.append(n)
        return n
# %% changed
import datetime
from decimal import Decimal
def changed(text): return memoryview(bytes(letter ^ 32 for letter in text))
def tomorrow(day):
    try:
        return day.replace(day=day.day + 1)
    except ValueError:
        return datetime.date(day.year + day.month // 12, day.month % 12 + 1, 1)
def tenths(part): return Decimal(int(part * 10)).scaleb(-1)
# %% standard
import numpy as np
def standard(array):
    made = np.ma.masked_array(np.empty(array.shape))
    for place, column in enumerate(array.T):
        made[:, place] = (column - sum(column) / len(column)) / np.std(column)
    return made
# %% Loud
class TooLoud(Exception): pass
class Plain: pass
class Louder(Plain): pass
class Loud(Louder):
    def say(self, text):
        if text: raise TooLoud("no %d of them" % len(text))
# %% blur
import numpy as np
def blur(image):
    rows, columns = image.shape
    return np.array([[sum(image[k, l] for k in range(i - 1, i + 2) for l in range(j - 1, j + 2)
                          if 0 <= k < rows and 0 <= l < columns) / 9
                      for j in range(columns)] for i in range(rows)])
# %% brightest
def brightest(image):
    best = max((image[i][j], -i, -j) for i in range(len(image)) for j in range(len(image[0])))
    return best[0], [-best[1], -best[2]]
# %% plot
import matplotlib.pyplot as plt
def plot(x, y):
    axes = plt.figure().add_subplot()
    axes.set_title("Squares"); axes.set_xlabel("x"); axes.set_ylabel("y")
    axes.plot(x, y, "o-", label="squared")
    axes.legend()
# %% curve
figure, axes = plt.subplots()
axes.plot([3, 2, 1], [9, 4, 1])
display(figure)
plt.close()
# %% by_town
def by_town(table):
    means = table.pivot_table(index="town", values="price")["price"]
    return means
def with_share(table):
    table.insert(2, "share", [price / table.price.sum() for price in table.price])
    return table
