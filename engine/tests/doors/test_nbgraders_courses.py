"""Ask whether courses as nbgrader itself makes them get its marks, or a sentence that says why not.

The courses are those of `nbgrader quickstart`, and one whose notebooks stand for what differs there
from a course with asserts and a solution.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from adopted_course import COURSE
from formgrading import rows, run
from notebooks import cell, notebook

pytestmark = pytest.mark.proof
NAME = "ps1"
SOLVED = "def double(n):\n    ### BEGIN SOLUTION\n    return 2 * n\n    ### END SOLUTION"
STUB = "def double(n):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
TEST = "assert double(2) == 4"
RAISED = "raise AssertionError('it is not run as nbgrader runs it')"
NOTEBOOKS = {  # its cells: what is solved there, and what is tested
    "solved": [SOLVED, TEST],
    "stub": [STUB, TEST],
    "unsolved": ["", TEST],
    "wrong": [SOLVED.replace("2 * n", "3 * n"), TEST],
    "idle": [SOLVED, "# the tests of this cell are made by hand"],
    "environment": [
        SOLVED,
        f"{TEST}\nimport os\nif os.environ['NBGRADER_EXECUTION'] != 'autograde':\n    {RAISED}",
    ],
}
FOUND = (COURSE / "nbgrader_config.py").read_text("utf-8")  # so that the programs are found


def write(root: Path, name: str, cells: list[dict[str, Any]], /, **kernel: str) -> None:
    """Put a notebook of the assignment into a course."""
    file = root / "source" / NAME / f"{name}.ipynb"
    file.parent.mkdir(parents=True, exist_ok=True)
    made = notebook(*cells)
    made["metadata"]["kernelspec"].update(kernel)
    file.write_text(json.dumps(made))


def released(root: Path) -> Path:
    """Make the release of a course, and let one student hand in that and one the source."""
    run(root, "nbgrader", "generate_assignment", NAME)
    shutil.copytree(root / "release" / NAME, root / "submitted" / "blank" / NAME)
    shutil.copytree(root / "source" / NAME, root / "submitted" / "right" / NAME)
    return root


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """The course of this file, released and handed in."""
    root = tmp_path / "mixed"
    root.mkdir()
    header = 'c.IncludeHeaderFooter.header = "header.ipynb"'
    (root / "nbgrader_config.py").write_text(f"{FOUND}\n{header}\n")
    (root / "header.ipynb").write_text(json.dumps(notebook()))
    for name, (solution, test) in NOTEBOOKS.items():
        solved = [cell("double", solution)] if solution else []
        write(root, name, [*solved, cell(f"test_{name}", test, 1)])
    return released(root)


def marks(root: Path) -> Iterator[tuple[str, str, float]]:
    """Yield whose mark of which cell is what, where no human has to give it."""
    for student, cells in rows(root, NAME).items():
        for name, (score, _, by_hand) in cells.items():
            if not by_hand:
                yield student, name, score


def apart(stock: Path, folder: Path, status: int = 0) -> tuple[set[tuple[str, str, float]], str]:
    """Return the marks that only one of nbgrader and the referee gives, and what ours says."""
    for name in "ours", "stock":
        shutil.copytree(stock, folder / name)
    root = folder / "ours"
    run(root, "referee", "adopt", "--yes")
    run(folder / "stock", "nbgrader", "autograde", NAME)
    said = run(root, "referee", "grade", NAME, "--workers", "1", status=status)
    return set(marks(root)) ^ set(marks(folder / "stock")), said


@pytest.mark.nightly
def test_the_courses_of_quickstart_get_nbgraders_marks(tmp_path: Path) -> None:
    """Does every cell that both decide have one mark, with asserts by nbgrader?"""
    run(tmp_path, "nbgrader", "quickstart", "c", "--autotest")
    config = tmp_path / "c" / "nbgrader_config.py"
    config.write_text(f"{FOUND}\n{config.read_text()}")
    different, _ = apart(released(tmp_path / "c"), tmp_path)
    assert {score for _, _, score in different} <= {0}  # of answers not written


TOLD = {
    "stub": ["no solution", "nobody knows whether it can be passed"],
    "unsolved": ["no solution", "nobody knows whether it can be passed"],
    "wrong": ["Suspended"],
    "idle": ["everybody gets them", "make it fail there"],
    "solved": [],
    "environment": [],
}


def test_marks_are_those_of_nbgrader_but_where_it_is_told(mixed: Path, tmp_path: Path) -> None:
    """Is a test that the solution fails the only one for which nobody has a mark?

    What no solution has passed, or asks nothing, is told, and nothing of what is as it should be.
    """
    different, said = apart(mixed, tmp_path, status=1)
    assert {name for _, name, _ in different} == {"test_wrong"}
    for name, words in TOLD.items():
        lines = [
            line
            for line in said.splitlines()
            if f"test_{name}" in line and "/1" not in line and "  " not in line
        ]
        assert bool(lines) == bool(words), name
        assert all(any(word in line for line in lines) for word in words), (name, lines)


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A course with a notebook in Python and one whose kernel says that it speaks R.

    Stock has graded it, and then it was adopted.
    """
    root = tmp_path
    kernel = root / "jupyter" / "kernels" / "ir" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": argv, "display_name": "R", "language": "R"}))
    paths = f"os.environ['JUPYTER_PATH'] = {str(root / 'jupyter')!r}\n"
    (root / "nbgrader_config.py").write_text(f"{FOUND}\n{paths}")
    spec = {"display_name": "R", "language": "R", "name": "ir"}
    write(root, "solved", [cell("double", SOLVED), cell("test_solved", TEST, 1)])
    write(root, "other", [cell("twice", SOLVED), cell("test_other", TEST, 1)], **spec)
    released(root)
    run(root, "nbgrader", "autograde", NAME, "--student", "right")  # a kernel for each notebook
    assert f"{NAME}/other is written in R" in run(root, "referee", "adopt", "--yes")
    return root


def test_a_notebook_that_is_not_python_keeps_its_marks(foreign: Path) -> None:
    """Is it named, the other one graded, and it never run as Python?

    Does what the sentence says to do give the marks of stock, and those of Python ours?
    """
    before = set(marks(foreign))
    assert ("right", "test_other", 1) in before
    said = run(foreign, "referee", "grade", NAME, "--student", "right", "--workers", "1")
    assert f"{NAME}/other is written in R" in said and "its marks stay as they are" in said
    assert set(marks(foreign)) == before
    for asked in (
        ("check", f"submitted/right/{NAME}/other.ipynb"),
        ("why", "right", f"{NAME}/other"),
    ):
        assert "is written in R" in run(foreign, "referee", *asked, status=2)
    run(foreign, "nbgrader", "autograde", NAME, "--student", "right", "--force")
    assert set(marks(foreign)) == before
    shown = foreign / "autograded" / "right" / NAME
    assert "in the student's process" in (shown / "solved.ipynb").read_text()
    assert "in the student's process" not in (shown / "other.ipynb").read_text()
