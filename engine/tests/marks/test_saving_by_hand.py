"""Save marks by hand, without a browser, and ask all that tells marks of a class that has some."""

import contextlib
import datetime
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import commands
import pages
import pytest
from classes import Class
from formgrading import run
from msgspec.structs import replace
from small_course import NAME

from referee.course import CourseError
from referee.marks import by_hand, grade_log, gradebook
from referee.marks.grade_log import HandMark

DUE = datetime.datetime(2027, 2, 1, 12)
GUIDE = Path(__file__).parents[2] / "docs" / "guide.md"
FINAL = {"ada": 10.0, "bob": 8.0, "cid": 9.0}  # of 10
WAITING = {"dan": "square", "eve": "double"}  # whose check was mended, who handed in again


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class in which somebody has each of these."""
    made = Class.made(tmp_path_factory.mktemp("class"), *FINAL, "eve")
    made.hand_in("dan", square="def square(n):\n    return 49")
    with made.path("nbgrader_config.py").open("a") as config:
        config.write("\nc.AssignLatePenalties.plugin_class = 'late.TenthADay'\n")
    made.path("late.py").write_text(pages.block(GUIDE, "Late work", "python"))
    with gradebook.opened(f"sqlite:///{made.root}/gradebook.db") as book:
        book.update_or_create_assignment(NAME, duedate=DUE)
    made.path("extensions.csv").write_text(
        f"student,assignment,until\ncid,{NAME},2027-02-03 00:00\n"
    )
    for student in (*FINAL, *WAITING):
        day = 3 if student in ("bob", "cid") else 1
        (made.folder(student) / "timestamp.txt").write_text(f"2027-02-0{day} 12:00:00 UTC")
    made.grade()
    made.save("ada", "test_double", score="5", extra="1")
    made.save("dan", "test_square", score="2")
    made.save("eve", "test_double", score="3")
    made.replace(f"tests/hidden/{NAME}/test_square.py", "square(7) == 49", "square(9) == 81")
    made.hand_in("eve", double="def double(n):\n    return n + n")
    made.grade()
    return made.root


def told(root: Path, *command: str) -> Any:
    """Return what a command has found about the notebook."""
    (found,) = json.loads(commands.run(root, "referee", *command, NAME, "--json", "-").stdout)
    return found


def test_grade_and_status_agree(root: Path) -> None:
    """Do both name the marks that count, and who waits?"""
    students = {one["student"]: one for one in told(root, "grade", "--workers", "1")["students"]}
    assert {who: students[who]["mark"] for who in FINAL} == FINAL
    assert {who for who, one in students.items() if one["open"]} == {*WAITING}
    assert {*told(root, "status")["by_hand"]} == {*WAITING}


def test_feedback_and_report_say_the_same(root: Path) -> None:
    """Does each student read the mark that counts, or what waits, and does the report call them?"""
    run(root, "nbgrader", "generate_feedback", NAME, "--force")
    for student in (*FINAL, *WAITING):
        page = (root / f"feedback/{student}/{NAME}/{NAME}.html").read_text("utf-8")
        head = page.partition("</header>")[0]
        assert ("Not marked yet" in head) == (student in WAITING)
        if student in FINAL:
            assert f"numbers: {FINAL[student]:g} of 10 points" in head
        else:
            assert f">{WAITING[student]}</a>" in head.partition("Not marked yet")[2]
    assert "Changed by hand: 5, automatic 6" in (
        root / f"feedback/ada/{NAME}/{NAME}.html"
    ).read_text("utf-8")
    run(root, "referee", "report", NAME)
    report = (root / f"report-{NAME}.html").read_text("utf-8")
    for student in WAITING:
        assert re.search(rf"{student}.{{0,600}} \+ \?", report, re.DOTALL)


def test_why_says_the_same(root: Path) -> None:
    """Are lateness by an extension, an override and what waits told as what counts?"""
    said = {who: run(root, "referee", "why", who, NAME) for who in (*FINAL, *WAITING)}
    for who, mark in FINAL.items():
        assert said[who].startswith(f"{who}, {NAME}: {mark:g} of 10.")
    assert "\n1 point extra.\n" in said["ada"] and "off for being late" not in said["ada"]
    assert "\ntest_double: 5 of 6, by hand in place of the automatic 6" in said["ada"]
    late = "Handed in 2027-02-03 12:00:00 UTC, 12:00:00 late by the extension until 2027-02-03 00"
    assert late in said["cid"] and "\n1 point off for being late, by TenthADay.\n" in said["cid"]
    for who, cell in WAITING.items():
        assert re.search(rf"\ntest_{cell}: .*; waits for a human: .* by hand", said[who])


# --- saving marks by hand ----------------------------------------------------------------------

CELL = "test_double"
AUTOMATIC = HandMark(automatic=6.0)


@pytest.fixture
def unmarked(two: Class) -> Class:
    """The class without a log; of ada nothing was marked by hand."""
    two.path(grade_log.FILE).unlink()
    return two


def save(class_: Class, seen: HandMark = AUTOMATIC, cell: str = CELL, **typed: Any) -> HandMark:
    """Save what was typed for a cell of ada's."""
    return class_.save("ada", cell, seen, **typed)


def log(class_: Class) -> list[dict[str, Any]]:
    """Return the lines of the log."""
    return [one for one, _ in grade_log.lines(class_.root)]


def test_a_line_says_who_when_which_cell_old_and_new(unmarked: Class) -> None:
    """Is every change on record, and a save that changes nothing no change?"""
    new = save(unmarked, score="4", extra="0,5")
    assert save(unmarked, score="4", extra="0.5") == new  # its answer was lost: sent again
    (line,) = log(unmarked)
    assert (line["who"], line["assignment"], line["student"]) == ("anna", NAME, "ada")
    old = {"automatic": 6, "score": None, "extra": None, "comment": "", "flagged": False}
    assert line["by_hand"] == {CELL: [old, old | {"score": 4, "extra": 0.5}]}
    assert unmarked.rows()["ada"][CELL] == (6, 4, False)
    assert grade_log.changes(unmarked.root, NAME)[0].by_hand[CELL][1] == new


def test_who_has_seen_something_older_is_refused(unmarked: Class) -> None:
    """Does the first of two saves stand, whatever the second one changes?

    And has one to look again when the check was mended since the page was opened?
    """
    now = save(unmarked, score="4")
    for typed in ({"score": "5"}, {"score": ""}, {"extra": "1"}):
        with pytest.raises(by_hand.StaleError):
            save(unmarked, **typed)
    with pytest.raises(by_hand.StaleError):
        save(unmarked, replace(now, automatic=5.0), score="5")
    assert unmarked.rows()["ada"][CELL] == (6, 4, False) and len(log(unmarked)) == 1


def test_of_many_at_the_same_moment_one_stands(unmarked: Class) -> None:
    """Does each of many writers either stand or know that it does not?"""
    start = threading.Barrier(6)

    def write(score: str) -> str:
        start.wait()
        with contextlib.suppress(by_hand.StaleError):
            save(unmarked, score=score)
            return score
        return ""

    with ThreadPoolExecutor(6) as pool:
        (told,) = filter(None, pool.map(write, ("0", "0.5", "1", "2", "3", "4")))
    assert unmarked.rows()["ada"][CELL][1] == float(told)


def test_a_log_that_cannot_be_written_keeps_the_mark_as_it_was(unmarked: Class) -> None:
    """Is there no change without a line?"""
    unmarked.path(grade_log.FILE).mkdir()
    with pytest.raises(OSError, match=grade_log.FILE):
        save(unmarked, score="4")
    assert unmarked.rows()["ada"][CELL] == (6, None, False)


NO_MARKS: list[dict[str, str]] = [
    {"score": "6.5"}, {"score": "-1"}, {"score": "2,5,0"}, {"score": "nan"}, {"score": "1e400"},
    {"score": "٣"}, {"extra": "11"}, {"extra": "-0.5"}, {"extra": "inf"},
]  # fmt: skip


def test_what_can_be_no_mark_is_a_sentence(unmarked: Class) -> None:
    """Is it refused, whoever sends it, and nothing written?"""
    for typed in NO_MARKS:
        with pytest.raises(CourseError, match=r"is no number: write|is not between 0 and"):
            save(unmarked, **typed)
    assert log(unmarked) == []


def test_a_flag_goes_when_somebody_has_looked(unmarked: Class) -> None:
    """Does a comment alone leave the flag, and a mark or *Resolve* take it away?"""
    unmarked.sql("update grade set manual_score = 4, needs_manual_grade = 1 where auto_score = 6")
    old = HandMark(6.0, 4.0, None, "", True)
    assert save(unmarked, old, score="4").flagged
    assert not save(unmarked, old, score="4", looked=True).flagged
    assert save(unmarked, HandMark(6.0, 4.0), score="") == AUTOMATIC


def test_a_cell_that_is_not_there_is_told(unmarked: Class) -> None:
    """Does an old page of a course that has changed get a sentence?"""
    with pytest.raises(CourseError, match="no cell gone"):
        save(unmarked, HandMark(), "gone", comment="x")
