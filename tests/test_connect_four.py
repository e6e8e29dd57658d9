"""Ask whether the reference solution of connect-four finds values that are known from elsewhere.

They were counted by other programs; none of them is an output of the reference.
"""

from pathlib import Path
from typing import Any

import pytest

import check
from games import ConnectFour, GameState, after, infinity

NOTEBOOK = Path(__file__).parents[1] / "source" / "connect-four" / "connect-four.ipynb"


@pytest.fixture(scope="module")
def reference() -> Any:
    """Give the names that the reference solution defines."""
    names = check.load(NOTEBOOK.parent)
    assert not any(one.error for one in names.cells)
    return names.values


def drawn(picture: str, to_move: str = "X") -> GameState:
    """Return the state that a picture shows, the top row first."""
    rows = enumerate(reversed(picture.split(" / ")))
    board = {(r, c): piece for r, row in rows for c, piece in enumerate(row) if piece != "."}
    return GameState(to_move, 0, board, [c for c in range(7) if (5, c) not in board])


def test_the_board_has_69_segments(reference: Any) -> None:
    """Do 24 of them run across, 21 upwards, and 12 along each diagonal?"""
    segments = reference["generate_segments"](7, 6, 4)
    steps = [(last[0] - first[0], last[1] - first[1]) for first, *_, last in segments]
    assert [steps.count(step) for step in ((3, 0), (0, 3), (3, 3), (3, -3))] == [24, 21, 12, 12]
    assert len(segments) == 69


def test_a_half_done_board_has_3034_states(reference: Any) -> None:
    """And 442 after X has dropped a piece into the sixth column?"""
    game, tree_size = ConnectFour(), reference["tree_size"]
    state = drawn("OOO...O / XXX..XX / OOO..OO / XXX..XX / OOO..OO / XXX..XX")
    assert tree_size(game, state) == 3034
    assert tree_size(game, game.result(state, 5)) == 442


def test_three_boards_have_their_top_pieces(reference: Any) -> None:
    """Is it -1, 5 and infinity for the boards that were drawn by hand?"""
    top_pieces = reference["top_pieces"]
    empty = "....... / " * 3
    assert top_pieces(drawn(f"{empty}..O.... / ..X.... / OXX....")) == -1
    assert top_pieces(drawn("...O... / ...X... / ...O... / ...X... / ...X... / XXXOXXX")) == 5
    won = drawn(f"{empty}....... / ...OOOX / OOOXXXX")._replace(utility=1, moves=[])
    assert top_pieces(won) == infinity


def test_alphabeta_looks_at_4700_states_where_minimax_looks_at_134825(reference: Any) -> None:
    """Are the value and the first best column right as well, six plies ahead?"""
    state = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
    assert reference["start"] == state
    assert reference["nodes"][6] == (134_825, 4_700)
    assert reference["alphabeta"](ConnectFour(), state, 6, reference["top_count"]) == (-2, 0)


def test_the_known_game_is_played(reference: Any) -> None:
    """Does the player answer each move of the known game as its book prints it?

    The book calls the depth 3, which counts the plies after its own move: four plies in all.
    """
    game, answers = ConnectFour(), []
    state = game.initial
    for move in (3, 1, 1, 3, 0, 5, 4):
        state = game.result(state, move)
        answers.append(reference["find_best_move"](game, state, depth=4))
        state = game.result(state, answers[-1])
    assert answers == [1, 3, 1, 3, 4, 4, 4]
