"""Kill graders: is nothing lost? The long form runs by `make nightly`."""

import os
import random
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from formgrading import BIN, run
from shares import NIGHTLY

SMALL = f"{small.NAME}.ipynb"
KILLS = 20 if NIGHTLY else 1
Marks = dict[str, tuple[Any, ...]]


def query(root: Path, words: str) -> list[tuple[Any, ...]]:
    """Ask the gradebook's file itself."""
    with closing(sqlite3.connect(root / "gradebook.db")) as book:
        return book.execute(words).fetchall()


def marks(root: Path) -> dict[str, Marks]:
    """Return automatic and manual score, flag and manual comment of each cell of each student."""
    rows = query(
        root,
        "SELECT student.id, base_cell.name, auto_score, manual_score, needs_manual_grade, "
        "extra_credit FROM grade JOIN base_cell ON grade.cell_id = base_cell.id "
        "JOIN submitted_notebook ON grade.notebook_id = submitted_notebook.id "
        "JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id "
        "JOIN student ON submitted_assignment.student_id = student.id ORDER BY 1, 2",
    )
    found: dict[str, Marks] = {}
    for student, cell, *values in rows:
        found.setdefault(student, {})[cell] = tuple(values)
    return found


def total(found: dict[str, Marks], student: str) -> float:
    return sum(values[0] or 0 for values in found[student].values())


STUDENTS = [f"s{number:02}" for number in range(8 if NIGHTLY else 4)]
GRADE = ["referee", "grade", small.NAME, "--workers", "1"]


def hand_in(root: Path, square: str) -> None:
    """Let everybody hand in a notebook of their own with this solution."""
    for name in STUDENTS:
        small.hand_in(root, name, square=f"# {name}\n{square}")


def graded(root: Path) -> dict[str, Marks]:
    """Grade and return the marks of the class."""
    run(root, *GRADE)
    return marks(root)


def killed(root: Path, seconds: float | None) -> None:
    """Grade, and kill the grader and what it has started if it takes as many seconds."""
    grader = subprocess.Popen(
        [BIN / GRADE[0], *GRADE[1:]],
        cwd=root,
        env=small.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        grader.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(grader.pid, signal.SIGKILL)
        grader.wait()


@pytest.mark.proof
def test_a_killed_grader_leaves_old_marks_or_new_ones(tmp_path: Path) -> None:
    """Is the gradebook sound at any moment, every submission old or new, and a rerun complete?

    What a human gave, marks and comments, stays throughout.
    """
    root, chance = small.make(tmp_path / "course"), random.Random(1)
    hand_in(root, "def square(n): ...")
    graded(root)
    with closing(sqlite3.connect(root / "gradebook.db")) as book:
        book.execute("UPDATE grade SET manual_score = 9, extra_credit = 1")
        book.execute("UPDATE comment SET manual_comment = 'Well argued.'")
        book.commit()
    states = {}
    for square in (small.SOLVED["square"], "def square(n): ..."):
        hand_in(root, square)
        begin = time.monotonic()
        killed(root, None)
        seconds = time.monotonic() - begin
        states[square] = marks(root)
    assert [total(state, STUDENTS[0]) for state in states.values()] == [10, 6]
    for number in range(KILLS):
        square = list(states)[number % 2]
        hand_in(root, square)
        killed(root, chance.uniform(0.5, 1.0) * seconds)
        assert query(root, "PRAGMA integrity_check") == [("ok",)]
        now = marks(root)
        for name in STUDENTS:
            assert now[name] in [state[name] for state in states.values()]
        graded(root)
        files = [root / "autograded" / name / small.NAME / SMALL for name in STUDENTS]
        assert all(map(Path.is_file, files))
        assert graded(root) == states[square]
    assert query(root, "SELECT DISTINCT manual_comment FROM comment") == [("Well argued.",)]
    assert query(root, "SELECT DISTINCT manual_score, extra_credit FROM grade") == [(9, 1)]
