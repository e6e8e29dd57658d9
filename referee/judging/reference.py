"""Ask the reference solution first: a check that it does not pass says nothing about students."""

import functools

from referee import intake
from referee.course import Assignment
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
    return [check.id for check in judged.results if check.verdict is not Verdict.PASS]
