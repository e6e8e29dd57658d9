"""Read works to compare a class with: the bank's right solutions, classes of other years."""

from collections.abc import Iterable
from pathlib import Path

from referee import intake
from referee.course import Assignment, CourseError
from referee.proof import bank


def works(assignment: Assignment, archive: Iterable[Path]) -> dict[str, list[str]]:
    """Return the code cells of each, by a name that says where it is from."""
    right = [one for one in bank.read_all(assignment) if one.kind == "right"]
    found = {f"bank/{one.name}": [source for _, source in one.sections] for one in right}
    for folder in archive:
        if not (students := intake.students(folder, assignment.name)):
            raise CourseError(
                f"no folder {folder}/submitted/*/{assignment.name}; name a course folder of "
                "another year, with what was handed in then"
            )
        for name in students:
            place = folder / "submitted" / name / assignment.name
            handed_in = intake.collect(place, assignment.notebook, assignment.others)
            accepted = intake.accept(assignment, handed_in)
            if accepted is not None and accepted.refused is None:
                cells = [cell.source for cell in accepted.cells]
                found[f"{folder.absolute().name}/{name}"] = cells
    return found
