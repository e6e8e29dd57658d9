"""Give an assignment the secret that its checks draw from: the same in each copy of the course.

The secret is a file beside the hidden checks. The gradebook, which copies may share, has only its
digest, so that a copy with another secret is told before it changes a mark.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Column, Connection, Engine, MetaData, String, Table, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from referee.course import SEED, Assignment, draw_seed
from referee.intake import database
from referee.marks import entries, missing
from referee.model import Record

Value = TypeVar("Value")
MADE = (
    "{} was made: what hidden checks draw depends on this secret. Keep it with your marks and show "
    "it to nobody; other copies of the course need the same."
)
GONE = "{} is gone, but marks depend on it: {}"
ELSEWHERE = "{} is not here, but in the copy of this course that graded first"
ANOTHER = "{} is not the one of the copy of this course that graded first"
SECRETS = Table(
    "referee_secret",
    MetaData(),
    Column("assignment", String(255), primary_key=True),
    Column("digest", String(64), nullable=False),
)


def expect(assignment: Assignment, accepted: bool = False) -> str:
    """Make the secret if there is none; return the sentence that says so, or "".

    Raises a MissingPartError if marks depend on another one, unless that is `accepted`: then they
    will depend on the one that is here.
    """
    if not assignment.hidden.is_dir():
        return ""
    place = assignment.hidden / SEED
    file, gradebook = place.relative_to(assignment.root), database.engine(assignment.root)
    if not accepted and not place.exists():
        records = entries.get(assignment.root, assignment.key)
        if marked := [name for name, one in records.items() if _has_hidden_checks(one)]:
            raise missing.MissingPartError(assignment, [GONE.format(file, missing.some(marked))])
        if gradebook and _noted(gradebook, assignment):
            raise missing.MissingPartError(assignment, [ELSEWHERE.format(file)])
    made = draw_seed(assignment)
    if gradebook and not _agrees(gradebook, assignment, accepted):
        raise missing.MissingPartError(assignment, [ANOTHER.format(file)])
    return MADE.format(file) if made else ""


def forget(root: Path) -> None:
    """Take the digests of all secrets out of the gradebook: the next year has others."""
    if gradebook := database.engine(root):
        _in_words(gradebook, _drop_all)


def _drop_all(book: Connection) -> None:
    if inspect(book).has_table(SECRETS.name):
        book.execute(SECRETS.delete())


def _noted(gradebook: Engine, assignment: Assignment) -> str | None:
    """Return the digest of the secret that the gradebook's marks depend on."""
    return _in_words(gradebook, lambda book: _digest(book, assignment))


def _agrees(gradebook: Engine, assignment: Assignment, accepted: bool) -> bool:
    """Note the secret in the gradebook if it has none; return whether it is the one there."""
    mine = hashlib.sha256(assignment.seed.encode()).hexdigest()
    row = {"assignment": assignment.key, "digest": mine}

    def agree(book: Connection) -> bool:
        if not inspect(book).has_table("assignment"):  # nbgrader makes the gradebook
            return True
        SECRETS.create(book, checkfirst=True)
        if accepted:
            book.execute(SECRETS.delete().where(SECRETS.c.assignment == assignment.key))
        noted = _digest(book, assignment)
        if noted is None:
            book.execute(SECRETS.insert(), row)
        return noted in (None, mine)

    return _in_words(gradebook, agree)


def _digest(book: Connection, assignment: Assignment) -> str | None:
    if not inspect(book).has_table(SECRETS.name):
        return None
    one = select(SECRETS.c.digest).where(SECRETS.c.assignment == assignment.key)
    return book.execute(one).scalar()


def _in_words(gradebook: Engine, work: Callable[[Connection], Value]) -> Value:
    """Do a transaction with patience; CourseError if the gradebook cannot be used."""

    def begin() -> Value:
        with gradebook.begin() as book:
            return work(book)

    try:
        return database.again(begin)
    except SQLAlchemyError as error:
        raise database.unusable(error, str(gradebook.url)) from error


def _has_hidden_checks(record: Record) -> bool:
    """Return whether a result has hidden checks, not only the notebook's own asserts."""
    return any("::" in check.id for check in record.report.checks)
