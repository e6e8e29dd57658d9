"""Play and watch in a real page: JupyterLab runs the released notebook, and clicks are clicks.

The first test is part of `make test`, all others of `make pages`. Screenshots are kept in the
folder that PICTURES names, or in .referee/pictures.
"""

import json
import os
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
from browsing import (
    PATIENCE,
    notebook,
    output,
    wait_for_colour,
    wait_for_kernel,
)
from course_copies import make_course
from formgrading import formgrader, get, lab, run
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, Locator, Page
from solution import solution, solved, sources

from canvas import Canvas_ConnectFour, Canvas_TicTacToe
from canvas.drawing import BLUE, ORANGE, PANEL

ROOT = Path(__file__).parents[1]

NAME = "tic-tac-toe"
PICTURES = Path(os.environ.get("PICTURES", ROOT / ".referee/pictures"))
DRAW = """\
from canvas import *
Canvas_TicTacToe("To a draw", "human", AlphaBeta(d=9))"""
FIGURE = 'Canvas_alpha_beta("Figure 5.2", Fig52Game(), AlphaBeta())'
TITLES = (
    "Tic-tac-toe by your own rules", "MiniMax in the tree of figure 5.2", "You against MiniMax",
    "AlphaBeta in a tree with 27 leaves", "AlphaBeta finds the only good move",
    "You against AlphaBeta, d=4",
)  # fmt: skip
PLAYED = *(TITLES[number] for number in (0, 2, 5)), "To a draw"
STEPPED = *(TITLES[number] for number in (1, 3, 4)), "Figure 5.2"
# Cells that play whole tournaments, and that nobody looks at here.
LONG = ("playing", "test_playing", "evaluation_a", "test_evaluation_a")
BOARDS = [
    "from canvas import *",
    'Canvas_TicTacToe("Two humans", "human", "human")',
    'def broken(game, state):\n    raise RuntimeError("no idea")',
    'Canvas_TicTacToe("Broken", "human", broken)',
    'Canvas_ConnectFour("Two programs", "random", "random")',
    'print("READY", 6 * 7)',
]
# The transcript of the course description, squares numbered from 0, row by row.
HUMAN, COMPUTER = (0, 7, 5, 6, 1), (4, 3, 2, 8)


class Lab(NamedTuple):
    """A browser, and a server with a folder of notebooks."""

    browser: Browser
    server: str
    folder: Path


@pytest.fixture(scope="module")
def jupyter(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab with a student's folder: the released notebook solved, and one with boards."""
    root = tmp_path_factory.mktemp("student")
    solved(root / NAME, DRAW, FIGURE, without=LONG)
    cells = [new_code_cell(source) for source in [*sources(), *BOARDS]]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), root / NAME / "boards.ipynb")
    with lab(root) as server:
        yield Lab(browser, server, root / NAME)


@pytest.fixture(scope="module")
def released(jupyter: Lab) -> Iterator[Page]:
    """The released notebook, with solutions, run from top to bottom."""
    page = notebook(jupyter.browser, jupyter.server, f"{NAME}/{NAME}.ipynb")
    yield page
    page.close()


@pytest.fixture
def boards(jupyter: Lab) -> Iterator[Page]:
    """A notebook with boards, run from top to bottom; the kernel is used again."""
    page = notebook(jupyter.browser, jupyter.server, f"{NAME}/boards.ipynb")
    yield page
    page.close()


def click(canvas: Locator, point: tuple[float, float]) -> None:
    canvas.click(position={"x": point[0], "y": point[1]})


def click_at_once(canvas: Locator, point: tuple[float, float]) -> None:
    """Click on a canvas wherever it is now: a page that has just been loaded may still move."""
    script = """(e, [x, y]) => {
        const {left, top} = e.getBoundingClientRect();
        for (const kind of ['mousemove', 'mousedown', 'mouseup'])
            e.dispatchEvent(new MouseEvent(kind, {clientX: left + x, clientY: top + y}));
    }"""
    canvas.evaluate(script, list(point))


def save(page: Page) -> None:
    """Ask JupyterLab to save the notebook."""
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.locator(".lm-Menu [data-command='docmanager:save']").click()


def keep(shown: Locator | Page, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    shown.screenshot(path=PICTURES / f"{name}.png")


def arm(board: Any, square: tuple[int, int]) -> tuple[float, float]:
    """Return a point on a stroke of an X, off the middle of its square."""
    x, y = board.places.centre(square)
    return x + 0.15 * board.places.side, y + 0.15 * board.places.side


def ring(board: Any, square: tuple[int, int]) -> tuple[float, float]:
    """Return a point on the line of an O."""
    x, y = board.places.centre(square)
    return x + 0.297 * board.places.side, y


def test_a_whole_game_is_clicked_to_a_draw(released: Page) -> None:
    """Does AlphaBeta answer each click as in the known transcript, and is that drawn?"""
    board = Canvas_TicTacToe("", game=solution()["TicTacToe"](), live=False)
    shown = output(released, "To a draw")
    canvas = shown.locator("canvas")
    pieces = {}
    for human, computer in zip(HUMAN, (*COMPUTER, None), strict=True):
        square = divmod(human, 3)
        click(canvas, board.places.centre(square))
        pieces[square] = "X"
        if computer is not None:
            pieces[divmod(computer, 3)] = "O"
            shown.get_by_text(f"O (AlphaBeta) played {divmod(computer, 3)}").wait_for()
    shown.get_by_text("The game is over: a draw.").wait_for()
    for square, piece in pieces.items():
        place, colour = (arm, BLUE) if piece == "X" else (ring, ORANGE)
        wait_for_colour(canvas, *place(board, square), colour)
    assert len(pieces) == 9
    keep(shown, "tic-tac-toe")


def shown_in(page: Page, title: str) -> Locator:
    """Return the output with the picture of that title that needs no kernel."""
    return page.locator(".jp-RenderedHTML", has=page.locator(f"svg title:text-is('{title}')"))


@pytest.mark.pages
def test_keys_step_through_a_tree_in_the_notebook(released: Page) -> None:
    """Do buttons and arrow keys reach the tree, which JupyterLab has other uses for?"""
    shown = shown_in(released, "Figure 5.2")
    shown.get_by_text("Step 0 of 14: MAX is to move at A.").wait_for()
    shown.get_by_role("button", name="Step").click()
    shown.get_by_text("Step 1 of 14:").wait_for()
    for number in range(2, 15):
        released.keyboard.press("ArrowRight")
        shown.get_by_text(f"Step {number} of 14:").wait_for()
        if number == 8:
            shown.get_by_text("Back from C with 2. Never looked at: C2, C3.").wait_for()
            keep(shown, "alpha-beta-prunes")
    shown.get_by_text("MAX chooses a1: 10 states looked at, 7 of 9 leaves.").wait_for()
    shown.get_by_role("slider").press("ArrowLeft")
    shown.get_by_text("Step 13 of 14: Back from D with 2.").wait_for()
    keep(shown, "alpha-beta")


def opened(jupyter: Lab, name: str) -> Page:
    """Open a notebook with a new kernel, and run nothing."""
    page = jupyter.browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(f"{jupyter.server}/doc/tree/{NAME}/{name}?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    wait_for_kernel(jupyter.server, f"{NAME}/{name}")
    return page


@pytest.mark.pages
def test_a_notebook_that_is_opened_again_has_its_pictures(jupyter: Lab, released: Page) -> None:
    """Saved, and opened with a new kernel: no error, the last pictures, and do trees step?"""
    board = output(released, "You against MiniMax")
    click(board.locator("canvas"), (160, 160))
    board.get_by_text("O (MiniMax) played (0, 0)").wait_for()
    assert released.locator(".jp-RenderedHTML img:visible").count() == 0
    saved, again = jupyter.folder / f"{NAME}.ipynb", jupyter.folder / "again.ipynb"
    save(released)
    while "O (MiniMax) played (0, 0)" not in saved.read_text("utf-8"):
        released.wait_for_timeout(100)
    again.write_bytes(saved.read_bytes())  # this one has never had a kernel
    page = opened(jupyter, again.name)
    gone = page.get_by_text("Error displaying widget")
    gone.nth(len(PLAYED) - 1).wait_for(state="attached")
    images = page.locator(".jp-RenderedHTML img")
    images.nth(len(PLAYED) - 1).wait_for(state="attached")
    assert [gone.count(), images.count()] == [len(PLAYED), len(PLAYED)]
    assert not any(one.is_visible() for one in gone.all())
    for one in images.all():
        one.scroll_into_view_if_needed()
        one.wait_for()
    words = [str(one.get_attribute("alt")) for one in images.all()]
    assert [one.partition("\n")[0] for one in words] == list(PLAYED)
    assert "[O]" in words[PLAYED.index("You against MiniMax")]
    keep(images.nth(PLAYED.index("You against MiniMax")), "opened-again")
    for title in STEPPED:
        shown = shown_in(page, title)
        shown.get_by_role("slider").press("Home")
        shown.get_by_role("button", name="Step").click()
        shown.get_by_text("Step 1 of").wait_for()
        keep(shown, f"opened-again-{title.replace(' ', '-')}")
    page.close()
    strange = again.with_name("strange.ipynb")  # JupyterLab does not trust what others ran
    strange.write_text(saved.read_text("utf-8").replace("READY 42", "READY 43"), "utf-8")
    page = opened(jupyter, strange.name)
    page.get_by_text("READY 43").wait_for(state="attached")
    images = page.locator(".jp-RenderedHTML img")
    images.nth(len(PLAYED) + len(STEPPED) - 1).wait_for()
    assert page.locator(".jp-RenderedHTML button").count() == 0
    gone = page.get_by_text("Error displaying widget")
    assert not any(one.is_visible() for one in gone.all())
    page.close()


@pytest.mark.pages
def test_pieces_drop_where_one_clicks(released: Page) -> None:
    """Do clicked columns fill from the bottom, answered by AlphaBeta, and light up before?"""
    board = Canvas_ConnectFour("", live=False)
    shown = output(released, "You against AlphaBeta, d=4")
    canvas = shown.locator("canvas")
    x, y = board.places.centre((4, 3))
    canvas.hover(position={"x": x, "y": y})
    wait_for_colour(canvas, x - 0.48 * board.places.side, y, "#bac8d8")
    for row in (0, 2):  # the first answer is above the first piece
        click(canvas, (x, y))
        shown.get_by_text("O (AlphaBeta) played").wait_for()
        edge = x - 0.3 * board.places.side, board.places.centre((row, 3))[1]
        wait_for_colour(canvas, *edge, BLUE)
        released.mouse.move(0, 0)
        wait_for_colour(canvas, x - 0.48 * board.places.side, y, "#d5dde7")
    keep(shown, "connect-four")


@pytest.mark.pages
def test_all_boards_of_the_released_notebook_are_there(released: Page) -> None:
    """Does each cell of the assignment that shows a canvas show one that is not empty?"""
    for title in PLAYED:
        shown = output(released, title)
        wait_for_colour(shown.locator("canvas"), 4, 4, PANEL)
        keep(shown, title.replace(" ", "-").replace(",", ""))


@pytest.mark.pages
def test_the_first_click_on_a_half_visible_board_lands_where_it_should(boards: Page) -> None:
    """Is a click right though the page scrolls because of it, below and above?"""
    board = Canvas_TicTacToe("", game=solution()["TicTacToe"](), live=False)
    shown = output(boards, "Two humans")
    canvas = shown.locator("canvas")
    canvas.wait_for()
    view = boards.locator(".jp-WindowedPanel-outer").bounding_box()
    assert view is not None
    square = 0, 2
    x, y = board.places.centre(square)
    shift = """(e, bottom) => {
        const outer = document.querySelector('.jp-WindowedPanel-outer');
        outer.scrollTop += e.getBoundingClientRect().bottom - bottom;
    }"""
    hidden = 0.6 * board.size[1]  # the upper 40 percent are in view
    canvas.evaluate(shift, view["y"] + view["height"] + hidden)
    place = canvas.bounding_box()
    assert place is not None
    assert place["y"] + place["height"] > view["y"] + view["height"] + 1, "not cut"
    boards.mouse.click(place["x"] + x, place["y"] + y)
    shown.get_by_text("O (you) to move").wait_for()
    wait_for_colour(canvas, *arm(board, square), BLUE)


@pytest.mark.pages
def test_a_page_that_is_loaded_again_shows_the_board(boards: Page, jupyter: Lab) -> None:
    """After a reload, is the board as it was, and does it still answer?"""
    board = Canvas_TicTacToe("", game=solution()["TicTacToe"](), live=False)
    canvas = output(boards, "Two humans").locator("canvas")
    click(canvas, board.places.centre((1, 1)))
    output(boards, "Two humans").get_by_text("O (you) to move").wait_for()
    save(boards)
    while "widget-view" not in (jupyter.folder / "boards.ipynb").read_text("utf-8"):
        boards.wait_for_timeout(100)
    boards.reload()
    boards.wait_for_selector(".jp-Notebook .jp-Cell")
    wait_for_kernel(jupyter.server, f"{NAME}/boards.ipynb")
    shown = output(boards, "Two humans")
    wait_for_colour(shown.locator("canvas"), *arm(board, (1, 1)), BLUE)
    click_at_once(shown.locator("canvas"), board.places.centre((0, 0)))
    shown.get_by_text("X (you) to move").wait_for()
    wait_for_colour(shown.locator("canvas"), *ring(board, (0, 0)), ORANGE)


@pytest.mark.pages
def test_a_board_is_played_without_a_pointer(boards: Page) -> None:
    """Do Tab, Space and Enter reach the moves, and is it seen where one is?"""
    shown, keyboard = output(boards, "Two humans"), boards.keyboard
    shown.get_by_role("button", name="Restart").focus()
    keyboard.press("Tab")
    keyboard.press("Space")
    shown.get_by_role("button", name="(0, 0)").wait_for()
    for said in ("O (you) to move", "X (you) to move", "O (you) to move"):
        keyboard.press("Tab")
        focus = "getComputedStyle(document.activeElement).outline"
        assert "solid 3px" in boards.evaluate(focus)
        keyboard.press("Enter")
        shown.get_by_text(said).wait_for()
    assert shown.get_by_role("button", name="X", exact=True).count() == 2
    keyboard.press("Enter")
    shown.get_by_text("(0, 2) is not possible here.").wait_for()


@pytest.mark.pages
def test_errors_of_a_program_are_seen_under_the_board(boards: Page) -> None:
    """Is the exception of a player shown in the page, with the line that raised it?"""
    shown = output(boards, "Broken")
    click(shown.locator("canvas"), (160, 160))
    shown.get_by_text("O (broken) raised RuntimeError: no idea").first.wait_for()
    shown.locator("pre", has_text="in broken").wait_for()
    keep(shown, "error")


@pytest.mark.pages
def test_two_programs_play_move_by_move(boards: Page) -> None:
    """Does each press of the button drop a piece?"""
    shown = output(boards, "Two programs")
    for player in "XOX":
        shown.get_by_role("button", name="Next move").click()
        shown.get_by_text(f"{player} (random) played").wait_for()
    keep(shown, "two-programs")


# --- pages that nobody can click in ----------------------------------------------------------


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course in which the solved notebook was handed in, graded by nbgrader's own commands."""
    root = make_course(tmp_path_factory.mktemp("course"), NAME)
    solved(root / "submitted/ada" / NAME, without=LONG)
    run(root, "nbgrader", "autograde", NAME)
    return root


@pytest.mark.pages
def test_formgrader_shows_the_pictures(graded: Path, browser: Browser) -> None:
    """Does an instructor who marks by hand see what the student saw?"""
    with formgrader(graded) as address:
        entry = json.loads(get(f"{address}/api/submitted_notebooks/{NAME}/{NAME}"))[0]
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(PATIENCE)
        page.goto(f"{address}/submissions/{entry['id']}/", wait_until="domcontentloaded")
        page.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)")
        shown = {}
        for image in page.locator("img[src^='data:image/svg+xml;base64']").all():
            drawing = b64decode(str(image.get_attribute("src")).partition(",")[2]).decode()
            image.scroll_into_view_if_needed()
            width, height = image.evaluate("e => e.decode().then(() => [e.width, e.naturalHeight])")
            assert min(width, height) > 200
            shown[next(title for title in TITLES if title in drawing)] = drawing
            keep(image, f"formgrader-{len(shown)}")
        assert list(shown) == list(TITLES)
        page.locator("img[src^='data:image/svg+xml;base64']").nth(3).scroll_into_view_if_needed()
        keep(page, "formgrader")
        assert shown["AlphaBeta in a tree with 27 leaves"].count("stroke-dasharray") > 4
        page.close()
