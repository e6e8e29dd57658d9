"""`referee release`: what students get, made from the source, also after grading."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.doors.cli import errors, shared

CHANGES = "What changes for those who have handed {} in:"
DONE = "{} is made."
NEXT = "Next: `referee grade {}`."


def release(
    assignment: Annotated[
        str, typer.Argument(help="The assignment.", autocompletion=shared.assignment_names)
    ],
    renamed: Annotated[
        list[str] | None,
        typer.Option(metavar="OLD=NEW", help="A cell that has another name now; may be repeated."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Change marks without a question.")] = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Make what students get from the source; marks of cells that stay are kept."""
    from referee import course
    from referee.doors import release as releasing
    from referee.doors import show

    console, told = shared.console(soft_wrap=True), list[str]()

    def agrees(lines: list[str]) -> bool:
        show.say(console, CHANGES.format(assignment))
        for line in lines:
            show.say(console, f"  {line}")
        told.extend(lines)
        return yes or typer.confirm("Make it?")

    with errors.in_one_line():
        root = shared.root(course_folder)
        names = dict(_pair(one) for one in renamed or ())
        with shared.lock(root, assignment, f"releasing {assignment}"):
            if not releasing.make(root, assignment, agrees, names):
                raise typer.Exit(1)
        place = (course.folder(root, "release") / assignment).relative_to(root)
        show.say(console, DONE.format(place))
        if told:
            show.say(console, NEXT.format(assignment))


def _pair(text: str) -> tuple[str, str]:
    """Return the old and the new name of a cell from an option."""
    from referee.course import CourseError

    old, _, new = text.partition("=")
    if not (old and new):
        raise CourseError(f"--renamed {text}: write the old name, =, and the new name of a cell")
    return old, new
