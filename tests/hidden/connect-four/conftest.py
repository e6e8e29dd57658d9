"""Give the checks of Connect Four the searches that are drawn by lot."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from adversarial.checks.connect_four import (  # noqa: F401
    alphabeta,
    drop_tree,
    evaluate,
    fast_connect_four,
    find_best_move,
    minimax,
    noise,
    random_state,
)
from adversarial.checks.limited import Case
from adversarial.checks.trees import corridors, negated, one_and_two_moves, traps, zeros
from adversarial.games.recorded import LastFirst, Trace
from games import NestedTree, State, TreeGame, infinity


def in_trees(chance: random.Random, *kinds: tuple[int, int, Sequence[float]]) -> list[Case]:
    """Give searches from two roots, MAX's and MIN's, of each kind of tree, which goes on below.

    A kind tells how many moves a state has, how deep to look and what is estimated. A state is the
    path to it, so trees and estimates have states in common. With 3 moves the last is listed first.
    """
    cases = []
    for branching, depth, numbers in kinds:
        estimate, kind = noise(chance.random(), numbers), LastFirst if branching == 3 else TreeGame
        tree = kind([0] * branching ** (depth + 2), branching)
        cases += [Case(Trace(tree, state), state, depth, estimate) for state in ((), (0,))]
    return cases


@pytest.fixture
def cases(chance: random.Random) -> list[Case]:
    """Give 33 searches, the last for O, whose estimates differ mostly; some with many zeros."""
    wide, eighths = range(-999, 1000), [number / 8 for number in range(-80, 81)]
    salt = chance.random()
    cases = in_trees(
        chance, *[(2, 4, wide), (3, 2, eighths), (2, 5, wide), (3, 3, (-1, 0, 1))] * 3, (2, 8, wide)
    )
    for depth in (2, 3, 4):  # where there is but one move that is a ply like any other
        for first in (1, 2):
            tree, start = one_and_two_moves(first, 7), (0,) if first == 1 else ()
            cases.append(Case(Trace(tree, (0,)), start, depth, noise(salt, wide)))
    return [*cases, Case(drop_tree(random_state(chance, 1)), (), 2, noise(salt, wide))]


@pytest.fixture
def decided(chance: random.Random) -> list[Case]:
    """Give 24 searches in which huge estimates, a 0, the first or the last of the moves decide."""
    nine = [[number] for number in sorted(chance.sample(range(100), 9))]
    first = [[5, 9, 7], [1, 4, 2], [3, 8, 6]]  # what comes after the worst is not the best
    return [case_of(tree) for tree in [*traps(chance), *zeros(), nine, first]]


def case_of(tree: Any) -> Case:
    """Return the search of nested lists whose leaves, all at one depth, are the estimates there."""
    leaves, first = NestedTree(tree), ()
    while not leaves.terminal_test(first):
        first = (*first, 0)

    def estimate(state: State, player: Any) -> float:
        number = leaves.at(state)
        return 0 if isinstance(number, list) else number if player == "MAX" else -number

    def going_on(branch: Any) -> Any:
        return [going_on(one) for one in branch] if isinstance(branch, list) else [0, 0]

    return Case(Trace(NestedTree(going_on(tree))), (), len(first), estimate)


@pytest.fixture
def ties(chance: random.Random) -> list[Case]:
    """Give 31 searches in which a bound is easily taken for a value of the same size."""
    kinds = (3, 3, range(-2, 3)), (6, 2, range(-2, 3)), (6, 2, range(-2, 3)), (3, 4, (-1, 0, 1))
    equal = [equal_until_the_last(chance) for _ in range(4)]
    return [*in_trees(chance, *kinds * 3), *equal, *better_late(chance)]


@pytest.fixture
def endings(chance: random.Random) -> list[Case]:
    """Give 17 searches that see games end: in full trees, in corridors, and in Connect Four.

    No root is lost and no estimate decides: what to do there, and with one, is asked elsewhere.
    """
    late = NestedTree([[[0, -1], [1, -1]], [[-1, 1], [-1, 1]]])  # as in `better_late`
    cases = [Case(Trace(late), (), 3, noise(chance.random()))]
    for plies in (1, 2, 3, 4, 5, 6):
        corridor = corridors(chance.sample((-1, 0, 1), 3), plies)
        cases.append(Case(Trace(corridor), (), plies + 1, noise(chance.random())))
    for branching, plies in [(2, 4), (3, 3)] * 2:
        cases.append(unlost(lambda branching=branching, plies=plies: Case(
            Trace(TreeGame(chance.choices((-1, 0, 1), k=branching**plies), branching)),
            (), plies, noise(chance.random()),
        )))  # fmt: skip
    for size, moves in [((3, 4, 3), 4), ((5, 4, 3), 7), ((5, 4, 3), 6)] * 2:
        cases.append(unlost(lambda size=size, moves=moves: Case(
            drop_tree(random_state(chance, moves, *size, over=False), *size), (), 4,
            noise(chance.random()),
        )))  # fmt: skip
    return cases


def equal_until_the_last(chance: random.Random) -> Case:
    """Give a search in which the last move seems as good as the best one until its last reply."""
    replies = [[chance.randrange(-9, 10) for _ in range(3)] for _ in range(2)]
    best = max(map(min, replies))
    return case_of([*replies, [best, best + 3, best - 1]])


def better_late(chance: random.Random) -> list[Case]:
    """Give three searches that must not end early: the last move is the best, or the last reply.

    In one the second move is cut; in the others a state's first move is worse than what MAX, or
    MIN, has in an earlier one.
    """
    n = chance.randrange(-9, 10)
    cut_tree = [[n, n + 1], [n - 2, n + 1], [n + 3, n + 4]]
    worse_first = [[[n, n - 1], [n + 2, n - 1]], [[n - 1, n + 5], [n - 2, n + 6]]]
    return [case_of(tree) for tree in (cut_tree, worse_first, [negated(worse_first), [[[-n - 2]]]])]


def unlost(draw: Callable[[], Case]) -> Case:
    """Return the first case that is drawn that is not lost, and whose value no estimate changes."""
    while True:
        case = draw()
        lowest, highest = (
            max(case._replace(estimate=noise(0, [number])).values().values())
            for number in (-1e9, 1e9)
        )
        if lowest == highest > -infinity:
            return case
