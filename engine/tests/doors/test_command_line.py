"""Ask whether commands mean all assignments, and tell programs what they tell people."""

import csv
import io
import shutil
from pathlib import Path
from typing import Any

import commands
import msgspec
import pytest
import small_course as small
from class_records import record
from classes import Class
from formgrading import run
from rich.console import Console

from referee.commands import grade, shared, status, terminal
from referee.commands.doctor import Machine
from referee.commands.status import Status
from referee.commands.why import Reasons
from referee.course import CourseError
from referee.grading import ClassResult, student_result
from referee.marks import gradebook
from referee.marks.standings import NO_MARK, Standing
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
    """Are a folder that is gone, a lower mark and an older notebook that stays told?

    Do mark and notebook of that stay, and do those who have more get theirs?
    """
    two.hand_in("ada", square="def square(n):\n    return n")
    two.hand_in("cid")
    notebook = two.path(f"autograded/ada/{small.NAME}/{small.NAME}.ipynb")
    before = notebook.read_bytes()
    shutil.rmtree(two.path("submitted/bob"))
    two.folder("dora").mkdir(parents=True)
    two.hand_in(".ipynb_checkpoints")
    lines = small.grade(two.root, "--never-lower", status=1).splitlines()
    assert any(line.startswith("Without a folder") and line.endswith(": bob.") for line in lines)
    assert "With the marks of an older notebook: ada." in lines
    lower = lines.index("Lower than before: 1 of 3, by test_square.py::test_square (1):")
    assert lines[lower + 1] == "    ada 10 -> 6. The older marks stand."
    assert any(line.startswith("sandboxed: ") and line.endswith(" layers") for line in lines)
    assert any("Grading numbers: 3 of 3" in line for line in lines)
    assert ".ipynb_checkpoints" not in "".join(lines)
    assert two.totals() == {"ada": 10, "bob": 6, "cid": 10} and notebook.read_bytes() == before


# --- the table of a class -------------------------------------------------------------------------

LONG = "o'brien.with.a.very.long.name@students.physics.university.example.org"
IDS = ("ada", "Jürgen Müller-Lüdenscheidt", "李雷", "[bold]b[/]", LONG)
CELLS = {f"A long name of cell {n}": ["pass", "wrong"] for n in range(8)}


def shown(width: int) -> str:
    """Return the table of a class of five and one who could not be graded."""
    reports = [record(name, CELLS).report for name in IDS]
    reports[1].repairs = ["one", "two"]
    graded = [student_result(name, one) for name, one in zip(IDS, reports, strict=True)]
    for result, report in zip(graded, reports, strict=True):
        result.count(Standing(report.scores, 0.0))
    graded[0].count(Standing(reports[0].scores, 9.0, {"essay": 3.0}, {"essay": 0.5}, {"": 13.25}))
    graded.append(student_result("zoe", None, problem="it is a picture"))
    result = ClassResult("sums", 90.0, graded, [], [])
    screen = Console(width=width, markup=False, highlight=False, file=io.StringIO())
    with screen.capture() as said:
        for line in grade.table(result, {}, width):
            screen.print(line, crop=False)
    return said.get()


@pytest.mark.parametrize("width", [40, 60, 80, 100, terminal.UNLIMITED])
def test_a_table_loses_nothing_at_any_width(width):
    """Is each id whole, folded or not, before its marks, with the reason for another mark?"""
    lines = shown(width).splitlines()
    for name in ("student", "ada", "李雷", "[bold]b[/]", "zoe"):
        (row,) = [line for line in lines if line.startswith(f"{name} ")]
        if name not in ("student", "zoe"):
            assert row.split()[9:11] == ["40", "30.25" if name == "ada" else "40"]
    letters = "".join("".join(lines).split())
    for words in "-13.25", "repairs", "graded":
        assert words in letters
    assert LONG in "".join(line.partition(" ")[0] for line in lines)
    if width in (80, 100):
        assert max(map(len, lines)) <= width and "1 A long name of cell 0, 2 A" in " ".join(lines)


def test_only_who_waits_is_called_for():
    """Is a cell named for marking by hand as long as somebody waits for it, and why one waits?"""
    below = "2 by hand is below 3, which it would have without"
    report = record("c", CELLS).report
    cell, report.cells[0].score = report.cells[0].grade_id, None
    for waiting in ({cell: NO_MARK}, {cell: below}, {}):
        one = student_result("c", report)
        one.count(Standing(report.scores, 0.0, {cell: 2.0}, waiting=waiting))
        result = ClassResult("sums", 90.0, [one], [], [])
        said = [str(line) for line in grade.lines(result, {}, terminal.UNLIMITED, preview=False)]
        assert (f"To be marked by hand: {cell}." in said) == bool(waiting)
        assert (f"c: {cell} waits for your mark: {below}" in said) == (below in waiting.values())
