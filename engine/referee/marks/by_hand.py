"""Save a mark that somebody gives by hand, on top of what they have seen, with a line in the log.

Whoever saves on top of something older is refused; so is what is no number, or out of range.
"""

import re
from collections import defaultdict

import msgspec
from nbgrader.api import Comment, Grade, Gradebook, SubmittedNotebook

from referee.course import Course, CourseError
from referee.marks import grade_log, gradebook
from referee.marks.grade_log import Change, HandMark
from referee.marks.standings import is_open

Pair = tuple[HandMark, HandMark]
NUMBER = re.compile(r"-?\d*\.?\d+", re.ASCII)


class StaleError(Exception):
    """The `mark` in the gradebook is not the one that was there when somebody began to type."""

    def __init__(self, mark: HandMark) -> None:
        """Note what is there now."""
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
    notebook = book.find_submission_notebook_by_id(submission).notebook_id
    grades = book.db.query(Grade).join(SubmittedNotebook).filter_by(notebook_id=notebook)
    submissions: dict[str, list[str]] = defaultdict(list)
    for row in sorted(grades, key=lambda row: (row.notebook_id <= submission, row.notebook_id)):
        if is_open(row.auto_score, row.manual_score, row.needs_manual_grade):
            submissions[row.name].append(row.notebook_id)
    return submissions


def save(course: Course, book: Gradebook, submission: str, saving: Saving, who: str) -> HandMark:
    """Save what somebody typed for a cell; return what stands there now.

    A flag goes with a new mark. Raises CourseError with a sentence when what was typed is no mark.
    """
    row, old = book.find_submission_notebook_by_id(submission), saving.old
    grade, _ = _rows(row, saving.cell)
    most = grade.max_score if grade else 0.0
    score = _number(saving.score, most, f"the points of {saving.cell}")
    extra = _number(saving.extra, row.assignment.max_score, "the points of the assignment")
    changed = (score, extra) != (old.score, old.extra) or saving.looked
    flagged = score is None and old.automatic is None if changed else old.flagged
    new = HandMark(old.automatic, score, extra, saving.comment, flagged)
    return replace(course, book, row, saving.cell, (old, new), who)


def replace(
    course: Course, book: Gradebook, row: SubmittedNotebook, cell: str, pair: Pair, who: str
) -> HandMark:
    """Replace what stands for a cell, mark and comment at once; return what stands there now.

    The `pair` is what somebody has seen, and what is to stand there; StaleError if another mark
    stands there by now.
    """
    # From here on no other process can write; what was read before may have changed.
    book.db.query(SubmittedNotebook).filter_by(id=row.id).update({"id": row.id})
    book.db.expire_all()
    grade, comment = _rows(row, cell)
    before, (old, new) = _mark(grade, comment), pair
    if before == new:  # it was saved, and the answer was lost
        return before
    if before != old:
        raise StaleError(before)
    if grade:
        grade.manual_score, grade.extra_credit = new.score, new.extra
        grade.needs_manual_grade = new.flagged
    if comment:
        comment.manual_comment = new.comment or None
    if row.assignment.total_seconds_late > 0:  # the penalty may be a share of the score
        gradebook.penalise(book, row, gradebook.late_rule(course.configuration()))
    book.db.flush()  # what fails here has no line
    key, student = gradebook.key(row), str(row.student.id)
    change = Change(grade_log.now(), who, key, student, {}, {}, by_hand={cell: pair})
    grade_log.add(course.root, change)
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
