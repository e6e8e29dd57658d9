"""Ask whether marks enter nbgrader's gradebook whole or not at all, and leave a human's alone."""

import datetime
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import MissingEntry, SubmittedNotebook

from referee.marks import gradebook, standings

TESTS = ("test_f", "test_g", "test_h")
GRADED = (*TESTS, "essay")
SCORES = {"test_f": 3.0, "test_g": 0.5, "test_h": 0.0, "essay": None}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook with one assignment and the submissions of two students."""
    file = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    with gradebook.opened(f"sqlite:///{file}") as book:
        book.add_assignment("sums")
        book.add_notebook("sums", "sums")
        for name in TESTS:
            book.add_grade_cell(name, "sums", "sums", max_score=3, cell_type="code")
        book.add_task_cell("essay", "sums", "sums", max_score=4, cell_type="markdown")
        for name in ("f", "g"):
            book.add_solution_cell(name, "sums", "sums")
        for student in ("ada", "bob"):
            book.add_student(student)
            book.add_submission("sums", student)
    return file


@pytest.fixture
def url(template: Path, tmp_path: Path) -> str:
    """A gradebook of the test's own."""
    return f"sqlite:///{shutil.copy(template, tmp_path)}"


def save(url: str, scores: gradebook.Scores, unanswered: set[str], student: str = "ada") -> None:
    """Enter the marks of a submission that is there."""
    with gradebook.opened(url) as book, gradebook.submission(book, "sums", student) as row:
        gradebook.fill(row, scores, unanswered)


def reset(url: str) -> None:
    save(url, dict.fromkeys(GRADED), set())


def change(url: str, do: Callable[[SubmittedNotebook], Any], student: str = "ada") -> None:
    """Change a submission as formgrader would."""
    with gradebook.opened(url) as book:
        do(book.find_submission_notebook("sums", "sums", student))
        book.db.commit()


def set_grade(name: str, **values: Any) -> Callable[[SubmittedNotebook], None]:
    """Return a change of one grade."""

    def do(notebook: SubmittedNotebook) -> None:
        (grade,) = (grade for grade in notebook.grades if grade.name == name)
        for field, value in values.items():
            setattr(grade, field, value)

    return do


def rows(url: str, student: str = "ada") -> dict[str, tuple[Any, ...]]:
    """Return automatic score, score by hand, and whether a human must look, for each cell."""
    with gradebook.opened(url) as book:
        notebook = book.find_submission_notebook("sums", "sums", student)
        return {
            grade.name: (grade.auto_score, grade.manual_score, bool(grade.needs_manual_grade))
            for grade in notebook.grades
        }


def comments(url: str, student: str = "ada") -> dict[str, tuple[Any, Any]]:
    with gradebook.opened(url) as book:
        notebook = book.find_submission_notebook("sums", "sums", student)
        return {
            comment.name: (comment.auto_comment, comment.manual_comment)
            for comment in notebook.comments
        }


# --- saving ----------------------------------------------------------------------------------


def test_a_mark_given_by_hand_is_kept_and_flagged(url):
    """Does a regrade leave a human's mark alone, and ask the human to look again?"""
    save(url, SCORES, set())
    change(url, set_grade("test_g", manual_score=2.5, needs_manual_grade=False))
    change(url, set_grade("essay", manual_score=4.0, extra_credit=1.0, needs_manual_grade=False))
    reset(url)
    save(url, SCORES | {"test_g": 1.0}, set())
    assert rows(url) == {
        "test_f": (3.0, None, False),
        "test_g": (1.0, 2.5, True),
        "test_h": (0.0, None, False),
        "essay": (None, 4.0, True),
    }
    with gradebook.opened(url) as book:
        assert book.find_submission("sums", "ada").score == 3.0 + 2.5 + 0.0 + 4.0 + 1.0


@pytest.mark.parametrize(
    ("same", "auto", "flag"), [(True, 1.0, False), (False, 1.0, True), (True, 2.0, True)]
)
def test_what_a_human_saw_is_not_flagged_again(url, same, auto, flag):
    """Is a human asked again only about another answer, or another automatic mark?"""
    save(url, SCORES | {"test_g": 1.0}, set())
    for name in ("test_g", "essay"):
        change(url, set_grade(name, manual_score=2.5, needs_manual_grade=False))
    with gradebook.opened(url) as book, gradebook.submission(book, "sums", "ada") as row:
        names = {"test_g", "essay", "test_f"} if same else set()
        gradebook.fill(row, SCORES | {"test_g": auto, "test_f": 0.0}, set(), names)
    assert rows(url)["test_g"] == (auto, 2.5, flag)
    assert rows(url)["essay"] == (None, 2.5, not same)
    assert rows(url)["test_f"] == (0.0, None, False)


def test_an_answer_as_released_is_commented_and_a_humans_comment_is_kept(url):
    """Does an empty cell say so, until there is something in it?"""

    def say(notebook: SubmittedNotebook) -> None:
        for comment in notebook.comments:
            comment.manual_comment = f"Look at {comment.name} again."

    change(url, say)
    save(url, SCORES, {"f", "of no cell"})
    found = comments(url)
    assert found["f"] == ("No response.", "Look at f again.")
    assert found["g"] == (None, "Look at g again.")
    save(url, SCORES, set())
    assert comments(url)["f"] == (None, "Look at f again.")


# --- one transaction -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("assignment", "student"), [("sums", "eve"), ("trees", "ada"), ("trees", "eve")]
)
def test_an_unknown_submission_raises_and_makes_no_row(url, assignment, student):
    """Is a name that the gradebook does not know an error, and not a new row?"""
    with gradebook.opened(url) as book:
        with (
            pytest.raises(MissingEntry),
            gradebook.submission(book, assignment, student) as row,
        ):
            gradebook.fill(row, SCORES)
        assert [student.id for student in book.students] == ["ada", "bob"]
        assert len(book.assignment_submissions("sums")) == 2


def test_each_submission_is_one_transaction(url):
    """Does somebody who reads meanwhile see one change for a reset and one for a save?"""
    file = Path(url.removeprefix("sqlite:///"))

    def commits() -> int:
        """Read SQLite's count of transactions from the header of the file."""
        return int.from_bytes(file.read_bytes()[24:28], "big")

    save(url, SCORES, set())
    before = commits()
    reset(url)
    between = commits()
    save(url, SCORES, {"f"})
    assert (between - before, commits() - between) == (1, 1)


# --- new submissions -------------------------------------------------------------------------

WHEN = datetime.datetime(2026, 3, 1, 12, 30)


def enter(url: str, student: str, scores: gradebook.Scores = SCORES, when: Any = WHEN) -> None:
    with (
        gradebook.opened(url) as book,
        gradebook.submission(book, "sums", student, make=True) as row,
    ):
        row.assignment.timestamp = when
        gradebook.fill(row, scores, set())


def test_the_standings_are_what_the_gradebook_says(url):
    """Are all automatic marks there, open ones as None, with how late each submission is?"""
    with gradebook.opened(url) as book:
        book.update_or_create_assignment("sums", duedate=WHEN)
        book.add_assignment("trees")
    enter(url, "ada", when=WHEN + datetime.timedelta(seconds=90))
    enter(url, "bob", SCORES | {"essay": 2.0}, WHEN)
    with gradebook.opened(url) as book:
        book.add_student("eve")
        found = standings.read(book.db, "sums")
        assert standings.read(book.db, "trees") == {}
    assert found == {
        "ada": standings.Standing(
            SCORES,
            90.0,
            waiting={"essay": standings.NO_MARK},
            timestamp=WHEN + datetime.timedelta(seconds=90),
        ),
        "bob": standings.Standing(SCORES | {"essay": 2.0}, 0.0, timestamp=WHEN),
    }
    assert [standing.total for standing in found.values()] == [3.5, 5.5]


def test_a_cell_that_waits_says_why(url):
    """Is a mark by hand that the automatic one has overtaken told, with both numbers?"""
    save(url, SCORES, set())
    for name in ("test_g", "test_h"):
        change(url, set_grade(name, manual_score=1.0, needs_manual_grade=False))
    save(url, SCORES | {"test_f": None, "test_g": 2.5}, set())
    with gradebook.opened(url) as book:
        found = standings.read(book.db, "sums")["ada"]
    assert found.waiting == {
        "test_f": standings.NO_MARK,
        "essay": standings.NO_MARK,
        "test_g": "1 by hand is below 2.5, which it would have without",
        "test_h": "answer or points have changed since it got 1 by hand",
    }
    assert [one.partition(":")[0] for one in found.questions] == [
        "test_g waits for your mark", "test_h waits for your mark"
    ]  # fmt: skip


def test_a_gradebook_that_is_made_here_is_private(tmp_path):
    """Is a new gradebook the grader's alone, and one that was there as it was?"""
    file = tmp_path / "new.db"
    for mode in (0o600, 0o660):
        with gradebook.opened(f"sqlite:///{file}?timeout=60"):
            assert file.stat().st_mode & 0o777 == mode
        file.chmod(0o660)
