"""`referee collect`: unpack submissions from a platform into the folder submitted/."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from referee import platforms
from referee.commands import shared, terminal
from referee.commands.terminal import some
from referee.model import counted


def run(
    assignment: shared.AssignmentArgument,
    file: Annotated[Path, typer.Argument(help="The zip with all submissions.")],
    names: Annotated[
        str | None,
        typer.Option(
            help="How files are named, if the zip does not tell: moodle, canvas, ilias, "
            "blackboard, brightspace, google, or a regular expression with the groups student_id "
            "and, if you like, timestamp and file_id."
        ),
    ] = None,
    course_folder: shared.CourseOption = None,
) -> int:
    """Unpack a platform's zip of all submissions into submitted/."""
    refused = False
    for task in (tasks := shared.tasks(course_folder, assignment)):
        before = platforms.keys(task).keys()
        batch = platforms.collect(task, file, names)
        terminal.said([f"{task.notebook}:"] if len(tasks) > 1 else [])
        terminal.said(_lines(task.name, batch, len(batch.keys.keys() - before)))
        refused = refused or bool(batch.refused)
    return 1 if refused else 0


def _lines(name: str, batch: platforms.Batch, new: int) -> Iterator[str]:
    yield f"{counted(len(batch.people), 'student')} collected, {new} new."
    if batch.replaced:
        yield f"The notebook that was there, replaced by the zip's: {some(sorted(batch.replaced))}."
    if batch.late:
        words = "Late, says the platform, which gives no time (a timestamp.txt counts)"
        yield f"{words}: {', '.join(sorted(batch.late))}."
    if batch.zone:
        words = f"The times in the names are taken as {batch.zone} (c.Exchange.timezone)"
        yield f"{words}, and written into timestamp.txt."
    if batch.timeless:
        people = some(sorted(batch.timeless))
        yield f"Their time cannot be read, put it into timestamp.txt: {people}."
    if batch.without:
        students = (
            f"{name} ({', '.join(files) or 'an empty folder'})"
            for name, files in sorted(batch.without.items())
        )
        yield f"Without a notebook: {some([*students])}."
    for student, why in sorted(batch.refused.items()):
        yield f"Not collected: {student}, since {why}."
    if batch.refused:
        yield f"Copy by hand what you can read of these into submitted/<student>/{name}/."
    if batch.others:
        others = some(sorted(batch.others))
        yield f"Left out, since it is nobody's: {others}."
