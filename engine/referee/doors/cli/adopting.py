"""The commands that bring a course along which nbgrader graded until now."""

from pathlib import Path
from typing import Annotated

import typer

from referee.doors.cli import errors, shared
from referee.doors.cli.shared import AssignmentArgument, CourseOption

ADD = "This is added to {}:\n\n{}\nNothing else is changed; `referee adopt --undo` takes it out."
MISSING = "Not installed here, so no notebook can import it: {}. Install it with pip first."
OTHERS = (
    "Not written in Python, so `nbgrader autograde` grades them as before, outside of the sandbox, "
    "and `referee grade` leaves their marks alone: {}."
)
LEFT = (
    "nothing was written: the lines above can be asked in the student's process only, which can "
    "lie; move them into a test cell of their own, and {} can be hardened"
)
FAILS = (
    "nothing was written: your own solution does not pass the asserts of {} when they are asked "
    "from outside; write its hidden check by hand"
)
DONE = "Done. Grade with `referee grade ASSIGNMENT` or `nbgrader autograde ASSIGNMENT`."


def adopt(
    undo: Annotated[bool, typer.Option("--undo", help="Take out what this has added.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before it is written.")] = False,
    course_folder: CourseOption = None,
) -> None:
    """Let the referee grade the nbgrader course that you have: one block in its configuration."""
    from referee import course
    from referee.doors import adopt as adopting
    from referee.marks import files

    with errors.in_one_line():
        root = (course_folder or Path.cwd()).absolute()
        file = root / course.CONFIG
        text, missing = (adopting.without(root), []) if undo else adopting.adopted(root)
        if not undo:
            typer.echo(ADD.format(file, text[text.index(adopting.BEGIN) :]))
            if missing:
                typer.echo(MISSING.format(", ".join(missing)))
            if others := adopting.left(root):
                typer.echo(OTHERS.format(", ".join(others)))
            if not yes and not typer.confirm("Add it?"):
                raise typer.Exit(1)
        if text:
            files.save(file, text.encode())
        else:
            file.unlink(missing_ok=True)
    typer.echo("Taken out." if undo else DONE)


def harden(
    cell: Annotated[str, typer.Argument(help="The test cell, as its grade_id says.")],
    assignment: AssignmentArgument,
    course_folder: CourseOption = None,
) -> None:
    """Write the hidden check that asks from outside what a test cell's asserts ask."""
    from referee import course
    from referee.judging import suspension
    from referee.marks import files
    from referee.proof import harden as hardening

    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        limits = course.limits(task.root)
        made = hardening.hardened(task, cell)
        for one in made.left:
            typer.echo(f"  line {one.line}: {one.text}\n    {one.why}")
        if made.left:
            raise course.CourseError(LEFT.format(cell))
        made.file.parent.mkdir(parents=True, exist_ok=True)
        files.save(made.file, made.text.encode())
        failed = suspension.prepared(task, limits).answers.suspended
        if any(name.startswith(made.file.name) for name in failed):
            made.file.unlink()
            raise course.CourseError(FAILS.format(cell))
    typer.echo(f"Wrote {made.file}: the asserts of {cell} are asked from outside now.")
