"""Name what commands write as JSON for other programs; `docs/reference/json.md` tells it all."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from referee.marks import files

if TYPE_CHECKING:  # they load nbgrader
    from referee.doors import batch
    from referee.marks.gradebook import Standing
    from referee.proof import audit, replay


STANDARD = Path("-")  # standard output


class Student(msgspec.Struct):
    """A student of a class that was graded."""

    student: str
    automatic: float | None
    mark: float | None
    open: bool
    why: list[str]
    before: float | None
    entered: bool
    problem: str | None


class Graded(msgspec.Struct):
    """A notebook of the class, as `grade` has left it."""

    assignment: str
    max_score: float
    students: list[Student]
    without_folder: list[str]
    stale: list[str]
    edited: bool
    for_nothing: list[str]

    @property
    def well(self) -> bool:
        """Return whether nobody has to look at anything."""
        amiss = self.edited or self.for_nothing or any(one.problem for one in self.students)
        return not amiss


class Solution(msgspec.Struct):
    """A solution of the bank, and what became of its checks."""

    solution: str
    kind: str
    verdicts: dict[str, str]
    problems: list[str]


class Audited(msgspec.Struct):
    """A notebook whose checks were put to the test by `audit`."""

    assignment: str
    solutions: list[Solution]
    gaps: list[str]
    moved: list[str]

    @property
    def well(self) -> bool:
        """Return whether the checks have done all that they must."""
        return not (self.gaps or self.moved or any(one.problems for one in self.solutions))


class Machine(msgspec.Struct):
    """What `doctor` has found."""

    shut_off: bool
    layers: list[str]
    missing: list[str]


class Status(msgspec.Struct):
    """How far a notebook of the class has come: who is where."""

    assignment: str
    handed_in: list[str]
    graded: list[str]
    to_grade: list[str]
    stale: list[str]
    by_hand: list[str]


class Check(msgspec.Struct):
    """A check that was asked again; no verdict `now` where it is not asked any more."""

    check: str
    before: str
    now: str | None
    same: bool


class Replayed(msgspec.Struct):
    """A result that was judged again by `replay`."""

    assignment: str
    student: str
    checks: list[Check]


WRITTEN: dict[str, Any] = {  # by command
    "grade": list[Graded],
    "audit": list[Audited],
    "doctor": Machine,
    "status": list[Status],
    "replay": Replayed,
}


def save(file: Path | None, result: Any) -> None:
    """Write a result as JSON that people can read, too; nothing if no file is named."""
    content = msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"
    if file == STANDARD:
        sys.stdout.buffer.write(content)
    elif file is not None:
        files.save(file, content)


def graded(
    assignment: str,
    done: Iterable[batch.Graded],
    standings: Mapping[str, Standing],
    gone: list[str],
    stale: list[str],
    edited: bool,
    for_nothing: list[str],
) -> Graded:
    """Return a class that was graded, in the words of this module."""
    students, max_score = [], 0.0
    for one in done:
        now = standings.get(one.student)
        if one.report is not None:
            max_score = sum(mark.max_score for mark in one.report.cells)
        students.append(
            Student(
                student=one.student,
                automatic=one.total if one.report else None,
                mark=now.final if now else None,
                open=bool(now and "?" in now.mark),
                why=now.reasons if now else [],
                before=one.standing.total if one.standing else None,
                entered=one.entered,
                problem=one.concern,
            )
        )
    return Graded(assignment, max_score, students, gone, stale, edited, for_nothing)


def audited(
    assignment: str, findings: Iterable[audit.Finding], gaps: list[str], moved: list[str]
) -> Audited:
    """Return what an audit has found."""
    solutions = [
        Solution(
            one.solution.name,
            one.solution.kind,
            {check.id: check.verdict for check in one.checks},
            one.problems,
        )
        for one in findings
    ]
    return Audited(assignment, solutions, gaps, moved)


def replayed(assignment: str, student: str, again: Iterable[replay.Replayed]) -> Replayed:
    """Return what was judged again."""
    checks = [
        Check(one.before.id, one.before.verdict, one.now.verdict if one.now else None, one.same)
        for one in again
    ]
    return Replayed(assignment, student, checks)
