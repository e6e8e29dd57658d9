"""Ask whether the trusted games play by the rules, and whether what is sent holds none."""

import inspect
import linecache
from typing import Any

import pytest
from hypothesis import given, settings
from textbook import Playout, expect_by_the_rules, playouts

from adversarial.games import sent_boards, sent_visitor
from adversarial.games.rules import TicTacToe, tables
from adversarial.games.sent_boards import LazyConnectFour, LazySentBoard
from games import ConnectFour, after

LAW = settings(deadline=None)  # no clock in a law
NO_SQUARES = None, "a1", 4, [0, 0], (0,), (0, 0, 0), {}, (9, 9), (-1, 0)


def test_a_walk_makes_every_move_of_the_game_once() -> None:
    """Are there 16,167, of which 2,782 win, and is a game without an end left after so many?"""
    assert 1_000 <= len(sent_visitor.walk(TicTacToe(5, 5, 6), 5, 1_000)) < 1_025
    numbers = sent_visitor.walk(TicTacToe(), 3, 20_000)
    assert len(numbers) == len(set(numbers)) == 16_167
    won = [sent_visitor.number(0, 0, worth, over=True) for worth in (1, -1)]
    assert sum(number % 6 in won for number in numbers) == 2_782


@LAW
@given(playouts(TicTacToe, 5, 5, 5))
def test_every_state_of_a_game_is_what_the_rules_make_it(playout: Playout) -> None:
    """Does each move put one stone of the right player, until the first line or the last square?

    And does the board that is sent have the same moves?
    """
    game, states, _ = playout
    squares = [(row, column) for row in range(game.h) for column in range(game.v)]
    expect_by_the_rules(
        playout, game.k, [*squares, *NO_SQUARES],
        lambda board: [square for square in squares if square not in board],
        lambda board, move: move,
    )  # fmt: skip
    sent = LazySentBoard(*tables(game.h, game.v, game.k))
    assert [[*sent.actions(state)] for state in states] == [state.moves for state in states]


def test_what_is_sent_names_no_square_no_player_and_no_line() -> None:
    """Is it without tables nothing that the cell TicTacToe asks for?"""
    asked = {"h", "v", "k", "compute_utility", "k_in_row", "display"}
    for kind in (sent_boards.SentBoard, LazySentBoard):
        assert not asked & (set(vars(kind)) | set(inspect.signature(kind).parameters))
        with pytest.raises(TypeError):
            kind(3, 3, 3)  # type: ignore[call-arg]
    code = inspect.getsource(sent_boards)
    assert '"X"' not in code and '"O"' not in code and "range" not in code


def test_columns_of_a_generator_are_those_of_the_list() -> None:
    """Does the same game give the same moves, which can be walked through once?"""
    lazy = LazyConnectFour(2, 3, 3)
    full = after(lazy, [1, 1])
    columns = lazy.actions(full)
    assert [*columns, *columns] == [0, 2] == ConnectFour(2, 3, 3).actions(full)
    assert lazy.initial == ConnectFour(2, 3, 3).initial


# --- what is done inside a student's process ---------------------------------------------------

CELL = """
def evaluate(state, player):
    return len(LINES)

LINES = [set(segment) for segment in generate_segments(columns=7, rows=6, length=4)]
"""


def names_of(cell: str) -> dict[str, Any]:
    """Return what a notebook knows whose cell has run with segments of its own that are wrong."""
    names: dict[str, Any] = {"generate_segments": lambda columns, rows, length: []}
    linecache.cache["<cell 1>"] = len(cell), None, cell.splitlines(keepends=True), "<cell 1>"
    exec(compile(cell, "<cell 1>", "exec"), names)  # noqa: S102
    return names


def test_an_estimate_is_made_anew_with_other_segments() -> None:
    """Does what was made of wrong segments when the cell ran count no more?

    Is a function left as it is that has no cell, or one that is gone?
    """
    wrong = names_of(CELL)["evaluate"]
    assert wrong(None, "X") == 0
    mended = sent_visitor.with_segments(wrong, [[(0, 0), (0, 1)]] * 69)
    assert mended(None, "X") == 69
    linecache.cache.pop("<cell 1>")
    for function in len, mended:
        assert sent_visitor.with_segments(function, []) is function
