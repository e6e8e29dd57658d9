"""`referee why`: what has made a student's marks."""

from typing import Annotated

import typer

from referee.commands import errors, shared


def why(
    student: shared.StudentArgument,
    assignment: shared.AssignmentArgument,
    check: Annotated[str | None, typer.Option(help="Only this check.")] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Judge once more, by the course as it is now.")
    ] = False,
    json: shared.JsonOption = None,
    course_folder: shared.CourseOption = None,
) -> None:
    """Tell why a student has these marks, or judge them once more."""
    from referee import intake
    from referee.commands import terminal as show
    from referee.doors import why as explaining
    from referee.doors.show import notebook
    from referee.proof import replay

    console = shared.console(json)
    with errors.in_one_line():
        shared.expect_writable(json)
        task = shared.assignment(course_folder, assignment)
        found = explaining.reasons(task, student)
        if not again:
            notebook.reasons(console, found, check, intake.headings(task))
            show.save(json, found)
            return
        with console.status("Judging again ..."):
            result = replay.again(task, student, check)
        show.save(json, result)
    notebook.why(console, result)
    raise typer.Exit(0 if result.same else 1)
