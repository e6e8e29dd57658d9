"""Run the public checks on the solutions of the bank: which are all green, right or not?

    make greens                 writes into docs/checks.md what is wrong and all green
    tests/greens.py ASSIGNMENT  prints, as JSON, the check that fails first for each solution, or ""
                                where all are green

Each solution has a fork of a process in which everything is imported. Its answer is kept in
`.referee/greens`, by all that decides it; FORCE in the environment asks anew.
"""

import functools
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
import pytest

import check
from referee import course, intake
from referee.judging import digests
from referee.proof import bank

ROOT = Path(__file__).parents[1]
KEPT = ROOT / ".referee" / "greens"
PAGE = ROOT / "docs" / "checks.md"
MARKS = "<!-- greens -->\n", "<!-- /greens -->\n"
SECONDS = 60  # of computing, for one solution
GIVEN = {"imports", "counting-tree", "top-count"}  # cells of ours that students' cells need
LONG = {"playing", "evaluation_a", "nodes"}  # cells that are left out unless a solution fills them


def judged(name: str) -> list[bank.Solution]:
    """Return the right and the wrong solutions of an assignment."""
    solutions = bank.read_all(course.find_assignment(ROOT, name))
    return [one for one in solutions if one.kind in ("right", "wrong")]


@functools.cache
def greens(name: str) -> dict[str, str]:
    """Return the check that fails first, or "", for each solution: asked in another process."""
    asked = [sys.executable, __file__, name]
    known = os.pathsep.join([str(ROOT), str(Path(check.__file__).parent)])
    found = {**os.environ, "PYTHONPATH": known}
    done = subprocess.run(asked, stdout=subprocess.PIPE, encoding="utf-8", check=True, env=found)
    answers: dict[str, str] = json.loads(done.stdout)
    return answers


def ask(name: str) -> dict[str, str]:
    """Return the same from this process, which works in a student's folder meanwhile."""
    assignment = course.find_assignment(ROOT, name)
    folder = assignment.release.parent
    public = sorted(folder.rglob("*.py"))
    decisive = [Path(__file__).read_text("utf-8"), *(file.read_text("utf-8") for file in public)]
    answers = {}
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(folder, place, dirs_exist_ok=True)
        os.chdir(place)
        sys.path.insert(0, place)
        for solution in judged(name):
            touched = {name.removesuffix(bank.BLANK) for name, _ in solution.sections}
            cells = code(bank.notebook(solution, assignment), LONG - touched)
            kept = KEPT / digests.digest(decisive, cells, sys.version)
            if not kept.exists() or os.environ.get("FORCE"):
                answer = in_a_fork(cells, touched)
                KEPT.mkdir(parents=True, exist_ok=True)
                kept.write_text(answer, "utf-8")
            answers[solution.name] = kept.read_text("utf-8")
        os.chdir(ROOT)
    return answers


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


def in_a_fork(cells: list[tuple[str, str]], first: set[str]) -> str:
    """Return what a fork answers that runs the cells and then their checks."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in 0, 1, 2:
            os.dup2(nothing, stream)
        try:
            os.write(writing, first_red(cells, first).encode())
            os._exit(0)
        finally:  # whatever happens, a child is never a second parent
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    return answer if status == 0 else f"it ended with {os.waitstatus_to_exitcode(status)}"


def first_red(cells: list[tuple[str, str]], first: set[str]) -> str:
    """Run cells as Run All would; return the title of the first of their checks that fails, or "".

    The checks of the cells in `first` come first, for they are likely to fail.
    """
    check.SECONDS = SECONDS  # a machine that is busy is no loop
    values: dict[str, Any] = {"__name__": "__main__", "display": print}
    later = "from __future__ import annotations\n"  # in a notebook it holds for all cells after it
    head = later if any(later in source for _, source in cells) else ""
    for name, source in cells:
        check._run_cell(head + source, name, values)
    files = check.public_checks()
    names = sorted((name for name, _ in cells if name in files), key=lambda name: name not in first)
    asked = [f"{files[name]}::{check.PREFIX}{name}" for name in names]
    run = check.Run(values)
    pytest.main([*check.SETTINGS, "-x", f"--rootdir={Path.cwd()}", *asked], plugins=[run])
    if run.broken or not run.results:
        return f"the checks cannot be run: {run.broken}"
    return next((result.title for result in run.results if not result.passed), "")


def table() -> str:
    """Return how many wrong solutions are all green, and a table of them."""
    counts, rows = [], []
    for name in course.assignments(ROOT):
        answers = greens(name)
        wrong = [one for one in judged(name) if one.kind == "wrong"]
        green = [one for one in wrong if not answers[one.name]]
        counts.append(f"{len(green)} of {len(wrong)} in {name}")
        for one in green:
            idea = " ".join(one.idea.split())
            rows.append(f"| {name} | `{one.file.stem}` | {idea} |\n")
    head = "| assignment | wrong solution | in the student's words |\n| --- | --- | --- |\n"
    return f"All green, and wrong: {', '.join(counts)}.\n\n{head}{''.join(rows)}"


if __name__ == "__main__":
    if sys.argv[1:]:
        json.dump(ask(sys.argv[1]), sys.stdout)
    else:
        before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
        _, _, after = rest.partition(MARKS[1])
        PAGE.write_text(before + table().join(MARKS) + after, "utf-8")
