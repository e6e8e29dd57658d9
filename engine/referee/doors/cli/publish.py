"""`referee publish`: a copy of a course for the public."""

from pathlib import Path
from typing import Annotated

import typer

from referee.doors.cli import errors, shared


def publish(
    folder: Annotated[Path, typer.Argument(help="A new folder, as ../public.")],
    course_folder: shared.CourseOption = None,
) -> None:
    """Write a copy of the course for the public: no solutions, hidden checks or bank in it."""
    from referee.doors import publish as publishing
    from referee.doors import show

    with errors.in_one_line():
        done = publishing.publish(shared.root(course_folder), folder.resolve())
    show.say(
        shared.console(),
        f"{done.files} files in {folder}; none of {done.lines:,} lines of solutions, hidden checks "
        "and bank is in them.",
    )
