"""What is yours: three suspects in a sentence, three black boxes, two to tell apart, and numbers.

All of it depends on your student id. A black box answers for small trees only, from a table:
whether the tree gives it away. What the box does is not in here.

>>> black_boxes(student_id)["X"].gives_away([0, [1, -1]])  # doctest: +SKIP
False
"""

import base64
import json
import random
from functools import cache
from pathlib import Path

from games import NestedTree
from recorded import RecordedGame
from trees import personal_leaves, small_trees

NO_ANSWER = (
    "a box answers for trees of two to five leaves, each of them -1, 0 or 1, in which every list "
    "has two entries at least, such as [0, [1, -1]]; this is {}"
)


def sentences(student_id):
    """Return your suspects P, Q and R, each with what its programmer says of it."""
    return dict(zip("PQR", _three(_contents()["told"], _leaves(student_id)), strict=True))


def black_boxes(student_id):
    """Return your black boxes X, Y and Z."""
    groups = [
        [Box(4 * i + j, table) for j, table in enumerate(group)]
        for i, group in enumerate(_contents()["boxes"])
    ]
    return dict(zip("XYZ", _three(groups, _leaves(student_id)[6:]), strict=True))


def slips():
    """Return the eight slips, each with its letter."""
    return _contents()["slips"]


def pair(student_id):
    """Return the letters of the two slips that you tell apart."""
    pairs = _contents()["pairs"]
    return pairs[_leaves(student_id)[12] % len(pairs)]


def numbers(student_id):
    """Return your twelve numbers, six of them below 0."""
    leaves = _leaves(student_id)
    return [-leaf for leaf in leaves[13:19]] + leaves[19:25]


def show(student_id):
    """Print all of it."""
    for name, sentence in sentences(student_id).items():
        print(f"{name}   {sentence}")
    print("\nX, Y and Z are black boxes. If they are wrong, it is by one of these slips:\n")
    for letter, sentence in slips().items():
        print(f"{letter}   {sentence}")
    print(f"\nThe two to tell apart are {' and '.join(pair(student_id))}.")
    print(f"Your numbers are {', '.join(map(str, sorted(numbers(student_id))))}.")


class Box:
    """A program that nobody looks into."""

    def __init__(self, place, table):
        """Unpack the table that stands in this place."""
        mask = random.Random(place).getrandbits(len(_places()))
        self._bits = int.from_bytes(base64.b64decode(table), "little") ^ mask

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


@cache
def _places():
    return {repr(tree): place for place, tree in enumerate(small_trees())}


@cache
def _contents():
    return json.loads(Path(__file__).with_name("suspects.json").read_text("utf-8"))


def _leaves(student_id):
    """Return the numbers by which all is drawn for an id; ValueError for what is none."""
    personal_leaves(student_id)
    return personal_leaves(f"{_contents()['year']} {student_id.strip()}")


def _three(groups, leaves):
    """Return one of each of three groups, in an order of the student's own."""
    choices = [group[leaf % len(group)] for group, leaf in zip(groups, leaves, strict=False)]
    return [choices[i] for i in sorted(range(3), key=lambda i: leaves[3 + i])]
