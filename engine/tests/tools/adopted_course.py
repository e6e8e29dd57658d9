"""Make a course as nbgrader's users have them: two notebooks, asserts in test cells, no checks.

Its configuration is empty. `hand_in` puts submissions there, solved but for the cells given.
"""

import json
import shutil
from pathlib import Path

from formgrading import released

NAME = "week1"
COURSE = Path(__file__).parents[1] / "courses" / "adopted"
NOTEBOOKS = ("numbers", "words")
HALF = {
    "squares": "def squares(n):\n    return [i * i for i in range(1, n + 1)]",
    "mean": "def mean(numbers):\n    return sum(numbers) / 2",
    "count": "def count(text, letter):\n    return 2",
}


def make(root: Path) -> Path:
    """Put the course into a folder, with its release and gradebook; return the folder."""
    shutil.copytree(released(COURSE, NAME), root, dirs_exist_ok=True)
    return root


def hand_in(root: Path, student: str, instead: dict[str, str]) -> None:
    """Hand in both notebooks with some cells as given, the others solved."""
    for name in NOTEBOOKS:
        file = root / "submitted" / student / NAME / f"{name}.ipynb"
        file.parent.mkdir(parents=True, exist_ok=True)
        released = json.loads((root / "release" / NAME / f"{name}.ipynb").read_text())
        for cell in released["cells"]:
            grade_id = cell["metadata"]["nbgrader"]["grade_id"]
            cell["source"] = instead.get(grade_id, SOLVED.get(grade_id, "".join(cell["source"])))
        file.write_text(json.dumps(released))


def _cells(kind: str) -> dict[str, str]:
    """Return the instructor's cells that are `solution` or `grade` alone: both a human marks."""
    files = [COURSE / "source" / NAME / f"{name}.ipynb" for name in NOTEBOOKS]
    cells = [cell for file in files for cell in json.loads(file.read_text("utf-8"))["cells"]]
    data = [(cell["metadata"]["nbgrader"], "".join(cell["source"])) for cell in cells]
    return {
        one["grade_id"]: source
        for one, source in data
        if [name for name in ("solution", "grade") if one[name]] == [kind]
    }


TESTS, SOLVED = _cells("grade"), _cells("solution")
