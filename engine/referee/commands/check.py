"""`referee check`: one notebook, outside the class."""

from pathlib import Path

import typer

from referee.commands import errors, shared


def check(
    notebook: shared.NotebookArgument,
    assignment: shared.AssignmentOption = None,
    json: shared.JsonOption = None,
    student: shared.WhoseOption = "",
    unsafe: shared.UnsafeOption = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Judge one notebook outside the class, and enter nothing."""
    from referee import course, intake
    from referee.commands import terminal as show
    from referee.doors.show import notebook as shown
    from referee.judging import pipeline, suspension
    from referee.sandbox.outside.zygote import Zygote

    console = shared.console(json)
    with errors.in_one_line():
        shared.expect_writable(json)
        try:
            content = intake.contents(notebook)
            cells = intake.identities(intake.parse(content))
        except OSError as error:
            raise course.CourseError(errors.of_notebook(notebook, error)) from error
        except intake.UnreadableError as error:
            raise course.CourseError(f"{notebook}: {error}") from error
        root = shared.root(course_folder)
        task = course.find_assignment(root, assignment or _recognised(root, cells)).of(student)
        with console.status("Running the notebook and the hidden checks ..."):
            limits = course.limits(root, unsafe)
            task = suspension.prepared(task, limits)
            accepted = intake.accept_file(task, content)
            with Zygote(limits, task.subject) as zygote:
                report = pipeline.judge_file(task, accepted, lambda: zygote, limits)[1]
        show.save(json, report)
    shown.report(console, report)
    raise typer.Exit(0 if report.perfect else 1)


def _recognised(root: Path, cells: set[str]) -> str:
    """Return the assignment that shares the most cells with a notebook."""
    from referee import course, intake

    shared_cells = {
        part.key: len(cells & intake.identities(intake.course_notebook(part.release)))
        for name in course.assignments(root)
        for part in course.find_parts(root, name)
    }
    best = max(shared_cells, key=lambda name: shared_cells[name], default="")
    if not shared_cells.get(best):
        raise course.CourseError(
            "no cell of this notebook belongs to an assignment of the course; "
            f"say which it is with --assignment, one of: {', '.join(shared_cells)}"
        )
    return best
