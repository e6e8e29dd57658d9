"""Ask whether commands mean all assignments, and tell programs what they tell people."""

import csv
import shutil
from pathlib import Path
from typing import Any

import commands
import msgspec
import pytest
import small_course as small
from classes import Class
from formgrading import run

from referee.commands import shared, status, terminal
from referee.commands.doctor import Machine
from referee.commands.status import Status
from referee.commands.why import Reasons
from referee.course import CourseError
from referee.grading import ClassResult
from referee.marks import gradebook
from referee.proof.audit import AuditResult

WRITTEN: dict[str, Any] = {  # by command
    "grade": list[ClassResult],
    "audit": list[AuditResult],
    "doctor": Machine,
    "status": list[Status],
    "why": Reasons,
}


@pytest.fixture(scope="module")
def root(graded: Class, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class in which one has another notebook by now, and one was never graded."""
    made = graded.copy(tmp_path_factory.mktemp("line") / "course")
    made.hand_in("ada", square="def square(n):\n    return n")
    made.hand_in("new")
    made.path("groups.csv").write_text("group,student\nteam,new\nteam,Kim\n")
    with (
        gradebook.opened(f"sqlite:///{made.path('gradebook.db')}") as book,
        gradebook.submission(book, small.NAME, "ada") as row,
    ):
        row.grades[0].needs_manual_grade = True
        for name in "Zoe", "Kim":
            book.update_or_create_student(name, email="x@example.org")
    return made.root


def told(root: Path, *command: str, status: int = 0) -> Any:
    """Return what a command writes for programs, held to its schema, when people get the rest."""
    done = commands.run(root, "referee", *command, "--json", "-")
    assert done.returncode == status, done.stderr
    return msgspec.json.decode(done.stdout, type=WRITTEN[command[0]])


def test_status_says_where_everybody_is(root: Path) -> None:
    """Is nobody judged for it, and everybody where they are?

    Of many who wait, is it said how many there are besides the first ten?
    """
    (found,) = told(root, "status")
    assert found == Status(
        small.NAME,
        ["ada", "bob", "new"],
        ["ada", "bob"],
        ["new"],
        ["ada"],
        ["ada"],
        ["Zoe"],
        {"ada": "test_double waits for your mark: 6 is to be looked at again"},
    )
    lines = run(root, "referee", "status").splitlines()
    assert lines[1].split() == ["numbers", "3", "2", "1", "1", "1"]
    assert {"numbers, to grade: new", "numbers, nothing handed in: Zoe"} <= {*lines}
    waits = {f"s{number:02}": "why" for number in range(12)}
    *_, tenth, more = status._lines([Status("a", [], [], [], [], [], [], waits)])
    assert (tenth, more) == ("a, s09: why", "and 2 more who wait")


def test_programs_are_told_what_people_are(root: Path) -> None:
    """Does what each command writes keep to its schema, with the mark that the table shows?

    And without a name, are reports, tables and feedback of all assignments written?
    """
    (graded,) = told(root, "grade", "--preview")
    assert [(one.student, one.before, one.automatic) for one in graded.students] == [
        ("ada", 10, 6), ("bob", 6, 6), ("new", None, 10),
    ]  # fmt: skip
    assert told(root, "why", "ada", small.NAME).cells[0].checks[0].verdict == "pass"
    assert told(root, "doctor").layers
    (audited,) = told(root, "audit", status=1)
    assert any("no right solution" in gap for gap in audited.gaps)
    for command in (["report"], ["return", "--for", "folder", "--table", "cells"]):
        run(root, "referee", *command)
    with (root / "grades.csv").open(newline="", encoding="utf-8-sig") as file:
        assert {row["assignment"] for row in csv.DictReader(file)} == {small.NAME}
    assert (root / "report-numbers.html").is_file()
    assert (root / "feedback-numbers.zip").is_file()


def test_a_name_of_a_student_stays_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    """Does a method called `book` stand as `Ledger:book:1`, and not as a picture of one?"""
    terminal.console().print("Ledger:book:1")
    assert capsys.readouterr().out == "Ledger:book:1\n"


def test_feedback_for_a_platform_that_knows_nobody_is_refused_at_once(two: Class) -> None:
    """Is no zip written that gives nobody anything, and does the other way that is named work?"""
    command = "referee", "return", small.NAME, "--for"
    for platform in ("moodle", "canvas"):
        told = " ".join(run(two.root, *command, platform, status=1).split())
        assert f"nobody of {small.NAME} was collected from {platform}" in told
        assert "--for folder" in told
    assert not two.path("feedback").exists() and not list(two.root.glob("*.zip"))
    assert "feedback for 2 students" in run(two.root, *command, "folder")


def test_a_sheet_that_nobody_has_stops_no_command(two: Class) -> None:
    """Is an assignment without a release left out of a class until somebody hands it in?"""
    for folder in ("source", "tests/hidden"):
        shutil.copytree(two.path(folder) / small.NAME, two.path(folder) / "later")
    assert [task.name for task in shared.tasks_of_class(two.root, None)] == [small.NAME]
    two.path("submitted/ada/later").mkdir()
    with pytest.raises(CourseError, match="`referee release later`"):
        shared.tasks_of_class(two.root, None)


def test_what_became_of_marks_is_said_in_a_line(two: Class) -> None:
    """Are a folder that is gone, a lower mark and an older notebook that stays told?"""
    two.hand_in("ada", square="def square(n):\n    return n")
    shutil.rmtree(two.path("submitted/bob"))
    two.folder("dora").mkdir(parents=True)
    two.hand_in(".ipynb_checkpoints")
    lines = small.grade(two.root, "--never-lower", status=1).splitlines()
    assert any(line.startswith("Without a folder") and line.endswith(": bob.") for line in lines)
    assert "With the marks of an older notebook: ada." in lines
    lower = lines.index("Lower than before: 1 of 2, by test_square.py::test_square (1):")
    assert lines[lower + 1] == "    ada 10 -> 6. The older marks stand."
    assert any(line.startswith("sandboxed: ") and line.endswith(" layers") for line in lines)
    assert any("Grading numbers: 2 of 2" in line for line in lines)
    assert ".ipynb_checkpoints" not in "".join(lines)
