"""Run a student's calls in the sandbox, twice: an answer that is not the same again is none.

The second run has another hash seed, other random numbers and another order. Knows no question.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.course import Assignment
from referee.model import Cell, Limits
from referee.proof.viva import tracing
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.server import warm
from referee.sandbox.outside.student import StudentError, load
from referee.sandbox.outside.submission import Submission

SEEDS = (0, 1)  # of hashes and random numbers, one for each run
RUN_CPU_SECONDS = 4.0
MOST_CHARACTERS = 60  # of a value that is shown
Place = tuple[str, int]  # a cell's label, and a line


class CallRun(msgspec.Struct, frozen=True, array_like=True):
    """What a call has returned, how often it executed each line, and the variables before each.

    A variable has the values that it had whenever its line was executed.
    """

    value: Any
    lines: dict[Place, int]
    variables: dict[Place, dict[str, list[Any]]]

    @property
    def steps(self) -> int:
        """Return how many lines were executed."""
        return sum(self.lines.values())


def run_calls(
    assignment: Assignment,
    cells: Sequence[Cell],
    limits: Limits,
    labels: Sequence[str],
    calls: Sequence[str],
) -> dict[str, CallRun]:
    """Return by call the runs that have an answer to show, the same a second time.

    The cells of the notebook run in two processes, without tests, those with these labels are
    watched.
    """
    seconds = min(RUN_CPU_SECONDS, limits.check_cpu_seconds)
    limits = msgspec.structs.replace(limits, check_cpu_seconds=seconds)
    answers = []
    for seed in SEEDS:
        server = warm(limits, assignment.subject, seed)
        with Submission(server, cells, assignment.support, limits) as submission:
            answers.append(_answers(submission, calls, labels, seed))
    return {
        call: one
        for call, one, other in zip(calls, *answers, strict=True)
        if one and other and is_short(one.value) and is_short(other.value) and one == other
    }


def _answers(
    submission: Submission, calls: Sequence[str], labels: Sequence[str], seed: int
) -> list[CallRun | None]:
    try:
        with submission.student() as student:
            answers = load(student, tracing).run(list(calls), list(labels), seed)
        if type(answers) is list and len(answers) == len(calls):
            return msgspec.convert(answers, list[CallRun | None])
    except (StudentError, Stopped, msgspec.ValidationError):
        pass
    return [None] * len(calls)


def is_short(value: Any) -> bool:
    """Return whether a value is nothing but plain data, the same everywhere, and short in print."""
    inside, plain = [value], True
    for one in inside:  # which grows
        if type(one) in (list, tuple, set, dict):
            inside += [*one, *(one.values() if type(one) is dict else ())]
        else:
            plain = plain and type(one) in tracing.PLAIN
    return plain and len(repr(value)) <= MOST_CHARACTERS
