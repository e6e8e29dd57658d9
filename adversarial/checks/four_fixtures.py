"""Fixtures for checks of Connect Four that use the student's process."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pytest

from adversarial.checks.connect_four import USUAL, by_segments, listed
from adversarial.checks.limited import Case, Search
from adversarial.games import drop_rules
from adversarial.games import sent_visitor as visits
from adversarial.games.recorded import Trace, key_of
from games import ConnectFour, GameState, after
from referee.sandbox.outside.student import Proxy, Student, StudentError, load

Answer: TypeAlias = Callable[[GameState], Any]
Call: TypeAlias = tuple[Any, GameState, int]  # of a player: the game, the state and the depth


@pytest.fixture
def fast_connect_four(student: Student) -> Callable[..., Proxy]:
    """Give trusted rules that run inside the player: `fast_connect_four(rows, columns, k)`.

    They are for searches that need speed. With `lazy` their `actions` is a generator.
    """

    def board(rows: int = 6, columns: int = 7, k: int = 4, lazy: bool = False) -> Proxy:
        kind = "LazyConnectFour" if lazy else "ConnectFour"
        made: Proxy = getattr(load(student, drop_rules), kind)(rows, columns, k)
        return made

    return board


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

    In `find_best_move(answer, calls)`, `answer(state)` is the right search's move and `calls` are
    the expected calls: (game, state, depth). For any other call, or one without an estimate, it
    raises ValueError. A mistake in `alphabeta` or `evaluate` has cost its points once.
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
    try:
        search = Search(student.alphabeta)
        for moves, depth in (([3], 1), ([3, 3, 2], 2), ([0, 1, 0, 1, 0, 1], 2), ([3, 2, 4], 3)):
            state = after(ConnectFour(), moves)
            case = Case(Trace(ConnectFour(), state), state, depth, by_segments)
            value, move = search(case.game, state, depth, student.evaluate)
            values = case.values()
            if not value == values[move] == max(values.values()):
                return False
    except (
        AssertionError,
        StudentError,
        TypeError,
        KeyError,
    ):  # what is no move cannot be looked up
        return False
    return True


@pytest.fixture
def minimax(student: Student) -> Search:
    """Give the student's `minimax`, with the value first."""
    return Search(student.minimax)


@pytest.fixture
def alphabeta(student: Student) -> Search:
    """Give the student's `alphabeta`, with the value first."""
    return Search(student.alphabeta)
