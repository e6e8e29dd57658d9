"""Tell why a student has these marks, from what is stored."""

from shlex import quote

import msgspec

from referee import grading as batch
from referee import intake
from referee.course import Assignment, CourseError
from referee.marks import grade_log
from referee.model import CheckResult, Record
from referee.proof import replay


class CellReasons(msgspec.Struct):
    """A cell's points, automatic and by hand, and what each of its checks has said."""

    cell: str
    score: float | None
    by_hand: float | None
    max_score: float
    checks: list[CheckResult]
    waits: bool = False


class Reasons(msgspec.Struct):
    """All that has made a student's marks of a notebook: the fields are its JSON.

    `score` is what counts: by hand where there is a mark by hand, plus `extra` points, less
    the `penalty` for being late; `waits` tells whether a human still has to look.
    """

    assignment: str
    student: str
    score: float
    max_score: float
    extra: float
    penalty: float
    waits: bool
    handed_in: str | None
    seconds_late: float
    extension: str
    judged: str
    notes: list[str]
    cells: list[CellReasons]
    changes: list[grade_log.Change]


def reasons(assignment: Assignment, student: str) -> Reasons:
    """Return why a student has these marks; CourseError if nothing is stored of them."""
    record = _record(assignment, student)
    report = record.report
    standing = batch.standings(assignment).get(student)
    if standing is None:
        raise CourseError(
            f"the gradebook has no marks of {student} for {assignment.name}; "
            f"`referee grade {quote(assignment.name)}` enters them"
        )
    cells = [
        CellReasons(
            mark.grade_id,
            standing.scores.get(mark.grade_id, mark.score),
            standing.by_hand.get(mark.grade_id),
            mark.max_score,
            [check for check in report.checks if check.cell == mark.cell],
            mark.grade_id in standing.waiting,
        )
        for mark in report.cells
    ]
    refused = [f"The file could not be read: {report.refused}."] if report.refused else []
    log = grade_log.changes(assignment.root, assignment.key)
    return Reasons(
        assignment=assignment.key,
        student=student,
        score=standing.final,
        max_score=sum(cell.max_score for cell in cells),
        extra=standing.extra,
        penalty=standing.penalty,
        waits=standing.waits,
        handed_in=record.timestamp,
        seconds_late=record.seconds_late,
        extension=record.until,
        judged=record.when,
        notes=[*refused, *(f"Repaired: {one}." for one in report.repairs), *report.failures],
        cells=cells,
        changes=[one for one in log if one.student == student],
    )


def _record(assignment: Assignment, student: str) -> Record:
    """Return what is stored of a student; CourseError if it is nothing, or left to nbgrader."""
    if left := intake.other_language(assignment):
        raise CourseError(left)
    return replay.entered(assignment, student)
