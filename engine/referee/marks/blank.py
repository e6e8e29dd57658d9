"""Give 0 for a cell for a human that was left as released, if the course says so.

A blank cell still waits for a human where the student has written anything that stands in no cell
for an answer: it may be this one.
"""

import msgspec

from referee.course import Assignment
from referee.model import CellMark, Report


def zeroed(assignment: Assignment, report: Report, unanswered: set[str]) -> Report:
    """Return the report with 0 for the `unanswered` cells, if `c.Course.blank_is_zero` says so."""
    if report.refused is not None or not assignment.course.settings.blank_is_zero:
        return report
    cells = [_mark(one, unanswered) for one in report.cells]
    return msgspec.structs.replace(report, cells=cells)


def _mark(mark: CellMark, blank: set[str]) -> CellMark:
    if mark.score is not None or mark.grade_id not in blank:
        return mark
    return msgspec.structs.replace(mark, score=0.0, needs_manual_grade=False)


def cells(report: Report) -> list[str]:
    """Return the cells of a report that have 0 because they are blank: no check gave it."""
    checked = {check.cell for check in report.checks}
    return [mark.grade_id for mark in report.cells if mark.score == 0 and mark.cell not in checked]
