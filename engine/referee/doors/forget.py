"""Find all data of one student in a course's folder, and erase it.

Erased are files about the student, the student's part of files about several, and files made from
the whole class, since they can be made again.
"""

import csv
import functools
import hashlib
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from markupsafe import escape

from referee import course, intake
from referee.course import CourseError
from referee.doors import ladder, platforms
from referee.doors.year import ANSWERS, STEPS, class_files
from referee.judging import cache
from referee.marks import entries, files, grade_log, roster

BROKEN = cache.FILE.with_suffix(".broken")  # results that could not be read were put aside there


class StoredData(NamedTuple):
    """Data about a student: where, what it is, and how to erase it."""

    where: Path
    what: str
    erase: Callable[[], None]


def places(root: Path, student: str) -> list[StoredData]:
    """Return all places in a course's folder with data of a student."""
    if not intake.STUDENT.fullmatch(student):
        raise CourseError(f"no student is called {intake.shown(student)!r}; give the id, as the "
                          "folder in submitted/ is called")  # fmt: skip
    finders = (_folders, _collected, _marks, _results, _log, _tables, _games, _pages, _answers)
    return [trace for finder in finders for trace in finder(root, student)]


def still_named(root: Path, student: str) -> list[Path]:
    """Return the files of the class that still contain the student's id, such as others' work."""
    word = re.compile(rb"(?<!\w)" + re.escape(student.encode()) + rb"(?!\w)")
    book = roster.file(root)
    places = [*class_files(root), *([book] if book and book.is_file() else [])]
    inside = (one for place in places for one in (place, *place.rglob("*")))
    plain = (one for one in inside if one.is_file() and not one.is_symlink())
    return [one for one in plain if word.search(one.read_bytes())]


def _folders(root: Path, student: str) -> Iterator[StoredData]:
    for step in STEPS:
        place = root / step / student
        if place.is_symlink():
            yield StoredData(place, "a link", place.unlink)
        elif place.is_dir():
            count = sum(one.is_file() for one in place.rglob("*"))
            yield StoredData(place, _many(count, "file"), functools.partial(shutil.rmtree, place))


def _collected(root: Path, student: str) -> Iterator[StoredData]:
    for task in course.all_parts(root):
        if student in platforms.keys(task):
            drop = functools.partial(platforms.forget, task, student)
            yield StoredData(platforms.book(task), "the platform's name", drop)


def _marks(root: Path, student: str) -> Iterator[StoredData]:
    if student in roster.known(root):
        where = roster.file(root) or root / "gradebook"
        yield StoredData(where, "name and marks", lambda: roster.remove(root, [student]))


def _results(root: Path, student: str) -> Iterator[StoredData]:
    file = root / cache.FILE
    if not file.is_file():
        return

    def erase() -> None:
        entries.forget(root, student)
        roster.compact(file)

    if count := entries.students(root).count(student):
        yield StoredData(
            file, f"{_many(count, 'result')}, and what is kept of anybody's work", erase
        )
        if (root / BROKEN).is_file():
            yield StoredData(root / BROKEN, "the whole file", (root / BROKEN).unlink)


def _log(root: Path, student: str) -> Iterator[StoredData]:
    lines = grade_log.lines(root)
    others = [line for name, line in lines if name != student]
    if count := len(lines) - len(others):
        file = root / grade_log.FILE
        yield StoredData(file, _many(count, "line"), lambda: files.save(file, b"".join(others)))


def _tables(root: Path, student: str) -> Iterator[StoredData]:
    for file in (one for one in class_files(root) if one.suffix == ".csv"):
        text = file.read_text("utf-8", "surrogateescape")
        comma = files.comma(text)
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=comma))
        others = [row for row in rows if student not in (field.lstrip("'") for field in row)]
        if count := len(rows) - len(others):
            new = io.StringIO(newline="")
            csv.writer(new, delimiter=comma).writerows(others)
            content = new.getvalue().encode("utf-8", "surrogateescape")
            yield StoredData(
                file, _many(count, "row"), functools.partial(files.save, file, content)
            )


def _games(root: Path, student: str) -> Iterator[StoredData]:
    """Yield the games of ladders, and the pages that show them, whatever names they use."""
    for task in course.all_parts(root):
        file, page = ladder.kept_file(task), root / f"ladder-{task.title}.html"
        if count := ladder.games_of(file, student):
            drop = functools.partial(ladder.forget, file, student)
            yield StoredData(file, _many(count, "game"), drop)
            if page.is_file():
                yield StoredData(page, "the whole ladder", page.unlink)


def _pages(root: Path, student: str) -> Iterator[StoredData]:
    """Yield pages and zips of feedback, which are about all students and can be made again."""
    for file in sorted([*root.glob("report-*.html"), *root.glob("viva-*.html")]):
        if str(escape(student)) in file.read_text("utf-8", "replace"):
            what = "the whole report" if file.name.startswith("report-") else "all sheets"
            yield StoredData(file, what, file.unlink)
            if (printed := file.with_suffix(".pdf")).is_file():
                yield StoredData(printed, what, printed.unlink)
    tasks = course.all_parts(root)
    known = [platforms.keys(task).get(student) for task in tasks]
    names = {one.key for one in known if one and one.key}
    for file in sorted(root.glob("feedback-*.zip")):
        with zipfile.ZipFile(file) as archive:
            parts = {part for entry in archive.namelist() for part in Path(entry).parts}
        if any(part == student or any(part.startswith(name) for name in names) for part in parts):
            yield StoredData(file, "the whole zip", file.unlink)


def _answers(root: Path, student: str) -> Iterator[StoredData]:
    """Yield the answers to questions on a student's code that are kept for a later notebook."""
    key = hashlib.sha256(student.encode()).hexdigest()
    for file in sorted((root / "tests" / "hidden").rglob(ANSWERS)):
        known = json.loads(file.read_bytes())
        if key in known:
            rest = {one: letters for one, letters in known.items() if one != key}
            content = json.dumps(rest, indent=1, sort_keys=True).encode()
            yield StoredData(file, "answers", functools.partial(files.save, file, content))


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"
