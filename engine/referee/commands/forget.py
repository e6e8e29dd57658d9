"""`referee forget`: erase of one student what no command makes again, and name what is left."""

import contextlib
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from markupsafe import escape

from referee import intake, platforms
from referee.commands import shared, terminal
from referee.course import Course, CourseError, hint
from referee.intake import database
from referee.judging import cache
from referee.marks import entries, files, grade_log, gradebook, ignored, standings

RESULTS = cache.FILE.parent.name  # the only hidden folder that holds persons


def run(
    student: shared.StudentArgument,
    archive: shared.ArchiveOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Erase it without a question.")] = False,
    course_folder: shared.CourseOption = None,
) -> int:
    """Erase a student's work and marks; name what is left."""
    courses = [shared.course(course_folder)]
    courses += [Course(one.resolve()) for one in archive or []]
    if not intake.STUDENT.fullmatch(student):
        raise CourseError(
            f"no student is called {intake.shown(student)!r}; give the id, as the folder in "
            "submitted/ is called"
        )
    places = [place for one in courses for place in _places(one, student)]
    names = {name for one in courses for name in standings.students(one)}
    nothing = f"Nothing is kept of {student}{hint(student, names) or '.'}"
    terminal.said([str(place) for place, _ in places] or [nothing])
    if places and not yes and not typer.confirm("Erase it? It cannot be undone."):
        return 1
    with contextlib.ExitStack() as locks:
        for one in courses:
            locks.enter_context(shared.alone(one, one.assignments, "erasing a student's data"))
            for _, erase in _places(one, student):  # nobody adds to them any more
                erase()
            for file in filter(None, (database.file(one.db_url), one.root / cache.FILE)):
                if file.is_file():
                    _compact(file)
    if not places:
        return 0
    terminal.said([f"Erased: {len(places)} places. Copies elsewhere are not known here."])
    mentions = [file for one in courses for file in _mentions(one, student)]
    words = f"still has the word {student}: if that is the student, delete it or make it again"
    terminal.said(f"{file} {words}" for file in mentions)
    return 1 if mentions else 0


def _places(course: Course, student: str) -> list[tuple[Path, Callable[[], object]]]:
    """Return each folder and file that names a student, with what erases them there.

    Any of the stored results may be of the student's work, as none tells whose it is.
    """
    places = list[tuple[Path, Callable[[], object]]]()
    for folder in (course.folder(step) / student for step in ignored.STEPS):
        if folder.is_symlink() or folder.is_dir():
            erase = folder.unlink if folder.is_symlink() else partial(shutil.rmtree, folder)
            places.append((folder, erase))
    if student in standings.students(course):
        file = database.file(course.db_url) or course.root / "gradebook"
        places.append((file, partial(_remove, course, student)))
    lines, log = grade_log.lines(course.root), course.root / grade_log.FILE
    others = [line for entry, line in lines if entry.get("student") != student]
    if len(others) < len(lines):
        places.append((log, partial(files.save, log, b"".join(others))))
    for task in (task for name in course.assignments for task in course.parts(name)):
        keys, book = platforms.keys(task), platforms.book(task)
        if keys.pop(student, None):
            places.append((book, partial(files.save, book, msgspec.json.encode(keys))))
    results = course.root / cache.FILE
    if results.is_file() and (places or student in entries.students(course.root)):
        places.append((results, partial(entries.forget, course.root, student)))
    return places


def _remove(course: Course, student: str) -> None:
    """Take a student out of the gradebook."""
    with gradebook.opened(course.db_url) as book:
        book.remove_student(student)


def _compact(place: Path) -> None:
    """Write an SQLite file anew, without the room in which deleted rows can still be read."""
    try:
        with contextlib.closing(sqlite3.connect(place, timeout=database.BUSY_SECONDS)) as book:
            book.execute("vacuum")
    except sqlite3.Error as error:
        still = f"{place} still holds what was deleted ({error})"
        raise CourseError(f"{still}; close what uses it, and run this again") from error


def _mentions(course: Course, student: str) -> Iterator[Path]:
    """Yield the files of a course's folder that have the student's id, in text or name.

    Hidden folders, such as that of git, are not looked through, nor what has been cleared.
    """
    root, databases = course.root, {database.file(course.db_url), course.root / cache.FILE}
    spellings = b"|".join(re.escape(one.encode()) for one in {student, str(escape(student))})
    word = re.compile(rb"(?<![^\W_])(?:" + spellings + rb")(?![^\W_])")
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if one == RESULTS or not one.startswith("."))
        for file in (Path(folder, name) for name in sorted(names)):
            path = os.fsencode(file.relative_to(root))
            plain = file.is_file() and not file.is_symlink() and file not in databases
            if plain and (word.search(path) or word.search(file.read_bytes())):
                yield file
