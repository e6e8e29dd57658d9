"""`referee year`: the end of a year, and the beginning of the next."""

from pathlib import Path
from typing import Annotated

import typer

from referee.doors.cli import errors, shared

OPENED = (
    "The class is empty, with new secrets and no due dates; .gitignore names what is about "
    "persons. Next: `nbgrader db assignment add ASSIGNMENT --duedate=...`, and `referee audit "
    "ASSIGNMENT` with the new secrets."
)


def year(
    archive: Annotated[Path, typer.Argument(help="A new folder, as ../course-2026.")],
    course_folder: shared.CourseOption = None,
) -> None:
    """Close the year: put course and class into an archive, and begin with an empty class."""
    from referee.doors import ignored, show
    from referee.doors import year as years

    console = shared.console()
    with errors.in_one_line():
        root = shared.root(course_folder)
        with shared.alone(root, "closing the year"), console.status("Making the archive ..."):
            students = years.close(root, archive.resolve())
            ignored.add(root)
    show.say(console, f"{len(students)} students are in {archive} now, with all of the course.")
    show.say(console, OPENED)
