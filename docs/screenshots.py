"""Make the screenshots of the documentation: `make pictures` (some minutes).

Solves the notebook of tic-tac-toe and plays on its last board in JupyterLab; grades a part of the
sample class in a copy of the course, and opens what comes of it. PNG files go into docs/pictures/,
once nothing moves any more. Pictures of lessons are drawn by `docs/pictures.py` whenever the site
is built.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "engine" / "tests" / "tools")]

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


def at_rest(page: Page, part: dict[str, float] | None = None) -> bytes:
    """Return a picture of a page, or of a part, as soon as it has stayed the same for a second."""
    before, same = b"", 0
    while same < 4:
        page.wait_for_timeout(250)
        now = page.screenshot(clip=part)  # type: ignore[arg-type]
        before, same = now, same + 1 if now == before else 0
    return before


def write(name: str, picture: bytes) -> None:
    """Write a picture, and say where."""
    (PICTURES / f"{name}.png").write_bytes(picture)
    print(PICTURES / f"{name}.png")


def shoot(page: Page, name: str, focus: Locator | None = None) -> None:
    """Write what the window shows, with `focus` near its top."""
    if focus is not None:
        at_rest(page)  # a page may scroll by itself while it is loaded
        focus.evaluate("e => { e.scrollIntoView(); window.scrollBy(0, -110); }")
    write(name, at_rest(page))


def play(browser: Browser, folder: Path) -> None:
    """Play two moves of Connect Four in the solved notebook, and write the board as it then is."""
    solved(folder / NAME, without=LONG)
    with lab(folder) as server:
        page = notebook(browser, server, f"{NAME}/{NAME}.ipynb")
        board = output(page, BOARD)
        kept = page.locator(f".jp-RenderedHTML img[alt^='{BOARD}']")
        for turn in (1, 2):
            board.get_by_title("(0, 3)", exact=True).press("Enter")
            while str(kept.get_attribute("alt")).count("X") < turn + 1:  # and "X (you) to move"
                page.wait_for_timeout(100)
        page.mouse.move(0, 0)
        board.evaluate("e => { document.activeElement.blur(); e.scrollIntoView(); }")
        part, wide = board.bounding_box(), board.locator(".widget-gridbox").bounding_box()
        assert part is not None and wide is not None
        part["width"] = wide["width"] + 8
        write("connect-four", at_rest(page, dict(part)))
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
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder)) as browser:
        play(browser, Path(folder) / "student")
        show(browser, Path(folder) / "course")


if __name__ == "__main__":
    main()
