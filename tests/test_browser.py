"""Play and watch in a real page: JupyterLab runs the released notebook, and clicks are clicks."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from browsing import in_both, notebook, opened, output, wait_for_kernel
from formgrading import lab
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, Locator, Page
from solution import solved, sources

pytestmark = [in_both, pytest.mark.pages]
ROOT = Path(__file__).parents[1]

NAME = "tic-tac-toe"
FIGURE = 'Canvas_alpha_beta("Figure 5.2", Fig52Game(), AlphaBeta())'
TITLES = (
    "Tic-tac-toe by your own rules", "MiniMax in the tree of figure 5.2", "You against MiniMax",
    "AlphaBeta in a tree with 27 leaves", "AlphaBeta finds the only good move",
    "You against AlphaBeta, d=4",
)  # fmt: skip
PLAYED = [TITLES[number] for number in (0, 2, 5)]
STEPPED = *(TITLES[number] for number in (1, 3, 4)), "Figure 5.2"
# Cells that play whole tournaments, and that nobody looks at here.
LONG = ("playing", "test_playing", "evaluation_a", "test_evaluation_a")
BOARDS = [
    "from canvas import *",
    'Canvas_TicTacToe("Two humans", "human", "human")',
    'print("READY", 6 * 7)',
]


Lab = SimpleNamespace  # a browser, and a server with a folder of notebooks


@pytest.fixture(scope="module")
def jupyter(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab with a student's folder: the released notebook solved, and one with boards."""
    root = tmp_path_factory.mktemp("student")
    solved(root / NAME, FIGURE, without=LONG)
    cells = [new_code_cell(source) for source in [*sources(), *BOARDS]]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), root / NAME / "boards.ipynb")
    with lab(root) as server:
        yield Lab(browser=browser, server=server, folder=root / NAME)


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


def square(shown: Locator, *place: int) -> Locator:
    """Return the button of a square."""
    return shown.get_by_title(str(place), exact=True)


def save(page: Page) -> None:
    """Ask JupyterLab to save the notebook."""
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.locator(".lm-Menu [data-command='docmanager:save']").click()


def shown_in(page: Page, title: str) -> Locator:
    """Return the output with the picture of that title that needs no kernel."""
    return page.locator(".jp-RenderedHTML", has=page.locator(f"svg title:text-is('{title}')"))


def test_keys_step_through_a_tree_in_the_notebook(released: Page) -> None:
    """Do buttons and arrow keys reach the tree, which JupyterLab has other uses for?

    And does each cell that shows a board show one, square and as a whole?
    """
    shown = shown_in(released, "Figure 5.2")
    shown.get_by_text("Step 0 of 14: MAX is to move at A.").wait_for()
    shown.get_by_role("button", name="Step").click()
    shown.get_by_text("Step 1 of 14:").wait_for()
    released.keyboard.press("ArrowRight")
    shown.get_by_text("Step 2 of 14:").wait_for()
    shown.get_by_role("slider").press("ArrowLeft")
    shown.get_by_text("Step 1 of 14:").wait_for()
    for title in PLAYED:
        shown = output(released, title)
        corners = [square(shown, *place).bounding_box() for place in ((0, 0), (2, 2))]
        assert all(one and one["width"] == one["height"] > 50 for one in corners)


def test_a_notebook_that_is_opened_again_has_its_pictures(jupyter: Lab, released: Page) -> None:
    """Saved, and opened with a new kernel: no error, the last pictures, and do trees step?"""
    board = output(released, "You against MiniMax")
    square(board, 1, 1).click()
    board.get_by_text("O (MiniMax) played (0, 0)").wait_for()
    assert released.locator(".jp-RenderedHTML img:visible").count() == 0
    saved, again = jupyter.folder / f"{NAME}.ipynb", jupyter.folder / "again.ipynb"
    save(released)
    while "O (MiniMax) played (0, 0)" not in saved.read_text("utf-8"):
        released.wait_for_timeout(100)
    again.write_bytes(saved.read_bytes())  # this one has never had a kernel
    page = opened(jupyter.browser, jupyter.server, f"{NAME}/{again.name}")
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
    assert [one.partition("\n")[0] for one in words] == PLAYED
    assert "[O]" in words[PLAYED.index("You against MiniMax")]
    for title in STEPPED:
        shown = shown_in(page, title)
        shown.get_by_role("slider").press("Home")
        shown.get_by_role("button", name="Step").click()
        shown.get_by_text("Step 1 of").wait_for()
    page.close()
    strange = again.with_name("strange.ipynb")  # JupyterLab does not trust what others ran
    strange.write_text(saved.read_text("utf-8").replace("READY 42", "READY 43"), "utf-8")
    page = opened(jupyter.browser, jupyter.server, f"{NAME}/{strange.name}")
    page.get_by_text("READY 43").wait_for(state="attached")
    images = page.locator(".jp-RenderedHTML img")
    images.nth(len(PLAYED) + len(STEPPED) - 1).wait_for()
    assert page.locator(".jp-RenderedHTML button").count() == 0
    gone = page.get_by_text("Error displaying widget")
    assert not any(one.is_visible() for one in gone.all())
    page.close()


def test_a_page_that_is_loaded_again_shows_the_board(boards: Page, jupyter: Lab) -> None:
    """After a reload, is the board as it was, and does it still answer?"""
    shown = output(boards, "Two humans")
    square(shown, 1, 1).click()
    shown.get_by_text("O (you) to move").wait_for()
    save(boards)
    while "widget-view" not in (jupyter.folder / "boards.ipynb").read_text("utf-8"):
        boards.wait_for_timeout(100)
    boards.reload()
    boards.wait_for_selector(".jp-Notebook .jp-Cell")
    wait_for_kernel(jupyter.server, f"{NAME}/boards.ipynb")
    shown = output(boards, "Two humans")
    shown.get_by_role("button", name="X", exact=True).wait_for()
    square(shown, 0, 0).click()
    shown.get_by_text("X (you) to move").wait_for()
    assert [square(shown, *one).inner_text() for one in ((1, 1), (0, 0))] == ["X", "O"]
    shown.get_by_role("button", name="Restart").click()
    shown.get_by_role("button", name="X", exact=True).wait_for(state="detached")


def test_a_board_is_played_without_a_pointer(boards: Page) -> None:
    """Do Tab and Enter reach the squares, and is it seen where one is?"""
    shown, keyboard = output(boards, "Two humans"), boards.keyboard
    shown.get_by_role("button", name="(0, 0)").focus()
    for said in ("O (you) to move", "X (you) to move", "O (you) to move"):
        keyboard.press("Enter")
        shown.get_by_text(said).wait_for()
        keyboard.press("Tab")
        focus = "getComputedStyle(document.activeElement).outline"
        assert "solid 3px" in boards.evaluate(focus)
    assert shown.get_by_role("button", name="X", exact=True).count() == 2
    keyboard.press("Shift+Tab")
    keyboard.press("Enter")
    shown.get_by_text("(0, 2) is not possible here.").wait_for()
