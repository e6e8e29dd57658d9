"""List the students in the gradebook of a course, and delete them. Knows no assignment."""

import contextlib
import datetime
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from nbgrader import api
from nbgrader.api import Gradebook
from sqlalchemy import create_engine, inspect, make_url

from referee import course
from referee.course import CourseError
from referee.intake import database
from referee.marks import gradebook


def file(root: Path) -> Path | None:
    """Return the file of the gradebook, whether or not it is there; None if a server has it."""
    url = make_url(course.db_url(root))
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def is_outdated(root: Path) -> bool:
    """Return whether an older nbgrader has made the gradebook: tables in it lack columns.

    Whole tables that are missing do not count: nbgrader makes them when it opens the gradebook.
    """
    place = file(root)
    if place and not place.is_file():
        return False
    engine = create_engine(course.db_url(root))
    try:
        there = inspect(engine)
        tables = set(there.get_table_names())
        return any(
            {c.name for c in table.columns} - {c["name"] for c in there.get_columns(table.name)}
            for table in api.Base.metadata.sorted_tables
            if table.name in tables
        )
    finally:
        engine.dispose()


def upgrade(root: Path, copy: Path) -> None:
    """Copy the gradebook, if it is a file, and let nbgrader change it into what it reads today."""
    place = file(root)
    if place is not None:
        shutil.copy2(place, copy)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "db", "upgrade"],
        cwd=root, env={**os.environ, "PATH": path},  # it starts alembic by name
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    if done.returncode or is_outdated(root):
        if place is not None:
            copy.replace(place)  # a part of the steps may have been done
        raise CourseError(
            f"`nbgrader db upgrade` cannot bring {course.db_url(root)} to the newest form: "
            f"{_reason(done.stderr)}; it is as it was, and so is the configuration"
        )


def _reason(said: str) -> str:
    """Return the line of an error's report that tells why, without those on who called whom."""
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["it says nothing"]
    errors = [one for one in lines if "Error: " in one and "CalledProcessError" not in one]
    return (errors or lines)[-1]


def known(root: Path) -> list[str]:
    """Return the ids of all students in the gradebook."""
    with _opened(root) as book:
        return [str(one.id) for one in book.students] if book else []


def dues(root: Path) -> dict[str, datetime.datetime | None]:
    """Return when each assignment in the gradebook is due."""
    with _opened(root) as book:
        return {str(one.name): one.duedate for one in book.assignments} if book else {}


def remove(root: Path, students: Collection[str]) -> None:
    """Take students out of the gradebook; nothing of theirs is left in its file, either."""
    with _opened(root) as book:
        if book:
            gradebook.remove(book, students)
    place = file(root)
    if place and place.is_file():
        compact(place)


def compact(place: Path) -> None:
    """Write an SQLite file anew, without the room in which deleted rows can still be read."""
    with contextlib.closing(sqlite3.connect(place, timeout=database.BUSY_SECONDS)) as book:
        book.execute("vacuum")


def clear_dates(root: Path) -> None:
    """Take the due dates of all assignments away."""
    with _opened(root) as book:
        if book:
            for assignment in book.assignments:
                assignment.duedate = None
            book.db.commit()


@contextlib.contextmanager
def _opened(root: Path) -> Iterator[Gradebook | None]:
    """Open the gradebook of a course; None if there is none yet."""
    place = file(root)
    if place and not place.is_file():
        yield None
    else:
        with gradebook.opened(course.db_url(root)) as book:
            yield book
