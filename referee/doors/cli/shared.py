"""What the commands have in common: options, and how they find course and assignment."""

import os
from pathlib import Path
from typing import Annotated

import typer

from referee import course

CORES = os.cpu_count() or 1

CourseOption = Annotated[
    Path | None, typer.Option("--course", help="The course folder; by default the one you are in.")
]
UnsafeOption = Annotated[
    bool, typer.Option("--unsafe", help="Go on where nothing isolates student code.")
]
WhoseOption = Annotated[
    str, typer.Option("--student", help="Ask what this student is asked: checks may differ.")
]
WorkersOption = Annotated[
    int, typer.Option(min=1, show_default="one for each core", help="Processes at work at once.")
]


def root(course_folder: Path | None) -> Path:
    """Return the course's folder: that which was named, or the one around the current folder."""
    return course.find_root((course_folder or Path.cwd()).absolute())


def assignment(course_folder: Path | None, name: str) -> course.Assignment:
    """Return an assignment of the course."""
    return course.find_assignment(root(course_folder), name)


def must_be_writable(file: Path | None) -> None:
    """Raise a CourseError for a file that cannot be made, before any work is done for it."""
    if file is not None and file.is_dir():
        raise course.CourseError(f"{file} cannot be written: it is a folder; name a file")
    if file is not None and not file.absolute().parent.is_dir():
        raise course.CourseError(
            f"{file} cannot be written: there is no such folder; make it first"
        )
