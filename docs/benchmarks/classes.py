"""Make courses with generated classes, to be graded by the referee or by stock nbgrader.

A `Course` is built once and copied for each run. There are two kinds: small notebooks (`small/`),
in which nothing takes time, and tic-tac-toe with the students of the sample class. No two
submissions are the same: each has a number in a comment. The names start with a or b in turn, so
that `a*` and `b*` are halves of a class.
"""

import contextlib
import copy
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "engine/tests/tools")]

import sample_class  # noqa: E402
import stock_nbgrader  # noqa: E402
from course_copies import COURSE_FILES  # noqa: E402

from referee import course  # noqa: E402
from referee.proof import bank  # noqa: E402

BIN = Path(sys.executable).parent
SMALL = Path(__file__).parent / "small"
STUB = "    raise NotImplementedError()"
# What becomes of the solutions of a small notebook, and the marks for that.
KINDS: dict[str, tuple[dict[str, str], dict[str, float]]] = {
    "right": ({}, {"opponent": 1, "leaves": 2, "hope": 2}),
    "also right": ({}, {"opponent": 1, "leaves": 2, "hope": 2}),
    "wrong": ({"leaves": "    return 0"}, {"opponent": 1, "leaves": 0, "hope": 2}),
    "blank": ({"hope": STUB}, {"opponent": 1, "leaves": 2, "hope": 0}),
    "crash": ({"opponent": "    return 1 / 0"}, {"opponent": 0, "leaves": 2, "hope": 2}),
}
ASKED = "opponent('MAX') == 'MIN'"
MORE_CHECK = """
@pytest.mark.check(cell="opponent", points=1, hint="There are two players.")
def test_again_{}(student):
    assert student.{}
"""
MORE_VALUES = """
@pytest.mark.check(cell="opponent", points=1, hint="There are two players.", shared=True)
@pytest.mark.parametrize("number", range({}))
def test_again(student, number):
    assert student.{}
"""
Marks = dict[str, dict[str, float]]  # of each student, of each cell


class Handed(NamedTuple):
    """A submission, and the marks that it must get."""

    student: str
    text: str
    marks: dict[str, float]


class Course(NamedTuple):
    """A course that is ready to grade, but for its submissions."""

    assignment: str
    root: Path

    def copy(self, root: Path, handed_in: Iterable[Handed]) -> "Course":
        """Return a copy in which these submissions were handed in."""
        shutil.copytree(self.root, root)
        for one in handed_in:
            folder = root / "submitted" / one.student / self.assignment
            folder.mkdir(parents=True)
            (folder / f"{self.assignment}.ipynb").write_text(one.text, "utf-8")
        return Course(self.assignment, root)

    def change_a_check(self) -> None:
        """Add a statement to the last check of the first file of checks, whatever it asks."""
        file = min((self.root / "tests" / "hidden" / self.assignment).glob("test_*.py"))
        file.write_text(f"{file.read_text('utf-8')}    assert True\n", "utf-8")

    def marks(self) -> Marks:
        """Return the automatic marks that the gradebook has."""
        query = """
            select student.id, base_cell.name, grade.auto_score from grade
            join base_cell on grade.cell_id = base_cell.id
            join submitted_notebook on grade.notebook_id = submitted_notebook.id
            join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
            join student on submitted_assignment.student_id = student.id
            where grade.auto_score is not null
        """
        found: Marks = {}
        with contextlib.closing(sqlite3.connect(self.root / "gradebook.db")) as book:
            for student, cell, score in book.execute(query):
                found.setdefault(student, {})[cell.removeprefix("test_")] = score
        return found


def environment(folder: Path) -> dict[str, str]:
    """Return an environment in which programs leave their traces in a folder only."""
    return os.environ | {
        "HOME": str(folder), "IPYTHONDIR": str(folder / "ipython"), "TMPDIR": str(folder),
        "JUPYTER_RUNTIME_DIR": str(folder / "jupyter"), "PYTHONPATH": str(ROOT),
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "ignore",
    }  # fmt: skip


def small_course(root: Path, stock: bool, checks: int = 5, shared: bool = False) -> Course:
    """Build the course of small notebooks; its hidden tests for stock nbgrader are always there.

    Those beyond the five `checks` that it has anyway ask one line each; `shared`, they are values
    of one check, in one process.
    """
    _lay_out(root)
    hidden, source = root / "tests/hidden/small", root / "source/small"
    for folder in hidden, source:
        folder.mkdir(parents=True)
    (source / "small.ipynb").write_text(json.dumps(_small_notebook(checks)), "utf-8")
    shutil.copy(SMALL / "test_small.py", hidden)
    more = [MORE_CHECK.format(number, ASKED) for number in range(checks - 5)]
    if more := [MORE_VALUES.format(checks - 5, ASKED)] if shared else more:
        (hidden / "test_more.py").write_text("\n".join(["import pytest\n", *more]), "utf-8")
    return _build(Course("small", root), stock, {})


def _small_notebook(checks: int = 5, cells: int = 7) -> Any:
    """Return the small notebook with asserts for some checks, and with some cells of code."""
    notebook = json.loads((SMALL / "small.ipynb").read_text("utf-8"))
    (test,) = [cell for cell in notebook["cells"] if cell["id"] == "test_opponent"]
    test["metadata"]["nbgrader"]["points"] += checks - 5
    asserts = f"assert {ASKED}\n" * (checks - 5)
    test["source"] = "".join(test["source"]).replace("### END", f"{asserts}### END")
    for number in range(cells - 7):
        cell = {"cell_type": "code", "execution_count": None, "outputs": [], "metadata": {}}
        notebook["cells"].append(cell | {"id": f"more-{number}", "source": f"x = {number}"})
    return notebook


def real_course(root: Path, stock: bool) -> Course:
    """Build the course of tic-tac-toe; stock nbgrader gets a few hidden tests for each cell."""
    _lay_out(root)
    name = sample_class.ASSIGNMENT
    unwanted = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    for folder in (f"source/{name}", f"tests/hidden/{name}"):
        shutil.copytree(ROOT / folder, root / folder, ignore=unwanted)
    return _build(Course(name, root), stock, stock_nbgrader.TESTS)


def small_class(count: int, checks: int = 5, cells: int = 7) -> list[Handed]:
    """Return as many small notebooks, of all kinds, for a course with some checks."""
    notebook = _small_notebook(checks, cells)
    found = []
    for number in range(count):
        bodies, marks = list(KINDS.values())[number % 5]
        opponent = marks["opponent"] and marks["opponent"] + checks - 5
        found.append(_small(notebook, number, bodies, marks | {"opponent": opponent}))
    return found


def real_class(count: int) -> list[Handed]:
    """Return as many notebooks as the students of the sample class hand in, over and over."""
    students = list(sample_class.STUDENTS.items())
    assignment = course.find_assignment(ROOT, sample_class.ASSIGNMENT)
    found = []
    for number in range(count):
        name, student = students[number % len(students)]
        solution = bank.read(ROOT / "bank" / assignment.name / f"{student.solution}.py")
        notebook = bank.notebook(solution, assignment)
        _sign(notebook, number)
        marks = dict(zip(sample_class.CELLS, student.marks, strict=True))
        found.append(Handed(f"{_name(number)}-{name}", student.damage(notebook), marks))
    return found


def _small(
    notebook: dict[str, Any], number: int, bodies: dict[str, str], marks: dict[str, float]
) -> Handed:
    mine = copy.deepcopy(notebook)
    for cell in mine["cells"]:
        data = cell["metadata"].get("nbgrader", {})
        source = "".join(cell["source"])
        if data.get("grade"):
            cell["source"] = ""
        elif data.get("solution"):
            head, _, rest = source.partition("    ### BEGIN SOLUTION\n")
            body = bodies.get(data["grade_id"], rest.partition("    ### END SOLUTION")[0])
            cell["source"] = head + body
    _sign(mine, number)
    return Handed(_name(number), json.dumps(mine), marks)


def _sign(notebook: dict[str, Any], number: int) -> None:
    """Put a comment with a number into the first cell that students write."""
    cell = next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("solution"))
    cell["source"] = "".join(cell["source"]).rstrip() + f"\n\n# This is number {number}.\n"


def _name(number: int) -> str:
    return f"{'ab'[number % 2]}{number:05}"


def _lay_out(root: Path) -> None:
    for name in COURSE_FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)


def _build(made: Course, stock: bool, tests: dict[str, str]) -> Course:
    """Let nbgrader build the release and the gradebook."""
    if stock:
        stock_nbgrader.convert(made.root, made.assignment, tests)
    result = subprocess.run(
        [BIN / "nbgrader", "generate_assignment", made.assignment],
        cwd=made.root, env=environment(made.root.parent), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if result.returncode != 0:
        raise RuntimeError(f"the course cannot be built:\n{result.stdout}{result.stderr}")
    return made
