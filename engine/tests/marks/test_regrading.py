"""Change a hidden check and grade again: is only that asked, and who gains what shown first?"""

import json
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import judge_often
import pytest
import small_course as small
from classes import Class
from formgrading import run
from small_course import NAME

from referee import course, intake
from referee.marks import gradebook

WRITES_ITS_NAME = """
import os, pathlib, pytest

@pytest.fixture(autouse=True)
def asked(request):
    with pathlib.Path(os.environ["ASKED"]).open("a") as file:
        file.write(request.node.name + "\\n")
"""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of three that was graded."""
    root = small.make(tmp_path_factory.mktemp("template") / "course")
    (root / "tests" / "hidden" / NAME / "conftest.py").write_text(WRITES_ITS_NAME)
    small.hand_in(root, "ada")
    small.hand_in(root, "bob", double="def double(n):\n    return abs(2 * n)")
    small.hand_in(root, "cleo", square="def square(n):\n    return n ** 2 if n > 0 else 0")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASKED", os.devnull)
        small.grade(root)
    return root


@pytest.fixture
def graded(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same class; the file `asked` beside it names the checks that were asked since."""
    monkeypatch.setenv("ASKED", str(tmp_path / "asked"))
    (tmp_path / "asked").write_text("")
    return Path(shutil.copytree(template, tmp_path / "course"))


def asked(root: Path) -> list[str]:
    return (root.parent / "asked").read_text().split()


def harder(root: Path) -> None:
    """Change the check of `square`: it asks for a negative number, too."""
    file = root / "tests" / "hidden" / NAME / "test_square.py"
    text = file.read_text()
    file.write_text(f"{text}    assert student.square(-7) == 49\n")


def log(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "grades.jsonl").read_text().splitlines()]


def test_what_has_not_changed_is_not_judged_again(graded: Path) -> None:
    """Is no check asked, and nothing written, when the class is graded again?"""
    before = {file: file.stat().st_mtime_ns for file in graded.rglob("*") if file.is_file()}
    assert "0 entered, 3 as before" in small.grade(graded)
    assert asked(graded) == []
    changed = {f.name for f, time in before.items() if f.stat().st_mtime_ns != time}
    assert changed <= {"gradebook.db", f"{NAME}.lock"}, changed  # nbgrader touches what it opens


def test_only_a_changed_check_is_asked_again(graded: Path) -> None:
    """Does a changed check cost its own column only, and change the marks that it should?"""
    harder(graded)
    small.grade(graded)
    assert asked(graded) == ["test_square"] * 5  # of three, the reference and the release
    assert Class(graded).totals() == {"ada": 10, "bob": 7, "cleo": 6}


def rows(root: Path) -> list[tuple[Any, ...]]:
    """Return all that the gradebook has of submissions."""
    with sqlite3.connect(root / "gradebook.db") as book:
        tables = "submitted_assignment", "submitted_notebook", "grade", "comment"
        return [row for name in tables for row in book.execute(f"select * from {name}")]


def test_marks_that_stay_are_as_if_they_were_written_again(graded: Path, tmp_path: Path) -> None:
    """After a check has changed, is all as with `--force`, also with marks given by hand?"""
    with sqlite3.connect(graded / "gradebook.db") as book:
        book.execute("update grade set manual_score = 3, extra_credit = 1 where auto_score = 3")
        book.execute("update comment set manual_comment = 'well done'")
    harder(graded)
    forced = Path(shutil.copytree(graded, tmp_path / "forced"))
    small.grade(graded)
    small.grade(forced, "--force")
    assert rows(graded) == rows(forced)
    for notebook in (graded / "autograded").rglob("*.ipynb"):
        assert notebook.read_bytes() == (forced / notebook.relative_to(graded)).read_bytes()
    assert "0 entered, 3 as before" in small.grade(graded)


def test_a_mark_that_somebody_has_changed_is_written_again(graded: Path) -> None:
    """Does the gradebook say what the report says, whoever has written to it meanwhile?"""
    with sqlite3.connect(graded / "gradebook.db") as book:
        book.execute("update grade set auto_score = auto_score + 1 where auto_score > 0")
    harder(graded)
    small.grade(graded)
    assert Class(graded).totals() == {"ada": 10, "bob": 7, "cleo": 6}


def test_a_preview_says_who_would_change_and_why_and_writes_nothing(graded: Path) -> None:
    """Is it told who would lose what by which check, while gradebook, notebooks and log stay?"""
    harder(graded)
    kept = {
        file: file.read_bytes()
        for file in (*(graded / "autograded").rglob("*.ipynb"), graded / "grades.jsonl")
    }
    said = small.grade(graded, "--preview")
    assert "cleo: 10 points, -4" in said
    assert "square: 4 -> 0" in said
    assert "test_square.py::test_square: pass -> wrong" in said
    assert "1 of 3 would change." in said
    assert "ada:" not in said
    assert Class(graded).totals() == {"ada": 10, "bob": 7, "cleo": 10}
    assert {file: file.read_bytes() for file in kept} == kept
    (graded.parent / "asked").write_text("")
    small.grade(graded)
    assert asked(graded) == []  # what the preview has judged is kept
    assert Class(graded).totals()["cleo"] == 6


def test_never_lower_keeps_the_better_result_whole(graded: Path) -> None:
    """Does a student who would lose points keep marks and notebook, and one who gains get them?"""
    notebook = graded / "autograded" / "cleo" / NAME / f"{NAME}.ipynb"
    before = notebook.read_bytes()
    small.hand_in(graded, "bob")
    harder(graded)
    said = small.grade(graded, "--never-lower")
    assert "cleo 10 -> 6. The older marks stand." in said
    assert Class(graded).totals() == {"ada": 10, "bob": 10, "cleo": 10}
    assert notebook.read_bytes() == before


def test_each_change_of_a_mark_is_in_the_log(graded: Path) -> None:
    """Does a line say who changed what, from what to what, and by which course?"""
    first = log(graded)
    assert [(line["student"], line["new"]["test_double"]) for line in first] == [
        ("ada", 6), ("bob", 3), ("cleo", 6)
    ]  # fmt: skip
    harder(graded)
    small.grade(graded)
    (line,) = log(graded)[len(first) :]
    assert (line["student"], line["old"], line["new"]) == (
        "cleo", {"test_square": 4}, {"test_square": 0}
    )  # fmt: skip
    assert line["course"] not in {one["course"] for one in first}
    assert line["who"]


def test_what_has_made_the_marks_is_told_and_can_be_replayed(graded: Path) -> None:
    """Does why tell what is stored, does it come out again, and is another course told?"""
    said = run(graded, "referee", "why", "bob", NAME)
    assert said.startswith(f"bob, {NAME}: ") and "judged again" not in said
    assert "(test_double.py::test_double_negative[-3], 0 of " in said and "Below zero, too." in said
    (line,) = [line for line in log(graded) if line["student"] == "bob"]
    assert f"Changes of marks:\n  {line['when']}, {line['who']}: " in said
    said = run(
        graded, "referee", "why", "bob", NAME, "--again", "--check", "test_double_negative[-3]"
    )
    assert "= test_double.py::test_double_negative[-3]: wrong -> wrong" in said
    assert "Below zero, too." in said and "The course has changed" not in said
    harder(graded)
    said = run(graded, "referee", "why", "cleo", NAME, "--again", status=1)
    assert "≠ test_square.py::test_square: pass -> " in said
    assert "The course has changed since; this is what it says now." in said


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("zoe", NAME), "nothing is kept of zoe"),
        (("ada", NAME, "--again", "--check", "test_triple"), "there is no check test_triple"),
    ],
)
def test_what_cannot_be_replayed_is_said(graded: Path, arguments: tuple[str], told: str) -> None:
    """Does a wrong name end with what to do instead?"""
    assert told in " ".join(run(graded, "referee", "why", *arguments, status=2).split())


def test_why_is_understood_at_the_first_reading(graded: Path) -> None:
    """Are lateness by an extension, an override and what waits told as what counts?"""
    run(graded, "nbgrader", "db", "assignment", "add", NAME, "--duedate=2027-01-01 12:00")
    (graded / "submitted" / "bob" / NAME / "timestamp.txt").write_text("2027-01-04 00:00")
    lines = f"student,assignment,until\nbob,{NAME},2027-01-03 12:00\n"
    (graded / "extensions.csv").write_text(lines)
    with (
        gradebook.opened(f"sqlite:///{graded}/gradebook.db") as book,
        gradebook.submission(book, NAME, "bob") as row,
    ):
        (grade,) = (one for one in row.grades if one.name == "test_double")
        grade.manual_score, grade.extra_credit = 1.5, 1.0
    run(graded, "referee", "grade", NAME, "--workers", "1")
    said = run(graded, "referee", "why", "bob", NAME)
    assert "Handed in 2027-01-04 00:00:00 UTC, 12:00:00 late by the extension until 2027-" in said
    assert "1 point extra." in said and "off for being late" not in said
    assert "\ntest_double: 1.5 of 6, by hand in place of the automatic " in said


def test_why_tells_submissions_apart(graded: Path) -> None:
    """Is another submission told from a mended check?"""
    stamp = graded / "submitted" / "bob" / NAME / "timestamp.txt"
    small.hand_in(graded, "bob")
    stamp.write_text("2027-01-04 08:00:00.123 UTC")
    small.grade(graded)
    small.hand_in(graded, "bob", square="def square(n):\n    return 0")
    stamp.write_text("2027-01-05 08:00:00 UTC")
    small.grade(graded)
    checks = graded / "tests" / "hidden" / NAME / "test_square.py"
    checks.write_text(checks.read_text().replace("== ", "!= -1 or 1 == "))
    small.grade(graded)
    said = run(graded, "referee", "why", "bob", NAME)
    first, second, third, again = said.partition("Changes of marks:\n")[2].splitlines()
    assert "submission" not in first
    assert ", another submission, handed in 2027-01-04 08:00:00 UTC: " in second
    assert ", another submission, handed in 2027-01-05 08:00:00 UTC: test_square 4 -> 0" in third
    assert ", the same submission graded again: test_square 0 -> " in again


@pytest.mark.proof
def test_a_class_judged_again_and_again_has_the_same_verdicts(graded: Path) -> None:
    """Is no verdict found that moves with hash seed, order or load, and one that does?"""
    task, limits = course.Course(graded).find(NAME), course.Course(graded).limits()
    names = intake.students(course.Course(graded), NAME)
    assert len(names) == 3
    assert judge_often.moving(task, names, limits, 4) == []
    small.hand_in(
        graded, "moody", square="def square(n):\n    return n * n if hash('x') % 2 else 0"
    )
    (found,) = judge_often.moving(task, ["moody"], limits, 8)
    assert (found.student, found.check) == ("moody", "test_square.py::test_square")
    assert "hash seed 3, order 3, busy machine" in found.verdicts
