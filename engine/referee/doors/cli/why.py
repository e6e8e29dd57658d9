"""`referee why`: a student's result again, check by check."""

from typing import Annotated

import typer

from referee.doors.cli import errors, shared


def why(
    student: shared.StudentArgument,
    assignment: shared.AssignmentArgument,
    check: Annotated[str | None, typer.Option(help="Only this check.")] = None,
    json: shared.JsonOption = None,
    course_folder: shared.CourseOption = None,
) -> None:
    """Judge a student's result again, by the course of that time: are the verdicts the same?"""
    from referee.doors import show
    from referee.doors.show import notebook
    from referee.proof import replay

    console = shared.console(json)
    with errors.in_one_line():
        shared.expect_writable(json)
        task = shared.assignment(course_folder, assignment)
        with console.status("Judging again ..."):
            result = replay.replay(task, student, check)
        show.save(json, result)
    notebook.why(console, result)
    raise typer.Exit(0 if result.same else 1)
