"""Say what is wrong with an assignment before anybody is graded: a line each, with file and line.

What is wrong with hidden checks stops a grading, too. What is wrong around them costs nobody a
mark, and a grading only warns of it. Runs neither the checks nor the notebook.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee import intake
from referee.course import Assignment, CourseError, remake
from referee.intake import testcells
from referee.judging import session, suspension

SCHEME = "BEGIN MARK SCHEME"


def faults(assignment: Assignment) -> list[str]:
    """Return what is wrong with the hidden checks and the notebook."""
    return [*_of_hidden_checks(assignment), *warnings(assignment)]


def _of_hidden_checks(assignment: Assignment) -> Iterator[str]:
    try:
        told = session.markers(assignment)
    except CourseError as error:
        faults = error.faults or [str(error)]
        yield from (fault.replace(f"{assignment.root}/", "") for fault in faults)
        return
    unknown = suspension.misspelt(assignment, (marker["cell"] for marker in told.values()))
    for marker in told.values():
        if said := unknown.get(marker["cell"]):
            yield f"{marker['place']}: {said}"
    asserts = {testcells.short(name) for name in testcells.tests(assignment)}
    asked = asserts | {marker["cell"] for marker in told.values()}
    for cell in suspension.graded(assignment):
        if cell not in asked:
            yield (
                f"{_place(assignment, cell)}: no hidden check has cell={cell!r}; without one a "
                "human marks it"
            )


def warnings(assignment: Assignment) -> Iterator[str]:
    """Yield what is wrong with the notebook."""
    if not assignment.source.is_file():
        return
    cells = _graded(assignment.source)
    for name, cell in cells.items():
        data = cell.metadata.nbgrader
        if SCHEME in cell.source and not data.get("task"):
            yield (
                f"{_place(assignment, name)}: there is a mark scheme in a cell that is no task, so "
                "no feedback can be made; make it a manually graded task"
            )
        if (data.get("grade") or data.get("task")) and not data.get("points"):
            yield f"{_place(assignment, name)}: the cell has no points; give it more than 0"
    for name in testcells.unproved(assignment):
        yield (
            f"{_place(assignment, name)}: there is no solution before this test, so nobody knows "
            "whether it can be passed; write one into the source, and it is asked first"
        )
    if _kinds(cells) != _kinds(_graded(assignment.release)):
        yield (
            f"{assignment.release.relative_to(assignment.root)}:1: its cells or points are not "
            f"those of the source; run {remake(assignment.name)}"
        )


def _graded(notebook: Path) -> dict[str, Any]:
    """Return the cells of a notebook that nbgrader knows, by their names."""
    cells = intake.course_notebook(notebook).cells
    known = [cell for cell in cells if "nbgrader" in cell.metadata]
    return {str(cell.metadata.nbgrader.get("grade_id")): cell for cell in known}


def _kinds(cells: dict[str, Any]) -> dict[str, list[Any]]:
    """Return what decides how the cells are graded."""
    fields = ("grade", "solution", "task", "points")
    found = cells.items()
    return {name: [cell.metadata.nbgrader.get(one) or 0 for one in fields] for name, cell in found}


def _place(assignment: Assignment, name: str) -> str:
    """Return the file, line and name of a cell of the source notebook."""
    lines = assignment.source.read_text("utf-8").splitlines()
    texts = f'"grade_id": "{name}"', f'"grade_id": "test_{name}"'
    found = (number for number, line in enumerate(lines, 1) if any(text in line for text in texts))
    return f"{assignment.source.relative_to(assignment.root)}:{next(found, 1)}: {name}"
