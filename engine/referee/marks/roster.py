"""List the students in the gradebook of a course, and delete them. Knows no assignment."""

import contextlib
import datetime
import sqlite3
from pathlib import Path

from nbgrader.api import MissingEntry
from sqlalchemy import DateTime, text

from referee.course import Course, CourseError
from referee.intake import database
from referee.marks import gradebook

STUDENTS = text("SELECT id, first_name, last_name, email FROM student ORDER BY id")
DUES = text("SELECT name, duedate FROM assignment").columns(duedate=DateTime)


def known(course: Course, listed: bool = False) -> list[str]:
    """Return the ids of all students in the gradebook, or of those with a name or an address."""
    with database.reading(course.db_url, "student") as book:
        rows = book.execute(STUDENTS).all() if book else ()
    return [str(one) for one, *person in rows if any(person) or not listed]


def dues(course: Course) -> dict[str, datetime.datetime | None]:
    """Return when each assignment in the gradebook is due."""
    with database.reading(course.db_url, "assignment") as book:
        return {row.name: row.duedate for row in book.execute(DUES)} if book else {}


def remove(course: Course, student: str) -> None:
    """Take a student out of the gradebook; nothing is left in its file, either."""
    place = database.file(course.db_url)
    if place and not place.is_file():
        return
    with gradebook.opened(course.db_url) as book, contextlib.suppress(MissingEntry):
        book.remove_student(student)
    if place:
        compact(place)


def compact(place: Path) -> None:
    """Write an SQLite file anew, without the room in which deleted rows can still be read."""
    try:
        with contextlib.closing(sqlite3.connect(place, timeout=database.BUSY_SECONDS)) as book:
            book.execute("vacuum")
    except sqlite3.Error as error:
        still = f"{place} still holds what was deleted ({error})"
        raise CourseError(f"{still}; close what uses it, and run this again") from error
