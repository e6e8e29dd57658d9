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
from classes import Class
from commands import BIN, environment
from shares import NIGHTLY

KILLS = 20 if NIGHTLY else 1
STUDENTS = [f"s{number:02}" for number in range(8 if NIGHTLY else 4)]
BLANK = "def square(n): ..."


def hand_in(made: Class, square: str) -> None:
    """Let everybody hand in a notebook of their own with this solution."""
    for name in STUDENTS:
        made.hand_in(name, square=f"# {name}\n{square}")


def killed(made: Class, seconds: float | None) -> None:
    """Grade, and kill the grader and what it has started if it takes as many seconds."""
    grader = subprocess.Popen(
        [BIN / "referee", "grade", small.NAME, "--workers", "1"],
        cwd=made.root,
        env=environment(),
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
    made, chance = Class.made(tmp_path / "course"), random.Random(1)
    hand_in(made, BLANK)
    made.grade()
    made.sql("UPDATE grade SET manual_score = 9, extra_credit = 1")
    made.sql("UPDATE comment SET manual_comment = 'Well argued.'")
    states = {}
    for square in (small.SOLVED["square"], BLANK):
        hand_in(made, square)
        begin = time.monotonic()
        killed(made, None)
        seconds = time.monotonic() - begin
        states[square] = made.rows()
    assert [state[STUDENTS[0]]["test_square"][:2] for state in states.values()] == [(4, 9), (0, 9)]
    for number in range(KILLS):
        square = list(states)[number % 2]
        hand_in(made, square)
        killed(made, chance.uniform(0.5, 1.0) * seconds)
        assert query(made, "PRAGMA integrity_check") == [("ok",)]
        now = made.rows()
        for name in STUDENTS:
            assert now[name] in [state[name] for state in states.values()]
        made.grade()
        places = [made.path(f"autograded/{name}/{small.NAME}") for name in STUDENTS]
        assert all((place / f"{small.NAME}.ipynb").is_file() for place in places)
        assert made.rows() == states[square]
    assert query(made, "SELECT DISTINCT manual_comment FROM comment") == [("Well argued.",)]
    assert query(made, "SELECT DISTINCT manual_score, extra_credit FROM grade") == [(9, 1)]


def query(made: Class, words: str) -> list[tuple[Any, ...]]:
    """Ask the gradebook's file itself."""
    with closing(sqlite3.connect(made.path("gradebook.db"))) as book:
        return book.execute(words).fetchall()
