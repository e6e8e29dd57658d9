"""Read the submissions of other years, to compare a class with."""

from collections.abc import Iterable
from pathlib import Path

from referee import course, intake
from referee.course import Assignment, CourseError


def works(assignment: Assignment, folders: Iterable[Path]) -> dict[str, list[str]]:
    """Return the code cells of each work in some course folders, by folder and student."""
    found: dict[str, list[str]] = {}
    for folder in folders:
        if not (students := intake.students(folder, assignment.name)):
            raise CourseError(
                f"no folder {folder}/submitted/*/{assignment.name}; name a course folder of "
                "another year, with what was handed in then"
            )
        for name in students:
            place = course.folder(folder, "submitted") / name / assignment.name
            handed_in = intake.collect(place, assignment.notebook, assignment.others)
            accepted = intake.accept(assignment, handed_in)
            if accepted is not None and accepted.refused is None:
                cells = [cell.source for cell in accepted.cells]
                found[f"{folder.absolute().name}/{name}"] = cells
    return found
