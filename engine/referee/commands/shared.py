"""Shared by the commands: options, locks, and how they find course and assignment."""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from referee import intake
from referee.course import Assignment, Course, CourseError, find_course
from referee.intake import database
from referee.marks import entries, files

CORES = os.cpu_count() or 1


def writable(file: Path | None) -> Path | None:
    """Return a file that an option names, if it can be written: else no work is begun."""
    if file is not None and not file.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {file.parent}; make it first")
    return file


CourseOption = Annotated[
    Path | None, typer.Option("--course", help="The course folder; by default the one you are in.")
]
ArchiveOption = Annotated[
    list[Path] | None,
    typer.Option(help="Look also in this course folder of another year; may be repeated."),
]
AssignmentArgument = Annotated[
    str,
    typer.Argument(help="The assignment, or one notebook of it: ASSIGNMENT/NOTEBOOK."),
]
AssignmentsArgument = Annotated[
    str | None,
    typer.Argument(help="The assignment; by default all of them.", show_default=False),
]
StudentArgument = Annotated[str, typer.Argument(help="The student's id.")]
StudentsOption = Annotated[
    list[str] | None,
    typer.Option("--student", help="Only this student; may be repeated."),
]
JsonOption = Annotated[
    Path | None,
    typer.Option(
        callback=writable,
        dir_okay=False,
        help="Write the result as JSON to this file, or to standard output if it is -.",
    ),
]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Judge everything again, also what has not changed.")
]
UnsafeOption = Annotated[
    bool, typer.Option("--unsafe", help="Run student code even where nothing isolates it.")
]
WorkersOption = Annotated[
    int,
    typer.Option(
        min=1, show_default="one for each core", help="How many processes work at the same time."
    ),
]


def course(folder: Path | None) -> Course:
    """Return the course in the given folder, or the one around the current folder."""
    return find_course((folder or Path.cwd()).absolute())


def assignment(course_folder: Path | None, name: str) -> Assignment:
    """Return an assignment of the course."""
    return course(course_folder).find(name)


def tasks(course_folder: Path | None, name: str | None) -> list[Assignment]:
    """Return the notebooks of an assignment, or of all of them if none is named."""
    course_ = course(course_folder)
    names = [name] if name else course_.assignments
    if not names:
        raise CourseError(f"{course_.root} has no assignment; write one with `referee new NAME`")
    return [part for name in names for part in course_.find_parts(name)]


def tasks_of_class(course_folder: Path | None, name: str | None) -> list[Assignment]:
    """Return the same, without those that no student has and nobody was graded in, unless named.

    Such are the sheets of next month: they have no release yet, or the gradebook knows none.
    """
    course_, notebooks = course(course_folder), list[Assignment]()
    for key in () if name else course_.assignments:
        parts = course_.parts(key)
        out = all(part.release.is_file() and database.saved_cells(part) for part in parts)
        graded = any(entries.get(course_.root, part.key) for part in parts)
        if out or intake.students(course_, key) or graded:
            notebooks += course_.find_parts(key)
    return notebooks or tasks(course_.root, name)


def only_one(option: str, count: int) -> None:
    """Raise a CourseError if an option names one file and there are more to write."""
    if count != 1:
        raise CourseError(
            f"{option} names one file, and there are {count} to write; leave it out, or write one"
        )


def not_graded(name: str | None) -> CourseError:
    """Return the CourseError for work that was not graded yet."""
    command = " ".join(["referee grade", *([name] if name else [])])
    what = name or "any assignment"
    return CourseError(f"nothing of {what} was graded yet; run `{command}` first")


def in_course(course_: Course, name: str) -> Path:
    """Return a file in the course's folder, wherever a command is run, as it is named from there.

    Only there git is told to leave it out; from a folder of `source/` students would get it.
    """
    return Path(os.path.relpath(course_.root / name))


@contextmanager
def alone(course_: Course, names: Iterable[str], doing: str) -> Iterator[None]:
    """Hold the locks of assignments, so that no other process changes their results."""
    with ExitStack() as locks:
        for name in names:
            locks.enter_context(files.alone(course_.root / ".referee" / f"{name}.lock", doing))
        yield
