"""Hold the notebooks to what they tell, and to few words before the first task."""

import re
from pathlib import Path

import nbformat
import pytest
from solution import solution

from adversarial.solvers.tictactoe import Oracle
from games import ConnectFour, after, state_from
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
