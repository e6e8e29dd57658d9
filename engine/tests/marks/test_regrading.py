"""Change a hidden check and grade again: is only that asked, and who gains what shown first?"""

import os
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from classes import Class
from formgrading import run
from small_course import NAME

from referee import intake
from referee.course import Assignment, Course
from referee.judging import digests, session, suspension
from referee.judging.plugin import Host
from referee.marks import grade_log
from referee.proof import replay
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.submission import Submission

WRITES_ITS_NAME = """
import os, pathlib, pytest

@pytest.fixture(autouse=True)
def asked(request):
    with pathlib.Path(os.environ["ASKED"]).open("a") as file:
        file.write(request.node.name + "\\n")
"""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """A class of three that was graded."""
    made = Class.made(tmp_path_factory.mktemp("template") / "course", "ada")
    made.hidden("conftest.py").write_text(WRITES_ITS_NAME)
    made.hand_in("bob", double="def double(n):\n    return abs(2 * n)")
    made.hand_in("cleo", square="def square(n):\n    return n ** 2 if n > 0 else 0")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASKED", os.devnull)
        made.grade()
    return made


@pytest.fixture
def graded(template: Class, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Class:
    """The same class; the file `asked` beside it names the checks that were asked since."""
    monkeypatch.setenv("ASKED", str(tmp_path / "asked"))
    (tmp_path / "asked").touch()
    return template.copy(tmp_path / "course")


def asked(class_: Class) -> list[str]:
    return (class_.root.parent / "asked").read_text().split()


def harder(class_: Class) -> None:
    """Change the check of `square`: it asks for a negative number, too."""
    with class_.hidden("test_square.py").open("a") as file:
        file.write("    assert student.square(-7) == 49\n")


def why(class_: Class, *arguments: str, status: int = 0) -> str:
    return run(class_.root, "referee", "why", *arguments, status=status)


def test_what_has_not_changed_is_not_judged_again(graded: Class) -> None:
    """Is no check asked, and nothing written, when the class is graded again?"""
    before = {file: file.stat().st_mtime_ns for file in graded.root.rglob("*") if file.is_file()}
    assert "0 entered, 3 as before" in graded.grade()
    assert asked(graded) == []
    changed = {f.name for f, time in before.items() if f.stat().st_mtime_ns != time}
    assert changed <= {"gradebook.db", f"{NAME}.lock"}, changed  # nbgrader touches what it opens


def test_each_change_of_a_mark_is_in_the_log(graded: Class) -> None:
    """Does a changed check cost its own column only, and change the marks that it should?

    A line says who changed what, from what to what, and by which course.
    """
    first = grade_log.changes(graded.root, NAME)
    assert [(one.student, one.new["test_double"]) for one in first] == [
        ("ada", 6), ("bob", 3), ("cleo", 6)
    ]  # fmt: skip
    harder(graded)
    graded.grade()
    assert asked(graded) == ["test_square"] * 5  # of three, the reference and the release
    assert graded.totals() == {"ada": 10, "bob": 7, "cleo": 6}
    (line,) = grade_log.changes(graded.root, NAME)[len(first) :]
    assert (line.student, line.old, line.new) == ("cleo", {"test_square": 4}, {"test_square": 0})
    assert line.who and line.course not in {one.course for one in first}


def test_marks_that_stay_are_as_if_they_were_written_again(graded: Class, tmp_path: Path) -> None:
    """After a check has changed, is all as with `--force`, also with marks given by hand?"""
    graded.sql("update grade set manual_score = 3, extra_credit = 1 where auto_score = 3")
    graded.sql("update comment set manual_comment = 'well done'")
    harder(graded)
    forced = graded.copy(tmp_path / "forced")
    graded.grade()
    forced.grade("--force")
    for table in "submitted_assignment", "submitted_notebook", "grade", "comment":
        assert graded.sql(f"select * from {table}") == forced.sql(f"select * from {table}")
    for notebook in graded.path("autograded").rglob("*.ipynb"):
        other = forced.path(str(notebook.relative_to(graded.root)))
        assert notebook.read_bytes() == other.read_bytes()
    assert "0 entered, 3 as before" in graded.grade()


def test_a_mark_that_somebody_has_changed_is_written_again(graded: Class) -> None:
    """Does the gradebook say what the report says, whoever has written to it meanwhile?"""
    graded.sql("update grade set auto_score = auto_score + 1 where auto_score > 0")
    graded.grade()
    assert graded.totals() == {"ada": 10, "bob": 7, "cleo": 10}


def test_a_preview_says_who_would_change_and_why_and_writes_nothing(graded: Class) -> None:
    """Is it told who would lose what by which check, while gradebook, notebooks and log stay?"""
    harder(graded)
    files = *graded.path("autograded").rglob("*.ipynb"), graded.path("grades.jsonl")
    before = {file: file.read_bytes() for file in files}
    said = graded.grade("--preview")
    assert (
        "cleo: 10 points, -4 square: 4 -> 0 test_square.py::test_square: pass -> wrong "
        "1 of 3 would change."
    ) in said
    assert "ada:" not in said
    assert graded.totals() == {"ada": 10, "bob": 7, "cleo": 10}
    assert {file: file.read_bytes() for file in before} == before
    (graded.root.parent / "asked").write_text("")
    graded.grade()
    assert asked(graded) == []  # what the preview has judged is kept
    assert graded.totals()["cleo"] == 6


def test_what_has_made_the_marks_is_told_and_can_be_replayed(graded: Class) -> None:
    """Does why tell what is stored, does it come out again, and is another course told?"""
    said = why(graded, "bob", NAME)
    assert said.startswith(f"bob, {NAME}: ") and "judged again" not in said
    assert "(test_double.py::test_double_negative[-3], 0 of " in said and "Below zero, too." in said
    (line,) = [one for one in grade_log.changes(graded.root, NAME) if one.student == "bob"]
    assert f"Changes of marks:\n  {line.when}, {line.who}: " in said
    said = why(graded, "bob", NAME, "--again", "--check", "test_double_negative[-3]")
    assert "= test_double.py::test_double_negative[-3]: wrong -> wrong" in said
    assert "Below zero, too." in said and "The course has changed" not in said
    harder(graded)
    said = why(graded, "cleo", NAME, "--again", status=1)
    assert "≠ test_square.py::test_square: pass -> " in said
    assert "The course has changed since; this is what it says now." in said
    assert "nothing is kept of zoe" in why(graded, "zoe", NAME, status=2)
    said = why(graded, "ada", NAME, "--again", "--check", "test_triple", status=2)
    assert "there is no check test_triple" in said


def test_what_counts_for_nobody_and_an_unreadable_file_come_out_again(graded: Class) -> None:
    """Is neither told as a changed verdict, where nothing has changed?"""
    (graded.folder("bob") / f"{NAME}.ipynb").write_bytes(b"no notebook")
    graded.replace(f"tests/hidden/{NAME}/test_square.py", "== ", "!= ")
    graded.grade(status=1)
    for student, verdict in ("ada", "referee-error"), ("bob", "not-run"):
        found = replay.again(Course(graded.root).find(NAME), student)
        assert found.same and not found.edited
        assert verdict in {one.now for one in found.checks}


def test_why_tells_submissions_apart(graded: Class) -> None:
    """Is another submission told from a mended check?"""
    stamp = graded.folder("bob") / "timestamp.txt"
    graded.hand_in("bob")
    stamp.write_text("2027-01-04 08:00:00.123 UTC")
    graded.grade()
    graded.hand_in("bob", square="def square(n):\n    return 0")
    stamp.write_text("2027-01-05 08:00:00 UTC")
    graded.grade()
    graded.replace(f"tests/hidden/{NAME}/test_square.py", "== ", "!= -1 or 1 == ")
    graded.grade()
    said = why(graded, "bob", NAME)
    first, second, third, again = said.partition("Changes of marks:\n")[2].splitlines()
    assert "submission" not in first
    assert ", another submission, handed in 2027-01-04 08:00:00 UTC: " in second
    assert ", another submission, handed in 2027-01-05 08:00:00 UTC: test_square 4 -> 0" in third
    assert ", the same submission graded again: test_square 0 -> " in again


SPIN = "import time\nwhile time.process_time() < 20: pass"


def verdicts(task: Assignment, name: str, number: int) -> tuple[str, ...]:
    """Judge what a student has handed in, with a hash seed and an order of the checks of its own.

    Return their verdicts and points; every other time a busy process runs beside.
    """
    accepted = intake.accept(task, intake.collect(task.submitted(name), task.notebook, task.others))
    assert accepted
    limits = task.course.limits()
    with (
        subprocess.Popen([sys.executable, "-c", SPIN if number % 2 else ""]) as busy,
        Server(limits, task.subject, hash_seed=number) as server,
        Submission(server, accepted.cells, task.support, limits) as submission,
    ):
        host, checks = Host(task.of(name), submission), sorted(digests.checks(task))
        for check in random.Random(number).sample(checks, len(checks)):
            if check not in map(digests.of_check, host.results):
                session.run_checks(task, host, [check])
        busy.kill()
    return (*sorted(f"{one.id}: {one.verdict} {one.points}" for one in host.results.values()),)


@pytest.mark.proof
def test_a_class_judged_again_and_again_has_the_same_verdicts(graded: Class) -> None:
    """Does no verdict move with hash seed, order or load, but that of who asks for the seed?"""
    graded.hand_in("moody", square="def square(n):\n    return n * n if hash('x') % 2 else 0")
    task = Course(graded.root).find(NAME)
    task, found = suspension.prepared(task, task.course.limits()), defaultdict(set)
    for name in intake.students(task.course, NAME):
        for number in range(4):
            found[name].add(verdicts(task, name, number))
    assert {name: len(one) for name, one in found.items()} == {
        "ada": 1, "bob": 1, "cleo": 1, "moody": 2,
    }  # fmt: skip
