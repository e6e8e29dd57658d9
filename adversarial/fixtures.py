"""Give hidden checks their boards and trees, recorded here or running inside the player."""

import functools
import random
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from adversarial import connect_four, rules
from adversarial.oracle import Oracle
from adversarial.trace import Corridors, Trace, Unfolded
from games import Fig52Game, GameState
from referee.sandbox import student as submission


@pytest.fixture
def trace() -> type[Trace]:
    """Give the class of recorded games: `trace(game, *states)`."""
    return Trace


@pytest.fixture
def corridors() -> type[Corridors]:
    """Give a class of games with many plies and few states: `corridors(values, plies)`."""
    return Corridors


@pytest.fixture
def alike(chance: random.Random) -> tuple[Trace, dict[str, str]]:
    """Give the textbook's tree with other leaves, recorded, and the best move in each state.

    No two leaves are alike, and no move is best that is best in the textbook.
    """
    textbook = {"A": "a1", "B": "b1", "C": "c1", "D": "d3"}
    best = dict(textbook)
    while set(best.items()) & set(textbook.items()):

        class Figure(Fig52Game):
            leaves: ClassVar = dict(
                zip(Fig52Game.leaves, chance.sample(range(2, 99), 9), strict=True)
            )

        figure = Figure()
        game = Trace(figure, *textbook)
        for state in textbook:
            worth = {
                move: game.minimax_value(figure.result(state, move), figure.to_move(state))
                for move in figure.actions(state)
            }
            best[state] = max(worth, key=worth.__getitem__)
    return game, best


@pytest.fixture
def tictactoe() -> Callable[..., Trace]:
    """Give trusted boards that are recorded here: `tictactoe(h, v, k, *states)`."""

    def make(h: int = 3, v: int = 3, k: int = 3, *states: Any) -> Trace:
        return Trace(rules.TicTacToe(h, v, k), *states)

    return make


@pytest.fixture
def board_tree() -> Callable[..., Trace]:
    """Give recorded trees of a board game: `board_tree(h, v, k, start)`; states are paths."""

    def make(h: int = 3, v: int = 3, k: int = 3, start: Any = None) -> Trace:
        game = rules.TicTacToe(h, v, k)
        return Trace(Unfolded(game, game.initial if start is None else start))

    return make


@pytest.fixture
def fast_tictactoe(student: submission.Student) -> Callable[..., Any]:
    """Give trusted boards that run inside the player, for searches that need speed.

    With `lazy` their `actions` is a generator.
    """

    def make(h: int = 3, v: int = 3, k: int = 3, lazy: bool = False) -> Any:
        module = submission.load(student, rules)
        return (module.LazyTicTacToe if lazy else module.TicTacToe)(h, v, k)

    return make


@pytest.fixture
def drop_tree() -> Callable[..., Trace]:
    """Give recorded trees of Connect Four: `drop_tree(start, rows, columns, k)`; states: paths."""

    def make(start: GameState, rows: int = 6, columns: int = 7, k: int = 4) -> Trace:
        return Trace(Unfolded(rules.ConnectFour(rows, columns, k), start))

    return make


@pytest.fixture
def fast_connect_four(student: submission.Student) -> Callable[..., Any]:
    """Give trusted Connect Four that runs inside the player: `fast_connect_four(rows, columns, k)`.

    With `lazy` its `actions` is a generator.
    """

    def make(rows: int = 6, columns: int = 7, k: int = 4, lazy: bool = False) -> Any:
        module = submission.load(student, rules)
        return (module.LazyConnectFour if lazy else module.ConnectFour)(rows, columns, k)

    return make


@pytest.fixture
def call_and_look() -> Callable[..., tuple[Any, list[Any]]]:
    """Give `call_and_look(function, *args)`: the answer, and the arguments as they are then."""
    return submission.call_and_look


@pytest.fixture
def ask_each() -> Callable[..., list[Any]]:
    """Give `ask_each(function, [args, args, ...])`: all answers, in few round trips."""
    return submission.ask_each


@functools.cache
def _oracle(h: int, v: int, k: int) -> Oracle:
    return Oracle(h, v, k)


@pytest.fixture
def oracle() -> Callable[..., Oracle]:
    """Give exact values: `oracle(h, v, k)`."""

    def make(h: int = 3, v: int = 3, k: int = 3) -> Oracle:
        return _oracle(h, v, k)

    return make


@functools.cache
def _four_oracle(rows: int, columns: int, k: int) -> connect_four.Solver:
    return connect_four.Solver(rows, columns, k)


@pytest.fixture
def four_oracle() -> Callable[..., connect_four.Solver]:
    """Give exact values of Connect Four: `four_oracle(rows, columns, k)`."""

    def make(rows: int = 6, columns: int = 7, k: int = 4) -> connect_four.Solver:
        return _four_oracle(rows, columns, k)

    return make
