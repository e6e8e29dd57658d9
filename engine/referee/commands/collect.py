"""`referee collect`: unpack submissions from a platform into the folder submitted/."""

from pathlib import Path
from typing import Annotated

import typer

from referee.commands import errors, shared


def collect(
    assignment: shared.AssignmentArgument,
    file: Annotated[Path, typer.Argument(help="The zip with all submissions.")],
    names: Annotated[
        str | None,
        typer.Option(
            help="How files are named, if the zip does not tell: moodle, canvas, ilias, "
            "blackboard, brightspace, google, or a regular expression with the groups student_id "
            "and, if you like, timestamp and file_id."
        ),
    ] = None,
    course_folder: shared.CourseOption = None,
) -> None:
    """Unpack a platform's zip of all submissions into submitted/."""
    from referee import platforms
    from referee.doors.show import classroom

    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        before = set(platforms.keys(task))
        done = platforms.collect(task, file, names)
    classroom.collected(shared.console(), task, done, before)
    raise typer.Exit(1 if done.refused else 0)
