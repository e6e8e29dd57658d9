"""Ask the reference solution first: a check that it does not pass says nothing about students."""

import functools

from referee import intake
from referee.course import Assignment, CourseError
from referee.intake import asserts
from referee.judging import judge
from referee.model import CheckResult, Judged, Limits, Verdict
from referee.sandbox import zygote


def suspended(assignment: Assignment, limits: Limits) -> tuple[Assignment, dict[str, str]]:
    """Return the checks that the instructor's own notebook does not pass, and why.

    With them comes the assignment that knows which questions this notebook answers with plain data
    only: there an object of a student's is none of what is asked for. What is kept of the notebook
    is not judged again. Where it is not at hand, as in a zip for Gradescope, the assignment stays
    as it was and there are no such checks: what was packed was asked before.
    """
    judged = _judged(assignment, limits)
    if judged is None:
        return assignment, {}
    for check in judged.results:
        if "::" in check.id and (said := misspelt(assignment, check.cell)):
            raise CourseError(f"tests/hidden/{assignment.key}/{check.id}: {said}")
    objects = {path for one in judged.seen.values() for path, data in one.items() if not data}
    data = {path for one in judged.seen.values() for path in one} - objects
    failed = {one.id: _why(one) for one in judged.results if one.verdict is not Verdict.PASS}
    for name in asserts.unproved(assignment):  # it shows nothing that they fail without a solution
        failed.pop(name, None)
    return assignment._replace(data=tuple(sorted(data))), failed


def _why(check: CheckResult) -> str:
    """Return in a line why the instructor's own notebook does not pass a check."""
    lines = (check.details or check.message or "an assert without a message fails").splitlines()
    told = next((line for line in lines if line.startswith("E ")), lines[0])
    return told.removeprefix("E ").strip().rstrip(".")


def results(assignment: Assignment, limits: Limits) -> list[CheckResult]:
    """Return what the checks say of the instructor's own notebook, if it is at hand."""
    judged = _judged(assignment, limits)
    return judged.results if judged else []


def _judged(assignment: Assignment, limits: Limits) -> Judged | None:
    """Judge the instructor's own notebook, whose objects may be anywhere."""
    if not assignment.source.is_file():
        return None
    asked = assignment._replace(student="", data=())
    accepted = intake.accept_file(asked, asked.source.read_bytes())
    warm = functools.partial(zygote.warm, limits, asked.subject)
    return judge.judged(asked, accepted.cells, warm, limits)


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
