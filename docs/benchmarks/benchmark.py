"""Set graders side by side: bare Python, stock nbgrader, `referee grade`.

    python docs/benchmarks/benchmark.py [--small 40]

Each grader marks the same class of small notebooks (`small/`), in which nothing takes time, in a
fresh course in a temporary folder. Prints a Markdown table; CPU time is that of all processes that
ended. Bare Python is the floor: a process for each notebook that runs cells and asserts, without
sandbox, gradebook or feedback. The asserts ask what the hidden checks ask.
"""

import argparse
import contextlib
import copy
import json
import os
import platform
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "engine/tests/tools")]

from course_copies import COURSE_FILES  # noqa: E402

BIN = Path(sys.executable).parent
NAME = "small"
SMALL = Path(__file__).parent / NAME
STUB = "    raise NotImplementedError()"
# What becomes of the solutions of a small notebook, and the marks for that.
KINDS: list[tuple[dict[str, str], dict[str, float]]] = [
    ({}, {"opponent": 1, "leaves": 2, "hope": 2}),
    ({"leaves": "    return 0"}, {"opponent": 1, "leaves": 0, "hope": 2}),
    ({"hope": STUB}, {"opponent": 1, "leaves": 2, "hope": 0}),
    ({"opponent": "    return 1 / 0"}, {"opponent": 0, "leaves": 2, "hope": 2}),
]
CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "stock"
c.ClearSolutions.enforce_metadata = False
"""
BARE = r"""
import json, sys
names, marks = {}, {}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    data = cell["metadata"].get("nbgrader", {})
    code, points = json.loads(sys.argv[2]).get(data.get("grade_id"), (cell["source"], 0))
    if cell["cell_type"] == "code":
        try:
            exec("".join(code), names)
        except BaseException:
            points = 0
        if data.get("grade"):
            marks[data["grade_id"].removeprefix("test_")] = points
print("\n" + json.dumps(marks))
"""
Marks = dict[str, dict[str, float]]  # of each student, of each cell


class Handed(NamedTuple):
    """A submission, and the marks that it must get."""

    student: str
    text: str
    marks: dict[str, float]


class Found(NamedTuple):
    """What a grader used in seconds, and of how many submissions the marks are right."""

    grader: str
    wall: float
    cpu: float
    right: int


def small_class(count: int) -> list[Handed]:
    """Return as many small notebooks, of all kinds; no two are the same."""
    notebook = json.loads((SMALL / "small.ipynb").read_text("utf-8"))
    found = []
    for number in range(count):
        mine = copy.deepcopy(notebook)
        bodies, marks = KINDS[number % len(KINDS)]
        for cell in mine["cells"]:
            data = cell["metadata"].get("nbgrader", {})
            if data.get("solution"):
                head, _, rest = "".join(cell["source"]).partition("    ### BEGIN SOLUTION\n")
                body = bodies.get(data["grade_id"], rest.partition("    ### END SOLUTION")[0])
                cell["source"] = f"{head}{body}\n# {number}\n"
            elif data.get("grade"):
                cell["source"] = ""
        found.append(Handed(f"s{number:05}", json.dumps(mine), dict(marks)))
    return found


def make(root: Path, students: list[Handed], stock: bool) -> None:
    """Make a course with a class, for stock nbgrader or for the referee."""
    for file in COURSE_FILES:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, root / file)
    source, hidden = root / "source" / NAME, root / "tests/hidden" / NAME
    source.mkdir(parents=True)
    hidden.mkdir(parents=True)
    shutil.copy(SMALL / "small.ipynb", source)
    shutil.copy(SMALL / "test_small.py", hidden)
    if stock:
        (root / "nbgrader_config.py").write_text(CONFIG)
        shutil.copy(ROOT / "games.py", source)
    command = [BIN / "nbgrader", "generate_assignment", NAME]
    subprocess.run(command, cwd=root, env=environment(root), check=True, capture_output=True)
    for one in students:
        folder = root / "submitted" / one.student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(one.text, "utf-8")


def environment(root: Path) -> dict[str, str]:
    """Return an environment in which programs leave their traces beside a course only."""
    home = str(root.parent)
    return os.environ | {
        "HOME": home, "IPYTHONDIR": home, "TMPDIR": home, "PYTHONPATH": str(ROOT),
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "ignore",
    }  # fmt: skip


def bare(root: Path) -> Marks:
    """Let a Python for each notebook run its cells and the asserts of the source."""
    source = root / "source" / NAME
    cells = json.loads((source / f"{NAME}.ipynb").read_bytes())["cells"]
    asked = {
        cell["metadata"]["nbgrader"]["grade_id"]: (
            "".join(cell["source"]), cell["metadata"]["nbgrader"]["points"]
        )
        for cell in cells
        if cell["metadata"].get("nbgrader", {}).get("grade") and cell["cell_type"] == "code"
    }  # fmt: skip
    found: Marks = {}
    for folder in sorted((root / "submitted").iterdir()):
        command = [sys.executable, "-c", BARE, folder / NAME / f"{NAME}.ipynb", json.dumps(asked)]
        done = subprocess.run(
            command, cwd=source, env=environment(root), capture_output=True, text=True, check=True
        )
        found[folder.name] = json.loads(done.stdout.splitlines()[-1])
    return found


def marks_in_gradebook(root: Path) -> Marks:
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
    with contextlib.closing(sqlite3.connect(root / "gradebook.db")) as book:
        for student, cell, score in book.execute(query):
            found.setdefault(student, {})[cell.removeprefix("test_")] = score
    return found


def grade(folder: Path, grader: str, students: list[Handed]) -> Found:
    """Let a grader mark a class in a fresh course."""
    ours = grader == "`referee grade`"
    root = folder / "course"
    make(root, students, stock=not ours)
    command = ["nbgrader", "autograde", NAME, "--log-level=ERROR"]
    if ours:
        command = ["referee", "grade", NAME, "--workers", "1"]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    if grader.startswith("bare"):
        marks = bare(root)
    else:
        line = [BIN / command[0], *command[1:]]
        subprocess.run(line, cwd=root, env=environment(root), capture_output=True, check=False)
        marks = marks_in_gradebook(root)
    wall, used = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(root)
    right = sum(marks.get(one.student) == one.marks for one in students)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return Found(grader, wall, cpu, right)


def table(folder: Path, students: list[Handed]) -> str:
    """Return a Markdown table of all graders on one class."""
    lines = ["| grader | wall s | CPU s | CPU ms each | marks right |", "|---|---|---|---|---|"]
    for grader in ("bare `python`, one each", "stock `nbgrader autograde`", "`referee grade`"):
        print(f"{grader} ...", file=sys.stderr)
        _, wall, cpu, right = grade(folder, grader, students)
        each = f"{1000 * cpu / len(students):.0f}"
        row = [grader, f"{wall:.1f}", f"{cpu:.1f}", each, f"{right} of {len(students)}"]
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--small", type=int, default=40, help="how many notebooks")
    students = small_class(parser.parse_args().small)
    version, load = platform.python_version(), os.getloadavg()[0]
    print(f"Measured on {os.cpu_count()} cores, Python {version}; load before: {load:.1f}.\n")
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        print(table(Path(folder), students))


if __name__ == "__main__":
    main()
