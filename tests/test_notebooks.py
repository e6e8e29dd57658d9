"""Hold the notebooks to what they tell, and to few words before the first task."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from solution import solution

import check
from adversarial.checks.connect_four import picture
from adversarial.solvers.tictactoe import Oracle
from games import ConnectFour, after, infinity, state_from
from referee.marks import marking

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "source").glob("*/*.ipynb"))


def test_the_search_to_watch_has_the_story_that_is_told() -> None:
    """Is the second move to the board the only good one, as the text says of the picture?"""
    cells = nbformat.read(NOTEBOOKS[-1], as_version=4).cells
    (board,) = re.findall(
        r'state_from\("(.*?)"', next(c.source for c in cells if c.id == "watch-search")
    )
    values = Oracle().values(state_from(board))
    assert list(values.values()) == [-1, 1, -1, -1, -1]


def test_the_opponent_at_connect_four_is_worth_playing() -> None:
    """Does it, as O, beat the same search without an estimate, and never lose to it?"""
    cells = nbformat.read(NOTEBOOKS[-1], as_version=4).cells
    names = dict(solution())
    (source,) = [cell.source for cell in cells if cell.id == "play-connect-four"]
    exec(re.sub(r"(?m)^Canvas.*", "", source), names)  # noqa: S102
    search, estimate = names["AlphaBeta"], names["nearer_the_middle"]
    ends = [
        ConnectFour().play_game(search(4, eval_fn=estimate), search(4), initial=state)
        for state in (after(ConnectFour(), [column]) for column in (0, 2, 3, 6))
    ]
    assert min(ends) >= 0
    assert sum(ends) >= 3


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_the_mark_schemes_add_up(name: str) -> None:
    """Are the items of a scheme worth what the question is, and those of a heading what it says?"""
    notebook = nbformat.read(ROOT / f"source/{name}/{name}.ipynb", as_version=4)
    (cell,) = (one for one in notebook.cells if one.metadata.get("nbgrader", {}).get("task"))
    groups = marking.items(cell.source, cell.metadata.nbgrader.points)
    sums = {heading: sum(item.points for item in group) for heading, group in groups}
    assert sum(sums.values()) == cell.metadata.nbgrader.points
    assert all(f", {points:g} points" in heading for heading, points in sums.items())


# --- the reference solution of connect-four, and values that were counted by other programs ------


@pytest.fixture(scope="module")
def reference() -> Any:
    """Give the names that the reference solution defines."""
    names = check.load(ROOT / "source" / "connect-four")
    assert not any(one.error for one in names.cells)
    return names.values


def test_the_board_has_69_segments(reference: Any) -> None:
    """Do 24 of them run across, 21 upwards, and 12 along each diagonal?"""
    segments = reference["generate_segments"](7, 6, 4)
    steps = [(last[0] - first[0], last[1] - first[1]) for first, *_, last in segments]
    assert [steps.count(step) for step in ((3, 0), (0, 3), (3, 3), (3, -3))] == [24, 21, 12, 12]
    assert len(segments) == 69


def test_a_half_done_board_has_3034_states(reference: Any) -> None:
    """And 442 after X has dropped a piece into the sixth column?"""
    game, tree_size = ConnectFour(), reference["tree_size"]
    state = picture("OOO...O / XXX..XX / OOO..OO / XXX..XX / OOO..OO / XXX..XX")
    assert tree_size(game, state) == 3034
    assert tree_size(game, game.result(state, 5)) == 442


def test_three_boards_have_their_top_pieces(reference: Any) -> None:
    """Is it -1, 5 and infinity for the boards that were drawn by hand?"""
    top_pieces = reference["top_pieces"]
    empty = "....... / " * 3
    assert top_pieces(picture(f"{empty}..O.... / ..X.... / OXX....")) == -1
    assert top_pieces(picture("...O... / ...X... / ...O... / ...X... / ...X... / XXXOXXX")) == 5
    won = picture(f"{empty}....... / ...OOOX / OOOXXXX")
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
