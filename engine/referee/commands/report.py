"""`referee report`: a page about the class for its instructors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.commands import errors, shared

if TYPE_CHECKING:
    from referee import course


def report(
    assignment: shared.AssignmentsArgument = None,
    html: Annotated[
        Path | None,
        typer.Option(help="Write the page to this file; by default report-ASSIGNMENT.html."),
    ] = None,
    archive: shared.ArchiveOption = None,
    course_folder: shared.CourseOption = None,
) -> None:
    """Write a page on the class: points, checks, misconceptions."""
    from referee.marks import entries

    with errors.in_one_line():
        tasks = shared.tasks_of_class(course_folder, assignment)
        graded = [task for task in tasks if entries.get(task.root, task.key)]
        if not graded:
            raise shared.not_graded(assignment)
        if html is not None:
            shared.only_one(graded, "--html")
        for task in graded:
            _report(task, html or task.root / f"report-{task.title}.html", archive or [])


def _report(task: course.Assignment, file: Path, folders: list[Path]) -> None:
    from referee import grading as batch
    from referee import intake
    from referee.commands import terminal as show
    from referee.marks import entries, files
    from referee.proof import bank
    from referee.report import archive
    from referee.report.page import page

    shared.expect_writable(file)
    results = entries.get(task.root, task.key)
    handed_in = intake.students(task.root, task.name)
    right = [one for one in bank.read_all(task) if one.kind == "right"]
    known = {f"bank/{one.name}": [source for _, source in one.sections] for one in right}
    known |= archive.works(task, folders)
    stale = batch.stale(task, results)
    text = page(task, results, handed_in, batch.standings(task), stale, known)
    files.save(file, text.encode())
    show.say(shared.console(), f"{len(results)} students: {file}")
