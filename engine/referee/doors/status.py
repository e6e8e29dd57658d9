"""The status of a class: who has handed in, is graded, is stale, waits for a mark."""

import msgspec

from referee import intake
from referee.course import Assignment
from referee.doors import batch


class Status(msgspec.Struct):
    """The students by their status with a notebook: the fields are its JSON."""

    assignment: str
    handed_in: list[str]
    graded: list[str]
    to_grade: list[str]
    stale: list[str]
    by_hand: list[str]


def of(assignment: Assignment) -> Status:
    """Return the status of each student with a notebook; judges nothing."""
    handed_in = intake.students(assignment.root, assignment.name)
    standings = batch.standings(assignment)
    graded = sorted(name for name, one in standings.items() if one.marked)
    return Status(
        assignment=assignment.key,
        handed_in=handed_in,
        graded=graded,
        to_grade=sorted(set(handed_in) - set(graded)),
        stale=batch.stale(assignment, graded),
        by_hand=[name for name in graded if standings[name].waits],
    )
