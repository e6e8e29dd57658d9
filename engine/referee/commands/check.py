"""`referee check`: one notebook, outside the class."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from referee import intake
from referee.commands import shared, terminal
from referee.course import Course, CourseError
from referee.judging import denials, pipeline, suspension
from referee.marks import feedback
from referee.model import Report


def run(
    notebook: Annotated[Path, typer.Argument(help="The notebook to judge.")],
    assignment: Annotated[
        str | None,
        typer.Option(help="Its assignment; by default the one whose cells it has."),
    ] = None,
    json: shared.JsonOption = None,
    student: Annotated[
        str, typer.Option(help="Whose notebook it is; checks may ask each student something else.")
    ] = "",
    unsafe: shared.UnsafeOption = False,
    course_folder: shared.CourseOption = None,
) -> int:
    """Judge one notebook outside the class, and enter nothing."""
    try:
        content = intake.contents(notebook)
        cells = intake.identities(intake.parse(content))
    except intake.UnreadableError as error:
        raise CourseError(f"{notebook}: {error}") from error
    course = shared.course(course_folder)
    task = course.find(assignment or _recognise(course, cells)).of(student)
    with terminal.console(json).status("Running the notebook and the hidden checks ..."):
        limits = course.limits(unsafe)
        task = suspension.prepared(task, limits)
        accepted = intake.accept_file(task, content)
        report = pipeline.judge_file(task, accepted, limits)[1]
    terminal.said(_lines(report), report, json)
    return 0 if report.perfect else 1


def _recognise(course: Course, cells: set[str]) -> str:
    """Return the assignment that shares the most cells with a notebook."""
    common = {
        part.key: len(cells & intake.identities(intake.course_notebook(part.release)))
        for name in course.assignments
        for part in course.find_parts(name)
    }
    best = max(common, key=lambda name: common[name], default="")
    if not common.get(best):
        raise CourseError(
            "no cell of this notebook belongs to an assignment of the course; "
            f"say which it is with --assignment, one of: {', '.join(common)}"
        )
    return best


def _lines(report: Report) -> Iterator[str | Text]:
    if repairs := feedback.repairs_as_text(report):
        yield Text(repairs, "yellow")
    for failure in report.failures:
        yield Text(f"While the notebook ran, {denials.named(failure)}", "red")
    for mark in report.cells:
        yield f"{feedback.as_text(report, mark)}\n"
    yield terminal.isolation(len(report.isolation))
    yield f"{report.score:g} of {report.max_score:g} points without a human's help."
