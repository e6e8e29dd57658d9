"""Store the records of entered results: each student's whole result as in the gradebook."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from referee.intake import testcells
from referee.judging.cache import decoded, transact
from referee.judging.digests import Edition
from referee.marks import grade_log
from referee.model import Cell, Limits, Record, Report


def make(
    edition: Edition,
    student: str,
    submission: str,
    timestamp: str | None,
    work: str,
    cells: list[Cell],
    limits: Limits,
    report: Report,
    answers: dict[str, str],
    unanswered: set[str],
) -> Record:
    """Return the record of a result that is entered now, without its lateness."""
    return Record(
        student=student,
        submission=submission,
        course=edition.course,
        basis=edition.basis,
        work=work,
        when=grade_log.now(),
        cells=cells,
        limits=limits,
        report=report,
        timestamp=timestamp,
        answers=answers,
        unanswered=unanswered,
    )


def put(root: Path, assignment: str, record: Record) -> None:
    """Store a student's result as the one in the gradebook."""
    row = assignment, record.student, msgspec.msgpack.encode(record)
    transact(root, lambda book: book.execute("insert or replace into record values (?, ?, ?)", row))


def change_cells(root: Path, keys: Mapping[str, tuple[str, Mapping[str, str]]]) -> None:
    """Give the results of assignments the names that a release has for them and for their cells.

    By the assignment's key before, `keys` has the one now, and the new names of cells that are
    marked as before; results of the others are dropped.
    """
    for before, (now, names) in keys.items():
        for student, record in get(root, before).items():
            changed = _with_cells(record, now, names)
            if now != before:
                drop(root, before, student)
            if changed != record:
                put(root, now, changed)


def _with_cells(record: Record, key: str, names: Mapping[str, str]) -> Record:
    report, called = record.report, dict[str, str]()  # the name in checks now, by that before
    for mark in report.cells:
        name = names.get(mark.grade_id, "")
        called[mark.cell] = name if mark.cell == mark.grade_id else testcells.short(name)
    cells = [
        replace(mark, grade_id=names[mark.grade_id], cell=called[mark.cell])
        for mark in report.cells
        if mark.grade_id in names
    ]
    checks = [
        replace(one, cell=now, id=now if one.id == one.cell else one.id)
        for one in report.checks
        if (now := called.get(one.cell, one.cell))
    ]
    explanations = [one for one in report.explanations if called.get(one.cell) == one.cell]
    told = None if record.unanswered is None else {*map(names.get, record.unanswered)}
    return replace(
        record,
        report=replace(
            report, assignment=key, cells=cells, checks=checks, explanations=explanations
        ),
        answers={names[cell]: one for cell, one in record.answers.items() if cell in names},
        unanswered=told and {cell for cell in told if cell},
    )


def drop(root: Path, assignment: str, student: str) -> None:
    """Delete a student's result, which is no longer in the gradebook."""
    text = "delete from record where assignment = ? and student = ?"
    transact(root, lambda book: book.execute(text, (assignment, student)))


def of(root: Path, assignment: str, student: str) -> Record | None:
    """Return a student's entered result; None if there is none or it cannot be read."""
    text = "select value from record where assignment = ? and student = ?"
    rows = transact(root, lambda book: book.execute(text, (assignment, student)).fetchall())
    return decoded(rows[0][0], Record) if rows else None


def get(root: Path, assignment: str) -> dict[str, Record]:
    """Return the entered results of an assignment that can be read, by student."""
    text = "select student, value from record where assignment = ? order by student"
    rows = transact(root, lambda book: book.execute(text, (assignment,)).fetchall())
    found = {student: decoded(value, Record) for student, value in rows}
    return {student: record for student, record in found.items() if record is not None}


def students(root: Path) -> list[str]:
    """Return the students with stored results, once for each assignment."""
    text = "select student from record"
    rows = transact(root, lambda book: book.execute(text).fetchall())
    return [student for (student,) in rows]


def forget(root: Path, student: str) -> None:
    """Delete a student's results, and all stored parts, since none tells its student.

    Only the packed courses by which other students' results were judged are kept.
    """

    def drop_all(book: sqlite3.Connection) -> None:
        book.execute("delete from record where student = ?", (student,))
        rows = book.execute("select value from record").fetchall()
        records = [decoded(value, Record) for (value,) in rows]
        courses = {record.course for record in records if record is not None}
        for (key,) in book.execute("select key from part").fetchall():
            if key not in courses:
                book.execute("delete from part where key = ?", (key,))

    transact(root, drop_all)
