"""List the students in the gradebook of a course, and delete them. Knows no assignment."""

import contextlib
import datetime
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy import make_url

from referee.course import Course
from referee.intake import database
from referee.marks import gradebook


def file(course: Course) -> Path | None:
    """Return the file of the gradebook, whether or not it is there; None if a server has it."""
    url = make_url(course.db_url)
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def known(course: Course) -> list[str]:
    """Return the ids of all students in the gradebook."""
    with _opened(course) as book:
        return [str(one.id) for one in book.students] if book else []


def dues(course: Course) -> dict[str, datetime.datetime | None]:
    """Return when each assignment in the gradebook is due."""
    with _opened(course) as book:
        return {str(one.name): one.duedate for one in book.assignments} if book else {}


def remove(course: Course, student: str) -> None:
    """Take a student out of the gradebook; nothing is left in its file, either."""
    with _opened(course) as book, contextlib.suppress(MissingEntry):
        if book:
            book.remove_student(student)
    place = file(course)
    if place and place.is_file():
        compact(place)


def compact(place: Path) -> None:
    """Write an SQLite file anew, without the room in which deleted rows can still be read."""
    with contextlib.closing(sqlite3.connect(place, timeout=database.BUSY_SECONDS)) as book:
        book.execute("vacuum")


@contextlib.contextmanager
def _opened(course: Course) -> Iterator[Gradebook | None]:
    """Open the gradebook of a course; None if there is none yet."""
    place = file(course)
    if place and not place.is_file():
        yield None
    else:
        with gradebook.opened(course.db_url) as book:
            yield book
