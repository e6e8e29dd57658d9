"""Make a course as nbgrader's users have them: two notebooks, asserts in test cells, no checks.

Its configuration is empty. `hand_in` puts submissions there, solved but for the cells given.
"""

import json
import shutil
from pathlib import Path
from typing import Any

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


def _cells() -> dict[str, dict[str, Any]]:
    """Return the cells of the instructor's notebooks by their grade_id."""
    files = [COURSE / "source" / NAME / f"{name}.ipynb" for name in NOTEBOOKS]
    cells = [cell for file in files for cell in json.loads(file.read_text("utf-8"))["cells"]]
    return {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in cells}


def _sources(kind: str) -> dict[str, str]:
    """Return the sources of the cells that are of one kind, `solution` or `grade`, and no other."""
    return {
        name: "".join(cell["source"])
        for name, cell in _cells().items()
        if [k for k in ("solution", "grade") if cell["metadata"]["nbgrader"][k]] == [kind]
    }


SOLVED = _sources("solution")
POINTS = {name: cell["metadata"]["nbgrader"].get("points") for name, cell in _cells().items()}
TESTS = {name: (POINTS[name], source) for name, source in _sources("grade").items()}
