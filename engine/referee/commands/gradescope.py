"""`referee gradescope`: the zip that grades on Gradescope."""

from pathlib import Path
from typing import Annotated

import typer

from referee.commands import errors, shared


def gradescope(
    assignment: shared.AssignmentArgument,
    file: Annotated[Path, typer.Argument(help="The zip to write.")] = Path("autograder.zip"),
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Let the zip grade even where nothing isolates code.")
    ] = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Write the zip that grades on Gradescope."""
    from referee import course
    from referee import gradescope as door
    from referee.commands import terminal as show
    from referee.judging import suspension
    from referee.marks import files, missing

    with errors.in_one_line():
        shared.expect_writable(file)
        task = shared.assignment(course_folder, assignment)
        if made := missing.make_secret(task):
            show.say(shared.console(), made)
        task = suspension.prepared(task, course.limits(task.root, unsafe))
        files.save(file, door.pack(task, unsafe))
    show.say(shared.console(), f"Wrote {file}.")
