"""`referee release`: what students get, made from the source, also after grading."""

from typing import Annotated

import typer

from referee.commands import shared, terminal
from referee.course import Course
from referee.marks import release


def run(
    assignment: shared.AssignmentsArgument = None,
    yes: Annotated[bool, typer.Option("--yes", help="Change marks without a question.")] = False,
    course_folder: shared.CourseOption = None,
) -> int:
    """Make what students get; marks of cells that stay are kept.

    Marks by hand follow the points of the items in the source's mark schemes.
    """
    course = shared.course(course_folder)
    names = [assignment] if assignment else course.assignments
    rest = [name for name in names if not _make(course, name, yes)]
    return 1 if rest else 0


def _make(course: Course, name: str, yes: bool) -> bool:
    """Make one release, and say so, if somebody agrees to what it changes."""
    changes = list[str]()

    def agrees(lines: list[str]) -> bool:
        changes.extend(lines)
        rows = (f"  {line}" for line in lines)
        terminal.said([f"What changes for those who have handed {name} in:", *rows])
        return yes or typer.confirm("Make it?")

    with shared.alone(course, [name], f"releasing {name}"):
        if not release.make(course, name, agrees):
            return False
    place = (course.folder("release") / name).relative_to(course.root)
    following = [f"Next: `referee grade {name}`."] if changes else []
    terminal.said([f"{place} is made.", *following])
    return True
