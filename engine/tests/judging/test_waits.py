"""A check may leave a mark to a human: the reason is said once, wherever somebody looks."""

import json
from pathlib import Path

import pytest
import small_course
from formgrading import run
from small_course import NAME

from referee.marks import entries, feedback, gradebook, standings
from referee.model import Record

WHY = "This is not your name."
CHECK = f'''
import pytest

@pytest.mark.check(cell="square", points=2, hint="By itself.")
@pytest.mark.parametrize("number", [3, 7])
def test_square(student, student_id, by_hand, number):
    """It squares."""
    if student_id == "ben":
        by_hand("{WHY}")
    assert student.square(number) == number**2
'''


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course in which ann and ben have handed in the same, which is right."""
    root = small_course.make(tmp_path_factory.mktemp("waits") / "course")
    (root / "tests" / "hidden" / NAME / "test_square.py").write_text(CHECK)
    small_course.hand_in(root, "ann")
    small_course.hand_in(root, "ben")
    return root


@pytest.fixture(scope="module")
def said(course: Path) -> str:
    """Grade the class; return what is said."""
    return run(course, "referee", "grade", NAME, status=1)


@pytest.fixture(scope="module")
def records(course: Path, said: str) -> dict[str, Record]:
    """Return what was entered."""
    return entries.get(course, NAME)


def test_the_mark_waits_although_all_is_right(records: dict[str, Record]) -> None:
    """Is it one cell of one student that has no mark, and are its checks judged as ever?"""
    ann, ben = records["ann"].report, records["ben"].report
    assert ben.waits == {"test_square": WHY} and ann.waits == {}
    assert {cell for cell in ben.scores if ben.scores[cell] != ann.scores[cell]} == {"test_square"}
    assert ben.scores["test_square"] is None
    assert all(check.verdict == "pass" for check in ben.checks if check.cell == "square")


def test_the_teacher_reads_it_once(course: Path, said: str) -> None:
    """Do `grade` and `status` say whom it is about and why, and is it said when grading again?"""
    assert said.count(WHY) == 1 and "ben needs you: test_square waits for your mark" in said
    again = run(course, "referee", "grade", NAME, status=1)
    assert again.count(WHY) == 1
    told = run(course, "referee", "status", NAME, "--json", "status.json")
    assert told.count(WHY) == 1
    (status,) = json.loads((course / "status.json").read_text())
    assert status["waits"].keys() == {"ben"}


def test_the_student_reads_it_once(records: dict[str, Record]) -> None:
    """Is it on top of the cell, in the page and as text?"""
    report = records["ben"].report
    (mark,) = [mark for mark in report.cells if mark.grade_id == "test_square"]
    for show in (feedback.as_text, feedback.as_html):
        assert show(report, mark).count(WHY) == 1


def test_a_mark_by_hand_ends_it(course: Path, records: dict[str, Record]) -> None:
    """Is nobody asked again who has decided?"""
    with gradebook.opened(f"sqlite:///{course}/gradebook.db") as book:
        ask = f"test_square waits for your mark: {WHY}"
        assert standings.read(book.db, NAME, records)["ben"].questions == [ask]
        with gradebook.submission(book, NAME, "ben") as row:
            (grade,) = (one for one in row.grades if one.name == "test_square")
            grade.manual_score, grade.needs_manual_grade = 3.0, False
        assert standings.read(book.db, NAME, records)["ben"].questions == []
