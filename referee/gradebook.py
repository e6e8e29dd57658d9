"""Write marks into nbgrader's gradebook: each submission in one transaction.

The only module that writes to it; stock nbgrader reads what is written here. Marks and comments
given by hand are never touched.
"""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from nbgrader.api import Gradebook, SubmittedNotebook
from sqlalchemy.exc import SAWarning


class Entry(NamedTuple):
    """One submitted notebook in the gradebook."""

    db_url: str
    assignment: str
    notebook: str
    student: str


def reset(entry: Entry) -> None:
    """Forget all automatic marks of a submission, so that no older one can stay by accident."""
    with _submitted(entry) as notebook:
        for grade in notebook.grades:
            grade.auto_score = None
            grade.needs_manual_grade = True


def save(entry: Entry, scores: Mapping[str, float | None], unanswered: set[str]) -> None:
    """Write the automatic marks of all graded cells, None for one that a human must mark.

    `unanswered` names the solution cells that are as released. A cell that was marked by hand
    before is flagged, so that somebody looks at it again.
    """
    with _submitted(entry) as notebook:
        if unknown := set(scores) - {grade.name for grade in notebook.grades}:
            raise KeyError(f"the gradebook has no cell {', '.join(sorted(unknown))}")
        for grade in notebook.grades:
            grade.auto_score = scores[grade.name]
            grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
        for comment in notebook.comments:
            comment.auto_comment = "No response." if comment.name in unanswered else None


@contextmanager
def _submitted(entry: Entry) -> Iterator[SubmittedNotebook]:
    """Give the rows of a submission and commit the changes together, or none of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)
        with Gradebook(entry.db_url) as gradebook:
            try:
                yield gradebook.find_submission_notebook(
                    entry.notebook, entry.assignment, entry.student
                )
                gradebook.db.commit()
            except BaseException:
                gradebook.db.rollback()
                raise
