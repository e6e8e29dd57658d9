"""Give hidden checks, as fixtures, what needs a student's process or is drawn by lot."""

import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, takewhile
from operator import itemgetter
from typing import Any, TypeAlias

import pytest

from adversarial import drop_rules, inside, rules
from adversarial import visitor as visits
from adversarial.checks import listed
from adversarial.depth_search import Case, expect_case
from adversarial.drops import USUAL, by_segments
from adversarial.rules import ConnectFour
from adversarial.trace import Trace, key_of
from adversarial.trees import BEST, Figure
from games import Fig52Game, GameState, after
from referee.sandbox.student import Proxy, Student, StudentError, load

Answer: TypeAlias = Callable[[GameState], Any]
Call: TypeAlias = tuple[Any, GameState, int]  # of a player: the game, the state and the depth


def _hasty(leaves: Sequence[int]) -> int:
    """Return the lowest of the leaves before the first that is no lower."""
    falling = takewhile(lambda pair: pair[1] < pair[0], pairwise(leaves))
    return min([leaves[0], *(low for _, low in falling)])


MISLEADING = (statistics.mean, max, itemgetter(0), itemgetter(-1), _hasty)


@pytest.fixture
def alike(chance: random.Random) -> Figure:
    """Give the textbook's tree with other leaves, recorded, and the best move in each state.

    No two leaves are alike, and no move is best that is best in the textbook, or by the mean, the
    highest, the first or the last reply, or by the lowest before one that is higher.
    """
    best, misled = BEST, True
    while misled or best.items() & BEST.items():
        leaves = dict(zip(Fig52Game.leaves, chance.sample(range(2, 99), 9), strict=True))
        game = Trace(type("Figure", (Fig52Game,), {"leaves": leaves})(), *BEST)
        values = {state: game.values(state) for state in BEST}
        best = {state: max(worth, key=worth.__getitem__) for state, worth in values.items()}
        replies = {move: list(leaves.values())[3 * n :][:3] for n, move in enumerate(values["A"])}
        misled = best["A"] in {_chosen(replies, by) for by in MISLEADING}
    return game, best


def _chosen(replies: Mapping[str, Sequence[int]], by: Callable[[Sequence[int]], float]) -> str:
    """Return the move that is best when its replies are judged so."""
    return max(replies, key=lambda move: by(replies[move]))


@pytest.fixture
def fast_tictactoe(student: Student) -> Callable[..., Proxy]:
    """Give trusted boards that run inside the player: `fast_tictactoe(h, v, k)`.

    They are for searches that need speed. With `lazy` their `actions` is a generator.
    """

    def board(h: int = 3, v: int = 3, k: int = 3, lazy: bool = False) -> Proxy:
        kind = "LazyBoard" if lazy else "Board"
        return _made(load(student, inside), kind, rules.tables(h, v, k))

    return board


@pytest.fixture
def fast_connect_four(student: Student) -> Callable[..., Proxy]:
    """Give the same of Connect Four: `fast_connect_four(rows, columns, k)`."""

    def board(rows: int = 6, columns: int = 7, k: int = 4, lazy: bool = False) -> Proxy:
        kind = "LazyConnectFour" if lazy else "ConnectFour"
        return _made(load(student, drop_rules), kind, (rows, columns, k))

    return board


@pytest.fixture
def visitor(student: Student) -> Proxy:
    """Give what asks the student's game inside the player: the functions of `visitor`."""
    return load(student, visits)


@pytest.fixture
def evaluate(student: Student) -> Proxy:
    """Give the student's `evaluate`, with the right segments even if the student's are wrong.

    A mistake in `generate_segments` has cost its points once.
    """
    function: Proxy = student.evaluate
    try:
        if set(listed(student.generate_segments(7, 6, 4))) == USUAL:
            return function
    except (AssertionError, StudentError):
        pass
    if not isinstance(function, Proxy):
        return function
    segments = [sorted(segment) for segment in sorted(map(sorted, USUAL))]
    mended: Proxy = load(student, visits).with_segments(function, segments)
    return mended


@pytest.fixture
def find_best_move(student: Student) -> Callable[[Answer, Sequence[Call]], Proxy]:
    """Give the student's `find_best_move`, with a right search if the student's is wrong.

    `find_best_move(answer, calls)` says by `answer(state)` what a right search would move in one of
    the `calls` that will be asked, of game, state and depth: about another state, with another
    depth or without an estimate it says nothing. A mistake in `alphabeta` or `evaluate` has cost
    its points once.
    """
    function: Proxy = student.find_best_move
    if not isinstance(function, Proxy) or _searches(student):
        return lambda answer, calls: function

    def mended(answer: Answer, calls: Sequence[Call]) -> Proxy:
        asked = {(key_of(state), depth) for _, state, depth in calls}

        def search(game: Any, state: GameState, depth: int, estimate: Any, *_: Any) -> Any:
            if not isinstance(estimate, Proxy) or (key_of(state), depth) not in asked:
                raise ValueError("search the state that was given, with that depth and `evaluate`")
            return 0, answer(state)

        found: Proxy = load(student, visits).with_search(function, search)
        return found

    return mended


def _searches(student: Student) -> bool:
    """Return whether `alphabeta` with `evaluate` finds the values of a few states."""

    def search(game: Trace, state: GameState, depth: int, _: Any) -> Any:
        return student.alphabeta(game, state, depth, student.evaluate)

    try:
        for moves, depth in (([3], 1), ([3, 3, 2], 2), ([0, 1, 0, 1, 0, 1], 2), ([3, 2, 4], 3)):
            state = after(ConnectFour(), moves)
            expect_case(search, Case(Trace(ConnectFour(), state), state, depth, by_segments))
    except (AssertionError, StudentError, TypeError):  # a move that is a list cannot be looked up
        return False
    return True


def _made(module: Proxy, kind: str, arguments: Sequence[Any]) -> Proxy:
    game: Proxy = getattr(module, kind)(*arguments)
    return game
