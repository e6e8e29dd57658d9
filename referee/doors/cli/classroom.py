"""The commands that show a graded class and hand its marks on."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from referee import course, intake
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
    course_folder: CourseOption = None,
) -> None:
    """Show the class at a glance: points, checks, misconceptions, on one page for instructors."""
    from referee.report.page import page  # draws with matplotlib, which takes long to load

    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        results = records.get(task.root, assignment)
        if not results:
            raise course.CourseError(
                f"nothing of {assignment} was graded yet, so there is nothing to report; "
                f"run `referee grade {assignment}`"
            )
        file = html or task.root / f"report-{assignment}.html"
        shared.must_be_writable(file)
        text = page(task, results, intake.students(task.root, assignment))
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
        task = shared.assignment(course_folder, assignment)
        kind = exports.TABLES[table]
        file = to or Path(kind.file)
        shared.must_be_writable(file)
        exporter = kind(
            config=course.configuration(task.root),
            root=str(task.root),
            to=str(file),
            assignment=[assignment],
        )
        with enter.opened(task) as writer:
            if not writer.book.find_assignment(assignment).submissions:
                raise course.CourseError(
                    f"nothing was graded yet; run `referee grade {assignment}` first"
                )
            exporter.export(writer.book)
    console.print(f"Wrote {file}.", markup=False, highlight=False)
    if exporter.left_out:
        names = ", ".join(exporter.left_out)
        console.print(f"Left out, since a cell waits for a mark by hand: {names}.", markup=False)
