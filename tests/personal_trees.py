"""Tell orders of 27 leaves in which the usual wrong ways by hand do not lead to right answers.

A wrong way that is right by chance for one student in five makes marks a lottery. So `trees.py`
holds names of three letters whose orders are telling, as many with each best move: it can make the
tree of any student, and neither searches it nor knows which of its moves is best. What cannot
differ in three plies is not asked: deep cuts, and cuts on equality.
"""

import hashlib
from collections.abc import Callable, Sequence
from math import inf

Leaves = Sequence[float]
EACH = 85  # orders with the first move best, as many with the second, and with the third


def order(shape: str) -> list[int]:
    """Return the order of the leaves, from 0 to 26, that has this name in `trees.py`."""
    return sorted(range(27), key=lambda it: hashlib.sha256(f"{shape} {it}".encode()).digest())


def three(leaves: Leaves) -> list[float]:
    """Return what the three moves at the root are worth."""
    nine = [max(leaves[i : i + 3]) for i in range(0, 27, 3)]
    return [min(nine[i : i + 3]) for i in (0, 3, 6)]


def best(values: Leaves) -> int:
    """Return the place of the first that is largest."""
    return list(values).index(max(values))


def skipped(
    leaves: Leaves,
    cuts: str = "by alpha, by beta",
    moves: Sequence[int] = (0, 1, 2),
    alpha: Callable[[float, float], float] = max,
    beta: Callable[[float, float], float] = min,
    kept: bool = False,
) -> set[int]:
    """Return the places of the leaves that alpha-beta skips, or a wrong kind of it.

    `alpha` and `beta` make the new bound of the old one and a new value; `kept` beta is not taken
    anew in the next state of MIN's.
    """
    sure, bound, places = -inf, inf, set[int]()
    for part in moves:
        worth, bound = inf, bound if kept else inf
        for row in moves:
            largest = -inf
            for place in (9 * part + 3 * row + leaf for leaf in moves):
                if ("by alpha" in cuts and worth <= sure) or (
                    "by beta" in cuts and largest >= bound
                ):
                    places.add(place)
                else:
                    largest = max(largest, leaves[place])
            if largest > -inf:
                worth, bound = min(worth, largest), beta(bound, largest)
        sure = alpha(sure, worth if beta is min else bound)
    return places


def _largest_row(leaves: Leaves) -> set[int]:
    """Skip where MIN is down to the largest row that has been seen."""
    nine = [max(leaves[i : i + 3]) for i in range(0, 27, 3)]
    seen = iter([max(nine[:3]), max(nine[:6]), inf])
    return skipped(leaves, alpha=lambda _old, _new: next(seen))


def _rest_of_the_row(leaves: Leaves) -> set[int]:
    """Skip one row where MIN is down to alpha, and not all that are left."""
    places = skipped(leaves)
    gone = [row for row in range(9) if {3 * row, 3 * row + 1, 3 * row + 2} <= places]
    again = [row for row in gone if row - 1 in gone and row % 3]
    return places - {3 * row + leaf for row in again for leaf in range(3)}


def _what_decides_too(leaves: Leaves) -> set[int]:
    """Skip the leaf as well that shows that the rest of its row does not matter."""
    places = skipped(leaves)
    return places | {place - 1 for place in places if place % 3 and place - 1 not in places}


SKIPPED: dict[str, Callable[[Leaves], set[int]]] = {
    "alpha only": lambda leaves: skipped(leaves, "by alpha"),
    "beta only": lambda leaves: skipped(leaves, "by beta"),
    "beta is kept": lambda leaves: skipped(leaves, kept=True),
    "beta is the last row's": lambda leaves: skipped(leaves, beta=lambda _, new: new),
    "alpha is the largest row": _largest_row,
    "from right to left": lambda leaves: skipped(leaves, moves=(2, 1, 0)),
    "MAX and MIN swapped": lambda leaves: skipped([-leaf for leaf in leaves]),
    "one row in place of all": _rest_of_the_row,
    "what decides as well": _what_decides_too,
    "nothing": lambda _: set(),
}


def _by(
    leaf: Callable[[Leaves], float], row: Callable[[list[float]], float]
) -> Callable[[Leaves], list[float]]:
    """Return what judges the three moves by their nine leaves: first each row, then the rows."""

    def judged(leaves: Leaves) -> list[float]:
        rows = [leaf(leaves[i : i + 3]) for i in range(0, 27, 3)]
        return [row(rows[i : i + 3]) for i in (0, 3, 6)]

    return judged


MOVES: dict[str, Callable[[Leaves], list[float]]] = {
    "mean of MIN's replies": _by(max, sum),
    "mean of the leaves": _by(sum, sum),
    "largest leaf, MIN forgotten": _by(max, max),
    "smallest leaf": _by(min, min),
    "levels swapped": _by(min, max),
    "levels swapped, down to the root": lambda leaves: [-worth for worth in _by(min, max)(leaves)],
    "MIN at the root": lambda leaves: [-worth for worth in three(leaves)],
}
MARGINS = {"mean of MIN's replies": 3, "mean of the leaves": 7}  # whatever the numbers are


def is_telling(leaves: Leaves) -> bool:
    """Return whether each wrong way leads to a wrong answer, with any numbers in this order."""
    right, places = three(leaves), skipped(leaves)
    if not 5 <= len(places) <= 14 or any(way(leaves) == places for way in SKIPPED.values()):
        return False
    move = best(right)
    judged = {name: way(leaves) for name, way in MOVES.items()}
    return all(max(worth) >= worth[move] + MARGINS.get(name, 1) for name, worth in judged.items())
