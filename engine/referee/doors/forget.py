"""Erase of one student what no command makes again, and name the files that still hold the id."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from markupsafe import escape

from referee import course, intake
from referee.course import CourseError
from referee.judging import cache
from referee.marks import entries, files, grade_log, roster
from referee.marks.ignored import STEPS

RESULTS = cache.FILE.parent.name  # the only hidden folder that holds persons


def places(root: Path, student: str) -> list[Path]:
    """Return the folders of a student, and the gradebook, results and log if they name them."""
    if not intake.STUDENT.fullmatch(student):
        raise CourseError(f"no student is called {intake.shown(student)!r}; give the id, as the "
                          "folder in submitted/ is called")  # fmt: skip
    found = [course.folder(root, step) / student for step in STEPS]
    found = [place for place in found if os.path.lexists(place)]
    if student in roster.known(root):
        found.append(roster.file(root) or root / "gradebook")
    if (root / cache.FILE).is_file() and student in entries.students(root):
        found.append(root / cache.FILE)
    if any(name == student for name, _ in grade_log.lines(root)):
        found.append(root / grade_log.FILE)
    return found


def erase(root: Path, student: str) -> None:
    """Erase a student's folders, and their part of the gradebook, results and log."""
    for place in (course.folder(root, step) / student for step in STEPS):
        if place.is_symlink():
            place.unlink()
        elif place.is_dir():
            shutil.rmtree(place)
    roster.remove(root, [student])
    if (root / cache.FILE).is_file():
        entries.forget(root, student)
        roster.compact(root / cache.FILE)
    lines = grade_log.lines(root)
    others = [line for name, line in lines if name != student]
    if len(others) < len(lines):
        files.save(root / grade_log.FILE, b"".join(others))


def still_named(root: Path, student: str) -> list[Path]:
    """Return the files of a course's folder that have the student's id, in text or name.

    Hidden folders, such as that of git, are not looked through.
    """
    spellings = {student, str(escape(student))}
    either = b"|".join(re.escape(one.encode()) for one in spellings)
    word = re.compile(rb"(?<![^\W_])(?:" + either + rb")(?![^\W_])")
    return [
        file
        for file in sorted(_files(root))
        if word.search(str(file.relative_to(root)).encode("utf-8", "surrogateescape"))
        or word.search(file.read_bytes())
    ]


def _files(root: Path) -> Iterator[Path]:
    """Yield the files below a folder that lie in no hidden folder but that of results."""
    for folder, inside, names in os.walk(root):
        inside[:] = [one for one in inside if one == RESULTS or not one.startswith(".")]
        places = (Path(folder, name) for name in names)
        yield from (one for one in places if one.is_file() and not one.is_symlink())
