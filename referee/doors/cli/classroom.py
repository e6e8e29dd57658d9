"""The commands that show a graded class and hand its marks on."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from referee import course, intake
from referee.doors import platforms, screen
from referee.doors.cli import errors, shared
from referee.doors.cli.shared import CourseOption
from referee.marks import files, records
from referee.model import Format


def report(
    assignment: Annotated[str, typer.Argument(help="The assignment that was graded.")],
    html: Annotated[
        Path | None,
        typer.Option(help="Write the page to this file; by default report-ASSIGNMENT.html."),
    ] = None,
    archive: Annotated[
        list[Path] | None,
        typer.Option(help="Compare also with another year's course folder; may be repeated."),
    ] = None,
    course_folder: CourseOption = None,
) -> None:
    """Show the class at a glance: points, checks, misconceptions, on one page for instructors."""
    from referee.doors import batch, known  # they load nbgrader, the page matplotlib: it takes long
    from referee.report.page import page

    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        results = records.get(task.root, task.key)
        if not results:
            raise course.CourseError(
                f"nothing of {assignment} was graded yet, so there is nothing to report; "
                f"run `referee grade {assignment}`"
            )
        file = html or task.root / f"report-{task.title}.html"
        shared.must_be_writable(file)
        handed_in = intake.students(task.root, task.name)
        others = known.works(task, archive or [])
        stale = batch.stale(task, results)
        text = page(task, results, handed_in, batch.standings(task), stale, others)
        files.save(file, text.encode())
    typer.echo(f"{len(results)} students: {file}")


def export(
    assignment: Annotated[str, typer.Argument(help="The assignment to export.")],
    table: Annotated[
        Format, typer.Option("--format", help="Which table to write, as CSV.")
    ] = Format.CELLS,
    to: Annotated[
        Path | None, typer.Option(help="The file; by default named as the table.")
    ] = None,
    course_folder: CourseOption = None,
) -> None:
    """Write the marks for a spreadsheet, Canvas or Moodle."""
    from referee.marks import enter, exports  # nbgrader takes long to load

    console = Console()
    with errors.in_one_line():
        task = course.find_parts(shared.root(course_folder), assignment)[0]
        kind = exports.TABLES[table]
        file = to or Path(kind.file)
        shared.must_be_writable(file)
        exporter = kind(
            config=course.configuration(task.root),
            root=str(task.root),
            to=str(file),
            assignment=[task.name],
        )
        with enter.opened(task) as writer:
            if not writer.book.find_assignment(task.name).submissions:
                raise course.CourseError(
                    f"nothing was graded yet; run `referee grade {assignment}` first"
                )
            exporter.export(writer.book)
    console.print(f"Wrote {file}.", markup=False, highlight=False)
    if exporter.left_out:
        names = ", ".join(exporter.left_out)
        console.print(f"Left out, since a cell waits for a mark by hand: {names}.", markup=False)


def collect(
    assignment: Annotated[str, typer.Argument(help="The assignment that was handed in.")],
    file: Annotated[Path, typer.Argument(help="The zip with all submissions.")],
    course_folder: CourseOption = None,
) -> None:
    """Take the notebooks out of the zip that Moodle, Canvas or ILIAS gives, into submitted/."""
    console = Console()
    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        before = set(platforms.keys(task))
        done = platforms.collect(task, file)
    screen.say(console, f"{len(done.keys)} students collected, {len(set(done.keys) - before)} new.")
    for words, names in (
        ("Late, says the platform, which gives no time (a timestamp.txt counts)", done.late),
        ("Not collected, since no student can be called that", done.refused),
        ("Left out, since it is no notebook or nobody's", done.others),
    ):
        if names:
            screen.say(console, f"{words}: {', '.join(sorted(names))}.")
    raise typer.Exit(1 if done.refused else 0)


def hand_back(
    assignment: Annotated[str, typer.Argument(help="The assignment that was graded.")],
    platform: Annotated[
        platforms.Platform, typer.Option("--for", help="Who takes the zip; folder: by student.")
    ],
    to: Annotated[
        Path | None, typer.Option(help="The zip to write; by default feedback-ASSIGNMENT.zip.")
    ] = None,
    course_folder: CourseOption = None,
) -> None:
    """Write everybody's feedback in one zip that Moodle, Canvas or ILIAS takes."""
    from referee.doors import batch  # they load nbgrader, which takes long
    from referee.marks import pages

    console = Console()
    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        file = to or Path(f"feedback-{task.title}.zip")
        shared.must_be_writable(file)
        standings = batch.standings(task)
        if not standings:
            raise course.CourseError(
                f"nothing of {assignment} was graded yet; run `referee grade {assignment}` first"
            )
        with console.status("Making the feedback ..."):
            made = {name: page for name, page in pages.make(task).items() if name in standings}
        count, left_out = platforms.pack(task, platform, made, file)
    screen.say(console, f"Wrote {file}: feedback for {count} students.")
    if left_out:
        names = ", ".join(left_out)
        screen.say(console, f"Left out, since they were not collected from {platform}: {names}.")
    if waiting := sum("?" in standings[name].mark for name in made):
        screen.say(console, f"A cell of {waiting} students still waits for a mark by hand.")
