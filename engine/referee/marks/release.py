"""Make the release of an assignment beside the one that is there, and put it in its place.

nbgrader makes it, with a gradebook of its own; the course's gradebook gets the cells from there.
Until both are whole, release and gradebook are as they were; while the gradebook changes there is
no release, which `grade` tells. Marks by hand follow the items of mark schemes: an item is known by
its sentence, and one that a comment gives, but the scheme has no more, moves nothing, and is told.
"""

import contextlib
import io
import logging
import re
import shutil
import sqlite3
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory

from referee.course import Assignment, Course, CourseError, remake
from referee.marks import by_hand, cells, entries, files, grade_log, gradebook, marking
from referee.marks.cells import Release
from referee.marks.grade_log import HandMark
from referee.marks.standings import some

NOTEBOOK = re.compile(r"Converting notebook (.+)")  # in what nbgrader says
REASON = re.compile(r"^\s*[\w.]*(?:Error|Exception): (?!Notebook failed)(.+)", re.MULTILINE)
MEANWHILE = (
    "marks or cells in the gradebook have changed since this was asked; nothing was changed; run "
    "this again"
)


class Move(NamedTuple):
    """A mark by hand that moves, with its comment; it stays if the `new` one would be none."""

    submission: str
    cell: str
    old: HandMark
    new: HandMark | None
    line: str


def make(course: Course, name: str, agrees: Callable[[list[str]], bool] | None = None) -> bool:
    """Make a release if somebody `agrees` to what it changes for those who have handed in.

    Where there is nobody to ask, that is a CourseError. Returns whether there is a new release.
    """
    source, place = (course.folder(step) / name for step in ("source", "release"))
    if not any(source.glob("*.ipynb")):
        raise CourseError(f"{source} has no notebook; name an assignment of the course, or add one")
    half = place.with_name(f".{place.name}.half")
    shutil.rmtree(half, ignore_errors=True)  # of a process that was killed
    try:
        half.mkdir(0o700, parents=True)
        new, course_id = _build(course, source, half)
        parts = _parts(course, name, new)
        with gradebook.opened(course.db_url) as book:  # to see what would change: no commit
            lines, _ = cells.change(book, name, new, course_id)
            moves, notes = _moves(book, parts, new)
        lines += [one.line for one in moves]
        if lines and agrees is None:
            raise CourseError(
                f"the release of {name} is left as it was: another one changes marks of those who "
                f"have handed in; {remake(name)} tells whose, and asks"
            )
        if agrees and (lines or notes) and not agrees([*lines, *notes]):
            return False
        with gradebook.opened(course.db_url) as book:
            before = _parts(course, name, cells.released(book, name))
            new_lines, losses = cells.change(book, name, new, course_id)
            moves, _ = _moves(book, parts, new)
            if lines != [*new_lines, *(one.line for one in moves)]:
                raise CourseError(MEANWHILE)
            for notebook, who, marks in losses:
                key = before[notebook].key
                grade_log.note(course.root, key, who, marks, dict.fromkeys(marks))
            shutil.rmtree(place, ignore_errors=True)
            book.db.commit()
            (half / name).rename(place)
            for one in (one for one in before.keys() & new.keys() if before[one] != parts[one]):
                entries.rename(course.root, before[one].key, parts[one].key)
            move(course, book, moves)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return True


def _moves(
    book: Gradebook, parts: Mapping[str, Assignment], new: Release
) -> tuple[list[Move], list[str]]:
    """Return how marks by hand move to have the points that their items have in the source now.

    With it comes a line for each sentence that gives points in comments and is no item any more.
    """
    moves, notes = list[Move](), list[str]()
    for notebook, part in parts.items():
        schemes, whose = marking.schemes(part), defaultdict[tuple[str, str], list[str]](list)
        rows = book.notebook_submissions(notebook, part.name) if schemes else ()
        for row in sorted(rows, key=lambda row: str(row.student.id)):
            for cell, (mark, _) in by_hand.marks(book, row.id).items():
                lines, delta, why = mark.comment.split("\n"), 0.0, list[str]()
                for place, line in enumerate(lines if cell in schemes else ()):
                    if (match := marking.ITEM.fullmatch(line)) is None:
                        continue
                    before, sentence = float(match[1]), match[2]
                    if (now := schemes[cell].get(sentence)) is None:
                        whose[cell, sentence].append(str(row.student.id))
                    elif now != before:
                        lines[place] = marking.line_of(marking.Item(now, sentence))
                        why.append(f"{before:g} -> {now:g}: {sentence}")
                        delta += now - before
                if why and mark.score is not None:
                    points, most = round(mark.score + delta, 3), new[notebook].points.get(cell, 0.0)
                    message = f"{row.student.id}, {cell}: {mark.score:g} -> {points:g}"
                    message = f"{message} ({'; '.join(why)})"
                    after: HandMark | None = None
                    if 0 <= points <= most:
                        text = "\n".join(lines)
                        after = msgspec.structs.replace(mark, score=points, comment=text)
                    else:
                        outside = f"{points:g} is not between 0 and {most:g}"
                        message = f"{message}; it stays, since {outside}: mark it by hand"
                    moves.append(Move(row.id, cell, mark, after, message))
        notes += [
            f'{cell}: "{sentence}" is no item any more; the marks of {some(students)} stay'
            for (cell, sentence), students in whose.items()
        ]
    return moves, notes


def move(course: Course, book: Gradebook, moves: Iterable[Move]) -> None:
    """Move the marks, each with a line in the log."""
    for submission, cell, old, new, _ in moves:
        if new:
            row = book.find_submission_notebook_by_id(submission)
            by_hand.replace(course, book, row, cell, (old, new), files.user())


def _build(course: Course, source: Path, half: Path) -> tuple[Release, str]:
    """Let nbgrader make a release in a folder; return its notebooks and the id of the course."""
    gradebook_file = half / "gradebook.db"
    url, config = f"sqlite:///{gradebook_file}", course.configuration()
    config.CourseDirectory.root = str(course.base.absolute())
    config.CourseDirectory.release_directory, config.CourseDirectory.db_url = str(half), url
    folders, text = CourseDirectory(config=config), io.StringIO()
    folders.assignment_id = source.name
    log = logging.Logger("nbgrader", logging.INFO)
    log.addHandler(logging.StreamHandler(text))
    try:
        with contextlib.closing(sqlite3.connect(gradebook_file)) as empty:
            empty.execute("create table alembic_version (version_num)")  # or a process looks it up
        with warnings.catch_warnings(action="ignore"):
            GenerateAssignment(coursedir=folders, config=config, log=log).start()
    except Exception as error:  # of nbgrader, and of what the configuration adds to it
        names = [f"{Path(name).name}: " for name in NOTEBOOK.findall(text.getvalue())]
        reasons = dict.fromkeys(REASON.findall(text.getvalue())) or [" ".join(str(error).split())]
        why = "; ".join([*reasons][:2]) or type(error).__name__
        raise CourseError(
            f"nbgrader cannot make a release of {source.relative_to(course.root)}: "
            f"{''.join(names[-1:])}{why}; put that right and run this again; release and marks "
            "are as they were"
        ) from error
    with gradebook.opened(url) as book:
        row = book.find_assignment(source.name)
        return cells.released(book, source.name), str(row.course_id)


def _parts(course: Course, name: str, notebooks: Iterable[str]) -> dict[str, Assignment]:
    """Return an assignment's notebooks, by their names."""
    return {part.part or name: part for part in course.parts(name, notebooks)}
