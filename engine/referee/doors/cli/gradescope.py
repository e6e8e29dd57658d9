"""The commands that bring the referee to Gradescope."""

from pathlib import Path
from typing import Annotated

import typer

from referee.doors.cli import errors, grading, shared
from referee.doors.cli.grading import NotebookArgument
from referee.doors.cli.shared import (
    AssignmentArgument,
    AssignmentOption,
    CourseOption,
    UnsafeOption,
    WhoseOption,
)

app = typer.Typer(no_args_is_help=True, help="Grade on Gradescope: the zip to upload, its results.")


@app.command(name="zip")
def write_zip(
    assignment: AssignmentArgument,
    file: Annotated[Path, typer.Argument(help="The zip to write.")] = Path("autograder.zip"),
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Let the zip grade where nothing isolates code.")
    ] = False,
    course_folder: CourseOption = None,
) -> None:
    """Write the zip that grades an assignment on Gradescope."""
    from referee import course
    from referee.doors import gradescope
    from referee.judging import suspension
    from referee.marks import files

    with errors.in_one_line():
        shared.must_be_writable(file)
        task = shared.assignment(course_folder, assignment)
        task = suspension.prepared(task, course.limits(task.root, unsafe))
        files.save(file, gradescope.pack(task, unsafe))
    shared.console().print(f"Wrote {file}.", markup=False, highlight=False)


@app.command(name="results")
def write_results(
    notebook: NotebookArgument,
    file: Annotated[Path, typer.Argument(help="The file to write.")] = Path("results.json"),
    assignment: AssignmentOption = None,
    student: WhoseOption = "",
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Judge one notebook here, and write what Gradescope would show of it."""
    from referee.doors import gradescope
    from referee.marks import files

    console = shared.console()
    with errors.in_one_line():
        shared.must_be_writable(file)
        report = grading.judged(console, notebook, course_folder, assignment, student, unsafe)
        files.save(file, gradescope.encoded(gradescope.results(report)))
    console.print(f"Wrote {file}.", markup=False, highlight=False)
    raise typer.Exit(0 if report.perfect else 1)
