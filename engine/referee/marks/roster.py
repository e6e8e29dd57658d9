"""Read from the gradebook of a course who is in it, and when each assignment is due."""

import datetime

from sqlalchemy import DateTime, text

from referee.course import Course
from referee.intake import database

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
