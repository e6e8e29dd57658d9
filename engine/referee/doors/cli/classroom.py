"""The commands that show a graded class and hand its marks on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.doors.cli import errors, shared
from referee.doors.cli.shared import (
    ArchiveOption,
    AssignmentArgument,
    AssignmentsArgument,
    CourseOption,
    JsonOption,
)
from referee.model import Format, Platform

if TYPE_CHECKING:
    from referee import course


def status(
    assignment: AssignmentsArgument = None,
    json: JsonOption = None,
    course_folder: CourseOption = None,
) -> None:
    """Say what is handed in, graded, stale, and waiting for a mark by hand; judge nothing."""
    from referee.doors import results, screen
    from referee.doors import status as statuses

    with errors.in_one_line():
        shared.must_be_writable(json)
        found = [statuses.of(task) for task in shared.tasks(course_folder, assignment)]
        results.save(json, found)
    screen.status(shared.console(json), found)


def report(
    assignment: AssignmentsArgument = None,
    html: Annotated[
        Path | None,
        typer.Option(help="Write the page to this file; by default report-ASSIGNMENT.html."),
    ] = None,
    archive: ArchiveOption = None,
    course_folder: CourseOption = None,
) -> None:
    """Show the class at a glance: points, checks, misconceptions, on one page for instructors."""
    from referee.marks import entries

    with errors.in_one_line():
        tasks = shared.tasks(course_folder, assignment)
        graded = [task for task in tasks if entries.get(task.root, task.key)]
        if not graded:
            raise _not_graded(assignment)
        if html is not None:
            shared.only_one(graded, "--html")
        for task in graded:
            _report(task, html or task.root / f"report-{task.title}.html", archive or [])


def _report(task: course.Assignment, file: Path, archive: list[Path]) -> None:
    from referee import intake
    from referee.doors import batch, known
    from referee.marks import entries, files
    from referee.report.page import page

    shared.must_be_writable(file)
    results = entries.get(task.root, task.key)
    handed_in = intake.students(task.root, task.name)
    others = known.works(task, archive)
    stale = batch.stale(task, results)
    text = page(task, results, handed_in, batch.standings(task), stale, others)
    files.save(file, text.encode())
    typer.echo(f"{len(results)} students: {file}")


def export(
    assignment: AssignmentsArgument = None,
    table: Annotated[
        Format, typer.Option("--format", help="Which table to write, as CSV.")
    ] = Format.CELLS,
    to: Annotated[
        Path | None, typer.Option(help="The file; by default named as the table.")
    ] = None,
    course_folder: CourseOption = None,
) -> None:
    """Write the marks for a spreadsheet, Canvas or Moodle."""
    from referee import course
    from referee.doors import screen
    from referee.marks import exports, writer

    console = shared.console()
    with errors.in_one_line():
        tasks = shared.tasks(course_folder, assignment)
        kind = exports.TABLES[table]
        file = to or Path(kind.file)
        shared.must_be_writable(file)
        names = list(dict.fromkeys(task.name for task in tasks))
        root = tasks[0].root
        exporter = kind(
            config=course.configuration(root), root=str(root), to=str(file), assignment=names
        )
        with writer.opened(tasks[0]) as opened:
            if not any(one.submissions for one in exporter.assignments(opened.book)):
                raise _not_graded(assignment)
            exporter.export(opened.book)
    screen.say(console, f"Wrote {file}.")
    if exporter.left_out:
        left_out = screen.some(sorted(set(exporter.left_out)))
        screen.say(console, f"Left out, since a cell waits for a mark by hand: {left_out}.")


def collect(
    assignment: AssignmentArgument,
    file: Annotated[Path, typer.Argument(help="The zip with all submissions.")],
    course_folder: CourseOption = None,
) -> None:
    """Take the notebooks out of the zip that Moodle, Canvas or ILIAS gives, into submitted/."""
    from referee.doors import platforms, screen

    console = shared.console()
    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        before = set(platforms.keys(task))
        done = platforms.collect(task, file)
    screen.say(console, f"{len(done.keys)} students collected, {len(set(done.keys) - before)} new.")
    if done.late:
        late = ", ".join(sorted(done.late))
        words = "Late, says the platform, which gives no time (a timestamp.txt counts)"
        screen.say(console, f"{words}: {late}.")
    for name, why in sorted(done.refused.items()):
        screen.say(console, f"Not collected: {name}, since {why}.")
    if done.refused:
        place = f"submitted/<student>/{task.name}/"
        screen.say(console, f"Copy by hand what you can read of these into {place}.")
    if done.others:
        others = screen.some(sorted(done.others))
        screen.say(console, f"Left out, since it is no notebook or nobody's: {others}.")
    raise typer.Exit(1 if done.refused else 0)


def hand_back(
    platform: Annotated[
        Platform, typer.Option("--for", help="Who takes the zip; folder: by student.")
    ],
    assignment: AssignmentsArgument = None,
    to: Annotated[
        Path | None, typer.Option(help="The zip to write; by default feedback-ASSIGNMENT.zip.")
    ] = None,
    course_folder: CourseOption = None,
) -> None:
    """Write everybody's feedback in one zip that Moodle, Canvas or ILIAS takes."""
    from referee.doors import batch

    with errors.in_one_line():
        tasks = shared.tasks(course_folder, assignment)
        graded = [task for task in tasks if batch.standings(task)]
        if not graded:
            raise _not_graded(assignment)
        if to is not None:
            shared.only_one(graded, "--to")
        for task in graded:
            _hand_back(task, platform, to or Path(f"feedback-{task.title}.zip"))


def _hand_back(task: course.Assignment, platform: Platform, file: Path) -> None:
    from referee.doors import batch, platforms, screen
    from referee.marks import groups_and_extensions, pages

    console = shared.console()
    shared.must_be_writable(file)
    standings = batch.standings(task)
    with console.status("Making the feedback ..."):
        made = {name: page for name, page in pages.make(task).items() if name in standings}
        shares = groups_and_extensions.sharing(task.root, task.name, made)
    whose = {person: made[owner] for owner, people in shares.items() for person in people}
    count, left_out = platforms.pack(task, platform, whose, file)
    screen.say(console, f"Wrote {file}: feedback for {count} students.")
    if left_out:
        names = screen.some(left_out)
        screen.say(console, f"Left out, since they were not collected from {platform}: {names}.")
    if gone := sorted(platforms.keys(task).keys() - whose.keys()):
        names = screen.some(gone)
        screen.say(console, f"Collected, and without feedback, since they have no marks: {names}.")
    if waiting := sum("?" in standings[name].mark for name in made):
        screen.say(console, f"A cell of {waiting} students still waits for a mark by hand.")


def _not_graded(assignment: str | None) -> course.CourseError:
    """Return the error that says that there is nothing to show or hand on."""
    from referee.course import CourseError

    command = " ".join(["referee grade", *([assignment] if assignment else [])])
    what = assignment or "any assignment"
    return CourseError(f"nothing of {what} was graded yet; run `{command}` first")
