"""`referee gradescope`: the zip that grades on Gradescope."""

from pathlib import Path
from typing import Annotated

import typer

from referee import gradescope
from referee.commands import shared, terminal
from referee.judging import suspension
from referee.marks import files, missing
from referee.model import counted


def run(
    assignment: shared.AssignmentArgument,
    file: Annotated[
        Path | None,
        typer.Argument(
            callback=shared.writable,
            dir_okay=False,
            help="The zip to write; by default autograder.zip in the course's folder.",
        ),
    ] = None,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Let the zip grade even where nothing isolates code.")
    ] = False,
    course_folder: shared.CourseOption = None,
) -> int:
    """Write the zip that grades on Gradescope."""
    task = shared.assignment(course_folder, assignment)
    if sentence := missing.make_secret(task):
        terminal.said([sentence])
    task = suspension.prepared(task, task.course.limits(unsafe))
    file = file or shared.in_course(task.course, "autograder.zip")
    files.save(file, gradescope.pack(task, unsafe))
    points = sum(suspension.graded(task).values())
    terminal.said([f"Wrote {file}, which grades {counted(points, 'point')}."])
    return 0
