"""Ask whether the table of a class can be read at any width: whose row is it, what is the mark?"""

import io

import pytest
from class_records import record
from rich.console import Console

from referee.commands import grade, terminal
from referee.grading import ClassResult, student_result
from referee.marks.standings import NO_MARK, Standing

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
