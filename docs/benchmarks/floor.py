"""Measure what one more small notebook costs: ours, others, and the floor, a bare Python each.

    python docs/benchmarks/floor.py [--quick] [--into engine/docs/performance.md]

Each grader gets a class of one size and of a larger one, in fresh folders. The difference, divided
by the number of notebooks more, is what one more costs without the start. CPU time is that of all
processes (`meter`). Otter-Grader is installed into an environment of its own. Needs Linux, takes
ten minutes.
"""

import argparse
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "engine" / "benchmarks"), str(ROOT)]

import bare_python  # noqa: E402
import classes  # noqa: E402
import meter  # noqa: E402
import throughput  # noqa: E402

OTTER = "otter-grader==7.0.0", "ipykernel"
LIMIT_SECONDS = 3600.0
MARKS = "<!-- floor -->", "<!-- /floor -->"
SHARED = "values that share"
OTTER_TEST = """OK_FORMAT = True
test = {{
    "name": "{name}",
    "points": {points},
    "suites": [{{"cases": [{{"code": {code!r}, "hidden": False}}], "type": "doctest"}}],
}}
"""
OTTER_LOOP = """
for student in submitted/*; do
    marks=otter-marks/$(basename "$student")
    mkdir -p "$marks"
    "$0" run "$student/small/small.ipynb" -a grader.zip --no-logo -o "$marks" || exit 3
done
"""


class Grader(NamedTuple):
    """A grader: its name, the command for a course's folder, and the marks that it has given."""

    name: str
    stock: bool  # whether its course is the one with asserts in the test cells
    command: Callable[[Path], Sequence[str | Path]]
    marks: Callable[[classes.Course], classes.Marks] | None = classes.Course.marks


class Size(NamedTuple):
    """A kind of small notebook: how many checks and cells of code it has."""

    checks: int = 5
    cells: int = 7


class Found(NamedTuple):
    """What one more notebook costs a grader in milliseconds, and the marks that were right."""

    grader: str
    cpu: float
    wall: float
    right: str


def bare(root: Path) -> Sequence[str | Path]:
    """Return the command that grades with a Python for each notebook."""
    source, script = root / "source/small/small.ipynb", Path(bare_python.__file__)
    return [sys.executable, script, source, root / "submitted", root / "bare.db"]


def bare_marks(course: classes.Course) -> classes.Marks:
    """Return the marks that bare Python has given."""
    found: classes.Marks = {}
    with closing(sqlite3.connect(course.root / "bare.db")) as book:
        for student, cell, score in book.execute("select * from marks"):
            found.setdefault(student, {})[cell.removeprefix("test_")] = score
    return found


def nbconvert(root: Path) -> Sequence[str | Path]:
    """Return the command that runs all notebooks, one after another, and marks none."""
    options = ["--to", "notebook", "--execute", "--allow-errors", "--output-dir", "executed"]
    notebooks = sorted((root / "submitted").rglob("*.ipynb"))
    for number, notebook in enumerate(notebooks):  # their names would be the same
        copied = root / f"small-{number}.ipynb"
        shutil.copy(notebook, copied)
        notebooks[number] = copied
    return [classes.BIN / "jupyter", "nbconvert", *options, "--log-level=ERROR", *notebooks]


def otter(python: Path) -> Callable[[Path], Sequence[str | Path]]:
    """Return what gives the command that lets Otter run one notebook after another."""

    def command(root: Path) -> Sequence[str | Path]:
        tests = root / "otter"
        tests.mkdir()
        asked = bare_python.tests(root / "source/small/small.ipynb")
        for name, (code, points) in asked.items():
            lines = (line for line in code.splitlines() if not line.startswith("#"))
            text = OTTER_TEST.format(
                name=name, points=points, code="\n".join(f">>> {line}" for line in lines)
            )
            (tests / f"{name}.py").write_text(text, "utf-8")
        program = python.with_name("otter")
        subprocess.run(
            [program, "generate", "-t", tests, "-o", root / "grader.zip", root / "games.py"],
            check=True, cwd=root, capture_output=True,
        )  # fmt: skip
        return ["sh", "-c", OTTER_LOOP, program]

    return command


def otter_marks(course: classes.Course) -> classes.Marks:
    """Return the marks that Otter has given."""
    found: classes.Marks = {}
    for file in (course.root / "otter-marks").glob("*/results.json"):
        for test in json.loads(file.read_bytes())["tests"]:
            name = test["name"].split()[0].removeprefix("test_")
            if "score" in test and name in ("opponent", "leaves", "hope"):
                found.setdefault(file.parent.name, {})[name] = test["score"]
    return found


def adopted(root: Path) -> Sequence[str | Path]:
    """Return the command that grades a course of stock nbgrader's after `referee adopt`."""
    shutil.rmtree(root / "tests/hidden")
    adopting = [classes.BIN / "referee", "adopt", "--yes"]
    environment = classes.environment(root.parent)
    subprocess.run(adopting, cwd=root, env=environment, check=True, capture_output=True)
    return ours(root)


def ours(root: Path) -> Sequence[str | Path]:
    """Return the command of the referee."""
    return [classes.BIN / "referee", "grade", "small", "--workers", "1"]


def stock(root: Path) -> Sequence[str | Path]:
    """Return the command of stock nbgrader."""
    return [classes.BIN / "nbgrader", "autograde", "small", throughput.QUIET]


def one_more(
    folder: Path, grader: Grader, size: Size, counts: tuple[int, int], course: classes.Course
) -> Found:
    """Return what one more notebook of a size costs a grader."""
    used, right = [], []
    for count in counts:
        students = classes.small_class(count, *size)
        place = folder / "class"
        copy = course.copy(place, students)
        command = grader.command(copy.root)
        throughput.say(f"{count} notebooks, {size.checks} checks: {grader.name} ...")
        usage = meter.measure([command], copy.root, classes.environment(folder), LIMIT_SECONDS)
        if usage.failed:
            throughput.say(usage.said[-2000:])
        used.append(usage)
        if grader.marks:
            marks = grader.marks(copy)
            right.append(sum(marks.get(one.student) == one.marks for one in students))
        shutil.rmtree(place)
    more = counts[1] - counts[0]
    cpu, wall = (1000 * (used[1][n] - used[0][n]) / more for n in (1, 0))
    told = f"{sum(right)} of {sum(counts)}" if grader.marks else "it gives none"
    return Found(grader.name, cpu, wall, throughput.FAILED if used[1].failed else told)


def with_otter(folder: Path) -> Path | None:
    """Install Otter into an environment of its own; return its Python, None where it cannot be."""
    python = folder / "otter/bin/python"
    throughput.say("installing Otter ...")
    for command in (
        [sys.executable, "-m", "venv", folder / "otter"],
        [python, "-m", "pip", "install", "--quiet", *OTTER],
    ):
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
    return python


def side_by_side(folder: Path, counts: tuple[int, int]) -> str:
    """Return the table of all graders for the smallest notebook."""
    graders = [
        Grader("bare `python`, one each", True, bare, bare_marks),
        Grader("`jupyter nbconvert --execute`", True, nbconvert, None),
        Grader("stock `nbgrader autograde`", True, stock),
        Grader("`referee grade`, course adopted", True, adopted),
        Grader("`referee grade`", False, ours),
    ]
    if python := with_otter(folder):
        graders.insert(2, Grader("`otter run`, one each", True, otter(python), otter_marks))
    courses = [classes.small_course(folder / name, name == "stock") for name in ("ours", "stock")]
    found = [one_more(folder, one, Size(), counts, courses[one.stock]) for one in graders]
    floor, base = found[0], next(one for one in found if one.grader.startswith("stock"))
    head = [
        "grader",
        "CPU ms",
        "× bare",
        "stock ÷ this, CPU",
        "wall ms",
        "stock ÷ this, wall",
        "marks right",
    ]
    rows = [
        [
            one.grader, f"{one.cpu:.0f}", f"{one.cpu / floor.cpu:.1f}", f"{base.cpu / one.cpu:.1f}",
            f"{one.wall:.0f}", f"{base.wall / one.wall:.1f}", one.right,
        ]
        for one in found
    ]  # fmt: skip
    return throughput.table(head, rows)


def growing(folder: Path, counts: tuple[int, int]) -> str:
    """Return the table of notebooks with more checks and with more cells."""
    head = ["checks or asserts", "cells of code", "stock", "`referee`, adopted", "`referee`"]
    head.append(f"`referee`, {SHARED}")
    rows = []
    for size in (Size(), Size(checks=50), Size(cells=200)):
        row = [f"{size.checks}", f"{size.cells}"]
        place = folder / f"{size.checks}-{size.cells}"
        place.mkdir()
        for grader in (
            Grader("stock", True, stock),
            Grader("adopted", True, adopted),
            Grader("ours", False, ours),
            *[Grader(SHARED, False, ours)] * (size.checks > Size().checks),
        ):
            shared = grader.name == SHARED
            course = classes.small_course(place / grader.name, grader.stock, size.checks, shared)
            one = one_more(place, grader, size, counts, course)
            row.append(f"{one.cpu:.0f} ({one.right})")
        rows.append([*row, *["–"] * (len(head) - len(row))])
    return throughput.table(head, rows)


def main(given: Sequence[str] | None = None) -> None:
    """Measure and print, and write into a page if one is named."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few notebooks: it works, no more")
    parser.add_argument("--into", type=Path, metavar="PAGE", help=f"write between its {MARKS[0]}")
    wanted = parser.parse_args(given)
    counts = (2, 4) if wanted.quick else (5, 25)
    with tempfile.TemporaryDirectory(prefix="floor-") as name:
        folder = Path(name)
        parts = [throughput.machine(), side_by_side(folder, counts), growing(folder, counts)]
    print(*parts, sep="\n\n")
    if wanted.into:
        throughput.write_into(wanted.into, "\n\n".join(parts), MARKS)


if __name__ == "__main__":
    main()
