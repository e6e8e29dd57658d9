"""Hidden checks ask each notebook something else, and may leave a mark to a human."""

import json
import shutil

import pytest
from classes import Class
from formgrading import run
from small_course import NAME

from referee.course import Course
from referee.marks import entries, feedback
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
def made(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """Return a class of three, with a check that tells whom it has asked what.

    Two of them hand in the same.
    """
    made = Class.made(tmp_path_factory.mktemp("personal") / "course", "ann", "cleo")
    made.hidden("test_square.py").write_text(CHECK)
    made.hand_in("ben", square="def square(n):\n    return n**2")
    return made


def graded(made: Class) -> dict[str, str]:
    """Return what the check has said to each student."""
    return {
        student: next(one.message for one in made.report(student).checks if one.cell == "square")
        for student in ("ann", "ben", "cleo")
    }


@pytest.fixture(scope="module")
def drawn(made: Class) -> dict[str, str]:
    """Grade the class with `referee grade`; return what the check has said to each student."""
    made.grade(status=1)  # ben's mark waits
    return graded(made)


def test_every_notebook_is_asked_something_else(drawn: dict[str, str]) -> None:
    """Does what is drawn depend on the code that was handed in, and on nothing else?"""
    assert all(said.startswith(f"'{student}' draws [") for student, said in drawn.items())
    ann, ben, cleo = (drawn[name].partition("draws")[2] for name in ("ann", "ben", "cleo"))
    assert ann == cleo
    assert ann != ben


def test_the_same_again_by_either_door(made: Class, drawn: dict[str, str]) -> None:
    """Are the draws the same when all is judged anew, by `referee grade` and by nbgrader?"""
    made.grade("--force", status=1)
    assert graded(made) == drawn
    shutil.rmtree(made.path(".referee"))
    run(made.root, "nbgrader", "autograde", NAME, "--force", "--log-level=ERROR", status=1)
    made.grade("--accept-removed", status=1)
    run(made.root, "nbgrader", "autograde", NAME, "--force", "--log-level=ERROR")
    assert graded(made) == drawn


@pytest.mark.usefixtures("drawn")
def test_a_mark_waits_although_all_is_right(made: Class) -> None:
    """Has one cell of one student no mark, with the reason once in page and text?"""
    results = entries.get(made.root, NAME)
    assert {student: record.report.waits for student, record in results.items()} == {
        "ann": {}, "ben": {"test_double": "This is not your name."}, "cleo": {},
    }  # fmt: skip
    report = results["ben"].report
    assert report.scores["test_double"] is None
    assert all(check.verdict == "pass" for check in report.checks if check.cell == "double")
    (mark,) = [mark for mark in report.cells if mark.grade_id == "test_double"]
    for show in (feedback.as_text, feedback.as_html):
        assert show(report, mark).count("This is not your name.") == 1
    for told in (made.grade(status=1), run(made.root, "referee", "status", NAME)):
        assert told.count("test_double waits for your mark: This is not your name.") == 1


def test_one_notebook_is_asked_what_a_student_would_be(made: Class, drawn: dict[str, str]) -> None:
    """Does `referee check --student` say to a check whose notebook it is, and draw the same?"""
    file, who = made.folder("ann") / f"{NAME}.ipynb", ("--student", "nobody")
    run(made.root, "referee", "check", str(file), *who, "--json", "out.json", status=1)
    checks = json.loads(made.path("out.json").read_text())["checks"]
    said = next(check["message"] for check in checks if check["id"].endswith("test_square"))
    assert said == drawn["ann"].replace("ann", "nobody")


def test_a_replay_asks_the_same(made: Class, drawn: dict[str, str]) -> None:
    """Does judging a kept result again say the same to the student?"""
    (again,) = replay.again(Course(made.root).find(NAME), "ben", "test_square").checks
    assert again.same
    assert again.result and again.result.message.startswith(drawn["ben"].splitlines()[0])


def test_another_secret_draws_other_lots(made: Class, drawn: dict[str, str]) -> None:
    """Does the course's secret, `seed.txt`, change what the same notebook is asked?"""
    made.hidden("seed.txt").write_text("2027\n")
    made.grade("--accept-removed", status=1)
    assert not set(graded(made).values()) & set(drawn.values())
