"""`referee new`: the first files of an assignment."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from referee.commands import errors, shared


def new(
    assignment: Annotated[str, typer.Argument(help="The name of the new assignment.")],
    course_folder: shared.CourseOption = None,
) -> None:
    """Write a small assignment that is complete, to be changed."""
    from referee import course
    from referee.commands import terminal as show
    from referee.doors import authoring

    console = shared.console()
    with errors.in_one_line():
        try:
            root = shared.root(course_folder)
        except course.CourseError:
            root = (course_folder or Path.cwd()).absolute()  # which becomes a course
        for file in authoring.write(root, assignment):
            show.say(console, f"  {file.relative_to(root)}")
    show.say(
        console,
        "Change these files, and watch what becomes of them: "
        f"`referee audit {quote(assignment)} --watch`",
    )
