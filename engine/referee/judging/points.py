"""Add up the points of a judged notebook."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec

from referee import intake
from referee.course import Assignment
from referee.judging import testcells
from referee.model import CellMark, CheckResult, Judged, Report, Verdict

SUSPENDED = "The reference solution does not pass this check."


def report(assignment: Assignment, accepted: intake.Intake, judged: Judged) -> Report:
    """Add up the points of a judged notebook; checks that are suspended count for nobody."""
    checks, suspended = judged.results, assignment.answers.suspended
    for place, one in enumerate(checks):
        if one.id in suspended:
            checks[place] = msgspec.structs.replace(
                one, verdict=Verdict.REFEREE_ERROR, points=0, message=SUSPENDED, hint="",
                details=suspended[one.id],
            )  # fmt: skip
    if accepted.refused is not None:
        why = f"The file could not be read: {accepted.refused}."
        checks = [
            msgspec.structs.replace(check, verdict=Verdict.NOT_RUN, points=0, message=why, hint="")
            for check in checks
        ]
    explained = judged.explained.values() if accepted.refused is None else []
    graded = [
        cell.metadata.nbgrader
        for cell in accepted.notebook.cells
        if cell.metadata.get("nbgrader", {}).get("points") is not None
    ]
    by_hand = {data.grade_id for data in graded if data.get("task") or data.get("solution")}
    marks = [_mark(data, data.grade_id in by_hand, checks) for data in graded]
    counted = [mark for mark in marks if mark.grade_id not in by_hand]
    return Report(
        assignment=assignment.key,
        score=sum(mark.score or 0 for mark in counted),
        max_score=sum(mark.max_score for mark in counted),
        cells=marks,
        checks=list(_in_points(checks, marks)),
        repairs=accepted.repairs,
        explanations=[one for one in explained if one.misconception or one.example],
        trouble=[one.trouble for one in explained if one.trouble],
        isolation=judged.isolation,
        costs=judged.costs,
        failures=list(_failures(accepted, judged)),
        refused=accepted.refused,
    )


def _failures(accepted: intake.Intake, judged: Judged) -> Iterator[str]:
    """Yield a line for each cell that ended in an error, or has changed a library."""
    cells, pages = accepted.cells, intake.runnable(accepted.notebook, accepted.tests)
    changing = testcells.changing(cells)
    for (_, page), cell, run in zip(pages, cells, judged.runs or [], strict=True):
        if run.error:
            yield f"{cell.label}: {run.error}"
        if cell.label in changing and not page.metadata.get("nbgrader", {}).get("locked"):
            yield f"{cell.label}: {testcells.CHANGING}"


def _in_points(checks: list[CheckResult], marks: list[CellMark]) -> Iterator[CheckResult]:
    """Yield the checks with their shares of the most points of their cells, as marks have them."""
    totals = defaultdict[str, float](float)
    for check in checks:
        totals[check.cell] += check.max_points
    most = {mark.cell: mark.max_score for mark in marks}
    for check in checks:
        total = totals[check.cell]
        if total in (0, most.get(check.cell, total)):
            yield check
            continue
        shares = check.points, check.max_points
        points, mine = (round(share * most[check.cell] / total, 4) for share in shares)
        yield msgspec.structs.replace(check, points=points, max_points=mine)


def _mark(data: Any, by_hand: bool, checks: list[CheckResult]) -> CellMark:
    """Add up the checks of a graded cell; its points in the notebook are shared among them.

    A cell is left to a human if it is graded by hand or if a check has failed itself or asks
    for one.
    """
    name = data.grade_id
    own = [check for check in checks if check.id == name]
    cell = name if own else name.removeprefix("test_")
    mine = own or [check for check in checks if check.cell == cell]
    unclear = not mine or any(check.verdict.open or check.waits for check in mine)
    if by_hand or unclear:
        return CellMark(name, cell, None, data.points, needs_manual_grade=True)
    share = sum(check.points for check in mine) / (sum(check.max_points for check in mine) or 1)
    return CellMark(
        name, cell, round(data.points * share, 4), data.points, needs_manual_grade=False
    )
