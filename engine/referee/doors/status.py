"""The status of a class: who has handed in, is graded, is stale, waits for a mark."""

import msgspec

from referee import grading as batch
from referee import intake
from referee.course import Assignment
from referee.marks import entries


class Status(msgspec.Struct):
    """The students by their status with a notebook: the fields are its JSON."""

    assignment: str
    handed_in: list[str]
    graded: list[str]
    to_grade: list[str]
    stale: list[str]
    by_hand: list[str]
    waits: dict[str, str]  # by student, why a check leaves a mark to a human


def of(assignment: Assignment) -> Status:
    """Return the status of each student with a notebook; judges nothing."""
    handed_in = intake.students(assignment.root, assignment.name)
    standings = batch.standings(assignment)
    records = entries.get(assignment.root, assignment.key)
    waits = {
        name: batch.waiting(record.report, standings.get(name)) for name, record in records.items()
    }
    graded = sorted(
        name for name, one in standings.items() if one.marked or (one.waits and name in records)
    )
    return Status(
        assignment=assignment.key,
        handed_in=handed_in,
        graded=graded,
        to_grade=sorted(set(handed_in) - set(graded)),
        stale=batch.stale(assignment, graded),
        by_hand=[name for name in graded if standings[name].waits],
        waits={name: "; ".join(whys) for name, whys in sorted(waits.items()) if whys},
    )
