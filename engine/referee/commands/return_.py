"""`referee return`: feedback and marks for the platform that submissions came from."""

from pathlib import Path
from typing import Annotated

import typer

from referee import platforms
from referee.commands import shared, terminal
from referee.commands.terminal import some
from referee.course import Assignment
from referee.marks import exports, feedback_page, groups_and_extensions, standings, writer
from referee.model import Format, Platform, counted

NOBODY = (
    "Nothing was written: nobody of {} was collected from {}, which could give the feedback to "
    "none of them; `referee collect` its zip of submissions first, or write `--for folder`."
)
CANVAS = (
    "Canvas gives each page the name of the file that was handed in, .ipynb: tell students to "
    "rename it to .html."
)


def run(
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
            callback=shared.writable,
            dir_okay=False,
            help="The file to write; by default feedback-ASSIGNMENT.zip, or as the table is "
            "called, in the course's folder.",
        ),
    ] = None,
    course_folder: shared.CourseOption = None,
) -> int:
    """Write feedback for a platform, and marks as a table.

    Without --for and --table it writes the pages in feedback/, and the table of cells.
    """
    pages_too = platform is None and table is None
    table = Format.CELLS if pages_too else table
    tasks = shared.tasks_of_class(course_folder, assignment)
    with_marks = [task for task in tasks if feedback_page.graded(task) and standings.of(task)]
    if not with_marks and (platform or pages_too):
        raise shared.not_graded(assignment)
    if to:
        shared.only_one("--to", len(with_marks) * (platform is not None) + (table is not None))
    keys = [task.key for task in with_marks if platform and not platforms.knows(task, platform)]
    if keys:
        terminal.said([NOBODY.format(some(keys), platform)])
        return 1
    for task in with_marks:
        if platform:
            _pack(task, platform, to or shared.in_course(task.course, f"feedback-{task.title}.zip"))
        elif pages_too:
            place = task.course.folder("feedback").relative_to(task.root)
            pages = feedback_page.make(task, standings.of(task))
            terminal.said([f"{place}/*/{task.name}: the feedback of {len(pages)}."])
    if table is None:
        return 0
    kind, course = exports.TABLES[table], tasks[0].course
    file = to or shared.in_course(course, kind.file)
    names = list(dict.fromkeys(task.name for task in tasks))  # all in one table
    exporter = kind(
        config=course.configuration(), root=str(course.root), to=str(file), assignment=names
    )
    with writer.opened(tasks[0]) as writer_:
        if not any(one.submissions for one in exporter.assignments(writer_.book)):
            raise shared.not_graded(assignment)
        exporter.export(writer_.book)
    who = some(sorted(set(exporter.left_out)))
    lines = [f"Left out, since a cell waits for a mark by hand: {who}."] if who else []
    terminal.said([f"Wrote {file}.", *lines])
    return 0


def _pack(task: Assignment, platform: Platform, file: Path) -> None:
    """Write the feedback on one notebook; say who has none and why, and how many wait."""
    stand = standings.of(task)
    with terminal.console().status("Making the feedback ..."):
        pages = feedback_page.make(task, stand)
        owners = groups_and_extensions.owners(task.course, task.name, pages)
    groups = set[str]()  # whose folder the platform knows by the name of the group
    if platform is not Platform.FOLDER:
        groups = platforms.keys(task).keys() - owners.keys()
    by_name = {who if owner not in groups else owner: pages[owner] for who, owner in owners.items()}
    count, left_out = platforms.pack(task, platform, by_name, file)
    lines = [f"Wrote {file}: feedback for {counted(count, 'student')}."]
    if platform is Platform.CANVAS:
        lines.append(CANVAS)
    if left_out:
        lines.append(f"Left out, since they were not collected from {platform}: {some(left_out)}.")
    if missing := sorted(platforms.keys(task).keys() - by_name.keys()):
        names = some(missing)
        lines.append(f"Collected, and without feedback, since they have no marks: {names}.")
    if waiting := sum(bool(stand[name].waiting) for name in pages):
        lines.append(f"A cell of {counted(waiting, 'student')} still waits for a mark by hand.")
    terminal.said(lines)
