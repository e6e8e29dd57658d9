"""Write marks into nbgrader's gradebook: each submission in one transaction.

The only module that writes to it; stock nbgrader reads what is written here. Marks and comments
given by hand are never touched.
"""

import contextlib
import datetime
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Set
from pathlib import Path
from typing import NamedTuple

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.utils import parse_utc
from sqlalchemy import make_url
from sqlalchemy.exc import SAWarning, SQLAlchemyError

from referee.course import CONFIG, CourseError, make_private
from referee.model import Original

BUSY_SECONDS = "60"
Scores = Mapping[str, float | None]
Penalty = Callable[[str, SubmittedNotebook, float], float | None]


class Standing(NamedTuple):
    """What stands in the gradebook for a submission: the automatic marks, and how late it is."""

    scores: dict[str, float | None]
    seconds_late: float

    @property
    def total(self) -> float:
        """Return the sum of the automatic marks."""
        return sum(score or 0 for score in self.scores.values())


@contextlib.contextmanager
def opened(db_url: str) -> Iterator[Gradebook]:
    """Open the gradebook at a database's URL; what nbgrader calls for it lies beside Python.

    Raises CourseError when it cannot be used, now or later.
    """
    if shutil.which("alembic") is None:
        os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    file = Path(db_url.removeprefix("sqlite:///").partition("?")[0])
    if db_url.startswith("sqlite:///") and not file.exists() and file.parent.is_dir():
        make_private(file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)
        try:
            with Gradebook(patient(db_url)) as book:
                yield book
        except SQLAlchemyError as error:
            raise CourseError(
                f"the gradebook cannot be used ({getattr(error, 'orig', None) or error}); see that "
                f"c.CourseDirectory.db_url in {CONFIG} names it, and put your last copy back if it "
                "is damaged"
            ) from error


def patient(db_url: str) -> str:
    """Return the URL of a database, of SQLite one that waits until others have written."""
    url = make_url(db_url)
    if url.get_backend_name() == "sqlite" and "timeout" not in url.query:
        url = url.update_query_dict({"timeout": BUSY_SECONDS})
    return url.render_as_string(hide_password=False)


@contextlib.contextmanager
def submission(book: Gradebook, assignment: str, student: str) -> Iterator[SubmittedNotebook]:
    """Give the rows of a submission and commit the changes together, or none of them.

    Raises MissingEntry when there are none.
    """
    try:
        yield book.find_submission_notebook(assignment, assignment, student)
        book.db.commit()
    except BaseException:
        book.db.rollback()
        raise


@contextlib.contextmanager
def entered(
    book: Gradebook, assignment: str, student: str, timestamp: datetime.datetime | None
) -> Iterator[SubmittedNotebook]:
    """Give the rows of a submission as `submission` does, and make what is missing first.

    The student is created if unknown, and the rows of a new submission mirror the assignment's.
    Without a `timestamp` the one before stays, as in nbgrader.
    """
    try:
        try:
            found = book.find_submission(assignment, student)
        except MissingEntry:
            found = _new_submission(book, assignment, student)
        if timestamp is not None:
            found.timestamp = timestamp
        (notebook,) = (one for one in found.notebooks if one.name == assignment)
        yield notebook
        book.db.commit()
    except BaseException:
        book.db.rollback()
        raise


def fill(
    notebook: SubmittedNotebook, scores: Scores, unanswered: Set[str]
) -> dict[str, float | None]:
    """Write the automatic marks of all graded cells; return those that stood there before.

    A mark is None where a human must decide. `unanswered` names the solution cells that are as
    released. A cell that was marked by hand before is flagged, so that somebody looks at it again.
    """
    if odd := set(scores) ^ {grade.name for grade in notebook.grades}:
        raise CourseError(
            f"gradebook and release do not agree on {', '.join(sorted(odd))}; run `make release`"
        )
    before = {grade.name: grade.auto_score for grade in notebook.grades}
    for grade in notebook.grades:
        grade.auto_score = scores[grade.name]
        grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
    for comment in notebook.comments:
        comment.auto_comment = "No response." if comment.name in unanswered else None
    return before


def reset(notebook: SubmittedNotebook) -> dict[str, float | None]:
    """Forget all automatic marks, so that no older one can stay by accident; return them."""
    before = {grade.name: grade.auto_score for grade in notebook.grades}
    for grade in notebook.grades:
        grade.auto_score = None
        grade.needs_manual_grade = True
    return before


def penalise(notebook: SubmittedNotebook, penalty: Penalty) -> None:
    """Take off what the course's rule for late submissions says."""
    late = notebook.assignment.total_seconds_late
    notebook.late_submission_penalty = None
    if late > 0:
        notebook.late_submission_penalty = penalty(notebook.assignment.student.id, notebook, late)


def standings(book: Gradebook, assignment: str) -> dict[str, Standing]:
    """Return what stands in the gradebook for an assignment, by student.

    Raises MissingEntry for an assignment that the gradebook does not know.
    """
    found = {
        one.student_id: Standing({}, one.total_seconds_late)
        for one in book.find_assignment(assignment).submissions
    }
    rows = (
        book.db.query(SubmittedAssignment.student_id, BaseCell.name, Grade.auto_score)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, Grade.cell_id == BaseCell.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .filter(Assignment.name == assignment)
    )
    for student, cell, score in rows:
        found[student].scores[cell] = score
    return found


def originals(book: Gradebook, assignment: str) -> dict[str, Original]:
    """Return the cells of an assignment's notebook as `nbgrader generate_assignment` saved them."""
    cells = book.find_notebook(assignment, assignment).source_cells
    return {
        cell.name: Original(cell.checksum, cell.source if cell.locked else None) for cell in cells
    }


def moment(timestamp: str | None) -> datetime.datetime | None:
    """Return the time that a time stamp says, in UTC; raise ValueError if it says none."""
    return None if timestamp is None else parse_utc(timestamp)


def _new_submission(book: Gradebook, assignment: str, student: str) -> SubmittedAssignment:
    """Add the rows of a submission, uncommitted, as nbgrader's `add_submission` does."""
    try:
        person = book.find_student(student)
    except MissingEntry:
        person = Student(id=student)
        book.db.add(person)
    made = SubmittedAssignment(assignment=book.find_assignment(assignment), student=person)
    for notebook in made.assignment.notebooks:
        mine = SubmittedNotebook(notebook=notebook, assignment=made)
        for cell in (*notebook.grade_cells, *notebook.task_cells):
            Grade(cell_id=cell.id, notebook=mine)
        for cell in (*notebook.solution_cells, *notebook.task_cells):
            Comment(cell_id=cell.id, notebook=mine)
    book.db.add(made)
    book.db.flush()
    return made
