"""`referee forget`: erase of one student what no command makes again, and name what is left."""

import contextlib
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from markupsafe import escape
from nbgrader.api import MissingEntry

from referee import intake, platforms
from referee.commands import shared, terminal
from referee.course import Assignment, Course, CourseError, meant
from referee.intake import database
from referee.judging import cache
from referee.marks import entries, files, grade_log, gradebook, ignored, roster

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
    places = [place for course in courses for place in _places(course, student)]
    hint = meant(student, {one for course in courses for one in roster.known(course)})
    nothing = f"Nothing is kept of {student}.{f' Did you mean {hint}?' if hint else ''}"
    terminal.said(map(str, places) if places else [nothing])
    if places and not yes and not typer.confirm("Erase it? It cannot be undone."):
        return 1
    for course in courses:
        with shared.alone(course, "erasing a student's data"):
            _erase(course, student)
    left = [file for course in courses for file in _still_named(course.root, student)]
    if places:
        terminal.said([f"Erased: {len(places)} places. Copies elsewhere are not known here."])
    still = f"still has the word {student}: delete it, or make it again"
    terminal.said(f"{file} {still}" for file in left)
    return 1 if left else 0


def _places(course: Course, student: str) -> Iterator[Path]:
    """Yield a student's folders, and what else names them: gradebook, results, log, keys."""
    folders = (course.folder(step) / student for step in ignored.STEPS)
    yield from filter(os.path.lexists, folders)
    if student in roster.known(course):
        yield database.file(course.db_url) or course.root / "gradebook"
    if (course.root / cache.FILE).is_file() and student in entries.students(course.root):
        yield course.root / cache.FILE
    if any(name == student for name, _ in grade_log.lines(course.root)):
        yield course.root / grade_log.FILE
    yield from (platforms.book(task) for task in _collected(course, student))


def _collected(course: Course, student: str) -> list[Assignment]:
    """Return the notebooks for which a student was collected from a platform."""
    tasks = [task for name in course.assignments for task in course.parts(name)]
    return [task for task in tasks if student in platforms.keys(task)]


def _erase(course: Course, student: str) -> None:
    """Erase a student's folders, and their part of all files that name them."""
    for place in (course.folder(step) / student for step in ignored.STEPS):
        if place.is_symlink():
            place.unlink()
        elif place.is_dir():
            shutil.rmtree(place)
    _remove(course, student)
    if (course.root / cache.FILE).is_file():
        entries.forget(course.root, student)
        _compact(course.root / cache.FILE)
    lines = grade_log.lines(course.root)
    others = [line for name, line in lines if name != student]
    if len(others) < len(lines):
        files.save(course.root / grade_log.FILE, b"".join(others))
    for task in _collected(course, student):
        left = {name: one for name, one in platforms.keys(task).items() if name != student}
        files.save(platforms.book(task), msgspec.json.encode(left))


def _remove(course: Course, student: str) -> None:
    """Take a student out of the gradebook; nothing is left in its file, either."""
    place = database.file(course.db_url)
    if place and not place.is_file():
        return
    with gradebook.opened(course.db_url) as book, contextlib.suppress(MissingEntry):
        book.remove_student(student)
    if place:
        _compact(place)


def _compact(place: Path) -> None:
    """Write an SQLite file anew, without the room in which deleted rows can still be read."""
    try:
        with contextlib.closing(sqlite3.connect(place, timeout=database.BUSY_SECONDS)) as book:
            book.execute("vacuum")
    except sqlite3.Error as error:
        still = f"{place} still holds what was deleted ({error})"
        raise CourseError(f"{still}; close what uses it, and run this again") from error


def _still_named(root: Path, student: str) -> Iterator[Path]:
    """Yield the files of a course's folder that have the student's id, in text or name.

    Hidden folders, such as that of git, are not looked through.
    """
    either = b"|".join(re.escape(one.encode()) for one in {student, str(escape(student))})
    word = re.compile(rb"(?<![^\W_])(?:" + either + rb")(?![^\W_])")
    for folder, inside, names in os.walk(root):
        inside[:] = sorted(one for one in inside if one == RESULTS or not one.startswith("."))
        for file in (Path(folder, name) for name in sorted(names)):
            path = os.fsencode(file.relative_to(root))
            plain = file.is_file() and not file.is_symlink()
            if plain and (word.search(path) or word.search(file.read_bytes())):
                yield file
