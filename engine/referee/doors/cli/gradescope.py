"""`referee gradescope`: the zip that grades on Gradescope, and the results it would show."""

from pathlib import Path
from typing import Annotated

import typer

from referee.doors.cli import check, errors, shared

app = typer.Typer(no_args_is_help=True, help="Grade on Gradescope: the zip to upload, its results.")


@app.command(name="zip")
def write_zip(
    assignment: shared.AssignmentArgument,
    file: Annotated[Path, typer.Argument(help="The zip to write.")] = Path("autograder.zip"),
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Let the zip grade even where nothing isolates code.")
    ] = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Write the zip that grades an assignment on Gradescope."""
    from referee import course
    from referee.doors import gradescope, show
    from referee.judging import suspension
    from referee.marks import files, secret

    with errors.in_one_line():
        shared.expect_writable(file)
        task = shared.assignment(course_folder, assignment)
        if made := secret.expect(task):
            show.say(shared.console(), made)
        task = suspension.prepared(task, course.limits(task.root, unsafe))
        files.save(file, gradescope.pack(task, unsafe))
    show.say(shared.console(), f"Wrote {file}.")


@app.command(name="results")
def write_results(
    notebook: shared.NotebookArgument,
    file: Annotated[Path, typer.Argument(help="The file to write.")] = Path("results.json"),
    assignment: shared.AssignmentOption = None,
    student: shared.WhoseOption = "",
    unsafe: shared.UnsafeOption = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Judge one notebook here, and write the results that Gradescope would show."""
    from referee.doors import gradescope, show
    from referee.marks import files

    console = shared.console()
    with errors.in_one_line():
        shared.expect_writable(file)
        report = check.judged(console, notebook, course_folder, assignment, student, unsafe)
        files.save(file, gradescope.encoded(gradescope.results(report)))
    show.say(console, f"Wrote {file}.")
    raise typer.Exit(0 if report.perfect else 1)
