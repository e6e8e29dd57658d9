"""Fixtures for checks of trees and tic-tac-toe: random trees, objects in the student's process."""

import random
import statistics
from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile
from operator import itemgetter

import pytest

from adversarial.checks.boards import board_tree, oracle
from adversarial.checks.figure import BEST, Figure
from adversarial.games import rules, sent_boards
from adversarial.games import sent_visitor as visits
from adversarial.games.recorded import Trace
from games import Fig52Game
from referee.sandbox.outside.student import Proxy, Student, load


def _hasty(leaves: Sequence[int]) -> int:
    """Return the last leaf of the falling run at the start: the minimum if one stops too early."""
    falling = takewhile(lambda pair: pair[1] < pair[0], pairwise(leaves))
    return min([leaves[0], *(low for _, low in falling)])


MISLEADING = (statistics.mean, max, itemgetter(0), itemgetter(-1), _hasty)


@pytest.fixture
def alike(chance: random.Random) -> Figure:
    """Give the textbook's tree with other leaves, recorded, and the best move in each state.

    No two leaves are alike or one apart, and no move is best that is best in the textbook, or by
    the mean, the highest, the first or the last reply, or by the lowest before one that is higher.
    """
    best, misled = BEST, True
    while misled or best.items() & BEST.items():
        leaves = dict(zip(Fig52Game.leaves, chance.sample(range(2, 99, 2), 9), strict=True))
        game = Trace(type("Figure", (Fig52Game,), {"leaves": leaves})(), *BEST)
        values = {state: game.values(state) for state in BEST}
        best = {state: max(worth, key=worth.__getitem__) for state, worth in values.items()}
        replies = {move: list(leaves.values())[3 * n :][:3] for n, move in enumerate(values["A"])}
        misled = best["A"] in {max(replies, key=lambda m: by(replies[m])) for by in MISLEADING}
    return game, best


@pytest.fixture
def board_trees(chance: random.Random) -> list[Trace]:
    """Give the recorded trees of six boards, with X and with O to move at the root.

    Their paths are not equally long.
    """
    roots = [state for state in oracle().open_states() if len(state.moves) in (3, 4)]
    pools = [[state for state in roots if state.to_move == mover] for mover in "XO"]
    drawn = [state for pool in pools for state in chance.sample(pool, 2)]
    boards = [board_tree(start=state) for state in drawn]
    return [board_tree(1, 4, 2), *boards, board_tree(2, 2, 2)]


@pytest.fixture
def fast_tictactoe(student: Student) -> Callable[..., Proxy]:
    """Give trusted boards that run in the student's process: `fast_tictactoe(h, v, k)`.

    They are for searches that need speed. With `lazy` their `actions` is a generator.
    """

    def board(h: int = 3, v: int = 3, k: int = 3, lazy: bool = False) -> Proxy:
        kind = "LazySentBoard" if lazy else "SentBoard"
        made: Proxy = getattr(load(student, sent_boards), kind)(*rules.tables(h, v, k))
        return made

    return board


@pytest.fixture
def visitor(student: Student) -> Proxy:
    """Give the functions of `sent_visitor`, in the student's process."""
    return load(student, visits)
