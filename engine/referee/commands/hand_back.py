"""`referee return`: feedback and marks for the platform that submissions came from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.commands import errors, shared
from referee.model import Format, Platform

if TYPE_CHECKING:
    from referee import course

NOTHING = (
    "say what to write: --for PLATFORM a zip with everybody's feedback, --table FORMAT a table of "
    "the marks"
)
BOTH = "--to names one file, and there is a zip and a table to write; leave it out, or one of them"


def hand_back(
    assignment: shared.AssignmentsArgument = None,
    platform: Annotated[
        Platform | None,
        typer.Option(
            "--for",
            help="Write a zip of everybody's feedback for this platform, or a folder a student.",
        ),
    ] = None,
    table: Annotated[
        Format | None, typer.Option(help="Write a table of the marks, as CSV.")
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(
            help="The file to write; by default feedback-ASSIGNMENT.zip, or as the table is called."
        ),
    ] = None,
    course_folder: shared.CourseOption = None,
) -> None:
    """Write feedback for a platform, and marks as a table."""
    from referee.course import CourseError

    with errors.in_one_line():
        if platform is None and table is None:
            raise CourseError(NOTHING)
        if platform and table and to:
            raise CourseError(BOTH)
        tasks = shared.tasks_of_class(course_folder, assignment)
        if platform is not None:
            _write_feedback(tasks, assignment, platform, to)
        if table is not None:
            _write_table(tasks, assignment, table, to)


def _write_feedback(
    tasks: list[course.Assignment], named: str | None, platform: Platform, to: Path | None
) -> None:
    """Write a zip of feedback for each notebook that was graded."""
    from referee import grading as batch
    from referee import platforms
    from referee.doors.show import classroom
    from referee.marks import pages

    marked = [task for task in tasks if batch.standings(task)]
    graded = [task for task in marked if pages.graded(task)]
    if not graded:
        raise shared.not_graded(named)
    if to is not None:
        shared.only_one(graded, "--to")
    if lost := [task.key for task in graded if not platforms.knows(task, platform)]:
        classroom.nobody(shared.console(), lost, platform)
        raise typer.Exit(1)
    for task in graded:
        _pack(task, platform, to or Path(f"feedback-{task.title}.zip"))


def _pack(task: course.Assignment, platform: Platform, file: Path) -> None:
    """Write the feedback on one notebook."""
    from referee import grading as batch
    from referee import platforms
    from referee.doors.show import classroom
    from referee.marks import groups_and_extensions, pages

    console = shared.console()
    shared.expect_writable(file)
    standings = batch.standings(task)
    with console.status("Making the feedback ..."):
        made = {name: page for name, page in pages.make(task).items() if name in standings}
        shares = groups_and_extensions.sharing(task.root, task.name, made)
    whose = {person: made[owner] for owner, people in shares.items() for person in people}
    count, left_out = platforms.pack(task, platform, whose, file)
    gone = sorted(platforms.keys(task).keys() - whose.keys())
    waiting = sum("?" in standings[name].mark for name in made)
    classroom.packed(console, file, count, platform, left_out, gone, waiting)


def _write_table(
    tasks: list[course.Assignment], named: str | None, table: Format, to: Path | None
) -> None:
    """Write one table with the marks of all these assignments."""
    from referee import course
    from referee.doors.show import classroom
    from referee.marks import exports, writer

    kind = exports.TABLES[table]
    file = to or Path(kind.file)
    shared.expect_writable(file)
    names = list(dict.fromkeys(task.name for task in tasks))
    root = tasks[0].root
    exporter = kind(
        config=course.configuration(root), root=str(root), to=str(file), assignment=names
    )
    with writer.opened(tasks[0]) as opened:
        if not any(one.submissions for one in exporter.assignments(opened.book)):
            raise shared.not_graded(named)
        exporter.export(opened.book)
    classroom.exported(shared.console(), file, sorted(set(exporter.left_out)))
