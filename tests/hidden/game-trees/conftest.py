"""Give the checks of game-trees the student's own tree, and what is drawn by lot."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from adversarial.checks.figure import ORDER, written_id
from adversarial.checks.fixtures import alike, board_trees, fast_tictactoe  # noqa: F401
from adversarial.checks.trees import (
    corridor,
    corridors,
    random_tree,
    seen_by_min,
    traps,
    uneven_trees,
    zeros,
)
from adversarial.games.recorded import LastFirst, Trace
from games import Fig52Game, Game, NestedTree, TreeGame
from handout.trees import personal_leaves


@pytest.fixture
def own_tree(student: Any, student_id: str, by_hand: Callable[[str], None]) -> Trace:
    """Give the tree of the id in the notebook, recorded; another's leaves the mark to a human."""
    return Trace(TreeGame(personal_leaves(written_id(student, student_id, by_hand, "tree"))))


ABOVE, BELOW = range(3, 300, 3), range(-300, 0, 3)  # no two leaves are one apart
Signed = tuple[list[Game], list[Game]]  # trees with leaves above zero, and some with leaves below


@pytest.fixture
def two_moves(chance: random.Random) -> Signed:
    """Give 18 trees of each sign with two moves in each state; in two, paths of unequal lengths.

    Six have six plies: in nearly half of such trees it shows if a bound is kept from one state to
    the next. In one the first reply is what the tree before was worth, for who keeps a bound.
    """

    def drawn(leaves: range) -> list[Game]:
        full = [random_tree(chance, 2, plies, leaves) for plies in (3, *[4, 5] * 3, *[6] * 6)]
        low, *some, high = sorted(chance.sample(leaves[30:60], 4))
        ends: list[Any] = [[low, high], [high, low], [[high, low], some]]
        ends += [[corridor(low, n), corridor(low + 3, 8 - n)] for n in (1, 7)]
        return [*full, *map(NestedTree, ends)]

    return drawn(ABOVE), drawn(BELOW)


@pytest.fixture
def two_plies(chance: random.Random) -> Signed:
    """Give the textbook's tree and six of each sign in which the last move is listed first.

    Alpha-beta leaves out two states at least, and the better trees come first: so who keeps alpha
    from one tree to the next cuts too much in the fourth.
    """
    found = list[Game](), list[Game]()
    for trees, leaves in zip(found, (ABOVE, BELOW), strict=True):
        while len(trees) < 6:
            half = leaves[50:] if len(trees) < 3 else leaves[:50]
            trace = Trace(game := LastFirst(chance.sample(half, 9)))
            if len(trace.alpha_beta_generates(())) <= len(trace.minimax_generates(())) - 2:
                trees.append(game)
    return [Fig52Game(), *found[0]], found[1]


@pytest.fixture
def trees(chance: random.Random) -> list[Game]:
    """Give 61 trees of one to nine plies, with leaves of every kind.

    Where leaves are close together below zero, a cut too many, a bound that begins at 0 or a value
    rounded shows the most often.
    """
    shapes = [(3, 2), (3, 3), (5, 2)]
    close = [(3, 3), (3, 3), (2, 4), (5, 2)]
    return [
        *(random_tree(chance, *shape, range(-99, 100)) for shape in shapes),
        *(random_tree(chance, *shape, range(-99, 0)) for shape in shapes),
        *(random_tree(chance, *shape, [*range(-5, 6)] * 9) for shape in close),
        *(random_tree(chance, 3, 4, [n / 2 for n in range(-4, 1)] * 20) for _ in range(13)),
        *map(seen_by_min, traps(chance)),
        random_tree(chance, 8, 2, range(2_000, 99_000)),
        random_tree(chance, 2, 5, [number / 8 for number in range(-99, 100)]),
        random_tree(chance, 4, 1, range(-9, 10)),
        random_tree(chance, 3, 4, range(-999, 1000)),
        random_tree(chance, 2, 9, range(-999, 1000)),
        LastFirst(ORDER),
        corridors(chance.sample(range(100), 4), 8),
        *map(NestedTree, zeros()),
        *uneven_trees(chance),
    ]
