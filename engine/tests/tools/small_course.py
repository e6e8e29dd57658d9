"""Make a small course, whose one assignment is judged in a fraction of a second.

Its notebook has two functions to write, `double` and `square`, with 6 and 4 points. Imported by
tests that grade whole classes.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import notebooks
from formgrading import released, run

NAME = "numbers"
COURSE = Path(__file__).parents[1] / "courses" / NAME
SOLVED = {
    "double": "def double(n):\n    return 2 * n",
    "square": "def square(n):\n    return n * n",
}
POINTS = {"double": 6, "square": 4}


def notebook(*more: notebooks.Cell, **sources: str) -> dict[str, Any]:
    """Return the notebook with the given sources of solution cells, the others solved.

    `more` cells stand below.
    """
    cells = []
    for name, solution in SOLVED.items():
        wrapped = solution.replace("\n", "\n    ### BEGIN SOLUTION\n") + "\n    ### END SOLUTION"
        cells.append(notebooks.cell(name, sources.get(name, wrapped)))
        cells.append(notebooks.cell(f"test_{name}", f"assert {name}(0) == 0", POINTS[name]))
    return notebooks.notebook(*cells, *more)


def make(root: Path) -> Path:
    """Put the course into a folder, with its release and gradebook; return the folder."""
    shutil.copytree(released(COURSE, NAME), root, dirs_exist_ok=True)
    return root


def release(root: Path, *more: notebooks.Cell) -> None:
    """Make the release again, with more cells in the notebook."""
    source = root / "source" / NAME / f"{NAME}.ipynb"
    source.write_text(json.dumps(notebook(*more)), encoding="utf-8")
    run(root, "nbgrader", "generate_assignment", NAME, "--force")


def hand_in(
    root: Path,
    student: str,
    content: bytes | None = None,
    more: Sequence[notebooks.Cell] = (),
    **sources: str,
) -> Path:
    """Hand in a notebook with the given sources, the others solved, or a file of any content."""
    file = root / "submitted" / student / NAME / f"{NAME}.ipynb"
    file.parent.mkdir(parents=True, exist_ok=True)
    solved = json.dumps(notebook(*more, **(SOLVED | sources))).encode()
    file.write_bytes(solved if content is None else content)
    return file


def grade(root: Path, *options: str, status: int = 0) -> str:
    """Grade the class on one worker, unless the options say otherwise; return what was said."""
    return run(root, "referee", "grade", NAME, "--workers", "1", *options, status=status)
