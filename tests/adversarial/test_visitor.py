"""Ask whether what is done inside a student's process does what checks rely on."""

import linecache
from collections import Counter
from typing import Any

import pytest

from adversarial.games import sent_visitor
from adversarial.games.rules import TicTacToe
from games import GameState

CELL = """
def evaluate(state, player):
    return len(LINES)

LINES = [set(segment) for segment in generate_segments(columns=7, rows=6, length=4)]
"""


class Sharing(TicTacToe):
    """Hand out the list of moves that the state has."""

    def actions(self, state: GameState) -> Any:
        """Return that list."""
        return state.moves


def test_a_walk_makes_every_move_of_the_game_once() -> None:
    """Are there 16,167, of which 2,782 win, and 5,478 states that can be come to?"""
    numbers = sent_visitor.walk(TicTacToe(), 3, 20_000)
    assert len(numbers) == len(set(numbers)) == 16_167
    ends = Counter(number % 6 for number in numbers)
    won = sent_visitor.number(0, 0, 1, over=True), sent_visitor.number(0, 0, -1, over=True)
    assert sum(ends[end] for end in won) == 2_782
    assert set(ends) == {*won, sent_visitor.number(0, 0, 0, over=True), 0}


def test_a_walk_through_rules_without_end_ends() -> None:
    """Is a game that is never over left after so many moves?"""
    assert 1_000 <= len(sent_visitor.walk(TicTacToe(5, 5, 6), 5, 1_000)) < 1_025


@pytest.mark.parametrize(("game", "left"), [(TicTacToe(2, 2, 2), 4), (Sharing(2, 2, 2), 0)])
def test_a_list_that_is_spoilt_is_missed_where_it_was_the_states_own(
    game: TicTacToe, left: int
) -> None:
    """Does a game that makes a list for the occasion lose nothing, and another all?"""
    assert [len(moves) for moves in sent_visitor.first_moves_again(game)] == [left, left]
    state = GameState("X", 0, {}, [(0, 0)])
    assert len(sent_visitor.moves_again(game, state)) == min(left, 1) == len(state.moves)


def names_of(cell: str) -> dict[str, Any]:
    """Return what a notebook knows whose cell has run with segments of its own that are wrong."""
    names: dict[str, Any] = {"generate_segments": lambda columns, rows, length: []}
    linecache.cache["<cell 1>"] = len(cell), None, cell.splitlines(keepends=True), "<cell 1>"
    exec(compile(cell, "<cell 1>", "exec"), names)  # noqa: S102
    return names


def test_an_estimate_is_made_anew_with_other_segments() -> None:
    """Does what was made of wrong segments when the cell ran count no more?"""
    wrong = names_of(CELL)["evaluate"]
    assert wrong(None, "X") == 0
    mended = sent_visitor.with_segments(wrong, [[(0, 0), (0, 1)]] * 69)
    assert mended(None, "X") == 69


@pytest.mark.parametrize(
    "function", [len, names_of("def evaluate():\n    pass\n1 / 1")["evaluate"]]
)
def test_what_cannot_be_made_anew_stays(function: Any) -> None:
    """Is a function without a cell left as it is?"""
    linecache.cache.pop("<cell 1>", None)
    assert sent_visitor.with_segments(function, []) is function
