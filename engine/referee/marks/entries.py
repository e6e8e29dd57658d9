"""Store the records of entered results: each student's whole result as in the gradebook."""

from pathlib import Path

import msgspec

from referee.judging.cache import decoded, transact
from referee.model import Record


def put(root: Path, assignment: str, record: Record) -> None:
    """Store a student's result as the one in the gradebook."""
    row = assignment, record.student, msgspec.msgpack.encode(record)
    transact(root, lambda book: book.execute("insert or replace into record values (?, ?, ?)", row))


def rename(root: Path, before: str, now: str) -> None:
    """Let an assignment's results belong to another key: its notebook alone had none in it."""
    text = "update or replace record set assignment = ? where assignment = ?"
    transact(root, lambda book: book.execute(text, (now, before)))


def drop(root: Path, assignment: str, student: str) -> None:
    """Delete a student's result, which is no longer in the gradebook."""
    text = "delete from record where assignment = ? and student = ?"
    transact(root, lambda book: book.execute(text, (assignment, student)))


def get(root: Path, assignment: str, student: str = "") -> dict[str, Record]:
    """Return the entered results of an assignment that can be read, by student, or of one."""
    text = "select student, value from record where assignment = ? and ? in ('', student)"
    values = assignment, student
    rows = transact(root, lambda book: book.execute(f"{text} order by student", values).fetchall())
    records = {name: decoded(value, Record) for name, value in rows}
    return {name: record for name, record in records.items() if record is not None}


def students(root: Path) -> list[str]:
    """Return the students with stored results, once for each assignment."""
    text = "select student from record"
    rows = transact(root, lambda book: book.execute(text).fetchall())
    return [student for (student,) in rows]


def forget(root: Path, student: str) -> None:
    """Delete a student's results, and all stored parts, since none tells its student."""
    transact(root, lambda book: book.execute("delete from part"))
    transact(root, lambda book: book.execute("delete from record where student = ?", (student,)))
