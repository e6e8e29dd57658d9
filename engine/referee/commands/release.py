"""`referee release`: what students get, made from the source, also after grading."""

from typing import Annotated

import typer

from referee import course
from referee.commands import shared, terminal
from referee.marks import release


def run(
    assignment: Annotated[str, typer.Argument(help="The assignment.")],
    yes: Annotated[bool, typer.Option("--yes", help="Change marks without a question.")] = False,
    course_folder: shared.CourseOption = None,
) -> int:
    """Make what students get; marks of cells that stay are kept.

    Marks by hand follow the points of the items in the source's mark schemes.
    """
    root, changes = shared.root(course_folder), list[str]()

    def agrees(lines: list[str]) -> bool:
        changes.extend(lines)
        told = (f"  {line}" for line in lines)
        terminal.said([f"What changes for those who have handed {assignment} in:", *told])
        return yes or typer.confirm("Make it?")

    with shared.lock(root, assignment, f"releasing {assignment}"):
        if not release.make(root, assignment, agrees):
            return 1
    place = (course.folder(root, "release") / assignment).relative_to(root)
    following = [f"Next: `referee grade {assignment}`."] if changes else []
    terminal.said([f"{place} is made.", *following])
    return 0
