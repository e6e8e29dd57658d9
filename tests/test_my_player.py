"""Ask whether the free part of connect-four works: `climb`, `greedy`, and a search on a page."""

import json
import random
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import axe
import pytest
from playwright.sync_api import Browser
from solution import solution

from canvas import show
from climb import climb, greedy
from games import ConnectFour, Fig52Game, GameState, after, random_player

ROOT = Path(__file__).parents[1]
AlphaBeta, TicTacToe = (solution()[name] for name in ("AlphaBeta", "TicTacToe"))


@cache
def notebook() -> dict[str, Any]:
    """Return what the cells of the source notebook define, the free part included."""
    cells = json.loads((ROOT / "source/connect-four/connect-four.ipynb").read_text("utf-8"))
    names: dict[str, Any] = {"__name__": "notebook"}
    for cell in cells["cells"]:
        if cell["cell_type"] == "code" and cell["id"] not in (
            "try-rules",
            "nodes",
            "play-by-click",
        ):
            source = "".join(cell["source"])
            if not source.startswith(("check(", "# Let", "# Play")):
                exec(compile(source, cell["id"], "exec"), names)  # noqa: S102
    return names


def test_greedy_sees_a_win_and_a_threat() -> None:
    """Does it win before it defends, and defend before it builds?"""
    game = ConnectFour()
    assert greedy(game, after(game, [0, 6, 0, 6, 0, 6])) == 0
    assert greedy(game, after(game, [0, 6, 1, 6, 3, 6])) == 2
    assert greedy(game, after(game, [0, 3, 0, 3, 0])) == 0
    assert greedy(game, game.initial) == 3


def test_the_cell_of_the_notebook_climbs() -> None:
    """Does the line in it, without its #, play until a game is lost, and show the position?"""
    names, said = dict(notebook()), list[str]()
    released = (ROOT / "release/connect-four/connect-four.ipynb").read_text("utf-8")
    cells = {cell["id"]: "".join(cell["source"]) for cell in json.loads(released)["cells"]}
    line = re.findall(r"(?m)^# (climb\(.*)\)$", cells["my-player"])[0]
    random.seed(3)
    names["said"] = said.append
    names["passed"] = -1
    exec(f"passed = {line}, say=said)", names)  # noqa: S102
    assert names["passed"] >= 2
    assert said[0].startswith("against random_player, moving first: won")
    assert said[-1].startswith("This position beat it: after(game, [") or said[-1].startswith("Nob")


def test_the_position_that_beat_a_player_had_a_better_move() -> None:
    """Is it one before the other could win whatever was played?"""
    said, game = list[str](), ConnectFour()

    def leftmost(game: ConnectFour, state: GameState) -> int:
        return next(iter(game.actions(state)))

    assert climb(game, leftmost, greedy, say=said.append) == 0
    state = after(game, json.loads(said[-1].partition("game, ")[2][:-1]))
    replies = [game.result(state, move) for move in state.moves]
    assert {wins(game, reply) > 0 for reply in replies} == {True, False}


def wins(game: ConnectFour, state: GameState) -> int:
    """Return by how many moves the player to move wins at once."""
    return sum(game.result(state, move).utility != 0 for move in state.moves)


def test_who_takes_too_long_is_told() -> None:
    """Is it said what that means on the ladder, in a game that goes on?"""
    said = list[str]()
    climb(ConnectFour(), greedy, random_player, seconds=-1, say=said.append)
    assert any("more than -1 s for a move lose the game" in line for line in said)


def test_a_search_is_written_on_a_page(tmp_path: Path) -> None:
    """Does the page hold the board, the tree and each depth, and load nothing?"""
    file = tmp_path / "page.html"
    find, minimax = notebook()["find_best_move"], notebook()["minimax"]
    assert show(find, [3, 3, 2], file=str(file)) == file
    text = file.read_text("utf-8")
    assert "The search of find_best_move" in text
    assert not re.search(r"(?i)<(?:link|iframe|base)|\ssrc=|url\(|import\s", text)
    show(partial(minimax, evaluate=notebook()["evaluate"]), [3, 3, 2], deepest=2, file=str(file))
    show(AlphaBeta, TicTacToe().initial, TicTacToe(), deepest=2, file=str(file))
    show(AlphaBeta(2), "A", Fig52Game(), file=str(file))
    assert "A (MAX)" in file.read_text("utf-8") or file.stat().st_size > 2000


def test_a_player_that_fails_is_shown_as_far_as_it_came(tmp_path: Path) -> None:
    """Is there a page, which says what went wrong?"""

    def breaks(game: ConnectFour, state: GameState, depth: int) -> int:
        raise ValueError("<b>no</b>")

    file = show(breaks, deepest=1, file=str(tmp_path / "page.html"))
    assert "<b>no</b>" not in file.read_text("utf-8").partition("<main>")[2]


def test_what_cannot_be_shown_is_told(tmp_path: Path) -> None:
    """Is it said what is wrong, and is no page written; is a finished game shown?"""
    file, find = str(tmp_path / "page.html"), notebook()["find_best_move"]
    for words, player, options in (
        ("is no player", "find_best_move", {}),
        ("at least 1 ply", find, {"deepest": 0}),
        ("9 for O is not a legal move", find, {"position": [3, 9]}),
    ):
        with pytest.raises((TypeError, ValueError), match=words):
            show(player, file=file, **options)
    assert not (tmp_path / "page.html").exists()
    assert show(find, [0, 1, 0, 1, 0, 1, 0], file=file).exists()


def test_a_player_that_plays_itself_is_told_apart() -> None:
    """Is each game worth to the right side what it is?"""
    said = list[str]()
    climb(ConnectFour(), greedy, greedy, say=said.append)
    assert [line.split(": ")[1].split(",")[0] for line in said[:2]] == ["won", "lost"]


def test_the_slider_is_for_the_depth(browser: Browser, tmp_path: Path) -> None:
    """Do keys lead from depth to depth, and does the tree change while the board stays left?"""
    file = show(notebook()["find_best_move"], [3, 3, 2], file=str(tmp_path / "page.html"))
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    page.goto(file.as_uri())
    slider = page.get_by_role("slider", name="Depth")
    slider.focus()
    words = page.locator("[data-steps] p")
    assert words.inner_text().startswith("Depth 4 of 4: ")
    assert "O chooses 4" in words.inner_text()
    assert page.get_by_text("≤", exact=False).count() > 0
    page.keyboard.press("Home")
    assert words.inner_text().startswith("Depth 1 of 4: ")
    board, tree = page.locator(".search svg").all()
    left, right = board.bounding_box(), tree.bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] <= right["x"]
    page.close()


@pytest.mark.pages
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_of_a_search_shuts_nobody_out(
    browser: Browser, tmp_path: Path, scheme: Any
) -> None:
    """Does axe-core find nothing, and does the page fit on a phone?"""
    file = show(notebook()["find_best_move"], [3, 3, 2], file=str(tmp_path / "page.html"))
    page = browser.new_page(color_scheme=scheme)
    page.goto(file.as_uri())
    page.get_by_role("slider").wait_for()
    assert axe.violations(page) == []
    page.set_viewport_size({"width": 360, "height": 700})
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.close()
