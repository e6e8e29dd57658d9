"""Write marks into nbgrader's gradebook: each submission in one transaction.

Stock nbgrader reads the result; here `standings` does. Marks and comments given by hand are never
changed. An `assignment` here is a key, which also names the notebook if that has another name.
"""

import contextlib
import warnings
from collections.abc import Iterator, Mapping, Set

from nbgrader.api import Gradebook, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import ExceptionContext, event
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from referee.course import CourseError, make_private, remake
from referee.intake import database
from referee.marks import settings

Scores = Mapping[str, float | None]
NOTHING = "No response."  # nbgrader's own words for an answer that nobody wrote


class RowsError(CourseError):
    """The cells of a submission in the gradebook differ from those of the assignment."""


@contextlib.contextmanager
def opened(db_url: str) -> Iterator[Gradebook]:
    """Open the gradebook at a database's URL; CourseError if it cannot be used, now or later."""
    settings.find_alembic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)
        try:
            file = database.file(db_url)
            if file and file.parent.is_dir():
                make_private(file, to_group=False)  # nbgrader makes it readable for everybody
            gradebook = Gradebook(database.patient(db_url))
        except Exception as error:  # pg8000 lets errors of any kind through
            raise database.unusable(error) from error

        @event.listens_for(gradebook.engine, "handle_error", retval=True)
        def explain(context: ExceptionContext) -> CourseError:  # nbgrader would print its traceback
            return database.unusable(context.original_exception)

        with gradebook as book:
            yield book


@contextlib.contextmanager
def submission(
    book: Gradebook, assignment: str, student: str, *, make: bool = False
) -> Iterator[SubmittedNotebook]:
    """Give the rows of a submission and commit the changes together, or none of them.

    Rows that are missing are made, without marks, with `make`; else they are a MissingEntry.
    """
    name, notebook = _names(assignment)
    commit = book.db.commit
    book.db.commit = book.db.flush  # which nbgrader's functions call after each step
    try:
        if make:
            book.update_or_create_student(student)
            book.update_or_create_submission(name, student)
        yield book.find_submission_notebook(notebook, name, student)
        commit()
    finally:
        book.db.commit = commit
        book.db.rollback()


def expect_cells(book: Gradebook, assignment: str, cells: Set[str]) -> None:
    """Raise a CourseError unless the graded `cells` of a release are those of the gradebook."""
    name, notebook = _names(assignment)
    row = book.find_notebook(notebook, name)
    if odd := cells ^ {cell.name for cell in (*row.grade_cells, *row.task_cells)}:
        raise CourseError(
            f"gradebook and release do not agree on {', '.join(sorted(odd))}; run {remake(name)}"
        )


def fill(
    notebook: SubmittedNotebook,
    scores: Scores,
    unanswered: Set[str] = frozenset(),
    same: Set[str] | None = frozenset(),
) -> None:
    """Write the automatic marks of all graded cells.

    `scores` has points by cell, None if a human must decide: then the mark before stays if the cell
    is in `same`, the cells whose answers have not changed, or if `same` is None (unknown). Cells in
    `unanswered` get nbgrader's comment for empty answers. A cell with a mark by hand is flagged for
    a human, unless answer and automatic mark are the same. Raises RowsError for other cells.
    """
    if odd := set(scores) ^ automatic(notebook).keys():
        raise RowsError(
            f"its rows in the gradebook are damaged: they and the assignment's do not agree on "
            f"{', '.join(sorted(odd))}; put your last copy back"
        )
    manual_cells = {comment.name for comment in notebook.comments}  # cells that a human marks
    for grade in notebook.grades:
        new = scores[grade.name]
        by_hand = grade.manual_score is not None
        stands = by_hand and grade.name in (same or ()) and new == grade.auto_score
        if not stands:
            grade.needs_manual_grade = new is None or by_hand
        stays = grade.name not in manual_cells and (same is None or grade.name in same)
        if new is not None or not stays:
            grade.auto_score = new
    for comment in notebook.comments:
        comment.auto_comment = NOTHING if comment.name in unanswered else None


def automatic(notebook: SubmittedNotebook) -> dict[str, float | None]:
    """Return the automatic marks of all graded cells."""
    return {grade.name: grade.auto_score for grade in notebook.grades}


def late_rule(config: Config) -> AssignLatePenalties:
    """Return the course's rule for late submissions."""
    rule = AssignLatePenalties(config=config)
    rule.init_plugin()
    return rule


def penalise(book: Gradebook, notebook: SubmittedNotebook, rule: AssignLatePenalties) -> None:
    """Set the penalty by the course's rule for late submissions."""
    late, student = notebook.assignment.total_seconds_late, notebook.student.id
    notebook.late_submission_penalty = None
    if late > 0:
        book.db.flush()  # the score of a new row is known to the database alone
        points = rule.plugin_inst.late_submission_penalty(student, notebook.score, late)
        if points is not None:
            notebook.late_submission_penalty = rule._check_late_penalty(notebook, points)


def _names(key: str) -> tuple[str, str]:
    """Return nbgrader's names of an assignment and its notebook, from an `Assignment.key`."""
    name, _, part = key.partition("/")
    return name, part or name


def key(row: SubmittedNotebook) -> str:
    """Return the `Assignment.key` of a submitted notebook: what `_names` takes apart."""
    name, notebook = row.assignment.assignment.name, row.notebook.name
    alone = notebook == name and len(row.assignment.notebooks) == 1
    return str(name if alone else f"{name}/{notebook}")
