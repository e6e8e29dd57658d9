"""Save a mark that somebody gives by hand, on top of what they have seen, with a line in the log.

Whoever saves on top of something older is refused; so is what is no number, or out of range.
"""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
from nbgrader.api import Comment, Grade, Gradebook, SubmittedNotebook
from sqlalchemy.orm import selectinload

from referee.course import Course, CourseError
from referee.marks import grade_log, gradebook
from referee.marks.grade_log import Change, HandMark
from referee.marks.standings import is_open

NUMBER = re.compile(r"-?\d*\.?\d+", re.ASCII)


class StaleError(Exception):
    """What stands in the gradebook, the `mark`, is not what somebody has seen who saves."""

    def __init__(self, mark: HandMark) -> None:
        """Note what stands there."""
        super().__init__()
        self.mark = mark


class Saving(msgspec.Struct):
    """What somebody typed for a cell, and what stood there.

    `looked` says that they looked again at a mark that was flagged.
    """

    cell: str
    old: HandMark
    score: str = ""
    extra: str = ""
    comment: str = ""
    looked: bool = False


def marks(book: Gradebook, submission: str) -> dict[str, tuple[HandMark, float]]:
    """Return what stands for each cell that a human can mark, and the most points."""
    row = book.find_submission_notebook_by_id(submission)
    most = {one.name: 0.0 for one in row.comments} | {one.name: one.max_score for one in row.grades}
    return {name: (_mark(*_rows(row, name)), points) for name, points in most.items()}


def waiting(book: Gradebook, submission: str) -> dict[str, list[str]]:
    """Return for each cell of a submitted notebook the submissions that wait for a mark.

    They come as formgrader has them: those after this one first.
    """
    mine = book.find_submission_notebook_by_id(submission).notebook_id
    rows = book.db.query(SubmittedNotebook).filter_by(notebook_id=mine)
    found: dict[str, list[str]] = defaultdict(list)
    together = rows.options(selectinload(SubmittedNotebook.grades))
    for one in sorted(together, key=lambda one: (one.id <= submission, one.id)):
        for grade in one.grades:
            if is_open(grade.auto_score, grade.manual_score, grade.needs_manual_grade):
                found[grade.name].append(one.id)
    return found


def save(
    root: Path, book: Gradebook, submission: str, saving: Saving, who: str, *, seen: bool = True
) -> HandMark:
    """Save what somebody typed for a cell, mark and comment at once; return what stands there now.

    A flag goes with a new mark, unless nobody has `seen` the answer. Raises StaleError when
    something else stood there, and CourseError with a sentence when what was typed is no mark.
    """
    row = book.find_submission_notebook_by_id(submission)
    grade, comment = _rows(row, saving.cell)
    before, old = _mark(grade, comment), saving.old
    most = grade.max_score if grade else 0.0
    score = _number(saving.score, most, f"the points of {saving.cell}")
    extra = _number(saving.extra, row.assignment.max_score, "the points of the assignment")
    changed = seen and ((score, extra) != (old.score, old.extra) or saving.looked)
    flagged = score is None and old.automatic is None if changed else old.flagged
    new = HandMark(old.automatic, score, extra, saving.comment, flagged)
    if before == new:  # it was saved, and the answer was lost
        return before
    if before != old:
        raise StaleError(before)
    if grade:
        _put(
            book, grade, auto_score=grade.auto_score, manual_score=score, extra_credit=extra,
            needs_manual_grade=flagged,
        )  # fmt: skip
    if comment and new.comment != old.comment:
        _put(book, comment, manual_comment=new.comment or None)
    if row.assignment.total_seconds_late > 0:  # the penalty may be a share of the score
        book.db.expire_all()
        gradebook.penalise(book, row, gradebook.late_rule(Course(root).configuration()))
    pair = {saving.cell: (old, new)}
    key, student = gradebook.key(row), str(row.student.id)
    grade_log.add(root, Change(grade_log.now(), who, key, student, {}, {}, by_hand=pair))
    book.db.commit()
    return new


def _rows(row: SubmittedNotebook, cell: str) -> tuple[Grade | None, Comment | None]:
    """Return the rows of a cell; a cell may have only one of the two."""
    grade = next((one for one in row.grades if one.name == cell), None)
    comment = next((one for one in row.comments if one.name == cell), None)
    if grade is None and comment is None:
        raise CourseError(f"this submission has no cell {cell}; load the page again")
    return grade, comment


def _mark(grade: Grade | None, comment: Comment | None) -> HandMark:
    """Return what two rows say, as a box in a browser would hold it."""
    text = (comment.manual_comment or "") if comment else ""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if grade is None:
        return HandMark(comment=text)
    flagged = bool(grade.needs_manual_grade)
    return HandMark(grade.auto_score, grade.manual_score, grade.extra_credit, text, flagged)


def _number(text: str, most: float, whose: str) -> float | None:
    """Return typed points, None if nothing was typed."""
    number = text.strip().replace(",", ".")
    if not number:
        return None
    if not NUMBER.fullmatch(number):
        raise CourseError(f"{text[:20]} is no number: write it with digits, as in 2.5 or 2,5")
    if not 0 <= float(number) <= most:
        raise CourseError(f"{text[:20]} is not between 0 and {most:g}, {whose}")
    return float(number)


def _put(book: Gradebook, row: Any, **values: Any) -> None:
    """Change a row that is still as it was read: another process may write to the gradebook."""
    read = {name: getattr(row, name) for name in values}
    rows = book.db.query(type(row)).filter_by(id=row.id, **read)
    if rows.update(values, synchronize_session=False) != 1:
        raise CourseError("somebody else has saved at the same moment; load the page again")
