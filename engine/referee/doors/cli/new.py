"""`referee new`: the first files of an assignment."""

from pathlib import Path
from typing import Annotated

import typer

from referee.doors.cli import errors, shared


def new(
    assignment: Annotated[str, typer.Argument(help="The name of the new assignment.")],
    notebook: Annotated[
        Path | None, typer.Option("--from", help="Start from the solutions in this notebook.")
    ] = None,
    course_folder: shared.CourseOption = None,
) -> None:
    """Write a new assignment that can be graded at once: notebook, hidden checks and bank."""
    from referee import course
    from referee.doors import authoring, show

    console = shared.console()
    with errors.in_one_line():
        try:
            root = shared.root(course_folder)
        except course.CourseError:
            root = (course_folder or Path.cwd()).absolute()  # which becomes a course
        for file in authoring.write(root, assignment, notebook):
            show.say(console, f"  {file.relative_to(root)}")
    show.say(
        console, f"Change these files, and watch what becomes of them: referee dev {assignment}"
    )
