"""Let students take one or two things in turn from a heap of ten: who takes the last one wins."""

import random
from collections.abc import Callable
from typing import Any

from referee.model import Ladder

HEAP = 10


def legal(moves: list[int]) -> list[int]:
    """Return how many can be taken."""
    return [take for take in (1, 2) if take <= HEAP - sum(moves)]


def one(moves: list[int], chance: random.Random) -> int:
    """Take one."""
    return 1


def well(moves: list[int], chance: random.Random) -> int:
    """Leave a multiple of three."""
    return (HEAP - sum(moves)) % 3 or 1


def ask(student: Any) -> Callable[[list[int]], Any]:
    """Ask for `take(left)`."""
    take = student.take
    return lambda moves: take(HEAP - sum(moves))


def ladder(assignment: str) -> Ladder:
    """Return the game."""
    return Ladder(
        opening=lambda chance: [chance.choice((1, 2))],
        legal=legal,
        score=lambda moves: float(len(moves) % 2),
        ask=ask,
        replay=lambda moves: " ".join(map(str, moves)),
        script="0;",
        players={"one": one, "well": well},
    )
