"""Run a student's calls in the sandbox, twice: an answer that is not the same again is none.

The second run has another hash seed, other random numbers and another order. Knows no question.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
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
Laboratory = Callable[[Sequence[str]], dict[str, "CallRun"]]


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
        text = _text(self.value)
        return text if len(text) <= MOST_CHARACTERS else ""


@contextlib.contextmanager
def laboratory(
    assignment: Assignment, cells: Sequence[Cell], limits: Limits, labels: Sequence[str]
) -> Iterator[Laboratory]:
    """Run the cells of a notebook, without tests, in two processes, whose copies run calls.

    Gives a function that returns the runs of the calls that have an answer to show, the same a
    second time. The cells with these labels are watched.
    """
    seconds = min(RUN_CPU_SECONDS, limits.check_cpu_seconds)
    limits = msgspec.structs.replace(limits, check_cpu_seconds=seconds)

    def runs(calls: Sequence[str]) -> dict[str, CallRun]:
        answers = [
            _answers(one, calls, labels, seed) for one, seed in zip(made, SEEDS, strict=True)
        ]
        both = zip(calls, *answers, strict=True)
        return {
            call: one
            for call, one, other in both
            if one and other and one.text and other.text and one == other  # arrays have no text
        }

    with contextlib.ExitStack() as stack:
        servers = [warm(limits, assignment.subject, seed) for seed in SEEDS]
        made = [Submission(server, cells, assignment.support, limits) for server in servers]
        for one in made:
            stack.enter_context(one)
        yield runs


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


def _text(value: Any) -> str:
    """Return a value as Python prints it, sets in order; "" for an object, or what holds one."""
    if type(value) in tracing.PLAIN:
        return repr(value)
    if type(value) is dict:
        parts = [f"{_text(one)}: {_text(other)}" for one, other in value.items()]
        whole = all(_text(part) for pair in value.items() for part in pair)
        return f"{{{', '.join(parts)}}}" if whole else ""
    if type(value) not in (list, tuple, set) or not all(map(_text, value)) or value == set():
        return ""
    parts = [_text(part) for part in value]
    if type(value) is set:
        return f"{{{', '.join(sorted(parts))}}}"
    inside = ", ".join(parts) + "," * (type(value) is tuple and len(parts) == 1)
    return f"[{inside}]" if type(value) is list else f"({inside})"
