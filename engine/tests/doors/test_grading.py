"""Grade strange folders through both doors, and kill graders: is nothing followed, nothing lost?

The short form runs with all tests; `make nightly` the long one.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from formgrading import BIN, run
from nim_course import NAME
from shares import NIGHTLY

SMALL = f"{small.NAME}.ipynb"
SECRET = "This belongs to somebody else."
KILLS = 20 if NIGHTLY else 1
Marks = dict[str, tuple[Any, ...]]


def folder(root: Path, student: str, assignment: str = NAME) -> Path:
    path = root / "submitted" / student / assignment
    path.mkdir(parents=True, exist_ok=True)
    return path


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


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Marks]]:
    """A small course after folders of every strange kind were graded through nbgrader."""
    root = small.make(tmp_path_factory.mktemp("strange"))
    right, released = json.dumps(small.notebook(**small.SOLVED)), root / "release" / small.NAME
    handed_in = partial(folder, root, assignment=small.NAME)
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.txt"
    secret.write_text(SECRET)
    first, late = handed_in("a-right"), handed_in("h-late")
    (first / SMALL).write_text(right)
    renamed = handed_in("b-renamed")
    (renamed / "my work (2).ipynb").write_text(right)
    (renamed / "evil.html").write_text("<script>stolen()</script>")
    linked = handed_in("c-linked")
    (linked / SMALL).symlink_to(root / "source" / small.NAME / SMALL)
    (linked / "notes.txt").symlink_to(secret)
    (linked / "more").symlink_to(secret.parent)
    (linked / "timestamp.txt").symlink_to("/dev/zero")
    piped = handed_in("d-piped")
    (piped / SMALL).write_text(right)
    (piped / "endless").symlink_to("/dev/zero")
    os.mkfifo(piped / "pipe")
    os.mkfifo(piped / "timestamp.txt")
    copies = handed_in("e-copies")
    shutil.copy(released / SMALL, copies)
    (copies / "copy.ipynb").write_text(right)
    (root / "submitted" / "f-borrowed").mkdir()
    (root / "submitted" / "f-borrowed" / small.NAME).symlink_to(first)
    (handed_in("g-without") / "essay.pdf").write_text("%PDF")
    (late / SMALL).write_text(right)
    (late / "timestamp.txt").write_text("2015-02-02 15:58:23.948203 UTC")
    (handed_in("<img src=x onerror=stolen()>") / SMALL).write_text(right)
    run(root, "nbgrader", "autograde", small.NAME)
    return root, marks(root)


POINTS = {
    "a-right": 10, "b-renamed": 10, "c-linked": 0, "d-piped": 10, "e-copies": 10, "f-borrowed": 0,
    "h-late": 10,
}  # fmt: skip


def test_a_strange_folder_neither_helps_nor_harms(strange: tuple[Path, dict[str, Marks]]) -> None:
    """Do a wrong name and waste cost nothing, and links give nothing?"""
    assert {name: total(strange[1], name) for name in strange[1]} == POINTS


def test_nothing_but_the_notebook_gets_into_the_course(
    strange: tuple[Path, dict[str, Marks]],
) -> None:
    """Is no link followed, and no page of a student's where formgrader would serve it?"""
    allowed = {file.name for file in (strange[0] / "release" / small.NAME).rglob("*")}
    allowed |= {"timestamp.txt"}
    for file in (strange[0] / "autograded").rglob("*"):
        if file.is_file():
            assert file.name in allowed
            assert not file.is_symlink()
            assert SECRET not in file.read_text("utf-8")
    stamps = list((strange[0] / "autograded").rglob("timestamp.txt"))
    assert [file.parts[-3] for file in stamps] == ["h-late"]


def test_what_was_done_is_said(strange: tuple[Path, dict[str, Marks]]) -> None:
    """Does the autograded notebook tell which file was graded, or why none was?"""

    def told(student: str) -> str:
        return (strange[0] / "autograded" / student / small.NAME / SMALL).read_text("utf-8")

    assert "my work (2).ipynb was graded as" in told("b-renamed")
    assert "is a link, a folder or a device" in told("c-linked")
    assert "copy.ipynb was graded as" in told("e-copies")
    assert "About this file" not in told("a-right")


def test_both_doors_grade_strange_folders_alike(strange: tuple[Path, dict[str, Marks]]) -> None:
    """Does `referee grade` end with the same marks, and name the folders it cannot grade?"""
    said = run(strange[0], "referee", "grade", small.NAME, "--workers", "1", status=1)
    assert marks(strange[0]) == strange[1]
    assert "no notebook in submitted/g-without" in " ".join(said.split())
    assert "no student is called that" in " ".join(said.split())


def test_a_mistyped_notebook_takes_no_marks(strange: tuple[Path, dict[str, Marks]]) -> None:
    """Does a command that matches no notebook change nothing?"""
    run(
        strange[0], "nbgrader", "autograde", small.NAME, "--force", "--notebook", "number", status=1
    )
    assert marks(strange[0]) == strange[1]


def test_marks_go_when_the_notebook_goes(strange: tuple[Path, dict[str, Marks]]) -> None:
    """Does a folder without a notebook keep no score, once it is said that it is meant?"""
    root = strange[0]
    file = folder(root, "h-late", small.NAME) / SMALL
    kept = file.rename(root / "kept.ipynb")
    command = "referee", "grade", small.NAME, "--student", "h-late"
    run(root, *command, status=1)
    assert marks(root) == strange[1]
    run(root, *command, "--accept-removed", status=1)
    assert {values[0] for values in marks(root)["h-late"].values()} == {None}
    kept.rename(file)
    run(root, "nbgrader", "autograde", small.NAME, "--student", "h-late", "--force")
    assert marks(root) == strange[1]


# --- killed -----------------------------------------------------------------------------------

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


def test_who_has_handed_in_nothing_may_be_called_otherwise(tmp_path: Path) -> None:
    """Is the nearest name told where somebody is misspelt?"""
    root = small.make(tmp_path / "course")
    small.hand_in(root, "lovelace")
    said = run(root, "referee", "grade", small.NAME, "--student", "lovelase", status=2)
    assert "submitted/lovelase/numbers; did you mean lovelace?" in " ".join(said.split())
