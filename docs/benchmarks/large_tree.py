"""Measure how long a page takes to show a large tree.

    python docs/benchmarks/large_tree.py [REPEATS]

A cell with a tree of 4,369 nodes is run in JupyterLab in Chromium, and the time is taken from the
key press until the canvas is painted: searching, drawing, sending and painting. Then the tree is
drawn again, while the page counts its frames: the longest gap between two tells how long it did
not answer. Prints medians and the worst.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browsing import chromium, notebook, output, solved, wait_for_colour  # noqa: E402
from formgrading import lab  # noqa: E402

from canvas.drawing import PANEL  # noqa: E402

TREE = """\
from canvas import Canvas_search
tree = TreeGame([(7 * n) % 4099 for n in range(16**3)], branching=16)"""
CELL = 'Canvas_search("Four thousand", tree, MiniMax())'
LONG = ("playing", "test_playing", "evaluation_a", "test_evaluation_a")
FRAMES = """() => {
    let before = performance.now();
    window.longest = 0;
    const count = now => {
        window.longest = Math.max(window.longest, now - before);
        before = now;
        requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
}"""


def appearing(page: Page) -> float:
    """Return the seconds from the start of the cell until its tree is painted."""
    cell = page.locator(".jp-CodeCell", has_text="Four thousand").first
    cell.locator(".cm-content").click()
    began = time.perf_counter()
    page.keyboard.press("Control+Enter")
    cell.locator("canvas").wait_for(state="detached")
    wait_for_colour(output(page, "Four thousand").locator("canvas"), 4, 4, PANEL)
    return time.perf_counter() - began


def standing_still(page: Page, button: str) -> float:
    """Return the longest time in seconds without a frame while the tree is drawn again."""
    shown = output(page, "Four thousand")
    page.evaluate(FRAMES)
    words = shown.locator("[aria-live]")
    before = words.inner_text()
    shown.get_by_role("button", name=button).click()
    while words.inner_text() == before:
        page.wait_for_timeout(50)
    page.wait_for_timeout(500)
    return float(page.evaluate("window.longest")) / 1000


def main(repeats: int) -> None:
    """Print both measures."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        solved(root / "work", TREE, CELL, without=LONG)
        with lab(root) as server, chromium(root) as browser:
            page = notebook(browser, server, "work/tic-tac-toe.ipynb")
            shown = [appearing(page) for _ in range(repeats)]
            still = [
                standing_still(page, button) for _ in range(repeats) for button in ("Back", "Step")
            ]
    print(f"4,369 nodes are painted after {median(shown):.2f} s (at worst {max(shown):.2f} s)")
    print(f"longest gap between frames: {median(still):.2f} s (at worst {max(still):.2f} s)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
