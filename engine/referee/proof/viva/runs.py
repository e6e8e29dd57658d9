"""Run a student's calls in the sandbox, twice: an answer that is not the same again is none.

The second run has another hash seed, other random numbers and another order. Knows no question.
"""

from collections.abc import Sequence
from pprint import PrettyPrinter
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
WRITER = PrettyPrinter(width=1000, sort_dicts=False)  # sets in order


class CallRun(msgspec.Struct, frozen=True, array_like=True):
    """What a call has returned, how many lines it executed, which, and the variables before each.

    A variable has the values that it had whenever its line was executed.
    """

    value: Any
    steps: int
    lines: dict[Place, int]
    variables: dict[Place, dict[str, list[Any]]]

    @property
    def text(self) -> str:
        """Return the value as it is printed; "" if that is long, or not the same everywhere."""
        text = WRITER.pformat(self.value) if _is_shown(self.value) else ""
        return text if len(text) <= MOST_CHARACTERS else ""


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
        if one and other and one.text and other.text and one == other  # arrays have no text
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


def _is_shown(value: Any) -> bool:
    """Return whether a value holds nothing but plain data, which is printed the same everywhere."""
    if type(value) not in (list, tuple, set, dict):
        return type(value) in tracing.PLAIN
    return all(map(_is_shown, [*value, *(value.values() if type(value) is dict else ())]))
