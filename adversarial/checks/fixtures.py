"""Fixtures for checks of trees and tic-tac-toe: random trees, objects in the student's process."""

import random
import statistics
from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile
from operator import itemgetter

import pytest

from adversarial.checks.boards import board_tree, oracle
from adversarial.checks.figure import figure
from adversarial.checks.trees import corridors, negated, random_tree, traps, uneven_trees, zeros
from adversarial.games import rules, sent_boards
from adversarial.games import sent_visitor as visits
from adversarial.games.recorded import Trace
from games import Game, NestedTree, TreeGame
from referee.sandbox.outside.student import Proxy, Student, load


def _hasty(leaves: Sequence[float]) -> float:
    """Return the last leaf of the falling run at the start: the minimum if one stops too early."""
    falling = takewhile(lambda pair: pair[1] < pair[0], pairwise(leaves))
    return min([leaves[0], *(low for _, low in falling)])


MISLEADING = (statistics.mean, max, itemgetter(0), itemgetter(-1), _hasty)
BEST = {"a1", "b1", "c1", "d3"}  # the best moves in the textbook's tree


@pytest.fixture
def alike(chance: random.Random) -> Trace:
    """Give the textbook's tree with other leaves, recorded.

    No two leaves are alike or one apart, and no move is best that is best in the textbook, or by
    the mean, the highest, the first or the last reply, or by the lowest before one that is higher.
    """
    while True:
        game = figure(leaves := chance.sample(range(2, 99, 2), 9))
        values = [game.values(state) for state in "ABCD"]
        best = [max(worth, key=worth.__getitem__) for worth in values]
        replies = {f"a{n + 1}": leaves[3 * n :][:3] for n in range(3)}
        misleading_moves = [max(replies, key=lambda move: by(replies[move])) for by in MISLEADING]
        if best[0] not in misleading_moves and BEST.isdisjoint(best):
            return game


@pytest.fixture
def trees(chance: random.Random) -> list[Game]:
    """Give 62 trees: of up to 13 plies, with leaves that are far apart, close together, huge,
    fractions, or wins, draws and defeats, and with a draw that decides at each level.

    Where leaves are close together, a cut too many or a value rounded shows the most often.
    """
    shapes = [(2, 3), (2, 4), (3, 2), (3, 3), (4, 2), (5, 2)]
    usual = [random_tree(chance, *shape, range(-99, 100)) for shape in shapes * 2]
    close = [random_tree(chance, *shape, [*range(-3, 4)] * 9) for shape in [(3, 3), (2, 4)]]
    halves = [n / 2 for n in range(-5, 6)] * 9
    close += [random_tree(chance, 5, 2, halves) for _ in range(7)]
    close += [_misleading(chance, halves) for _ in range(3)]
    fractions = random_tree(chance, 2, 5, [number / 8 for number in range(-99, 100)])
    large = random_tree(chance, 3, 4, range(-999, 1000))
    deep = random_tree(chance, 2, 7, range(-999, 1000))
    long = corridors(chance.sample(range(100), 4), 8)
    longer = corridors(chance.sample(range(100), 3), 12)
    results = [random_tree(chance, 3, 3, [-1, 0, 1] * 9) for _ in range(3)]
    traps_for_min = [NestedTree([negated(tree), 0]) for tree in traps(chance)]
    random_trees = [*usual, *close, *traps_for_min, fractions, large, deep, long, longer, *results]
    return [*random_trees, *uneven_trees(chance), *map(NestedTree, zeros())]


def _misleading(chance: random.Random, leaves: Sequence[float]) -> TreeGame:
    """Return a tree in which the first move that is best without its fraction is not the best."""
    while True:
        tree = random_tree(chance, 5, 2, leaves)
        values = Trace(tree).values(())
        if values[max(values, key=lambda move: int(values[move]))] < max(values.values()):
            return tree


@pytest.fixture
def board_trees(chance: random.Random) -> list[Trace]:
    """Give the recorded trees of six boards, with X and with O to move at the root.

    Their paths are not equally long.
    """
    roots = [state for state in oracle().open_states() if len(state.moves) in (3, 4)]
    pools = [[state for state in roots if state.to_move == mover] for mover in "XO"]
    states = [state for pool in pools for state in chance.sample(pool, 2)]
    boards = [board_tree(start=state) for state in states]
    return [board_tree(1, 4, 2), *boards, board_tree(2, 2, 2)]


@pytest.fixture
def fast_tictactoe(student: Student) -> Callable[..., Proxy]:
    """Give trusted boards that run in the student's process: `fast_tictactoe(h, v, k)`.

    They are for searches that need speed. With `lazy` their `actions` is a generator.
    """

    def board(h: int = 3, v: int = 3, k: int = 3, lazy: bool = False) -> Proxy:
        kind = "LazySentBoard" if lazy else "SentBoard"
        game: Proxy = getattr(load(student, sent_boards), kind)(*rules.tables(h, v, k))
        return game

    return board


@pytest.fixture
def visitor(student: Student) -> Proxy:
    """Give the functions of `sent_visitor`, in the student's process."""
    return load(student, visits)
