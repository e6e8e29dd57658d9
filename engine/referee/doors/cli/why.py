"""`referee why`: what has made a student's marks."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.doors.cli import errors, shared

if TYPE_CHECKING:
    from referee.course import Assignment
    from referee.doors.why import Reasons
    from referee.proof.replay import ReplayResult


def why(
    student: Annotated[
        str,
        typer.Argument(
            help="The student's id, or the file of a capsule.", autocompletion=shared.students
        ),
    ],
    assignment: shared.AssignmentsArgument = None,
    check: Annotated[str | None, typer.Option(help="Only this check.")] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Judge once more, by the course of that time.")
    ] = False,
    capsule: Annotated[
        Path | None,
        typer.Option(help="Write all that it takes to judge once more into this file, a secret."),
    ] = None,
    json: shared.JsonOption = None,
    course_folder: shared.CourseOption = None,
) -> None:
    """Tell why a student has these marks: cells, checks, lateness, changes; or judge once more."""
    from referee.doors import show
    from referee.doors.show import notebook

    console = shared.console(json)
    with errors.in_one_line():
        shared.expect_writable(json)
        shared.expect_writable(capsule)
        task = None if assignment is None else shared.assignment(course_folder, assignment)
        found, judge = _explained(task, student, check, capsule)
        if task is None or not again:
            notebook.reasons(console, found, check, _headings(task))
        if task is not None and not again:
            show.save(json, found)
            return
        with console.status("Judging again ..."):
            result = judge()
        show.save(json, result)
    notebook.why(console, result)
    raise typer.Exit(0 if result.same else 1)


def _headings(task: Assignment | None) -> dict[str, str]:
    """Return what people read in place of names; nothing of a capsule, which has no release."""
    from referee import intake

    return intake.headings(task) if task else {}


def _explained(
    task: Assignment | None, student: str, check: str | None, capsule: Path | None
) -> tuple[Reasons, Callable[[], ReplayResult]]:
    """Return the reasons of some marks, and what judges them again; write a capsule if asked."""
    from referee.doors import why as explaining
    from referee.proof import replay

    if task is None:
        opened = explaining.read(Path(student))
        return opened.reasons, functools.partial(explaining.again, opened, check)
    found = explaining.reasons(task, student)
    if capsule is not None:
        explaining.pack(task, found, capsule)
    return found, functools.partial(replay.replay, task, student, check)
