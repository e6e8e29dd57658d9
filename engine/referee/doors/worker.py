"""Judge one submission, from bytes to bytes: the work of a worker on any machine.

A course travels as a `Bundle`, is unpacked once per worker and version, and nothing else of the
grader's machine is needed. Knows no cluster and no gradebook.
"""

from collections.abc import Callable
from typing import TypeAlias

import msgspec
import nbformat

from referee import intake
from referee.course import Assignment
from referee.intake import HandedIn
from referee.judging import bundle, digests, pipeline
from referee.marks import autograded, blank
from referee.model import Judged, Limits, Original, Outcome
from referee.sandbox.outside import zygote

Say: TypeAlias = Callable[[str, float], None]


class Request(msgspec.Struct, frozen=True):
    """A submission, the limits to judge it within, and its stored results."""

    student: str
    handed_in: HandedIn
    limits: Limits
    before: Judged


def work(course: bytes, request: bytes, say: Say = lambda *_: None) -> bytes:
    """Judge the submission of a request by a packed course; return an `Outcome`, packed.

    Calls `say` with what begins to run, and for how many seconds it may.
    """
    assignment, originals = bundle.unpacked(course)
    job = msgspec.msgpack.decode(request, type=Request)
    return msgspec.msgpack.encode(_outcome(assignment.of(job.student), originals, job, say))


def _outcome(
    assignment: Assignment, originals: dict[str, Original], request: Request, say: Say
) -> Outcome:
    accepted = intake.accept(assignment, request.handed_in)
    if accepted is None:
        raise intake.UnreadableError("no notebook was handed in")
    cells, limits = accepted.cells, request.limits

    def warm() -> zygote.Zygote:
        found = zygote.warm(limits, assignment.subject)
        found.say = say
        return found

    judged, report = pipeline.judge_file(assignment, accepted, warm, limits, request.before)
    autograded.restore(accepted.notebook, originals)
    answers = autograded.answers(accepted.notebook)
    unanswered = autograded.unanswered(accepted.notebook, intake.released(assignment))
    report = blank.zeroed(assignment, accepted, report, unanswered)
    notebook = autograded.make(accepted, judged, report)
    return Outcome(
        digests.work(assignment, cells, limits),
        cells,
        judged,
        report,
        unanswered,
        f"{nbformat.writes(notebook)}\n".encode(),
        answers,
    )
