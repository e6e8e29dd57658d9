"""Judge one submission, from bytes to bytes: the work of a worker on any machine.

A course travels as a `Bundle`, is unpacked once per worker and version, and nothing else of the
grader's machine is needed. Knows no cluster and no gradebook.
"""

import functools

import msgspec
import nbformat

from referee import intake
from referee.course import Assignment
from referee.intake import HandedIn
from referee.judging import bundle, digests, pipeline
from referee.marks import autograded, blank
from referee.model import Judged, Limits, Original, Outcome
from referee.sandbox.outside import zygote


class Request(msgspec.Struct, frozen=True):
    """A submission, the limits to judge it within, and its stored results."""

    student: str
    handed_in: HandedIn
    limits: Limits
    before: Judged


def work(course: bytes, request: bytes) -> bytes:
    """Judge the submission of a request by a packed course; return an `Outcome`, packed."""
    assignment, originals = bundle.unpacked(course)
    job = msgspec.msgpack.decode(request, type=Request)
    return msgspec.msgpack.encode(_outcome(assignment.of(job.student), originals, job))


def _outcome(assignment: Assignment, originals: dict[str, Original], request: Request) -> Outcome:
    accepted = intake.accept(assignment, request.handed_in)
    if accepted is None:
        raise intake.UnreadableError("no notebook was handed in")
    cells, limits = accepted.cells, request.limits
    warm = functools.partial(zygote.warm, limits, assignment.subject)
    judged, report = pipeline.judge_file(assignment, accepted, warm, limits, request.before)
    autograded.restore(accepted.notebook, originals)
    answers = autograded.answers(accepted.notebook)
    report = blank.zeroed(assignment, accepted, report)
    notebook = autograded.make(accepted, judged, report)
    return Outcome(
        digests.work(assignment, cells, limits),
        cells,
        judged,
        report,
        autograded.unanswered(notebook),
        f"{nbformat.writes(notebook)}\n".encode(),
        answers,
    )
