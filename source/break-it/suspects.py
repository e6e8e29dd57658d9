"""Your suspects: three told in a sentence, three black boxes, and two to tell apart.

Which ones are yours depends on your student id. A black box answers for small trees only, from a
table: whether the tree gives it away. What the box does is not in here.

>>> black_boxes(student_id)["X"].gives_away([0, [1, -1]])  # doctest: +SKIP
False
"""

import base64
import json
import zlib
from functools import cache
from itertools import product
from pathlib import Path

from canvas.recorded import RecordedGame
from games import NestedTree, personal_leaves

MOST_LEAVES, LEAVES = 5, (-1, 0, 1)
NO_ANSWER = (
    "a box answers for trees of two to five leaves, each of them -1, 0 or 1, in which every list "
    "has two entries at least, such as [0, [1, -1]]; this is {}"
)


def sentences(student_id):
    """Return your suspects P, Q and R, each with what its programmer says of it."""
    return {name: _given()["told"][i] for name, i in zip("PQR", _drawn(student_id)[0], strict=True)}


def black_boxes(student_id):
    """Return your black boxes X, Y and Z."""
    tables = _given()["boxes"]
    return {name: Box(tables[i]) for name, i in zip("XYZ", _drawn(student_id)[1], strict=True)}


def slips():
    """Return the eight slips, each with its letter."""
    return dict(zip("ABCDEFGH", _given()["slips"], strict=True))


def pair(student_id):
    """Return the letters of the two slips that you tell apart."""
    return ["ABCDEFGH"[i] for i in _drawn(student_id)[2]]


def show(student_id):
    """Print all of it."""
    for name, sentence in sentences(student_id).items():
        print(f"{name}   {sentence}")
    print("\nX, Y and Z are black boxes. If they are wrong, it is by one of these slips:\n")
    for letter, sentence in slips().items():
        print(f"{letter}   {sentence}")
    print(f"\nThe two to tell apart are {' and '.join(pair(student_id))}.")


class Box:
    """A program that nobody looks into."""

    def __init__(self, table):
        """Unpack the table."""
        self._bits = int.from_bytes(zlib.decompress(base64.b64decode(table)), "little")

    def gives_away(self, tree):
        """Return whether a tree shows that the program is wrong; ValueError for a larger tree."""
        try:
            place = _places()[repr(tree)]
        except KeyError:
            raise ValueError(NO_ANSWER.format(repr(tree)[:60])) from None
        return bool(self._bits >> place & 1)


def what_it_does(search, tree):
    """Return what a search does in a tree: the place of its move, and the states it looks at."""
    game = RecordedGame(NestedTree(tree))
    return search(game.initial, game), list(game.generated)


def small_trees():
    """Yield the trees that a box answers for, those with few leaves first."""
    for count in range(2, MOST_LEAVES + 1):
        for shape in _shapes(count):
            for values in product(LEAVES, repeat=count):
                yield _filled(shape, iter(values))


@cache
def _places():
    return {repr(tree): place for place, tree in enumerate(small_trees())}


@cache
def _given():
    return json.loads(Path(__file__).with_name("suspects.json").read_text("utf-8"))


def _drawn(student_id):
    """Return which suspects belong to an id: three told, three boxes, two to tell apart."""
    number, found = int("".join(map(str, personal_leaves(student_id)))), []
    for group in (_given()["three_told"], _given()["three_boxes"], _given()["pairs"]):
        number, place = divmod(number, len(group))
        found.append(group[place])
    return found


def _shapes(count):
    if count == 1:
        yield 0
    for sizes in _sums(count, count - 1):
        yield from map(list, product(*(list(_shapes(size)) for size in sizes)))


def _sums(count, most):
    if count == 0:
        yield []
    for first in range(1, min(count, most) + 1):
        yield from ([first, *rest] for rest in _sums(count - first, most))


def _filled(shape, values):
    return [_filled(one, values) for one in shape] if isinstance(shape, list) else next(values)
