"""Make the trees of two assignments: one for each student, and all small ones."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any


def small_trees(most: int = 5, leaves: Sequence[float] = (-1, 0, 1)) -> Iterator[list[Any]]:
    """Yield all trees of two to `most` leaves with these numbers, those with few leaves first.

    In each list there are two entries at least. Trees of the same shape follow each other.

    >>> next(small_trees())
    [-1, -1]
    """
    shapes: dict[int, list[list[Any]]] = {1: [list(leaves)]}  # by leaves: all trees of each shape
    for count in range(2, most + 1):
        shapes[count] = []
        for cut in [*product((True, False), repeat=count - 1)][:-1]:  # the last one cuts nowhere
            ends = [0, *(place for place in range(1, count) if cut[place - 1]), count]
            parts = [shapes[end - start] for start, end in pairwise(ends)]
            shapes[count] += [[list(tree) for tree in product(*part)] for part in product(*parts)]
        yield from (json.loads(json.dumps(tree)) for shape in shapes[count] for tree in shape)


# Names, of three letters each, of orders of 27 leaves in which usual mistakes show.
_SHAPES = (
    "0FZ0f90nG1DT2NY2Xr2Yb2tE3V63bd3d83uJ42H43d4U04tS50t5FQ5Gl5zu65E6K86Lw6zP70o76N7CI7IP7O37SA7YS7dd"
    "7wr87g8Ug9Sb9at9hxA0fAATAHFAeHAy0AzaBIpC1KC3IC91CQsCTNChECuCDbXDd4DlmE3vEGaEg3EmTExhFBWFD8FDfFFJ"
    "FFeFGAFWTFnwG1wGCIGdRGjUGlbGvWH5xHAtHEyHFOHzVIh6IiIIlVJ6WJFIJTDJu8KDaKbZKfkKu2L3ML3uLEgLJGLVoMNh"
    "MjfMlrMojMy6NWnNZ8NrgOk6OwDPSjPdLQ0MQ4SQ9FQGgR0lR1HRTNRngRpsSHUSPYSWFSXdSgwShRSs8TEmTaDThMTn2U3v"
    "UGTUIpUiuV3LVBqVPkVRnViAVivVvbW3aW7kWQ6WUBWjdX3AXLdXV5YCUYbvYjuZ3hZIjZSpZvtaH0aQ9aSfaibangapmbAQ"
    "bEdbPgbYycSRcSqclNd5odmXdoGdrKdtZeLMeUWecoeg0ev1eysf6zfI5fhjfkcfr6fwfg5jgE8gWJgeJgiWgnCgsih23hJ9"
    "hW4hirhqHhwHibTil0jQfjojk8IkKzkj2kzol58lGDm29mJvmWvn0an6no5coBsoHBoJFoTBoispTRpmwqOKqsprDWrgPsKy"
    "sg9t4XtB0tLZtevtnWuVouaEudDunFuy6v8NvI7vQevUpwVRwZSx2UxcYxemxoNy7yy8iyI7yIsz2Oz5lzDyzKuzXuzrR"
)


def personal_leaves(student_id: str) -> list[int]:
    """Return the 27 leaves of a student's own tree: different numbers from 10 to 99.

    An id always gives the same leaves; capitals, and spaces around it, make no difference. The
    order of the leaves is one of 255 in which usual mistakes lead to other answers than the right
    way; the numbers are drawn. ValueError for an id that is empty or no text.
    """
    name = student_id.strip().casefold() if isinstance(student_id, str) else ""
    if not name.strip("."):
        raise ValueError(f"{student_id!r} is no student id: write yours between the quotes")

    def digest(text: str) -> int:
        # by a hash and not by `random`, so that every version of Python gives the same
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")

    shape = digest(name) % (len(_SHAPES) // 3) * 3
    order = sorted(range(27), key=lambda it: digest(f"{_SHAPES[shape : shape + 3]} {it}"))
    first = 10 + digest(f"{name} first") % 10
    return [first + 3 * place + digest(f"{name} {place}") % 3 for place in order]
