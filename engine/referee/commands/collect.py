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
        done = platforms.collect(task, file, names)
        terminal.said([f"{task.notebook}:"] if len(tasks) > 1 else [])
        terminal.said(_lines(task.name, done, len(done.keys.keys() - before)))
        refused = refused or bool(done.refused)
    return 1 if refused else 0


def _lines(name: str, done: platforms.Collected, new: int) -> Iterator[str]:
    yield f"{counted(len(done.people), 'student')} collected, {new} new."
    if done.replaced:
        yield f"The notebook that was there, replaced by the zip's: {some(sorted(done.replaced))}."
    if done.late:
        words = "Late, says the platform, which gives no time (a timestamp.txt counts)"
        yield f"{words}: {', '.join(sorted(done.late))}."
    if done.zone:
        words = f"The times in the names are taken as {done.zone} (c.Exchange.timezone)"
        yield f"{words}, and written into timestamp.txt."
    if done.timeless:
        people = some(sorted(done.timeless))
        yield f"Their time cannot be read, put it into timestamp.txt: {people}."
    if done.without:
        held = (
            f"{name} ({', '.join(files) or 'an empty folder'})"
            for name, files in sorted(done.without.items())
        )
        yield f"Without a notebook: {some([*held])}."
    for student, why in sorted(done.refused.items()):
        yield f"Not collected: {student}, since {why}."
    if done.refused:
        yield f"Copy by hand what you can read of these into submitted/<student>/{name}/."
    if done.others:
        others = some(sorted(done.others))
        yield f"Left out, since it is nobody's: {others}."
