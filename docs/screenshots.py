"""Make the screenshots of the documentation: `make pictures` (some minutes).

Solves the notebook of tic-tac-toe and plays on its last board in JupyterLab; grades a part of the
sample class in a copy of the course, and opens what comes of it. PNG files go into docs/pictures/.
Pictures of lessons are drawn by `docs/pictures.py` whenever the site is built.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parents[1]
STUDENT = "handout", "engine/referee/templates/student"  # what notebooks import
sys.path[:0] = [str(ROOT / folder) for folder in (".", "tests", "engine/tests/tools", *STUDENT)]

from browsing import chromium, notebook, output  # noqa: E402
from course_copies import make_course  # noqa: E402
from formgrading import formgrader, get, lab, run  # noqa: E402
from solution import solved  # noqa: E402

NAME = "tic-tac-toe"
BOARD = "You against AlphaBeta, d=4"
STUDENTS = ("ada", "blake", "eve", "grace", "kim", "lee", "max", "mel", "sam")
PICTURES = ROOT / "docs" / "pictures"
SIZE = {"width": 1100, "height": 680}
LONG = ("playing", "test_playing", "evaluation_a", "test_evaluation_a")  # cells nobody looks at


def graded_course(root: Path) -> None:
    """Fill a folder with the course and a part of its class, and grade that."""
    make_course(root, NAME)
    shutil.copytree(ROOT / "bank" / NAME, root / "bank" / NAME)
    for student in STUDENTS:
        where = f"submitted/{student}/{NAME}"
        shutil.copytree(ROOT / where, root / where)
    names = "\n".join(f"{s},{s.capitalize()},Example" for s in STUDENTS)
    (root / "students.csv").write_text(f"id,first_name,last_name\n{names}\n", "utf-8")
    run(root, "nbgrader", "db", "student", "import", "students.csv")
    run(root, "referee", "grade", NAME)
    run(root, "nbgrader", "generate_feedback", NAME)
    run(root, "referee", "report", NAME)


def shoot(page: Page, name: str, focus: Locator | None = None, **options: Any) -> None:
    """Write what the window shows, with `focus` near its top."""
    page.wait_for_timeout(3000)  # a page may scroll by itself while it is loaded
    if focus is not None:
        focus.evaluate("e => { e.scrollIntoView(); window.scrollBy(0, -110); }")
    page.screenshot(path=PICTURES / f"{name}.png", animations="disabled", **options)


def play(browser: Browser, folder: Path) -> None:
    """Play two moves of Connect Four in the solved notebook, and write the board as it then is."""
    solved(folder / NAME, without=LONG)
    with lab(folder) as server:
        page = notebook(browser, server, f"{NAME}/{NAME}.ipynb")
        board = output(page, BOARD)
        for turn in range(2):
            board.get_by_title("(0, 3)", exact=True).press("Enter")
            board.get_by_role("button", name="O", exact=True).nth(turn).wait_for()
        page.mouse.move(0, 0)
        board.evaluate("e => { document.activeElement.blur(); e.scrollIntoView(); }")
        box = board.bounding_box()
        last = board.get_by_title("(0, 6)", exact=True).bounding_box()
        assert box is not None and last is not None
        wide = last["x"] + last["width"] + 8 - box["x"]
        shoot(page, "connect-four", clip={**box, "width": wide})
        page.close()


def show(browser: Browser, root: Path) -> None:
    """Write the instructor's pages, and a student's feedback."""
    root.mkdir()
    graded_course(root)
    page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
    with formgrader(root) as address:
        page.goto(f"{address}/manage_submissions/{NAME}", wait_until="networkidle")
        shoot(page, "formgrader-submissions")
        entries = json.loads(get(f"{address}/api/submitted_notebooks/{NAME}/{NAME}"))
        sams = next(entry["id"] for entry in entries if entry["student"] == "sam")
        page.goto(f"{address}/submissions/{sams}/", wait_until="networkidle")
        cell = page.locator(".nbgrader_cell").filter(has_text="evaluation_b").last
        shoot(page, "formgrader-notebook", cell)
    page.goto((root / f"feedback/sam/{NAME}/{NAME}.html").as_uri())
    shoot(page, "feedback", page.locator("[id='look-MiniMax']"))
    page.goto((root / f"report-{NAME}.html").as_uri())
    shoot(page, "report", page.locator("h2", has_text="Points").first)


def main() -> None:
    """Make all screenshots."""
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder)) as browser:
        play(browser, Path(folder) / "student")
        show(browser, Path(folder) / "course")


if __name__ == "__main__":
    main()
