"""`referee adopt`: a course that nbgrader graded until now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.commands import errors, shared

if TYPE_CHECKING:
    from rich.console import Console

ADD = "This is added to {}:\n\n{}\nBesides, .gitignore gets lines on what is about persons."
IGNORED = (
    "What is about persons is named in .gitignore now; what git knows already stays in its history."
)
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
TOGETHER = "name an assignment and a test cell of it: `referee adopt ASSIGNMENT --harden CELL`"
DONE = (
    "Done. Grade with `referee grade ASSIGNMENT` or `nbgrader autograde ASSIGNMENT`; `referee "
    "audit ASSIGNMENT` tells how good its tests are."
)


def adopt(
    assignment: Annotated[
        str | None,
        typer.Argument(
            help="The assignment of the cell to harden; without one the course is adopted.",
            show_default=False,
        ),
    ] = None,
    harden: Annotated[
        str | None,
        typer.Option(
            metavar="CELL",
            help="Write the hidden check that asks what this test cell of the assignment asks.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write it without a question.")] = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Let the referee grade an nbgrader course that you have."""
    from referee.course import CourseError

    console = shared.console(soft_wrap=True)
    with errors.in_one_line():
        if (assignment is None) != (harden is None):
            raise CourseError(TOGETHER)
        if assignment and harden:
            _harden(console, course_folder, assignment, harden)
        else:
            _adopt(console, (course_folder or Path.cwd()).absolute(), yes)


def _adopt(console: Console, root: Path, yes: bool) -> None:
    """Show what adopting a course means; leave the block in its configuration after a yes."""
    from referee import course
    from referee.commands import terminal as show
    from referee.doors import adopt as adopting
    from referee.marks import files, ignored

    file = root / course.CONFIG
    block, missing = adopting.block(root)
    show.say(console, ADD.format(file, block))
    if missing:
        show.say(console, MISSING.format(", ".join(missing)))
    if others := adopting.left(root):
        show.say(console, OTHERS.format(", ".join(others)))
    there = file.is_file()
    before = file.read_bytes() if there else b""
    files.save(file, before + b"\n" * there + block.encode())
    kept = False
    try:
        with console.status("Asking the tests of your own solution ..."):
            lines = list(adopting.proved(root))
        for line in lines:
            show.say(console, line)
        if not yes and not typer.confirm("Keep it?"):
            raise typer.Exit(1)
        kept = True
    finally:
        if not kept and there:
            files.save(file, before)
        elif not kept:
            file.unlink()
    if ignored.add(root):
        show.say(console, IGNORED)
    show.say(console, DONE)


def _harden(console: Console, course_folder: Path | None, assignment: str, cell: str) -> None:
    """Write the hidden check that asks from outside what a test cell's asserts ask."""
    from referee import course
    from referee.commands import terminal as show
    from referee.judging import suspension
    from referee.marks import files
    from referee.proof import harden as hardening

    task = shared.assignment(course_folder, assignment)
    limits = course.limits(task.root)
    made = hardening.hardened(task, cell)
    for one in made.left:
        show.say(console, f"  line {one.line}: {one.text}\n    {one.why}")
    if made.left:
        raise course.CourseError(LEFT.format(cell))
    made.file.parent.mkdir(parents=True, exist_ok=True)
    files.save(made.file, made.text.encode())
    failed = suspension.prepared(task, limits).answers.suspended
    if any(name.startswith(made.file.name) for name in failed):
        made.file.unlink()
        raise course.CourseError(FAILS.format(cell))
    show.say(console, f"Wrote {made.file}: the asserts of {cell} are asked from outside now.")
