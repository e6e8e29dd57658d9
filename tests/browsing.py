"""Open pages in Chromium without a window, and notebooks in JupyterLab."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import pytest
from formgrading import get
from nbformat.v4 import new_code_cell
from playwright.sync_api import Browser, Locator, Page, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
NO_BROWSER = (
    "this test opens pages in Chromium, which is not installed: on Debian and Ubuntu "
    "`apt-get install chromium`, elsewhere install Chromium or Chrome"
)
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic",
           "--no-first-run", "--disable-background-networking", "--disable-component-update",
           "--disable-sync"]  # fmt: skip
PATIENCE = 180_000  # milliseconds; a busy machine is slow, and nothing here is timed
ROOT = Path(__file__).parents[1]


def solved(folder: Path, *more: str, without: tuple[str, ...] = ()) -> None:
    """Lay out a student's folder: the release, its solution cells filled in, and cells at the end.

    The last cell prints READY 42. The cells `without` are left empty.
    """
    shutil.copytree(ROOT / "release/tic-tac-toe", folder)
    source = nbformat.read(ROOT / "source/tic-tac-toe/tic-tac-toe.ipynb", as_version=4)
    written = {cell.id: cell.source for cell in source.cells}
    notebook = nbformat.read(folder / "tic-tac-toe.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = written.get(cell.id, cell.source)
        if cell.id in without:
            cell.source = ""
    notebook.cells += [new_code_cell(cell) for cell in (*more, "print('READY', 6 * 7)")]
    nbformat.write(notebook, folder / "tic-tac-toe.ipynb")


@contextmanager
def chromium(home: Path) -> Iterator[Browser]:
    """A real browser without a window; its files lie in `home`."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.fail(NO_BROWSER) if "CI" in os.environ else pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, headless=True, args=OPTIONS, env=os.environ | {"HOME": str(home)}
        )
        yield browser
        browser.close()


def notebook(browser: Browser, server: str, path: str, **options: Any) -> Page:
    """Open a notebook in JupyterLab, run all cells, and wait for the last one to print READY."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, **options)
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server}/doc/tree/{path}?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    wait_for_kernel(server, path)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.get_by_text(f"READY {6 * 7}").wait_for()
    return page


def wait_for_kernel(server: str, path: str) -> None:
    """Wait until the notebook has a kernel that is idle; before that a page starts another one."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        sessions = [s for s in json.loads(get(f"{server}/api/sessions")) if s["path"] == path]
        kernels = [session["kernel"] for session in sessions if session["kernel"]]
        if [k["execution_state"] for k in kernels] == ["idle"] and kernels[0]["connections"]:
            return
    pytest.fail(f"{path} has got no kernel")


def output(page: Page, title: str) -> Locator:
    """Return the output with the canvas of that title."""
    shown = page.locator(".jp-OutputArea-output", has_text=title)
    return shown.filter(has=page.locator("canvas")).first


def colour(canvas: Locator, x: float, y: float) -> tuple[int, int, int]:
    """Return the colour of a point of a canvas, which has two dots for each pixel."""
    script = "(e, [x, y]) => [...e.getContext('2d').getImageData(2 * x, 2 * y, 1, 1).data]"
    red, green, blue, _ = canvas.evaluate(script, [x, y])
    return red, green, blue


def wait_for_colour(canvas: Locator, x: float, y: float, wanted: str) -> None:
    """Wait until a point of a canvas has the colour #rrggbb."""
    rgb = tuple(int(wanted[i : i + 2], 16) for i in (1, 3, 5))
    end = time.monotonic() + PATIENCE / 1000
    while (seen := colour(canvas, x, y)) != rgb:
        assert time.monotonic() < end, f"({x}, {y}) stays {seen} and does not become {rgb}"
