"""Ask whether the table of a class can be read at any width: whose row is it, what is the mark?"""

import pytest
from class_records import record

from referee.commands import grade
from referee.grading import ClassResult, student_result
from referee.marks.standings import NO_MARK, Standing

LONG = "o'brien.with.a.very.long.name@students.physics.university.example.org"
IDS = ("ada", "Jürgen Müller-Lüdenscheidt", "李雷", "[bold]b[/]", LONG)
CELLS = {f"A long name of cell {n}": ["pass", "wrong"] for n in range(8)}


def shown(width: int | None) -> list[str]:
    """Return the lines of a class of five and one who could not be graded; None is a pipe."""
    reports = [record(name, CELLS).report for name in IDS]
    reports[1].repairs = ["one", "two"]
    graded = [student_result(name, one) for name, one in zip(IDS, reports, strict=True)]
    for result, report in zip(graded, reports, strict=True):
        result.count(Standing(report.scores, 0.0))
    graded[0].count(Standing(reports[0].scores, 9.0, {"essay": 3.0}, {"essay": 0.5}, 13.25))
    graded.append(student_result("zoe", None, problem="it is a picture"))
    result = ClassResult("sums", 90.0, graded, [], [])
    return [line.plain for line in grade.table(result, {}, width or grade.UNLIMITED)]


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200, None])
def test_a_row_says_whose_it_is_and_what_the_mark_is(width):
    """Does each line begin with a whole id, unless that has a line of its own just before?"""
    lines = shown(width)
    for name in (*IDS, "zoe"):
        (at,) = [i for i, line in enumerate(lines) if line == name or line.startswith(f"{name}  ")]
        row = lines[at] if lines[at] != name else lines[at + 1]
        mark = "30.25" if name == "ada" else "40"
        assert row.removeprefix(name).split()[8:10] == (["40", mark] if name != "zoe" else [])
    assert any(line.startswith("student") for line in lines[:3])


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_row_is_wider_than_the_terminal(width):
    """Does the table end where the screen does, with the notes that do not fit below it?"""
    below = [line for line in shown(width) if ": " in line or line.startswith("1 A long name")]
    rows = [line for line in shown(width) if line not in (*below, LONG)]
    assert len(rows) > len(IDS)
    assert all(len(line) <= width for line in rows)
    assert not any(line.endswith(":") for line in below)


@pytest.mark.parametrize("width", [60, 80, 100, 200, None])
def test_it_is_said_why_the_mark_is_another(width):
    """Is each reason told once, at any width, beside the row or below with the id?"""
    words = "by hand +3, extra +0.5, late -13.25"
    (line,) = [line for line in shown(width) if words in line]
    assert line.startswith("ada")
    (line,) = [line for line in shown(width) if "2 repairs" in line]
    assert line.startswith("Jürgen")


def test_only_who_waits_is_called_for():
    """Is a cell named for marking by hand as long as somebody waits for it, and why one waits?"""
    below = "2 by hand is below 3, which it would have without"
    report = record("c", CELLS).report
    cell, report.cells[0].score = report.cells[0].grade_id, None
    for waiting in ({cell: NO_MARK}, {cell: below}, {}):
        one = student_result("c", report)
        one.count(Standing(report.scores, 0.0, {cell: 2.0}, waiting=waiting))
        result = ClassResult("sums", 90.0, [one], [], [])
        said = [str(line) for line in grade.lines(result, {}, grade.UNLIMITED, preview=False)]
        assert (f"To be marked by hand: {cell}." in said) == bool(waiting)
        assert (f"c: {cell} waits for your mark: {below}" in said) == (below in waiting.values())
