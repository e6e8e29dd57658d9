"""Build the site and use it as a reader does: in Chromium, what reacts in Firefox as well."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import axe
import nbformat
import pytest
from browsing import PATIENCE, in_both
from formgrading import run, served
from playwright.sync_api import Browser, BrowserContext, Locator, Page
from shares import sampled
from solution import cells_of

ROOT = Path(__file__).parents[1]

SITE = ROOT / "build" / "site"
NAME = "tic-tac-toe"
pytestmark = pytest.mark.pages
WIDE, PHONE = {"width": 1300, "height": 900}, {"width": 390, "height": 800}


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of the site, built as `make docs` builds it."""
    command = [sys.executable, "docs/build.py"]
    if shutil.which("npm") is None and not os.environ.get("CI"):
        command.append("--no-lite")
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    with served(SITE) as address:
        yield address


@pytest.fixture(scope="module")
def lite(site: str) -> str:
    """The address of JupyterLite."""
    if not (SITE / "lite").exists():
        pytest.skip("JupyterLite is built with npm, which is not installed")
    return f"{site}lite/"


def trouble_in(context: BrowserContext, site: str) -> list[str]:
    """Return a list of what pages will ask of the world, or complain about."""
    found = list[str]()
    near = (site, "data:", "blob:")
    context.on("request", lambda one: one.url.startswith(near) or found.append(f"asked: {one.url}"))
    context.on("console", lambda said: found.append(said.text) if said.type == "error" else None)
    context.on("weberror", lambda error: found.append(str(error.error)))
    context.set_default_timeout(PATIENCE)
    return found


def pages() -> list[str]:
    """Return the addresses of all pages, JupyterLite's own left out."""
    found = (file.relative_to(SITE) for file in SITE.rglob("*.html"))
    return sorted(str(file) for file in found if file.parts[0] != "lite")


@pytest.mark.parametrize("scheme", sampled(["light", "dark"], "dark"))
def test_a_page_is_whole_and_readable(site: str, browser: Browser, scheme: str) -> None:
    """Does each page load in silence and from here alone, and can everybody read it?"""
    context = browser.new_context(viewport=WIDE, color_scheme=scheme)  # type: ignore[arg-type]
    wrong = trouble_in(context, site)
    page = context.new_page()
    for address in pages():
        page.goto(site + address)
        for size in (PHONE, WIDE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wrong.append(f"{address}: wider than a window of {size['width']}")
        wrong += [f"{address}: {what}" for what in axe.violations(page)]  # which unfolds
    context.close()
    assert len(pages()) > 20
    assert wrong == []


@in_both
def test_a_lesson_unfolds_tells_its_story_and_is_found(site: str, browser: Browser) -> None:
    """Is an answer out of sight until one clicks on it, has a story a picture and words for each
    step, and is a word of a lesson found?
    """
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{site}lessons/minimax.html")
    answer = page.get_by_text("A single leaf can change the decision")
    assert not answer.is_visible()
    page.locator("details", has=answer).locator("summary").click()
    answer.wait_for(state="visible")
    page.goto(f"{site}lessons/depth.html")
    told = page.locator("[data-steps] [aria-live]")
    assert "X plays column 5" in told.inner_text()
    page.locator("[data-steps]").get_by_role("slider").press("End")
    assert "X plays column 3" in told.inner_text()
    page.goto(f"{site}search.html?q=horizon")
    page.locator("#search-results a", has_text="Depth and estimates").first.wait_for()
    page.close()


def type_into(field: Locator, number: str) -> None:
    """Put a number in place of what stands there, key by key as a reader does."""
    field.select_text()
    field.press_sequentially(number)


@in_both
def test_a_tree_in_a_lesson_can_be_tried(site: str, browser: Browser) -> None:
    """Do value, move and cuts follow what is typed, and is it told when no more can be skipped?"""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{site}lessons/alpha-beta.html")
    assert "May I skip B2 and B3?" in page.locator("[data-ask] output").inner_text()
    box = page.locator(".try-tree[data-goal]")
    said = box.locator("output")
    assert said.inner_text() == "A is worth 3: MAX moves to B. It looks at 7 of 9 leaves."
    assert box.locator("input.skipped").count() == 2
    box.get_by_role("button", name="The other way round").click()
    assert said.inner_text() == "A is worth 3: MAX moves to D. It looks at 9 of 9 leaves."
    for order, seen in (("Best", "B. It looks at 5 of 9"), ("Worst", "D. It looks at 9 of 9")):
        box.get_by_role("button", name=f"{order} first").click()
        assert seen in said.inner_text()
    box.get_by_role("button", name="As it was").click()
    type_into(box.get_by_label("Leaf D1"), "-1")
    assert "5 of 9 leaves. That is all there is to skip: 5 leaves" in said.inner_text()
    type_into(box.get_by_label("Leaf C1"), "7")
    assert said.inner_text().startswith("A is worth 4: MAX moves to C.")
    page.goto(f"{site}lessons/minimax.html")
    page.get_by_label("Leaf B1").press("ArrowUp")
    assert page.locator(".try-tree output").inner_text() == "A is worth 100: MAX moves to B or C."
    type_into(page.get_by_label("Leaf B1"), "500")
    assert page.locator(".try-tree output").inner_text() == "A is worth 500: MAX moves to B."
    page.get_by_label("Leaf B1").fill("")
    page.get_by_label("Leaf B2").focus()
    assert page.get_by_label("Leaf B1").input_value() == "500"  # which is what still counts
    context.close()


def test_without_a_script_pictures_and_formulas_stand_there(site: str, browser: Browser) -> None:
    """Are trees, the end of the story and the definition there where scripts are switched off?"""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}lessons/alpha-beta.html")
    for box, leaves in ("[data-goal]", 7), ("[data-ask]", 4):
        title = f"Figure 5.2 after {leaves} leaves"
        assert page.locator(f"{box} svg title").text_content() == title
    assert "MAX chooses a1" in str(page.locator("[data-steps] img").get_attribute("alt"))
    for box in ("[data-goal]", "[data-ask]", "[data-steps]"):
        assert page.locator(f"{box} input, {box} button").count() == 0
    page.goto(f"{site}lessons/minimax.html")
    formula = page.locator("math[display=block]").bounding_box()
    assert formula is not None and formula["height"] > 40
    context.close()


# --- the tree of a lesson asks: the reader is MIN, and alpha-beta wants to skip ------------------


def said(box: Locator) -> str:
    return box.locator("output").inner_text()


def press(box: Locator, name: str) -> str:
    box.get_by_role("button", name=name).press("Enter")
    return said(box)


def refute(box: Locator, leaf: str, number: int) -> str:
    box.get_by_label(f"Leaf {leaf}").fill(str(number))
    return press(box, "No: this leaf proves it")


def test_who_judges_as_alpha_beta_does_is_right_and_nobody_else(
    site: str, browser: Browser
) -> None:
    """Is the story of the lesson the one that is asked, and counted?

    Is a leaf refused that is too large, or that MAX does not come to, and a rash yes as well?
    """
    context = browser.new_context()
    trouble = trouble_in(context, site)
    page = context.new_page()
    page.goto(f"{site}lessons/alpha-beta.html")
    asking = page.locator("[data-ask]")  # figure 5.2
    first = "B is worth 3 so far, and MAX is sure of nothing yet. May I skip B2 and B3?"
    assert said(asking) == first
    assert refute(asking, "B3", -1).startswith(
        "Right: with −1 there B is worth −1, and not 3. I look."
    )
    assert said(asking).endswith("May I skip B3?")
    assert refute(asking, "B3", 2).endswith(
        "C is worth 2 so far, and MAX is sure of 3. May I skip C2 and C3?"
    )
    assert press(asking, "Yes, skip").startswith("Right: C is worth 2 or less, whatever you have")
    assert "D is worth 14 so far, and MAX is sure of 3. May I skip D2 and D3?" in said(asking)
    assert "D is worth 5 so far" in refute(asking, "D2", -50)
    last = refute(asking, "D3", 4)
    assert "A is worth 3, with 2 leaves skipped. You judged 5 of 5 times" in last
    assert asking.get_by_role("button", name="Yes, skip").is_disabled()
    assert "May I skip B2 and B3?" in press(asking, "From the start")
    assert press(asking, "No: this leaf proves it").startswith("Which leaf proves it?")
    assert refute(asking, "B2", 3).startswith("That proves nothing: with 3 there B stays 3.")
    assert press(asking, "Yes, skip").startswith(
        "No! You could have a 2 there: then B is not worth 3."
    )
    refute(asking, "B3", 0)
    assert refute(asking, "C2", -99).startswith(
        "That proves nothing: with −99 there MAX has 3 elsewhere and does not come here."
    )
    assert "May I skip C2 and C3?" in said(asking)
    press(asking, "Yes, skip")
    press(asking, "Yes, skip")
    assert "You judged 2 of 7 times" in press(asking, "Yes, skip")
    assert asking.locator("svg .pruned").count() == 2
    assert trouble == []
    context.close()


# --- JupyterLite -----------------------------------------------------------------------------

# In the page: the notebook that is open, told by JupyterLab itself. Until the file has been read
# an empty cell stands in its place, and a cell that is run before there is a kernel asks for one.
NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"
READY = """() => {
    const context = window.jupyterapp?.shell.currentWidget?.context;
    return context?.isReady && context.sessionContext.session?.kernel;
}"""
SOLVE = f"""sources => {{
    const notebook = {NOTEBOOK};
    for (const cell of notebook.widgets) {{
        const name = (cell.model.getMetadata('nbgrader') || {{}}).grade_id;
        if (sources[name]) cell.model.sharedModel.setSource(sources[name]);
        if (name === 'part-4') notebook.activeCellIndex = notebook.widgets.indexOf(cell);
    }}
}}"""
RAN = f"""name => {NOTEBOOK}.widgets.some(cell =>
    (cell.model.getMetadata('nbgrader') || {{}}).grade_id === name && cell.model.executionCount)"""
OUTPUTS = f"""() => Object.fromEntries({NOTEBOOK}.widgets.filter(c => c.model.type === 'code').map(
    c => [(c.model.getMetadata('nbgrader') || {{}}).grade_id, c.model.outputs.toJSON()]))"""


def opened(context: BrowserContext, site: str) -> Page:
    """Open the released notebook by the link on the site."""
    page = context.new_page()
    page.goto(f"{site}try.html")
    page.locator("li", has_text="Tic-tac-toe: players").get_by_role("link").first.click()
    page.wait_for_function(READY)
    return page


def run_menu(page: Page, menu: str, item: str) -> None:
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.get_by_role("menuitem", name=item, exact=True).click()


def click_the_board(page: Page) -> str:
    """Click a corner of the first board; return what is said when the program has answered."""
    page.evaluate(
        f"""async () => {{
            const notebook = {NOTEBOOK};
            const cell = notebook.widgets.find(c => c.model.sharedModel.getSource().includes(
                'Canvas_TicTacToe("Tic-tac-toe by your own rules"'));
            notebook.activeCellIndex = notebook.widgets.indexOf(cell);
            await notebook.scrollToCell(cell);
        }}"""
    )
    page.locator(".jp-Cell.jp-mod-active").get_by_title("(0, 0)", exact=True).click()
    said = page.locator(".jp-Cell.jp-mod-active", has_text="O (random) played")
    said.wait_for()
    return said.inner_text()


@pytest.mark.usefixtures("lite")
def test_a_notebook_is_solved_in_the_browser(site: str, browser: Browser, tmp_path: Path) -> None:
    """Does `check` report as elsewhere, does a program answer a click, with nothing from afar?

    And does the file that is downloaded get full marks, under the name and with the metadata that
    it has?
    """
    context = browser.new_context(viewport=WIDE, accept_downloads=True)  # type: ignore[arg-type]
    trouble = trouble_in(context, site)
    page = opened(context, site)
    page.evaluate(SOLVE, cells_of(NAME))
    run_menu(page, "Run", "Run All Above Selected Cell")  # the tournament takes minutes here
    page.wait_for_function(RAN, arg="test_AlphaBeta")
    outputs = page.evaluate(OUTPUTS)
    answered = click_the_board(page)
    with page.expect_download() as download:
        run_menu(page, "File", "Download")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    context.close()
    for name in ("TicTacToe", "MiniMax", "AlphaBeta"):
        (said,) = outputs[f"test_{name}"]
        count = said["text"].count("✔")
        assert count > 3
        assert f"{count} of {count} public checks pass." in said["text"]
    assert "X (you) to move" in answered
    assert trouble == []
    said = run(ROOT, "referee", "check", str(file))
    assert "85 of 85 points" in said, said


# Games that take minutes there, and their checks.
LONG = {"playing", "test_playing", "evaluation_a", "test_evaluation_a"}
LIBRARY = """
import doctest
import games
assert doctest.testmod(games).failed == 0
from canvas import Canvas_alpha_beta
def looks_one_ply_ahead(game, state):
    for move in game.actions(state):
        game.result(state, move)
    return "a1"
tree = Canvas_alpha_beta("A tree", games.Fig52Game(), looks_one_ply_ahead)
assert "MAX chooses a1" in tree.status(), tree.status()
assert "data-steps" in tree.html()
"""
BOARD = """
from canvas import Canvas_ConnectFour
board = Canvas_ConnectFour("A game", "human", "random")
board.play(3)
assert len(board.state.board) == 2
"""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.nightly] * (name != "connect-four"))
        for name in sorted(file.name for file in (ROOT / "release").iterdir())
    ],
)
def test_the_browsers_python_runs_an_assignment(lite: str, name: str, tmp_path: Path) -> None:
    """Do library, cells and checks work in that Python, asked in Node without a browser?"""
    folder = tmp_path / name
    shutil.copytree(ROOT / "release" / name, folder)
    cells = nbformat.read(ROOT / "source" / name / f"{name}.ipynb", as_version=4).cells
    sources = [one.source for one in cells if one.cell_type == "code" and one.id not in LONG]
    board = [BOARD] * (folder / "canvas/boards.py").exists()
    (folder / "cells.json").write_text(json.dumps([LIBRARY, *board, *sources]), "utf-8")
    done = subprocess.run(
        ["node", ROOT / "tests" / "lite_in_node.mjs", SITE / "lite", folder],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all is well" in done.stdout
    checks = sum(source.count("\ncheck(") + source.startswith("check(") for source in sources)
    assert done.stdout.count("public checks pass") == checks >= 3


RUN_BELOW = f"""async source => {{
    const run = () => window.jupyterapp.commands.execute('notebook:run-cell');
    const notebook = {NOTEBOOK};
    const named = c => (c.model.getMetadata('nbgrader') || {{}}).grade_id === 'imports';
    notebook.activeCellIndex = notebook.widgets.findIndex(named);
    await run();
    await window.jupyterapp.commands.execute('notebook:insert-cell-below');
    notebook.activeCell.model.sharedModel.setSource(source);
    await run();
    return JSON.stringify(notebook.activeCell.model.outputs.toJSON());
}}"""


@pytest.mark.usefixtures("lite")
def test_a_loop_on_the_page_is_told_and_the_work_kept(site: str, browser: Browser) -> None:
    """In a cell and in a check: does the kernel stop it, say so, and go on with what was there?"""
    context = browser.new_context(viewport=WIDE)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    page = opened(context, site)
    short = "import sys\nsys.modules['check'].CELL_SECONDS = sys.modules['check'].SECONDS = 1"
    page.evaluate(RUN_BELOW, f"kept = 41\n{short}")
    stopped = "is there a loop that does not end?"
    assert stopped in page.evaluate(RUN_BELOW, "while True:\n    pass")
    loops = (
        "class TicTacToe:\n    def __init__(self, *size):\n        while True:\n            pass\n"
    )
    assert stopped in page.evaluate(RUN_BELOW, f"{loops}check('TicTacToe')")
    assert "42" in page.evaluate(RUN_BELOW, "print(kept + 1)")
    context.close()
