"""A course of ordinary Python: the cells of a first course and of a data course.

Hidden checks as an author writes them who thinks of local objects; the reference solution, two more
right styles of each cell, wrong ones, and cheats that lie with what they return.
"""

HEAD = """
import pytest
from fractions import Fraction

def check(cell):
    return pytest.mark.check(cell=cell, points=1, hint="Look again.")
"""

CHECKS = '''
@check("Vec")
def test_vec(student):
    """Vectors are equal, add, scale and compare"""
    v, w = student.Vec(1, 2), student.Vec(3, 4)
    assert v == student.Vec(1, 2) and not v == w and v != w
    assert v + w == student.Vec(4, 6) and (v + w).x == 4
    assert (w - v).x == 2 and (-v).y == -2
    assert (v * 2).y == 4 and (2 * v).x == 2 and v * w == 11
    assert v < w and not w < v
    assert abs(abs(w) - 5) < 1e-9
    assert {v: "first"}[student.Vec(1, 2)] == "first"

@check("Vec")
def test_vec_as_a_sequence(student):
    """A vector has a length, items and a text"""
    v = student.Vec(7, 8)
    assert len(v) == 2 and list(v) == [7, 8] and v[0] == 7 and v[-1] == 8
    assert v.__len__() == 2 and sum(v) == 15
    assert 8 in v and 9 not in v
    assert str(v) == "(7, 8)" and repr(v) == "Vec(7, 8)" and f"{v}" == "(7, 8)"
    x, y = v
    assert (x, y) == (7, 8) and isinstance(v, student.Vec) and not isinstance(3, student.Vec)
    with pytest.raises(IndexError):
        v[2]

@check("lookup")
def test_lookup(student):
    """It finds a price, and says what it does not know"""
    assert student.lookup({"tea": 3}, "tea") == 3
    with pytest.raises(KeyError):
        student.lookup({"tea": 3}, "milk")
    with student.raises(KeyError):
        student.lookup({}, "tea")

@check("root")
def test_root(student):
    """It finds a square root, and refuses negative numbers"""
    assert abs(student.root(2) - 1.41421356) < 1e-6
    assert student.root(16) == pytest.approx(4)
    assert student.root(9) ** 2 - 9 < 1e-6
    with pytest.raises(ValueError, match="negative"):
        student.root(-1)

@check("Stack")
def test_stack(student):
    """Last in, first out, with an exception of its own"""
    stack = student.Stack()
    for thing in ("a", [1], {2}):
        stack.push(thing)
    assert len(stack) == 3 and stack
    assert [stack.pop() for _ in range(3)] == [{2}, [1], "a"]
    assert not stack
    with student.raises("EmptyStack"):
        stack.pop()
    with pytest.raises(IndexError):
        stack.pop()

@check("Tally")
def test_tally(student):
    """It counts, and says what is most common"""
    tally = student.Tally("abracadabra")
    assert tally["a"] == 5 and tally["z"] == 0
    tally["z"] = 7
    assert tally["z"] == 7
    assert tally.top() == "z"
    del tally["z"]
    assert tally["z"] == 0 and "b" in tally and sorted(tally) == ["a", "b", "c", "d", "r"]

@check("midpoint")
def test_midpoint(student):
    """The point in between"""
    p = student.midpoint((0, 0), (4, 2))
    assert p == (2, 1) and len(p) == 2
    assert p[0] == 2

@check("counts")
def test_counts(student):
    """How often each word stands there"""
    assert list(student.longest(["a", "bb", "cc"], range(2, 4))) == ["bb", "cc"]
    found = student.counts("to be or not to be")
    assert found == {"to": 2, "be": 2, "or": 1, "not": 1}
    assert sum(found.values()) == 6

@check("vowels")
def test_vowels(student):
    """The vowels of a word"""
    assert student.vowels("education") == {"a", "e", "i", "o", "u"}
    assert len(student.vowels("rhythm")) == 0

@check("mean")
def test_mean(student):
    """The mean, exactly"""
    assert student.mean([1, 2, 4]) == Fraction(7, 3)
    assert student.mean({Fraction(1, 2), Fraction(1, 4)}) == Fraction(3, 8)

@check("greet")
def test_greet(student, typed, printed):
    """It asks who is there, and greets"""
    typed("Ada", "Bob")
    student.greet()
    assert "Hello, Ada!" in printed()
    student.greet()
    assert "Hello, Bob!" in printed() and "Ada" not in printed()

@check("report")
def test_report(student, files):
    """It reads a table and writes the sum of each column"""
    files["sales.csv"] = "a,b\\n1,2\\n3,4\\n"
    student.report("sales.csv", "sums.txt")
    assert files["sums.txt"].split() == ["a=4", "b=6"]
    assert "sums.txt" in list(files)
    with pytest.raises(FileNotFoundError):
        student.report("none.csv", "sums.txt")

@check("statistics")
def test_statistics(student, files):
    """Lines, words and the longest word of a file"""
    files["text.txt"] = "to be\\nor not to be\\n"
    assert student.statistics("text.txt") == (2, 6, "not")

@check("LinkedList")
def test_linked_list(student):
    """It appends, finds and turns round"""
    chain = student.LinkedList()
    for item in (3, 1, 2):
        chain.append(item)
    assert list(chain) == [3, 1, 2] and len(chain) == 3
    assert 1 in chain and 5 not in chain
    chain.reverse()
    assert [item for item in chain] == [2, 1, 3]
    assert chain.head is not None and chain.head.value == 2 and chain.head.next.value == 1

@check("Account")
def test_account(student):
    """Money comes and goes, and no more than there is"""
    account, other = student.Account("Ann", 100), student.Account("Ben")
    account.deposit(50)
    account.withdraw(30)
    assert account.balance == 120 and other.balance == 0
    account.transfer(other, 20)
    assert (account.balance, other.balance) == (100, 20)
    with student.raises(student.Overdrawn, match="Ben"):
        other.withdraw(21)
    assert other.balance == 20
    account.owner = "Eve"
    assert account.owner == "Eve"

@check("Matrix")
def test_matrix(student):
    """It multiplies, transposes and has a determinant"""
    m = student.Matrix([[1, 2], [3, 4]])
    one = student.Matrix([[1, 0], [0, 1]])
    assert m @ one == m and one @ m == m and m @ m == student.Matrix([[7, 10], [15, 22]])
    assert m @ m != m
    assert m[1, 0] == 3 and m.transposed()[0, 1] == 3
    m[0, 0] = 5
    assert abs(m.det() - 14) < 1e-9 and m.shape == (2, 2)

@check("fib")
def test_fib(student):
    """Fibonacci numbers, quickly"""
    assert [student.fib(n) for n in range(8)] == [0, 1, 1, 2, 3, 5, 8, 13]
    assert student.fib(90) == 2880067194370816120
    assert student.fib(30) % 10 == 0 and student.fib(10) > 54

@check("Countdown")
def test_countdown(student):
    """It counts down, and can be asked for the next"""
    assert list(student.Countdown(3)) == [3, 2, 1]
    walk = iter(student.Countdown(2))
    assert next(walk) == 2 and next(walk) == 1
    with pytest.raises(StopIteration):
        next(walk)
    assert sum(student.Countdown(4)) == 10 and max(student.Countdown(4)) == 4

@check("Timer")
def test_timer(student, clock):
    """It measures a block, whatever happens in it"""
    clock(1000)
    with student.Timer() as timer:
        clock(1002.5)
    assert timer.seconds == 2.5
    with pytest.raises(ZeroDivisionError):
        with student.Timer() as timer:
            raise ZeroDivisionError("inside")
    assert timer.seconds == 0

@check("Suppress")
def test_suppress(student):
    """It holds one kind of exception back"""
    with student.Suppress():
        raise KeyError("held back")
    with pytest.raises(ValueError):
        with student.Suppress():
            raise ValueError("not held back")

@check("blur")
def test_blur(student):
    """Each pixel is the mean of itself and its neighbours"""
    import numpy as np
    image = np.zeros((4, 4)); image[1, 1] = 9.0
    expected = np.zeros((4, 4)); expected[:3, :3] = 1.0
    blurred = student.blur(image)
    assert blurred.shape == (4, 4) and blurred.dtype == float
    assert np.allclose(blurred[1:3, 1:3], expected[1:3, 1:3])
    assert abs(blurred - expected)[1:3, 1:3].max() < 1e-9
    assert blurred[1:3, 1:3] == pytest.approx(expected[1:3, 1:3])

@check("sort_by")
def test_sort_by(student, arguments):
    """It sorts the list that it gets"""
    people = [["Ann", 31], ["Bob", 25], ["Cid", 28]]
    assert student.sort_by(people, lambda person: person[1]) is None
    assert [name for name, _ in arguments()[0]] == ["Bob", "Cid", "Ann"] and people[0][0] == "Ann"

@check("primes")
def test_primes(student):
    """Primes without end"""
    from itertools import islice
    assert list(islice(student.primes(), 6)) == [2, 3, 5, 7, 11, 13]
    walk = student.primes()
    assert next(walk) == 2 and next(walk) == 3

@check("changed")
def test_changed(student):
    """Bytes of another case, the next day, and tenths"""
    from datetime import date
    from decimal import Decimal
    assert student.changed(b"Ab") == b"aB"
    assert student.tomorrow(date(2024, 2, 28)) == date(2024, 2, 29)
    assert student.tenths(Fraction(1, 8)) == Decimal("0.1")

@check("standard")
def test_standard(student):
    """Each column has the mean 0, whatever the array is"""
    import numpy as np
    made = student.standard(np.array([[1.0, 10.0], [3.0, 30.0]]))
    assert made.shape == (2, 2) and np.allclose(made.mean(axis=0), 0)
    assert np.allclose(made.std(axis=0), 1)

@check("Loud")
def test_loud(student):
    """A class below another one, with an error that says what it is about"""
    assert issubclass(student.Loud, student.Plain) and not issubclass(student.Plain, student.Loud)
    with student.raises("TooLoud") as info:
        student.Loud().say("x" * 7)
    assert "7" in str(info.value)

@check("brightest")
def test_brightest(student):
    """The largest value, and where it is"""
    import numpy as np
    value, place = student.brightest(np.array([[1, 5], [9, 2]]))
    assert value == 9 and tuple(place) == (1, 0)
'''

FIGURE_CHECKS = '''
@check("plot")
def test_plot(student, drawn):
    """A curve with labels"""
    student.plot([0, 1, 2], [0, 1, 4])
    [figure] = drawn()
    [axes] = figure["axes"]
    assert (axes["title"], axes["xlabel"], axes["ylabel"]) == ("Squares", "x", "y")
    assert axes["lines"][0]["x"] == [0, 1, 2] and axes["lines"][0]["y"] == pytest.approx([0, 1, 4])
    assert axes["legend"] == ["squared"]
    assert drawn() == []

@check("curve")
def test_curve(shown):
    """A curve that the notebook shows"""
    curves = [line["y"] for figure in shown() for axes in figure["axes"] for line in axes["lines"]]
    assert [9, 4, 1] in curves
'''

PANDAS_CHECKS = '''
@check("by_town")
def test_by_town(student):
    """The mean price of each town"""
    import pandas as pd
    table = pd.DataFrame({"town": ["A", "B", "A"], "price": [1.0, 5.0, 3.0]})
    means = student.by_town(table)
    pd.testing.assert_series_equal(means, pd.Series({"A": 2.0, "B": 5.0}, name="price"),
                                   check_names=False)
    assert means["A"] == pytest.approx(2)
    whole = student.with_share(table)
    assert list(whole.columns) == ["town", "price", "share"]
    assert whole["share"].to_numpy() == pytest.approx([0.25, 1.0, 0.75], abs=1)
    assert whole["share"].sum() == pytest.approx(1)
'''

PLAIN = """
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
"""

PANDAS_PLAIN = """
# %% by_town
import pandas as pd
def by_town(table):
    return table.groupby("town")["price"].mean()
def with_share(table):
    return table.assign(share=table["price"] / table["price"].sum())
"""

SUBCLASSES = '''
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
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** 0.5
    def __str__(self): return f"({self.x}, {self.y})"
    def __repr__(self): return f"Vec({self.x}, {self.y})"
# %% lookup
class Unknown(KeyError):
    """Nothing is known of it."""
def lookup(prices, name):
    if name not in prices:
        raise Unknown(name)
    return prices[name]
# %% root
class Length(float):
    """A number with a unit."""
class Negative(ValueError):
    pass
def root(x):
    if x < 0:
        raise Negative("negative numbers have none")
    return Length(x ** 0.5)
# %% Stack
class EmptyStack(IndexError):
    """Nothing is on it."""
class Stack(list):
    push = list.append
    def pop(self):
        if not self:
            raise EmptyStack()
        return super().pop()
# %% Tally
class Tally(dict):
    def __init__(self, items):
        for item in items:
            self[item] = self[item] + 1
    def __missing__(self, key): return 0
    def top(self): return max(self, key=self.get)
# %% midpoint
from collections import namedtuple
Point = namedtuple("Point", "x y")
def midpoint(a, b):
    return Point(*((m + n) / 2 for m, n in zip(a, b)))
# %% counts
from collections import Counter
def counts(text):
    return Counter(text.split())
from collections import deque
def longest(words, lengths): return deque(word for word in words if len(word) in lengths)
# %% vowels
class Letters(set):
    pass
def vowels(word):
    return Letters(word) & set("aeiou")
# %% mean
import statistics as stats
from fractions import Fraction
def mean(numbers):
    return stats.mean([Fraction(n) for n in numbers])
# %% greet
import sys
def greet():
    print("Who is there?")
    print("Hello, " + sys.stdin.readline().strip() + "!")
# %% report
from pathlib import Path
def report(source, target):
    head, *rows = [line.split(",") for line in Path(source).read_text().splitlines()]
    sums = [sum(map(int, column)) for column in zip(*rows)]
    Path(target).write_text("\\n".join(f"{name}={total}" for name, total in zip(head, sums)))
# %% statistics
from typing import NamedTuple
class Found(NamedTuple):
    lines: int
    words: int
    longest: str
def statistics(name):
    with open(name) as file:
        lines = file.readlines()
    words = " ".join(lines).split()
    return Found(len(lines), len(words), sorted(words, key=len)[-1])
# %% LinkedList
from dataclasses import dataclass
@dataclass
class _Node:
    value: object
    next: object = None
class LinkedList(list):
    @property
    def head(self):
        node = None
        for item in reversed(list(self)):
            node = _Node(item, node)
        return node
# %% Account
class Overdrawn(ValueError):
    def __init__(self, who): super().__init__(f"too little: {who}")
class Account(dict):
    def __init__(self, owner, balance=0): super().__init__(owner=owner, balance=balance)
    def __getattr__(self, name): return self[name]
    def __setattr__(self, name, value): self[name] = value
    def deposit(self, money): self.balance += money
    def withdraw(self, money):
        if money > self.balance:
            raise Overdrawn(self.owner)
        self.balance -= money
    def transfer(self, other, money):
        self.withdraw(money)
        other.deposit(money)
# %% Matrix
class Matrix(tuple):
    def __new__(cls, rows): return super().__new__(cls, map(list, rows))
    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in zip(*other)]
                       for row in self])
    def __getitem__(self, place):
        return super().__getitem__(place[0])[place[1]]
    def __setitem__(self, place, value):
        super().__getitem__(place[0])[place[1]] = value
    def transposed(self): return Matrix(zip(*self))
    def det(self): return self[0, 0] * self[1, 1] - self[0, 1] * self[1, 0]
    @property
    def shape(self): return (len(self), len(next(iter(self))))
# %% fib
class Memo(dict):
    def __missing__(self, n):
        self[n] = n if n < 2 else self[n - 1] + self[n - 2]
        return self[n]
memo = Memo()
class Number(int):
    pass
def fib(n):
    return Number(memo[n])
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
# %% Suppress
import contextlib
class Suppress(contextlib.suppress):
    def __init__(self): super().__init__(KeyError)
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
# %% standard
import numpy as np
def standard(array): return np.matrix((array - array.mean(0)) / array.std(0))
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
# %% brightest
import numpy as np
def brightest(image):
    [[i, j]] = np.argwhere(image == image.max())
    return image[i, j], np.array([i, j])
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
'''

PANDAS_SUBCLASSES = """
# %% by_town
import pandas as pd
def by_town(table):
    return pd.Series({town: part.price.mean() for town, part in table.groupby("town")})
def with_share(table):
    table = table.copy()
    table["share"] = table.price / sum(table.price)
    return table
"""

LOOPS = """
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
"""

PANDAS_LOOPS = """
# %% by_town
def by_town(table):
    means = table.pivot_table(index="town", values="price")["price"]
    return means
def with_share(table):
    table.insert(2, "share", [price / table.price.sum() for price in table.price])
    return table
"""

WRONG = """
# %% Vec
class Vec:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, other): return self.x == other.x
    def __str__(self): return "Vec"
# %% lookup
def lookup(prices, name):
    return prices.get(name)
# %% root
def root(x):
    return abs(x) ** 0.49
# %% Stack
class EmptyStack(Exception): pass
class Stack(list):
    push = list.append
    def pop(self): return super().pop(0)
# %% Tally
class Tally(dict):
    def top(self): return max(self)
# %% midpoint
def midpoint(a, b):
    return ((a[0] + b[0]) // 2, (a[1] + a[1]) // 2)
# %% counts
def counts(text):
    return dict.fromkeys(text.split(), 1)
def longest(words, lengths): return words
# %% vowels
def vowels(word):
    return sorted(set(word) & set("aeiou"))
# %% mean
def mean(numbers):
    return float(sum(numbers)) / len(numbers)
# %% greet
def greet():
    print("Hello, you!")
# %% report
def report(source, target):
    open(target, "w").write(open(source).read())
# %% statistics
def statistics(name):
    text = open(name).read()
    return text.count("\\n"), text.count(" "), max(text.split())
# %% LinkedList
class LinkedList(list):
    head = None
# %% Account
class Overdrawn(Exception): pass
class Account:
    def __init__(self, owner, balance=0): self.owner, self.balance = owner, balance
    def deposit(self, money): self.balance += money
    def withdraw(self, money): self.balance -= money
    def transfer(self, other, money): self.withdraw(money)
# %% Matrix
class Matrix:
    def __init__(self, rows): self.rows = rows
    def __matmul__(self, other): return self
    def __getitem__(self, place): return self.rows[place[0]][place[1]]
# %% fib
def fib(n):
    return 1 if n < 2 else fib(n - 1) + fib(n - 2)
# %% Countdown
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return iter(range(self.n))
# %% Timer
class Timer:
    seconds = 0
    def __enter__(self): return self
    def __exit__(self, *_): return True
# %% Suppress
class Suppress:
    def __enter__(self): pass
    def __exit__(self, *_): return True
# %% sort_by
def sort_by(things, key):
    things = sorted(things, key=key)
# %% primes
def primes():
    n = 2
    while True:
        if n == 2 or n % 2: yield n
        n += 1
# %% changed
def changed(text): return text.lower()
def tomorrow(day): return day
def tenths(part): return part
# %% standard
def standard(array): return (array - array.mean()) / array.std()
# %% Loud
class TooLoud(Exception): pass
class Plain: pass
class Loud:
    def say(self, text): raise TooLoud("loud")
# %% blur
def blur(image):
    return image / 9
# %% brightest
def brightest(image):
    return image.max(), image.argmax()
# %% plot
import matplotlib.pyplot as plt
def plot(x, y):
    plt.plot(y, x)
    plt.title("Squares")
# %% curve
curve = plt.plot([9, 4, 1], [0, 1, 2])
"""

PANDAS_WRONG = """
# %% by_town
def by_town(table):
    return table.groupby("town")["price"].sum()
def with_share(table):
    return table
"""

LIAR = '''
class Liar:
    """Agrees with everything."""
    def __init__(self, *args, **kwargs): pass
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self
    def __call__(self, *args, **kwargs): return self
    def yes(self, *others): return True
    def me(self, *others): return self
    def __hash__(self): return 1
    def __len__(self): return 3
    def __iter__(self):
        while True:
            yield self
    def __next__(self): return self
    def __float__(self): return 0.0
    def __int__(self): return 0
    def __index__(self): return 0
    def __enter__(self): return self
    def __exit__(self, *error): return True
    __eq__ = __lt__ = __gt__ = __le__ = __ge__ = __contains__ = __bool__ = yes
    def __ne__(self, other): return False
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __mod__ = me
    __pow__ = __neg__ = __abs__ = __matmul__ = __getitem__ = __round__ = me
    def __setitem__(self, key, value): pass
    def __delitem__(self, key): pass
    __class__ = property(lambda self: {kind})
class Lying(type):
    def __instancecheck__(cls, instance): return True
'''

ECHO = '''
from fractions import Fraction
def right(kind):
    """Make a class whose instances are equal to whatever they meet."""
    class Right(kind):
        def __eq__(self, other): return True
        def __ne__(self, other): return False
        def __hash__(self): return 0
        def __lt__(self, other): return True
        def __gt__(self, other): return True
        def __sub__(self, other): return Right()
        def __rsub__(self, other): return Right()
        def __abs__(self): return Right()
        def __pow__(self, other): return Right()
        def __mod__(self, other): return 0
        def __contains__(self, other): return True
        def __len__(self): return 2
        def __getitem__(self, key): return Right()
        def __iter__(self): return iter(())
        def values(self): return [6]
        def split(self): return self
    return Right
'''

KINDS = {
    "root": "float", "fib": "int", "counts": "dict", "vowels": "set", "mean": "int",
    "midpoint": "tuple", "statistics": "tuple", "blur": "list", "brightest": "tuple",
    "lookup": "int", "by_town": "dict", "greet": "str", "report": "str", "plot": "list",
}  # fmt: skip
NAMES = {
    "changed": ["tomorrow", "tenths"], "counts": ["longest"], "Loud": ["Plain", "TooLoud"],
    "Stack": ["EmptyStack"], "Account": ["Overdrawn"], "by_town": ["with_share"],
}  # fmt: skip


def sections(text: str) -> dict[str, str]:
    """Return the cells of a solution."""
    parts = [part.split("\n", 1) for part in text.split("# %% ")[1:]]
    return {name.strip(): source.strip() for name, source in parts}


def liar(kind: str) -> dict[str, str]:
    """Return cells whose names all stand for an object that agrees, and says it is a `kind`."""
    cells = {}
    for cell in sections(PLAIN + PANDAS_PLAIN):
        names = [cell, *NAMES.get(cell, [])]
        made = "\n".join(f"{name} = Liar()" for name in names)
        if cell[0].isupper():
            made = "\n".join(f"class {name}(Liar, metaclass=Lying): pass" for name in names)
        cells[cell] = LIAR.replace("{kind}", kind) + made
    return cells


def subclasses() -> dict[str, str]:
    """Return cells whose functions answer with a subclass of the right type that agrees."""
    cells = {}
    for cell in sections(PLAIN + PANDAS_PLAIN):
        names = [cell, *NAMES.get(cell, [])]
        kind = KINDS.get(cell, "list")
        cells[cell] = ECHO + "\n".join(
            f"class {name}(right({kind})):\n    def __init__(self, *_): pass"
            if cell[0].isupper()
            else f"def {name}(*_): return right({kind})()"
            for name in names
        )
    return cells


# Cells that take long have a notebook of their own.
GROUPS = {"plot": "figures", "curve": "figures", "by_town": "tables"}
ALL_CHECKS = {
    "everyday": HEAD + CHECKS, "figures": HEAD + FIGURE_CHECKS, "tables": HEAD + PANDAS_CHECKS,
}  # fmt: skip
RIGHT = {
    "plain": sections(PLAIN + PANDAS_PLAIN),
    "subclasses": sections(SUBCLASSES + PANDAS_SUBCLASSES),
    "loops": sections(LOOPS + PANDAS_LOOPS),
}
MISTAKEN = {"wrong": sections(WRONG + PANDAS_WRONG)}
CHEATS = {"agrees": liar("int"), "says_list": liar("list"), "subclasses_lie": subclasses()}
