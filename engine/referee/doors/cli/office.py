"""The commands for what outlives a class: a new year, a public copy, one person's data."""

from pathlib import Path
from typing import Annotated

import typer

from referee.doors.cli import errors, shared
from referee.doors.cli.shared import ArchiveOption, CourseOption, StudentArgument

OPENED = (
    "The class is empty, with new secrets and no due dates. Next: `nbgrader db assignment add "
    "ASSIGNMENT --duedate=...`, and `referee audit ASSIGNMENT` with the new secrets."
)


def year(
    archive: Annotated[Path, typer.Argument(help="A new folder, as ../course-2026.")],
    course_folder: CourseOption = None,
) -> None:
    """Close the year: put course and class into an archive, and begin with an empty class."""
    from referee.doors import screen
    from referee.doors import year as years

    console = shared.console()
    with errors.in_one_line():
        root = shared.root(course_folder)
        with shared.alone(root, "closing the year"), console.status("Making the archive ..."):
            students = years.close(root, archive.resolve())
    screen.say(console, f"{len(students)} students are in {archive} now, with all of the course.")
    screen.say(console, OPENED)


def publish(
    folder: Annotated[Path, typer.Argument(help="A new folder, as ../public.")],
    course_folder: CourseOption = None,
) -> None:
    """Write a public copy: releases, no solutions, hidden checks or bank, which is looked for."""
    from referee.doors import publish as publishing
    from referee.doors import screen

    console = shared.console()
    with errors.in_one_line():
        done = publishing.publish(shared.root(course_folder), folder.resolve())
    screen.say(
        console,
        f"{done.files} files in {folder}; none of {done.lines:,} lines of solutions, hidden checks "
        "and bank is in them.",
    )


def forget(
    student: StudentArgument,
    archive: ArchiveOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before it is erased.")] = False,
    course_folder: CourseOption = None,
) -> None:
    """Erase all that is kept of a student, in the course and in archives; say what it was."""
    from referee.doors import forget as forgetting
    from referee.doors import screen

    console = shared.console()
    with errors.in_one_line():
        roots = [shared.root(course_folder), *(one.resolve() for one in archive or [])]
        traces = [trace for root in roots for trace in forgetting.traces(root, student)]
        for trace in traces:
            screen.say(console, f"{trace.where}: {trace.what}")
        if not traces:
            screen.say(console, f"Nothing is kept of {student}.")
        elif not yes and not typer.confirm("Erase it? It cannot be undone."):
            raise typer.Exit(1)
        for root in roots:
            with shared.alone(root, "erasing a student's data"):
                for trace in forgetting.traces(root, student):
                    trace.erase()
        left = [file for root in roots for file in forgetting.still_named(root, student)]
    if traces:
        screen.say(console, f"Erased: {len(traces)} places. Copies elsewhere are not known here.")
    for file in left:
        screen.say(console, f"{file}: still has the word {student}; look whether it means them")
    raise typer.Exit(1 if left else 0)
