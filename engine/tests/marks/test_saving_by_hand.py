"""Save marks by hand, without a browser: what is refused, what is logged, who is behind."""

import contextlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import small_course as small
from classes import Class
from formgrading import rows

from referee.course import Course, CourseError
from referee.marks import by_hand, grade_log, gradebook
from referee.marks.grade_log import HandMark

CELL = "test_double"
AUTOMATIC = HandMark(automatic=6.0)


@pytest.fixture
def root(two: Class) -> Path:
    """The class without a log; of ada nothing was marked by hand."""
    two.path(grade_log.FILE).unlink()
    return two.root


def url(root: Path) -> str:
    """Return where the gradebook is."""
    return f"sqlite:///{root}/gradebook.db"


def submission(root: Path) -> str:
    """Return formgrader's name of the submission."""
    with gradebook.opened(url(root)) as book:
        return str(book.find_submission_notebook(small.NAME, small.NAME, "ada").id)


def save(root: Path, typed: dict[str, str | bool], old: HandMark = AUTOMATIC) -> HandMark:
    """Save what was typed for a cell, as the page would."""
    saving = by_hand.Saving(CELL, old, **typed)  # type: ignore[arg-type]
    with gradebook.opened(url(root)) as book:
        return by_hand.save(Course(root), book, submission(root), saving, "anna")


def log(root: Path) -> list[dict[str, object]]:
    """Return the lines of the log."""
    return [json.loads(line) for line in (root / grade_log.FILE).read_bytes().splitlines()]


def test_a_line_says_who_when_which_cell_old_and_new(root: Path) -> None:
    """Is every change on record, and a save that changes nothing no change?"""
    new = save(root, {"score": "4", "extra": "0,5"})
    assert save(root, {"score": "4", "extra": "0.5"}) == new  # its answer was lost: sent again
    (line,) = log(root)
    assert (line["who"], line["assignment"], line["student"]) == ("anna", small.NAME, "ada")
    old = {"automatic": 6, "score": None, "extra": None, "comment": "", "flagged": False}
    assert line["by_hand"] == {CELL: [old, old | {"score": 4, "extra": 0.5}]}
    assert rows(root, small.NAME)["ada"][CELL] == (6, 4, False)
    assert grade_log.changes(root, small.NAME)[0].by_hand[CELL][1] == new


def test_who_has_seen_something_older_is_refused(root: Path) -> None:
    """Does the first of two saves stand, whatever the second one changes?"""
    save(root, {"score": "4"})
    for typed in ({"score": "5"}, {"score": ""}, {"extra": "1"}):
        with pytest.raises(by_hand.StaleError):
            save(root, typed | {})
    assert rows(root, small.NAME)["ada"][CELL] == (6, 4, False) and len(log(root)) == 1


def test_a_mark_on_top_of_an_older_automatic_one_is_refused(root: Path) -> None:
    """When the check was mended since the page was opened, does one have to look again?"""
    with (
        gradebook.opened(url(root)) as book,
        gradebook.submission(book, small.NAME, "ada") as row,
    ):
        next(grade for grade in row.grades if grade.name == CELL).auto_score = 5
    with pytest.raises(by_hand.StaleError):
        save(root, {"score": "4"})


def test_of_many_at_the_same_moment_one_stands(root: Path) -> None:
    """Does each of many writers either stand or know that it does not?"""
    start = threading.Barrier(6)

    def write(score: str) -> list[str]:
        start.wait()
        with contextlib.suppress(by_hand.StaleError):
            save(root, {"score": score})
            return [score]
        return []

    with ThreadPoolExecutor(6) as pool:
        (told,) = (
            one for found in pool.map(write, ("0", "0.5", "1", "2", "3", "4")) for one in found
        )
    assert rows(root, small.NAME)["ada"][CELL][1] == float(told)


def test_a_log_that_cannot_be_written_keeps_the_mark_as_it_was(root: Path) -> None:
    """Is there no change without a line?"""
    (root / grade_log.FILE).mkdir()
    with pytest.raises(OSError, match=grade_log.FILE):
        save(root, {"score": "4"})
    (root / grade_log.FILE).rmdir()
    assert rows(root, small.NAME)["ada"][CELL] == (6, None, False)


@pytest.mark.parametrize(
    "typed",
    [{"score": "6.5"}, {"score": "-1"}, {"score": "2,5,0"}, {"score": "nan"}, {"score": "1e400"},
     {"score": "٣"}, {"extra": "11"}, {"extra": "-0.5"}, {"extra": "inf"}],
    ids=str,
)  # fmt: skip
def test_what_can_be_no_mark_is_a_sentence(root: Path, typed: dict[str, str]) -> None:
    """Is it refused, whoever sends it, and nothing written?"""
    with pytest.raises(CourseError, match=r"is no number: write|is not between 0 and"):
        save(root, dict(typed))
    assert not (root / grade_log.FILE).exists()


def test_a_flag_goes_when_somebody_has_looked(root: Path) -> None:
    """Does a comment alone leave the flag, and a mark or *Resolve* take it away?"""
    with (
        gradebook.opened(url(root)) as book,
        gradebook.submission(book, small.NAME, "ada") as row,
    ):
        grade = next(grade for grade in row.grades if grade.name == CELL)
        grade.manual_score, grade.needs_manual_grade = 4, True
    old = HandMark(6.0, 4.0, None, "", True)
    assert save(root, {"score": "4"}, old).flagged
    assert not save(root, {"score": "4", "looked": True}, old).flagged
    assert save(root, {"score": ""}, HandMark(6.0, 4.0)) == AUTOMATIC


def test_a_cell_that_is_not_there_is_told(root: Path) -> None:
    """Does an old page of a course that has changed get a sentence?"""
    saving = by_hand.Saving("gone", HandMark(), comment="x")
    with gradebook.opened(url(root)) as book, pytest.raises(CourseError, match="no cell gone"):
        by_hand.save(Course(root), book, submission(root), saving, "anna")
