"""Write marks into nbgrader's gradebook: each submission in one transaction.

The only module that writes to it; stock nbgrader reads the result. Marks and comments given by hand
are never changed. An `assignment` here is a key, which also names the notebook if that has another
name.
"""

import contextlib
import datetime
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy.exc import SAWarning, SQLAlchemyError
from sqlalchemy.orm import contains_eager, joinedload, selectinload

from referee.course import CourseError, make_private, remake
from referee.intake import database

Value = TypeVar("Value")
Scores = Mapping[str, float | None]
NOTHING = "No response."  # nbgrader's own words for an answer that nobody wrote
Penalty = Callable[[str, SubmittedNotebook, float], float | None]


class RowsError(CourseError):
    """The cells of a submission in the gradebook differ from those of the assignment."""


class Standing(NamedTuple):
    """The marks of a submission in the gradebook, in points, and how many seconds late it is.

    `by_hand` are manual marks, which replace automatic ones; `extra` is added, `penalty` taken off;
    `waiting` are the cells that are flagged for a human.
    """

    scores: dict[str, float | None]
    seconds_late: float
    by_hand: Mapping[str, float] = MappingProxyType({})
    extra: float = 0.0
    penalty: float = 0.0
    waiting: tuple[str, ...] = ()

    @property
    def waits(self) -> bool:
        """Return whether a cell is flagged for a human."""
        return bool(self.waiting)

    @property
    def total(self) -> float:
        """Return the sum of the automatic marks."""
        return sum(score or 0 for score in self.scores.values())

    @property
    def marked(self) -> bool:
        """Return whether any cell has a mark."""
        return bool(self.by_hand) or any(score is not None for score in self.scores.values())

    @property
    def final(self) -> float:
        """Return the score as nbgrader computes it: never below zero."""
        marks = {**self.scores, **self.by_hand}
        return max(0.0, sum(score or 0 for score in marks.values()) + self.extra - self.penalty)

    @property
    def mark(self) -> str:
        """Return the score as text, with a question mark if a cell waits for a human."""
        return f"{round(self.final, 2):g}{' + ?' if self.waits else ''}"

    @property
    def reasons(self) -> list[str]:
        """Return the reasons, a few words each, why the score is not the automatic one."""
        given = {name: (self.scores.get(name), score) for name, score in self.by_hand.items()}
        parts = {
            "by hand": sum(new for old, new in given.values() if old is None),
            "override": sum(new - old for old, new in given.values() if old is not None),
            "extra": self.extra,
            "late": -self.penalty,
        }
        return [f"{word} {round(points, 2):+g}" for word, points in parts.items() if points]


@contextlib.contextmanager
def opened(db_url: str) -> Iterator[Gradebook]:
    """Open the gradebook at a database's URL; CourseError if it cannot be used, now or later."""
    if shutil.which("alembic") is None:  # which nbgrader runs
        os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    file = Path(db_url.removeprefix("sqlite:///").partition("?")[0])
    if db_url.startswith("sqlite:///") and file.parent.is_dir():
        make_private(file, to_group=False)  # nbgrader makes it readable for everybody
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)
        try:
            made = Gradebook(database.patient(db_url))
        except Exception as error:  # pg8000 lets errors of any kind through
            raise database.unusable(error) from error
        try:
            with made as book:
                yield book
        except SQLAlchemyError as error:
            raise database.unusable(error) from error


def transact(book: Gradebook, work: Callable[[], Value]) -> Value:
    """Return what `work` returns; no transaction, nor lock, outlives it."""
    try:
        return work()
    finally:
        book.db.rollback()


@contextlib.contextmanager
def submission(book: Gradebook, assignment: str, student: str) -> Iterator[SubmittedNotebook]:
    """Give the rows of a submission and commit the changes together, or none of them.

    Raises MissingEntry when there are none.
    """
    try:
        name, notebook = _names(assignment)
        yield book.find_submission_notebook(notebook, name, student)
        book.db.commit()
    except BaseException:
        book.db.rollback()
        raise


@contextlib.contextmanager
def entered(
    book: Gradebook, assignment: str, student: str, timestamp: datetime.datetime | None
) -> Iterator[SubmittedNotebook]:
    """Give the rows of a submission as `submission` does; create them, and the student, if missing.

    Without a `timestamp` the one before stays, as in nbgrader.
    """
    name, notebook_name = _names(assignment)
    try:
        notebook = _rows(book, name, notebook_name, student)
        if notebook is None:
            made = _new_submission(book, name, student)
            book.db.flush()  # fails here, before anything else, where another was faster
            (notebook,) = (one for one in made.notebooks if one.name == notebook_name)
        if timestamp is not None:
            notebook.assignment.timestamp = timestamp
        yield notebook
        book.db.commit()
    except BaseException:
        book.db.rollback()
        raise


def expect_cells(book: Gradebook, assignment: str, cells: Set[str]) -> None:
    """Raise a CourseError unless the graded `cells` of a release are those of the gradebook."""
    name, notebook_name = _names(assignment)

    def read() -> set[str]:
        notebook = book.find_notebook(notebook_name, name)
        return {cell.name for cell in (*notebook.grade_cells, *notebook.task_cells)}

    known = transact(book, read)
    if odd := cells ^ known:
        raise CourseError(
            f"gradebook and release do not agree on {', '.join(sorted(odd))}; run {remake(name)}"
        )


def fill(
    notebook: SubmittedNotebook,
    scores: Scores,
    unanswered: Set[str],
    same: Set[str] | None = frozenset(),
) -> dict[str, float | None]:
    """Write the automatic marks of all graded cells; return the marks before.

    `scores` has points by cell, None if a human must decide: then the mark before stays if the cell
    is in `same`, the cells whose answers have not changed, or if `same` is None (unknown). Cells in
    `unanswered` get nbgrader's comment for empty answers. A cell with a mark by hand is flagged for
    a human, unless answer and automatic mark are the same. Raises RowsError for other cells.
    """
    if odd := set(scores) ^ {grade.name for grade in notebook.grades}:
        raise RowsError(
            f"its rows in the gradebook are damaged: they and the assignment's do not agree on "
            f"{', '.join(sorted(odd))}; put your last copy back"
        )
    before = automatic(notebook)
    written = {comment.name for comment in notebook.comments}  # cells that a human marks
    for grade in notebook.grades:
        new = scores[grade.name]
        by_hand = grade.manual_score is not None
        stands = by_hand and grade.name in (same or ()) and new == grade.auto_score
        if not stands:
            grade.needs_manual_grade = new is None or by_hand
        stays = grade.name not in written and (same is None or grade.name in same)
        if new is not None or not stays:
            grade.auto_score = new
    for comment in notebook.comments:
        comment.auto_comment = NOTHING if comment.name in unanswered else None
    return before


def automatic(notebook: SubmittedNotebook) -> dict[str, float | None]:
    """Return the automatic marks of all graded cells."""
    return {grade.name: grade.auto_score for grade in notebook.grades}


def reset(notebook: SubmittedNotebook) -> dict[str, float | None]:
    """Delete all automatic marks and flag the cells; return the marks before."""
    before = automatic(notebook)
    for grade in notebook.grades:
        grade.auto_score = None
        grade.needs_manual_grade = True
    return before


def penalise(book: Gradebook, notebook: SubmittedNotebook, penalty: Penalty) -> None:
    """Set the penalty by the course's rule for late submissions."""
    late = notebook.assignment.total_seconds_late
    notebook.late_submission_penalty = None
    if late > 0:
        book.db.flush()  # the score of a new row is known to the database alone
        notebook.late_submission_penalty = penalty(notebook.assignment.student.id, notebook, late)


def standings(book: Gradebook, assignment: str) -> dict[str, Standing]:
    """Return the marks in the gradebook for an assignment, by student.

    They are of all its notebooks, unless the key names one. MissingEntry if the gradebook does not
    know the assignment.
    """
    return transact(book, lambda: _standings(book, assignment))


def _standings(book: Gradebook, assignment: str) -> dict[str, Standing]:
    name, notebook = _names(assignment)
    found = {
        one.student_id: Standing({}, one.total_seconds_late)
        for one in book.find_assignment(name).submissions
    }
    rows = _grades(book).filter(Assignment.name == name)
    if "/" in assignment:
        rows = rows.filter(Notebook.name == notebook)
    late: dict[str, dict[str, float]] = {student: {} for student in found}
    for student, page, name, score, by_hand, extra, flagged, penalty in rows:
        one, cell = found[student], name if page == notebook else f"{page}/{name}"
        late[student][page] = penalty or 0.0
        one.scores[cell] = score
        if is_open(score, by_hand, flagged):
            one = one._replace(waiting=(*one.waiting, cell))
        if by_hand is not None:
            one = one._replace(by_hand={**one.by_hand, cell: by_hand})
        if by_hand is not None or score is not None:  # else nbgrader counts no extra
            one = one._replace(extra=one.extra + (extra or 0.0))
        found[student] = one
    return {name: one._replace(penalty=sum(late[name].values())) for name, one in found.items()}


def is_open(score: float | None, by_hand: float | None, flagged: bool) -> bool:
    """Return whether a cell waits for a human: it has no mark, or one to be looked at again."""
    return flagged or (score is None and by_hand is None)


def _grades(book: Gradebook) -> Any:
    """Return the query for every grade: student, notebook, cell, marks, flag, late penalty."""
    return (
        book.db.query(
            SubmittedAssignment.student_id,
            Notebook.name,
            BaseCell.name,
            Grade.auto_score,
            Grade.manual_score,
            Grade.extra_credit,
            Grade.needs_manual_grade,
            SubmittedNotebook.late_submission_penalty,
        )
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, Grade.cell_id == BaseCell.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
    )


def handed_in(book: Gradebook, assignment: Assignment) -> dict[str, SubmittedAssignment]:
    """Return the submissions of an assignment by student, read with all grades at once."""
    found = (
        book.db.query(SubmittedAssignment)
        .filter(SubmittedAssignment.assignment == assignment)
        .options(
            joinedload(SubmittedAssignment.student),
            selectinload(SubmittedAssignment.notebooks).options(
                joinedload(SubmittedNotebook.notebook),
                selectinload(SubmittedNotebook.grades).joinedload(Grade.cell),
            ),
        )
    )
    return {str(one.student.id): one for one in found}


def given(
    book: Gradebook, assignment: str, notebook: str, student: str
) -> dict[str, tuple[float | None, float | None, bool]]:
    """Return the automatic mark of each cell, the one by hand, and whether it waits for a human."""
    grades = book.find_submission_notebook(notebook, assignment, student).grades
    return {
        one.name: (
            one.auto_score, one.manual_score,
            is_open(one.auto_score, one.manual_score, one.needs_manual_grade),
        )
        for one in grades
    }  # fmt: skip


def remove(book: Gradebook, students: Iterable[str]) -> None:
    """Delete students and all their rows from the gradebook, in one transaction."""
    try:
        for person in book.db.query(Student).filter(Student.id.in_(students)).all():
            for submission in person.submissions:
                for notebook in submission.notebooks:
                    for row in (*notebook.grades, *notebook.comments, notebook):
                        book.db.delete(row)
                book.db.delete(submission)
            book.db.delete(person)
        book.db.commit()
    except BaseException:
        book.db.rollback()
        raise


def _names(key: str) -> tuple[str, str]:
    """Return nbgrader's names of an assignment and its notebook, from an `Assignment.key`."""
    name, _, part = key.partition("/")
    return name, part or name


def key(row: SubmittedNotebook) -> str:
    """Return the `Assignment.key` of a submitted notebook: what `_names` takes apart."""
    name, notebook = row.assignment.assignment.name, row.notebook.name
    alone = notebook == name and len(row.assignment.notebooks) == 1
    return str(name if alone else f"{name}/{notebook}")


def _rows(book: Gradebook, name: str, notebook: str, student: str) -> SubmittedNotebook | None:
    """Return the row of a submitted notebook, loaded with all that `fill` and `penalise` use."""
    found = (
        book.db.query(SubmittedNotebook)
        .join(SubmittedNotebook.assignment)
        .join(SubmittedAssignment.assignment)
        .join(SubmittedNotebook.notebook)
        .filter(Assignment.name == name, Notebook.name == notebook)
        .filter(SubmittedAssignment.student_id == student)
        .options(
            contains_eager(SubmittedNotebook.notebook),
            contains_eager(SubmittedNotebook.assignment).options(
                contains_eager(SubmittedAssignment.assignment),
                joinedload(SubmittedAssignment.student),
            ),
            selectinload(SubmittedNotebook.grades).joinedload(Grade.cell),
            selectinload(SubmittedNotebook.comments).joinedload(Comment.cell),
        )
    )
    return found.one_or_none()


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
            Grade(cell=cell, notebook=mine)
        for cell in (*notebook.solution_cells, *notebook.task_cells):
            Comment(cell=cell, notebook=mine)
    book.db.add(made)
    return made
