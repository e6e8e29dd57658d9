"""Save marks by hand, without a browser: what is refused, what is logged, who is behind."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from classes import Class
from msgspec.structs import replace
from small_course import NAME

from referee.course import CourseError
from referee.marks import by_hand, grade_log
from referee.marks.grade_log import HandMark

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
