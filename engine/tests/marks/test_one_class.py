"""Ask all that tells marks about one class: override, mended check, resubmission, lateness."""

import datetime
import json
import re
from pathlib import Path

import pytest
from classes import Class
from formgrading import run
from small_course import NAME

from referee.marks import gradebook

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


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class in which somebody has each of these."""
    made = Class.made(tmp_path_factory.mktemp("class"), *FINAL, "eve")
    made.hand_in("dan", square="def square(n):\n    return 49")
    with made.path("nbgrader_config.py").open("a") as config:
        config.write("\nc.AssignLatePenalties.plugin_class = 'late.Daily'\n")
    made.path("late.py").write_text(LATE)
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


def told(root: Path, *command: str) -> dict[str, list[dict[str, object]]]:
    """Return what a command has found about the notebook."""
    run(root, "referee", *command, NAME, "--json", "told.json")
    (found,) = json.loads((root / "told.json").read_bytes())
    return found  # type: ignore[no-any-return]


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
    assert late in said["cid"] and "\n0.5 points off for being late, by Daily.\n" in said["cid"]
    for who, cell in WAITING.items():
        assert re.search(rf"\ntest_{cell}: .*; waits for a human: .* by hand", said[who])
