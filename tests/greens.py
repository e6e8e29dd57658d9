"""Run the public checks on the solutions of the bank: which are all green, right or not?

`make greens` writes into docs/checks.md what is wrong and all green. Each solution has a fork of a
process in which everything is imported.
"""

import contextlib
import functools
import json
import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import nbformat
from shares import of_today

import check
from referee import course, intake
from referee.proof import bank

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "checks.md"
MARKS = "<!-- greens -->\n", "<!-- /greens -->\n"
SECONDS = 60  # of computing, for one solution
GIVEN = {"imports", "counting-tree", "top-count"}  # cells of ours that students' cells need
LONG = {"playing", "evaluation_a", "nodes"}  # cells that are left out unless a solution fills them

Reds = dict[str, str]  # the red cells of a notebook, each with the title of the first red check


def judged(name: str) -> list[bank.Solution]:
    """Return the right and the wrong solutions of an assignment that are due."""
    due = of_today(bank.read_all(course.Course(ROOT).find(name)))
    return [one for one in due if one.kind in ("right", "wrong")]


@functools.cache
def greens(name: str) -> dict[str, Reds]:
    """Return the red cells of each solution of the bank: asked in another process."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(ask, name).result()


def ask(name: str, solutions: list[bank.Solution] | None = None) -> dict[str, Reds]:
    """Return the red cells of each solution; this process works in a student's folder meanwhile."""
    assignment = course.Course(ROOT).find(name)
    answers = {}
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        shutil.copytree(assignment.release.parent, place, dirs_exist_ok=True)
        sys.path.insert(0, place)
        for solution in judged(name) if solutions is None else solutions:
            touched = written_in(solution)
            cells = code(bank.notebook(solution, assignment), LONG - touched)
            asked = sorted((name for name, _ in cells), key=lambda name: name not in touched)
            own = len(touched) if solution.kind != "right" else 0
            answer = forked(functools.partial(reds, cells, asked, own), SECONDS)
            failed = dict.fromkeys(asked, answer) if isinstance(answer, str) else answer
            answers[solution.name] = failed
        sys.path.remove(place)
    return answers


def written_in(solution: bank.Solution) -> set[str]:
    """Return the cells that a solution fills."""
    return {name for name, _ in solution.sections if not name.endswith(bank.BLANK)} - {"+"}


def code(notebook: dict[str, Any], left_out: set[str]) -> list[tuple[str, str]]:
    """Return the name and the source of each cell that students write, or need for it."""
    cells = []
    for cell in nbformat.from_dict(notebook).cells:
        name = str(intake.identity(cell) or cell["id"])
        solution = cell["metadata"].get("nbgrader", {}).get("solution")
        needed = name in GIVEN or name.startswith("own-") or (solution and name not in left_out)
        if needed and cell["cell_type"] == "code":
            cells.append((name, cell["source"]))
    return cells


def forked(work: Callable[[], Any], seconds: int) -> Any:
    """Return what `work` returns in a fork, through JSON, or with what the fork has ended."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in 0, 1, 2:
            os.dup2(nothing, stream)
        try:
            os.write(writing, json.dumps(work()).encode())
            os._exit(0)
        finally:  # whatever happens, a child is never a second parent
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    return (
        json.loads(answer) if status == 0 else f"it ended with {os.waitstatus_to_exitcode(status)}"
    )


def reds(cells: list[tuple[str, str]], asked: list[str], own: int) -> Reds:
    """Run cells as Run All would, then the checks of each cell `asked`, up to its first red one.

    The first ones of these are the student's `own`, if it is wrong. Those that the solution leaves
    to the reference are asked where no other is red: a check may use what other cells define.
    """
    check.SECONDS = SECONDS  # a machine that is busy is no loop
    values: dict[str, Any] = {"__name__": "__main__", "display": print}
    later = "from __future__ import annotations\n"  # in a notebook it holds for all cells after it
    head = later if any(later in source for _, source in cells) else ""
    for name, source in cells:
        with contextlib.suppress(Exception, SystemExit):
            exec(compile(check.plain(head + source), name, "exec"), values)  # noqa: S102
    (file,) = Path().glob("test_*.py")
    checks: dict[str, Any] = {"__name__": file.stem}
    exec(compile(file.read_bytes(), file, "exec"), checks)  # noqa: S102
    found = dict[str, str]()
    for number, name in enumerate(asked):
        if check.PREFIX + name in checks and not (found and 0 < own <= number):
            told = check.results(checks, name, check.Notebook(values, []))
            if title := next((title for title, reason in told if reason), ""):
                found[name] = title
    return found


def table() -> str:
    """Return how many wrong solutions are all green, and which."""
    lines = []
    for name in course.Course(ROOT).assignments:
        answers = greens(name)
        wrong = [one.name for one in judged(name) if one.kind == "wrong"]
        green = [f"`{one.removeprefix('wrong/')}`" for one in wrong if not answers[one]]
        listed = f": {', '.join(green)}" if green else ""
        lines.append(f"* {name}, {len(green)} of {len(wrong)}{listed}\n")
    return f"All green, and wrong:\n\n{''.join(lines)}"


if __name__ == "__main__":
    before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    PAGE.write_text(before + table().join(MARKS) + after, "utf-8")
