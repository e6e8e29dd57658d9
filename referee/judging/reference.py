"""Ask the reference solution first: a check that it does not pass says nothing about students."""

import functools

from referee import intake
from referee.course import Assignment, CourseError
from referee.judging import judge
from referee.model import Limits, Verdict
from referee.sandbox import zygote


def suspended(assignment: Assignment, limits: Limits) -> list[str]:
    """Return the checks that the instructor's own notebook does not pass.

    What is kept of it is not judged again. Where it is not at hand, as in a zip for Gradescope,
    there are none: what was packed was asked before.
    """
    if not assignment.source.is_file():
        return []
    accepted = intake.accept_file(assignment, assignment.source.read_bytes())
    warm = functools.partial(zygote.warm, limits, assignment.subject)
    judged = judge.judged(assignment, accepted.cells, warm, limits)
    cells = [*graded(assignment), *graded(assignment, by_hand=True)]
    for check in judged.results:
        if check.cell not in cells:
            raise CourseError(
                f"tests/hidden/{assignment.name}/{check.id}: the notebook has no test cell for "
                f"cell={check.cell!r}; there are: {', '.join(cells)}"
            )
    return [check.id for check in judged.results if check.verdict is not Verdict.PASS]


def graded(assignment: Assignment, by_hand: bool = False) -> list[str]:
    """Return the cells of the released notebook that get points, by hidden checks or by hand."""
    found = [cell.metadata.get("nbgrader", {}) for cell in intake.released(assignment).cells]
    return [
        data["grade_id"].removeprefix("test_")
        for data in found
        if data.get("points") is not None
        and bool(data.get("task") or data.get("solution")) == by_hand
    ]
