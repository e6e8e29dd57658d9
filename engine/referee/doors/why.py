"""Tell why a student has these marks, from what is stored, and pack what it takes to check them.

A capsule is a file of JSON: the work, the course by which it was judged, and what was decided. Who
has it can judge once more, on another machine. It holds the hidden checks, and it is as secret.
"""

import platform
from importlib import metadata
from pathlib import Path
from shlex import quote

import msgspec

from referee import intake
from referee.course import Assignment, CourseError
from referee.doors import batch
from referee.judging import bundle, digests
from referee.marks import files, grade_log
from referee.model import CheckResult, Record
from referee.proof import replay

NAMED = ("ipython", "nbformat", "pytest")  # packages on which verdicts may depend


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


class Capsule(msgspec.Struct):
    """What it takes to judge a student's work once more: the fields are its JSON.

    `course` is the packed course, its hidden checks included; `versions` those of what decides.
    """

    reasons: Reasons
    record: Record
    course: bytes
    versions: dict[str, str]


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


def pack(assignment: Assignment, found: Reasons, file: Path) -> None:
    """Write the capsule of a student's marks, whose reasons were found, into a file."""
    record = replay.entered(assignment, found.student)
    course = replay.packed_course(assignment.root, record)
    made = Capsule(found, record, course, versions())
    files.save(file, msgspec.json.encode(made))


def read(file: Path) -> Capsule:
    """Read a capsule; CourseError says what is wrong with the file, or with this machine."""
    try:
        capsule = msgspec.json.decode(file.read_bytes(), type=Capsule)
    except OSError as error:
        raise CourseError(f"{file} cannot be read: {error.strerror}") from None
    except msgspec.MsgspecError:
        raise CourseError(
            f"{file} is no capsule; `referee why STUDENT ASSIGNMENT --capsule FILE` writes one"
        ) from None
    here = versions()
    other = [f"{name} {told}" for name, told in capsule.versions.items() if here.get(name) != told]
    if other:
        raise CourseError(
            f"{file} was judged with {', '.join(other)}, and here is "
            f"{', '.join(f'{name} {here[name]}' for name in capsule.versions if name in here)}; "
            "install the same, and ask again"
        )
    if digests.course(bundle.unpacked(capsule.course)[0]) != capsule.record.course:
        raise CourseError(f"{file} was changed: its course is not the one that it names")
    return capsule


def again(capsule: Capsule, check: str | None = None) -> replay.ReplayResult:
    """Judge once more what a capsule holds, all of it or one check."""
    return replay.again(capsule.record, capsule.course, capsule.reasons.assignment, check)


def versions() -> dict[str, str]:
    """Return the versions of what decides a mark: of the engine, a digest."""
    found = {name: metadata.version(name) for name in NAMED}
    return {"referee": digests.engine(), "Python": platform.python_version(), **found}
