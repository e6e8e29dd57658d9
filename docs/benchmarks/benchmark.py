"""Set graders side by side: bare Python, stock nbgrader, `referee grade`.

    python docs/benchmarks/benchmark.py [--small 40] [--real 28]

Each grader marks the same class of small notebooks (`small/`), in which nothing takes time, and the
same class of tic-tac-toe, with the students of the sample class over and over; each in a fresh
course in a temporary folder. Prints Markdown tables; CPU time is that of all processes that ended.
Bare Python is the floor: a process for each notebook that runs cells and asserts, without sandbox,
gradebook or feedback. Of tic-tac-toe the two others have a dozen asserts, and the referee all of
its hidden checks.
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
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "engine/tests/tools")]

import sample_class  # noqa: E402
from course_copies import COURSE_FILES  # noqa: E402

from referee import course  # noqa: E402
from referee.proof import bank  # noqa: E402

BIN = Path(sys.executable).parent
SMALL = Path(__file__).parent / "small"
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
# Hidden tests of tic-tac-toe for stock nbgrader, by the cell that they are about.
TESTS = {
    "TicTacToe": """
game = TicTacToe(2, 5, 3)
assert list(game.actions(game.initial)) == [(r, c) for r in range(2) for c in range(5)]
won = after(TicTacToe(), [(0, 0), (1, 1), (0, 1), (2, 2), (0, 2)])
assert TicTacToe().utility(won, "O") == -1
assert TicTacToe().terminal_test(won)
""",
    "MiniMax": """
assert [MiniMax()(Fig52Game(), state) for state in "AD"] == ["a1", "d3"]
assert MiniMax(Fig52Game()).max_value("A", "MAX") == 3
assert MiniMax()(TicTacToe(), state_from("X O X / X . O / . . O")) in [(1, 1), (2, 0)]
""",
    "AlphaBeta": """
assert [AlphaBeta()(Fig52Game(), state) for state in "AD"] == ["a1", "d3"]
assert AlphaBeta(9, Fig52Game()).max_value("A", "MAX", -infinity, infinity, 0) == 3
assert AlphaBeta(9)(TicTacToe(), state_from("X O X / X . O / . . O")) in [(1, 1), (2, 0)]
""",
    "playing": """
assert set(results) >= {("random", "AlphaBeta"), ("MiniMax", "AlphaBeta")}
assert results["MiniMax", "AlphaBeta"] >= 0
""",
    "evaluation_a": """
for name in ("MiniMax", "AlphaBeta"):
    assert len(terminal_states[name]) == 10 and len(time_taken[name]) == 10
""",
}
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
BARE_SECONDS = 120.0  # by the clock for one notebook
Marks = dict[str, dict[str, float]]  # of each student, of each cell


class Handed(NamedTuple):
    """A submission, and the marks that it must get; None where a human decides."""

    student: str
    text: str
    marks: dict[str, float | None]


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


def real_class(count: int) -> list[Handed]:
    """Return as many notebooks of tic-tac-toe as the students of the sample class hand in."""
    students = list(sample_class.STUDENTS.items())
    assignment = course.Course(ROOT).find(sample_class.ASSIGNMENT)
    found = []
    for number in range(count):
        name, student = students[number % len(students)]
        (solution,) = bank.read_all(assignment, [student.solution])
        notebook = bank.notebook(solution, assignment)
        tags = ((cell, cell["metadata"].get("nbgrader", {})) for cell in notebook["cells"])
        first = next(cell for cell, tag in tags if tag.get("solution"))
        first["source"] = "".join(first["source"]).rstrip() + f"\n\n# {number}\n"
        marks = dict(zip(sample_class.CELLS, student.marks, strict=True))
        found.append(Handed(f"s{number:05}-{name}", student.damage(notebook), marks))
    return found


def make(root: Path, name: str, students: list[Handed], tests: Mapping[str, str] | None) -> None:
    """Make a course with a class; for stock nbgrader if there are `tests` for its test cells."""
    for file in COURSE_FILES:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, root / file)
    source, hidden = root / "source" / name, root / "tests/hidden" / name
    if name == "small":
        source.mkdir(parents=True)
        hidden.mkdir(parents=True)
        shutil.copy(SMALL / "small.ipynb", source)
        shutil.copy(SMALL / "test_small.py", hidden)
    else:
        unwanted = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
        for folder in source, hidden:
            shutil.copytree(ROOT / folder.relative_to(root), folder, ignore=unwanted)
    if tests is not None:
        (root / "nbgrader_config.py").write_text(CONFIG)
        shutil.copy(ROOT / "games.py", source)
        (source / "check.py").write_text("def check(name): pass\n")
        notebook = json.loads((source / f"{name}.ipynb").read_text("utf-8"))
        for cell in notebook["cells"]:
            about = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removeprefix("test_")
            if cell["metadata"].get("nbgrader", {}).get("grade") and about in tests:
                cell["source"] = f"### BEGIN HIDDEN TESTS{tests[about]}### END HIDDEN TESTS"
        (source / f"{name}.ipynb").write_text(json.dumps(notebook), "utf-8")
    command = [BIN / "nbgrader", "generate_assignment", name]
    subprocess.run(command, cwd=root, env=environment(root), check=True, capture_output=True)
    for one in students:
        folder = root / "submitted" / one.student / name
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_text(one.text, "utf-8")


def environment(root: Path) -> dict[str, str]:
    """Return an environment in which programs leave their traces beside a course only."""
    home = str(root.parent)
    return os.environ | {
        "HOME": home, "IPYTHONDIR": home, "TMPDIR": home, "PYTHONPATH": str(ROOT),
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "ignore",
    }  # fmt: skip


def bare(root: Path, name: str) -> Marks:
    """Let a Python for each notebook run its cells and the asserts of the source."""
    source = root / "source" / name
    cells = json.loads((source / f"{name}.ipynb").read_bytes())["cells"]
    asked = {
        cell["metadata"]["nbgrader"]["grade_id"]: (
            "".join(cell["source"]), cell["metadata"]["nbgrader"]["points"]
        )
        for cell in cells
        if cell["metadata"].get("nbgrader", {}).get("grade") and cell["cell_type"] == "code"
    }  # fmt: skip
    found: Marks = {}
    for folder in sorted((root / "submitted").iterdir()):
        command = [sys.executable, "-c", BARE, folder / name / f"{name}.ipynb", json.dumps(asked)]
        with contextlib.suppress(subprocess.TimeoutExpired):
            done = subprocess.run(
                command, cwd=source, env=environment(root), capture_output=True, text=True,
                timeout=BARE_SECONDS, check=False,
            )  # fmt: skip
            if done.returncode == 0:
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


def grade(folder: Path, grader: str, name: str, students: list[Handed]) -> Found:
    """Let a grader mark a class in a fresh course."""
    ours = grader == "`referee grade`"
    root = folder / "course"
    make(root, name, students, None if ours else TESTS)
    command = ["nbgrader", "autograde", name, "--log-level=ERROR"]
    if ours:
        command = ["referee", "grade", name, "--workers", "1"]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    if grader.startswith("bare"):
        marks = bare(root, name)
    else:
        line = [BIN / command[0], *command[1:]]
        subprocess.run(line, cwd=root, env=environment(root), capture_output=True, check=False)
        marks = marks_in_gradebook(root)
    wall, used = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(root)
    right = sum(marks.get(one.student) == one.marks for one in students)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return Found(grader, wall, cpu, right)


def table(folder: Path, name: str, students: list[Handed]) -> str:
    """Return a Markdown table of all graders on one class."""
    lines = ["| grader | wall s | CPU s | CPU ms each | marks right |", "|---|---|---|---|---|"]
    for grader in ("bare `python`, one each", "stock `nbgrader autograde`", "`referee grade`"):
        print(f"{len(students)} of {name}: {grader} ...", file=sys.stderr)
        _, wall, cpu, right = grade(folder, grader, name, students)
        each = f"{1000 * cpu / len(students):.0f}"
        row = [grader, f"{wall:.1f}", f"{cpu:.1f}", each, f"{right} of {len(students)}"]
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--small", type=int, default=40, help="how many small notebooks")
    parser.add_argument("--real", type=int, default=28, help="how many of tic-tac-toe")
    wanted = parser.parse_args()
    version, load = platform.python_version(), os.getloadavg()[0]
    print(f"Measured on {os.cpu_count()} cores, Python {version}; load before: {load:.1f}.\n")
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        print(f"{table(Path(folder), 'small', small_class(wanted.small))}\n", flush=True)
        print(table(Path(folder), sample_class.ASSIGNMENT, real_class(wanted.real)))


if __name__ == "__main__":
    main()
