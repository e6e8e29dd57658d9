"""`referee check`: one notebook, outside the class."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from referee.doors.cli import errors, shared

if TYPE_CHECKING:
    from referee.model import Report

FIELDS = (  # of the JSON report
    "assignment", "isolation", "score", "max_score", "cells", "checks", "explanations", "repairs",
    "failures", "refused",
)  # fmt: skip


def check(
    notebook: shared.NotebookArgument,
    assignment: shared.AssignmentOption = None,
    json: shared.JsonOption = None,
    student: shared.WhoseOption = "",
    unsafe: shared.UnsafeOption = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Judge one notebook outside the class; nothing is entered in the gradebook."""
    from referee.doors import show
    from referee.doors.show import notebook as shown

    console = shared.console(json)
    with errors.in_one_line():
        shared.expect_writable(json)
        report = judged(console, notebook, course_folder, assignment, student, unsafe)
        show.save(json, {name: getattr(report, name) for name in FIELDS})
    shown.report(console, report)
    raise typer.Exit(0 if report.perfect else 1)


def judged(
    console: Console,
    notebook: Path,
    course_folder: Path | None,
    assignment: str | None,
    student: str,
    unsafe: bool,
) -> Report:
    """Judge a notebook by its path; without `assignment`, its cells tell the assignment.

    CourseError for a file that cannot be read.
    """
    from referee import course, intake
    from referee.judging import pipeline, suspension
    from referee.sandbox.outside.zygote import Zygote

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
            return pipeline.judge_file(task, accepted, lambda: zygote, limits)[1]


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
