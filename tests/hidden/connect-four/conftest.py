"""Give the checks of Connect Four what is drawn by lot: searches, and positions in zugzwang."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from adversarial.checks.connect_four import drop_tree, noise, played
from adversarial.checks.four_fixtures import evaluate, fast_connect_four, find_best_move  # noqa: F401
from adversarial.checks.limited import Case
from adversarial.checks.trees import one_and_two_moves
from adversarial.games.recorded import LastFirst, Trace
from adversarial.solvers.connect_four import four_oracle
from games import GameState, State, TreeGame, infinity


@pytest.fixture
def salt(chance: random.Random) -> float:
    """Give what makes the `noise` of one check unlike that of another."""
    return chance.random()


@pytest.fixture
def cases(chance: random.Random, salt: float) -> list[Case]:
    """Give 66 searches: in trees that go on below the depth, trees that end, and Connect Four.

    In each of these games a state is the path of moves to it. Some list their moves in an order of
    their own; some roots are MIN's or O's; some estimates are close together, far apart, or
    fractions. No root is lost: what to do there is asked elsewhere.
    """
    wide, narrow = noise(salt, range(-999, 1000)), noise(salt, range(-2, 3))
    eighths = noise(salt, [number / 8 for number in range(-80, 81)])
    cases = []
    for branching, depth, estimate in [
        (2, 4, wide),
        (3, 3, narrow),
        (3, 2, eighths),
        (2, 5, wide),
        *[(6, 2, narrow)] * 2,  # where a bound is taken for a value of the same size
    ] * 3 + [(2, 8, wide)]:
        kind = LastFirst if branching == 3 else TreeGame
        tree = kind([0] * branching ** (depth + 2), branching)
        cases += [Case(Trace(tree, state), state, depth, estimate) for state in ((), (0,))]
    for depth in (2, 3, 4):  # where there is but one move that is a ply like any other
        for first in (1, 2):
            tree = one_and_two_moves(first, 7)
            cases.append(Case(Trace(tree, (0,)), (0,) if first == 1 else (), depth, wide))
    cases += [equal_until_the_last(chance) for _ in range(2)]
    for branching, plies in [(2, 4), (3, 3)] * 4:
        cases.append(unlost(lambda branching=branching, plies=plies: Case(
            Trace(TreeGame(chance.choices((-1, 0, 1), k=branching**plies), branching)),
            (), plies, noise(salt),
        )))  # fmt: skip
    for size, moves, depth, estimate in [
        ((4, 3, 3), 3, 3, wide),  # here and in the next but one O is to move
        ((3, 4, 3), 4, 4, narrow),
        ((5, 4, 3), 7, 4, eighths),
        ((5, 4, 3), 6, 4, narrow),
    ] * 3:
        cases.append(unlost(lambda size=size, moves=moves, depth=depth, estimate=estimate: Case(
            drop_tree(played(chance, moves, *size, over=False), *size), (), depth, estimate
        )))  # fmt: skip
    return cases


def equal_until_the_last(chance: random.Random) -> Case:
    """Give a search in which the last move seems as good as the best one until its last reply."""
    worth = {(i, j): chance.randrange(-9, 10) for i in range(2) for j in range(3)}
    best = max(min(worth[i, j] for j in range(3)) for i in range(2))
    worth |= {(2, 0): best, (2, 1): best + 3, (2, 2): best - 1}

    def estimate(state: State, player: Any) -> float:
        number = worth.get(state[:2], 0)
        return number if player == "MAX" else -number

    return Case(Trace(TreeGame([0] * 81, 3)), (), 2, estimate)


def unlost(drawn: Callable[[], Case]) -> Case:
    """Return the first case that is drawn in which some move does not lose."""
    while True:
        case = drawn()
        if max(case.values().values()) > -infinity:
            return case


@pytest.fixture
def zugzwang(chance: random.Random) -> list[GameState]:
    """Give six states with at most 9 free squares, won because the opponent has to move."""
    return four_oracle().zugzwang(chance, 6, 9)
