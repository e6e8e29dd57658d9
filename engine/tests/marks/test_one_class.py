"""Ask all that tells marks about one class: override, mended check, resubmission, lateness."""

import datetime
import json
import re
from pathlib import Path

import pytest
import small_course as small
from formgrading import run

from referee.course import Course
from referee.marks import by_hand, gradebook
from referee.marks.grade_log import HandMark

DUE = datetime.datetime(2027, 2, 1, 12)
LATE = """\
from nbgrader.plugins import BasePlugin


class Daily(BasePlugin):
    \"\"\"Takes a point off for each day.\"\"\"

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return total_seconds_late / 86400
"""
FINAL = {"ada": 10.0, "bob": 8.0, "cid": 9.5}  # of 10
WAITING = {"dan": "square", "eve": "double"}  # whose check was mended, who handed in again
AUTOMATIC = {"double": 6.0, "square": 4.0}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class in which somebody has each of these."""
    root = small.make(tmp_path_factory.mktemp("class"))
    config = root / "nbgrader_config.py"
    rule = "\nc.AssignLatePenalties.plugin_class = 'late.Daily'\n"
    config.write_text(config.read_text("utf-8") + rule)
    (root / "late.py").write_text(LATE)
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        book.update_or_create_assignment(small.NAME, duedate=DUE)
    (root / "extensions.csv").write_text(
        f"student,assignment,until\ncid,{small.NAME},2027-02-03 00:00\n"
    )
    for student, day in (("ada", 1), ("bob", 3), ("cid", 3), ("dan", 1), ("eve", 1)):
        lucky = {"square": "def square(n):\n    return 49"} if student == "dan" else {}
        file = small.hand_in(root, student, **lucky)
        (file.parent / "timestamp.txt").write_text(f"2027-02-0{day} 12:00:00 UTC")
    small.grade(root)
    for student, cell, *typed in (
        ("ada", "double", "5", "1"),  # and a point extra
        ("dan", "square", "2"),
        ("eve", "double", "3"),
    ):
        old = HandMark(automatic=AUTOMATIC[cell])
        saving = by_hand.Saving(f"test_{cell}", old, *typed)
        with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
            row = book.find_submission_notebook(small.NAME, small.NAME, student)
            by_hand.save(Course(root), book, row.id, saving, "anna")
    check = root / "tests" / "hidden" / small.NAME / "test_square.py"
    check.write_text(check.read_text("utf-8").replace("square(7) == 49", "square(9) == 81"))
    small.hand_in(root, "eve", double="def double(n):\n    return n + n")
    small.grade(root)
    return root


def told_json(root: Path, *command: str, status: int = 0) -> list[dict[str, object]]:
    """Return what a command has found about the notebook."""
    file = root / "told.json"
    run(root, "referee", *command, small.NAME, "--json", str(file), status=status)
    return json.loads(file.read_bytes())  # type: ignore[no-any-return]


def test_grade_and_status_agree(root: Path) -> None:
    """Do both name the marks that count, and who waits?"""
    (found,) = told_json(root, "grade", "--workers", "1")
    students = {one["student"]: one for one in found["students"]}  # type: ignore[attr-defined]
    assert {who: students[who]["mark"] for who in FINAL} == FINAL
    assert {who for who, one in students.items() if one["open"]} == set(WAITING)
    (status,) = told_json(root, "status")
    assert set(status["by_hand"]) == set(WAITING)  # type: ignore[call-overload]


def test_feedback_and_report_say_the_same(root: Path) -> None:
    """Does each student read the mark that counts, or what waits, and does the report call them?"""
    run(root, "nbgrader", "generate_feedback", small.NAME, "--force")
    for student in (*FINAL, *WAITING):
        page = (root / f"feedback/{student}/{small.NAME}/{small.NAME}.html").read_text("utf-8")
        head = page.partition("</header>")[0]
        assert ("Not marked yet" in head) == (student in WAITING)
        if student in FINAL:
            assert f"numbers: {FINAL[student]:g} of 10 points" in head
        else:
            assert f">{WAITING[student]}</a>" in head.partition("Not marked yet")[2]
    assert "Changed by hand: 5, automatic 6" in (
        root / f"feedback/ada/{small.NAME}/{small.NAME}.html"
    ).read_text("utf-8")
    run(root, "referee", "report", small.NAME)
    report = (root / f"report-{small.NAME}.html").read_text("utf-8")
    for student in WAITING:
        assert re.search(rf"{student}.{{0,600}} \+ \?", report, re.DOTALL)


def test_why_says_the_same(root: Path) -> None:
    """Are lateness by an extension, an override and what waits told as what counts?"""
    said = {who: run(root, "referee", "why", who, small.NAME) for who in (*FINAL, *WAITING)}
    for who, mark in FINAL.items():
        assert said[who].startswith(f"{who}, {small.NAME}: {mark:g} of 10.")
    assert "\n1 point extra.\n" in said["ada"] and "off for being late" not in said["ada"]
    assert "\ntest_double: 5 of 6, by hand in place of the automatic 6" in said["ada"]
    late = "Handed in 2027-02-03 12:00:00 UTC, 12:00:00 late by the extension until 2027-02-03 00"
    assert late in said["cid"] and "\n0.5 points off for being late, by Daily.\n" in said["cid"]
    for who, cell in WAITING.items():
        assert re.search(rf"\ntest_{cell}: .*; waits for a human: .* by hand", said[who])
