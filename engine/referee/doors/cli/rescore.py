"""`referee rescore`: marks by hand follow the items of a mark scheme."""

from typing import Annotated

import typer

from referee.doors.cli import errors, shared


def rescore(
    assignment: shared.AssignmentArgument,
    preview: Annotated[bool, typer.Option("--preview", help="Show it, and write nothing.")] = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Move marks by hand whose items have other points in the source's mark scheme, or are gone."""
    from referee.doors.show import classroom
    from referee.marks.rescore import rescore as move

    with errors.in_one_line():
        found = move(shared.assignment(course_folder, assignment), preview)
    classroom.rescored(shared.console(None), found, preview)
    raise typer.Exit(1 if any(one.refused for one in found) else 0)
