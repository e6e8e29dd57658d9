"""Make the screenshots of the instructor's pages: `python docs/screenshots.py` (some minutes).

Grades a part of the sample class in a copy of the course, opens what comes of it in Chromium, and
writes PNG files into docs/pictures/. Run it again when a page has changed its looks.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Locator, Page

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browsing import chromium  # noqa: E402
from formgrading import formgrader, get, make_course, run  # noqa: E402

NAME = "tic-tac-toe"
STUDENTS = ("ada", "blake", "eve", "grace", "kim", "lee", "max", "mel", "sam")
PICTURES = ROOT / "docs" / "pictures"
SIZE = {"width": 1100, "height": 680}


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


def shoot(page: Page, name: str, focus: Locator | None = None) -> None:
    """Write what the window shows, with `focus` near its top."""
    if focus is not None:
        focus.evaluate("e => { e.scrollIntoView(); window.scrollBy(0, -110); }")
    page.wait_for_timeout(300)  # pictures and web fonts of the page settle
    page.screenshot(path=PICTURES / f"{name}.png")
    print(PICTURES / f"{name}.png")


def main() -> None:
    """Make all screenshots."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder)) as browser:
        root = Path(folder) / "course"
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
        shoot(page, "feedback", page.get_by_text("What to look at").first)
        page.goto((root / f"report-{NAME}.html").as_uri())
        shoot(page, "report", page.locator("h2", has_text="Points").first)


if __name__ == "__main__":
    main()
