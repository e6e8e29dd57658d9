"""Ask the reference solution first: a check that it does not pass says nothing about students."""

import functools

from referee import intake
from referee.course import Assignment, CourseError
from referee.judging import judge
from referee.model import CheckResult, Limits, Verdict
from referee.sandbox import zygote


def suspended(assignment: Assignment, limits: Limits) -> list[str]:
    """Return the checks that the instructor's own notebook does not pass.

    What is kept of it is not judged again. Where it is not at hand, as in a zip for Gradescope,
    there are none: what was packed was asked before.
    """
    found = results(assignment, limits)
    for check in found:
        if said := misspelt(assignment, check.cell):
            raise CourseError(f"tests/hidden/{assignment.name}/{check.id}: {said}")
    return [check.id for check in found if check.verdict is not Verdict.PASS]


def results(assignment: Assignment, limits: Limits) -> list[CheckResult]:
    """Return what the checks say of the instructor's own notebook, if it is at hand."""
    if not assignment.source.is_file():
        return []
    accepted = intake.accept_file(assignment, assignment.source.read_bytes())
    warm = functools.partial(zygote.warm, limits, assignment.subject)
    return judge.judged(assignment, accepted.cells, warm, limits).results


def misspelt(assignment: Assignment, cell: str) -> str:
    """Return what is wrong with the cell that a check names, or nothing."""
    cells = [*graded(assignment), *graded(assignment, by_hand=True)]
    if cell in cells:
        return ""
    return f"the notebook has no test cell for {cell=}; there are: {', '.join(cells)}"


def graded(assignment: Assignment, by_hand: bool = False) -> list[str]:
    """Return the cells of the released notebook that get points, by hidden checks or by hand."""
    found = [cell.metadata.get("nbgrader", {}) for cell in intake.released(assignment).cells]
    return [
        data["grade_id"].removeprefix("test_")
        for data in found
        if data.get("points") is not None
        and bool(data.get("task") or data.get("solution")) == by_hand
    ]
