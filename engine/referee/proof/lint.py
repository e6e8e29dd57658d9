"""Say what is wrong with an assignment before anybody is graded: a line each, with file and line.

What is wrong with hidden checks stops a grading, too. What is wrong around them costs nobody a
mark, and a grading only warns of it. Runs neither the checks nor the notebook.
"""

from collections.abc import Iterator
from typing import Any

from referee import intake
from referee.course import Assignment, CourseError, remake
from referee.intake import testcells
from referee.judging import session, suspension

SCHEME = "BEGIN MARK SCHEME"


def faults(assignment: Assignment) -> list[str]:
    """Return what is wrong with the hidden checks and the notebook."""
    try:
        markers = session.markers(assignment).values()
    except CourseError as error:
        lines = error.faults or [str(error)]
        messages = [one.replace(f"{assignment.root}/", "") for one in lines]
        return [*messages, *warnings(assignment)]
    unknown = suspension.misspelt(assignment, (marker["cell"] for marker in markers))
    cells = {testcells.short(name) for name in testcells.tests(assignment)}
    cells |= {marker["cell"] for marker in markers}
    return [
        *(f"{one['place']}: {unknown[one['cell']]}" for one in markers if one["cell"] in unknown),
        *(
            f"{_place(assignment, cell)}: no hidden check has {cell=}; without one a human marks it"
            for cell in suspension.graded(assignment)
            if cell not in cells
        ),
        *warnings(assignment),
    ]


def warnings(assignment: Assignment) -> Iterator[str]:
    """Yield what is wrong with the notebook."""
    if not assignment.source.is_file():
        return
    cells = intake.course_notebook(assignment.source).cells
    for cell in cells:
        data = cell.metadata.get("nbgrader", {})
        name = str(data.get("grade_id"))
        if SCHEME in cell.source and data and not data.get("task"):
            yield (
                f"{_place(assignment, name)}: there is a mark scheme in a cell that is no task, so "
                "no feedback can be made; make it a manually graded task"
            )
        gives_none = (data.get("grade") or data.get("task")) and not data.get("points")
        if gives_none and name not in testcells.tests(assignment):
            yield f"{_place(assignment, name)}: the cell has no points; give it more than 0"
    for name in testcells.unproved(assignment):
        yield (
            f"{_place(assignment, name)}: there is no solution before this test, so nobody knows "
            "whether it can be passed; write one into the source, and it is asked first"
        )
    if _kinds(cells) != _kinds(intake.course_notebook(assignment.release).cells):
        yield (
            f"{assignment.release.relative_to(assignment.root)}:1: its cells or points are not "
            f"those of the source; run {remake(assignment.name)}"
        )


def _kinds(cells: list[Any]) -> dict[str, list[Any]]:
    """Return what decides how the cells are graded that nbgrader knows, by their names."""
    fields = ("grade", "solution", "task", "points")
    tags = [cell.metadata.nbgrader for cell in cells if "nbgrader" in cell.metadata]
    return {str(data.get("grade_id")): [data.get(one) or 0 for one in fields] for data in tags}


def _place(assignment: Assignment, name: str) -> str:
    """Return the file, line and name of a cell of the source notebook."""
    lines = assignment.source.read_text("utf-8").splitlines()
    texts = f'"grade_id": "{name}"', f'"grade_id": "test_{name}"'
    places = (number for number, line in enumerate(lines, 1) if any(text in line for text in texts))
    return f"{assignment.source.relative_to(assignment.root)}:{next(places, 1)}: {name}"
