"""Make a small course, whose one assignment is judged in a fraction of a second.

Its notebook has two functions to write, `double` and `square`, with 6 and 4 points. Imported by
tests that grade whole classes.
"""

import functools
import json
import os
import shutil
from pathlib import Path
from typing import Any

from formgrading import bare_course, run

NAME = "numbers"
SOLVED = {
    "double": "def double(n):\n    return 2 * n",
    "square": "def square(n):\n    return n * n",
}
POINTS = {"double": 6, "square": 4}
# A submission that says 666 ends the process that judges it, as a fault of ours would.
CHECKS = {
    "double": '''
import os
import pytest

@pytest.mark.check(cell="double", points=2, hint="Twice as much.")
def test_double(student):
    """It doubles."""
    if student.double(666) == 666:
        os.kill(os.getpid(), 9)
    assert student.double(4) == 8

@pytest.mark.check(cell="double", points=1, hint="Below zero, too.", needs="test_double")
@pytest.mark.parametrize("number", [-3, -50])
def test_double_negative(student, number):
    """It doubles negative numbers."""
    assert student.double(number) == 2 * number
''',
    "square": '''
import pytest

@pytest.mark.check(cell="square", points=4, hint="By itself.")
def test_square(student):
    """It squares."""
    assert student.square(7) == 49
''',
}


def notebook(**sources: str) -> dict[str, Any]:
    """Return the notebook with the given sources of solution cells, the others solved."""
    cells: list[dict[str, Any]] = []
    for name, solution in SOLVED.items():
        wrapped = solution.replace("\n", "\n    ### BEGIN SOLUTION\n") + "\n    ### END SOLUTION"
        cells.append(_cell(name, sources.get(name, wrapped), solution=True))
        cells.append(_cell(f"test_{name}", f"assert {name}(0) == 0", points=POINTS[name]))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cell(name: str, source: str, solution: bool = False, points: int = 0) -> dict[str, Any]:
    data: dict[str, Any] = {
        "grade": bool(points), "grade_id": name, "locked": not solution, "schema_version": 3,
        "solution": solution, "task": False,
    }  # fmt: skip
    if points:
        data["points"] = points
    return {
        "cell_type": "code", "execution_count": None, "id": name, "metadata": {"nbgrader": data},
        "outputs": [], "source": source,
    }  # fmt: skip


def make(root: Path) -> Path:
    """Put the course into a folder, with its release and gradebook; return the folder."""
    shutil.copytree(_made(), root, dirs_exist_ok=True)
    return root


@functools.cache
def _made() -> Path:
    """Make the course, once for all tests of this process."""
    root = bare_course()
    source = root / "source" / NAME / f"{NAME}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(json.dumps(notebook()))
    hidden = root / "tests" / "hidden" / NAME
    hidden.mkdir(parents=True)
    for name, text in CHECKS.items():
        (hidden / f"test_{name}.py").write_text(text)
    run(root, "nbgrader", "generate_assignment", NAME, "--create")
    return root


def hand_in(root: Path, student: str, content: bytes | None = None, **sources: str) -> Path:
    """Hand in a notebook with the given sources, the others solved, or a file of any content."""
    file = root / "submitted" / student / NAME / f"{NAME}.ipynb"
    file.parent.mkdir(parents=True, exist_ok=True)
    solved = SOLVED | sources
    file.write_bytes(json.dumps(notebook(**solved)).encode() if content is None else content)
    return file


def grade(root: Path, *options: str, status: int = 0) -> str:
    """Grade the class on one worker, unless the options say otherwise; return what was said."""
    return run(root, "referee", "grade", NAME, "--workers", "1", *options, status=status)


def environment() -> dict[str, str]:
    """Return the environment that the course's commands are run in."""
    return os.environ | {"PYTHONWARNINGS": "", "COLUMNS": "100"}
