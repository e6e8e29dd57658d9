"""`referee release`: what students get, made from the source, also after grading."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.commands import errors, shared

CHANGES = "What changes for those who have handed {} in:"
DONE = "{} is made."
NEXT = "Next: `referee grade {}`."


def release(
    assignment: Annotated[str, typer.Argument(help="The assignment.")],
    yes: Annotated[bool, typer.Option("--yes", help="Change marks without a question.")] = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Make what students get; marks of cells that stay are kept.

    Marks by hand follow the points of the items in the source's mark schemes.
    """
    from referee import course
    from referee.commands import terminal as show
    from referee.marks import release as releasing

    console, told = shared.console(soft_wrap=True), list[str]()

    def agrees(lines: list[str]) -> bool:
        show.say(console, CHANGES.format(assignment))
        for line in lines:
            show.say(console, f"  {line}")
        told.extend(lines)
        return yes or typer.confirm("Make it?")

    with errors.in_one_line():
        root = shared.root(course_folder)
        with shared.lock(root, assignment, f"releasing {assignment}"):
            if not releasing.make(root, assignment, agrees):
                raise typer.Exit(1)
        place = (course.folder(root, "release") / assignment).relative_to(root)
        show.say(console, DONE.format(place))
        if told:
            show.say(console, NEXT.format(assignment))
