"""Hidden checks ask each notebook something else, and may leave a mark to a human."""

import json
import shutil
from pathlib import Path

import pytest
import small_course
from formgrading import run
from small_course import NAME

from referee.course import Course
from referee.marks import entries, feedback, gradebook, standings
from referee.proof import replay

CHECK = '''
import pytest

@pytest.mark.check(cell="square", points=4, hint="By itself.")
def test_square(student, student_id, chance):
    """It squares."""
    assert student.square(7) == 49
    assert not student_id, f"{student_id!r} draws {chance.sample(range(1000), 5)}"

@pytest.mark.check(cell="double", points=2, hint="By itself.")
@pytest.mark.parametrize("number", [3, 7])
def test_name(student, student_id, by_hand, number):
    """It doubles."""
    if student_id == "ben":
        by_hand("This is not your name.")
    assert student.double(number) == 2 * number
'''


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course with a check that tells whom it has asked what, and a class of three.

    Two of them hand in the same.
    """
    root = small_course.make(tmp_path_factory.mktemp("personal") / "course")
    (root / "tests" / "hidden" / NAME / "test_square.py").write_text(CHECK)
    small_course.hand_in(root, "ann")
    small_course.hand_in(root, "ben", square="def square(n):\n    return n**2")
    small_course.hand_in(root, "cleo")
    return root


def graded(root: Path) -> dict[str, str]:
    """Return what the check has said to each student."""
    results = entries.get(root, NAME)
    return {
        student: next(one.message for one in record.report.checks if one.id.endswith("test_square"))
        for student, record in results.items()
    }


@pytest.fixture(scope="module")
def drawn(course: Path) -> dict[str, str]:
    """Grade the class with `referee grade`; return what the check has said to each student."""
    small_course.grade(course, status=1)  # ben's mark waits
    return graded(course)


def test_every_notebook_is_asked_something_else(drawn: dict[str, str]) -> None:
    """Does what is drawn depend on the code that was handed in, and on nothing else?"""
    assert all(said.startswith(f"'{student}' draws [") for student, said in drawn.items())
    ann, ben, cleo = (drawn[name].partition("draws")[2] for name in ("ann", "ben", "cleo"))
    assert ann == cleo
    assert ann != ben


def test_the_same_again_by_either_door(course: Path, drawn: dict[str, str]) -> None:
    """Are the draws the same when all is judged anew, by `referee grade` and by nbgrader?"""
    small_course.grade(course, "--force", status=1)
    assert graded(course) == drawn
    shutil.rmtree(course / ".referee")
    run(course, "nbgrader", "autograde", NAME, "--force", "--log-level=ERROR", status=1)
    small_course.grade(course, "--accept-removed", status=1)
    run(course, "nbgrader", "autograde", NAME, "--force", "--log-level=ERROR")
    assert graded(course) == drawn


@pytest.mark.usefixtures("drawn")
def test_a_mark_waits_although_all_is_right(course: Path) -> None:
    """Has one cell of one student no mark, with the reason once in page and text?"""
    results = entries.get(course, NAME)
    assert {student: record.report.waits for student, record in results.items()} == {
        "ann": {}, "ben": {"test_double": "This is not your name."}, "cleo": {},
    }  # fmt: skip
    report = results["ben"].report
    assert report.scores["test_double"] is None
    assert all(check.verdict == "pass" for check in report.checks if check.cell == "double")
    (mark,) = [mark for mark in report.cells if mark.grade_id == "test_double"]
    for show in (feedback.as_text, feedback.as_html):
        assert show(report, mark).count("This is not your name.") == 1
    for told in (small_course.grade(course, status=1), run(course, "referee", "status", NAME)):
        assert told.count("test_double waits for your mark: This is not your name.") == 1


def test_one_notebook_is_asked_what_a_student_would_be(course: Path, drawn: dict[str, str]) -> None:
    """Does `referee check --student` say to a check whose notebook it is, and draw the same?"""
    file, who = course / "submitted" / "ann" / NAME / f"{NAME}.ipynb", ("--student", "nobody")
    run(course, "referee", "check", str(file), *who, "--json", "out.json", status=1)
    checks = json.loads((course / "out.json").read_text())["checks"]
    said = next(check["message"] for check in checks if check["id"].endswith("test_square"))
    assert said == drawn["ann"].replace("ann", "nobody")


def test_a_replay_asks_the_same(course: Path, drawn: dict[str, str]) -> None:
    """Does judging a kept result again say the same to the student?"""
    (again,) = replay.again(Course(course).find(NAME), "ben", "test_square").checks
    assert again.same
    assert again.result and again.result.message.startswith(drawn["ben"].splitlines()[0])


def test_another_secret_draws_other_lots(course: Path, drawn: dict[str, str]) -> None:
    """Does the course's secret, `seed.txt`, change what the same notebook is asked?"""
    (course / "tests" / "hidden" / NAME / "seed.txt").write_text("2027\n")
    small_course.grade(course, "--accept-removed", status=1)
    assert not set(graded(course).values()) & set(drawn.values())


@pytest.mark.usefixtures("drawn")
def test_a_mark_by_hand_ends_the_question(course: Path) -> None:
    """Is nobody asked again who has decided?"""
    records = entries.get(course, NAME)
    with gradebook.opened(f"sqlite:///{course}/gradebook.db") as book:
        assert standings.read(book.db, NAME, records)["ben"].questions
        with gradebook.submission(book, NAME, "ben") as row:
            (grade,) = (one for one in row.grades if one.name == "test_double")
            grade.manual_score, grade.needs_manual_grade = 3.0, False
        assert standings.read(book.db, NAME, records)["ben"].questions == []
