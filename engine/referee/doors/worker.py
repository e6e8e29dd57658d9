"""Judge one submission: the work of a worker, on this machine or another.

A copy of the course's files lies where the worker runs. Knows no gradebook.
"""

import functools
import platform
from pathlib import Path
from typing import NamedTuple

import msgspec
import nbformat

from referee import course, intake
from referee.course import Assignment
from referee.intake import HandedIn
from referee.judging import digests, pipeline
from referee.marks import autograded, blank
from referee.model import Judged, Limits, Original, Outcome
from referee.sandbox.outside import zygote
from referee.workers import WorkersError, place


class Setting(NamedTuple):
    """What judging has in common for a class: the assignment, and the cells to show.

    The root of the assignment is what `Workers.bring` says; `course` is the digest of the course.
    """

    assignment: Assignment
    originals: dict[str, Original]
    limits: Limits
    course: str


class Request(msgspec.Struct, frozen=True):
    """A submission and its stored results."""

    student: str
    handed_in: HandedIn
    before: Judged


def work(setting: Setting, request: Request) -> bytes:
    """Judge a submission; return an `Outcome`, packed."""
    root = _root(setting.assignment.root, setting.assignment.key, setting.course)
    assignment = setting.assignment._replace(root=root, student=request.student)
    accepted = intake.accept(assignment, request.handed_in)
    if accepted is None:
        raise intake.UnreadableError("no notebook was handed in")
    limits = setting.limits
    warm = functools.partial(zygote.warm, limits, assignment.subject)
    judged, report = pipeline.judge_file(assignment, accepted, warm, limits, request.before)
    autograded.restore(accepted.notebook, setting.originals)
    answers = autograded.answers(accepted.notebook)
    unanswered = autograded.unanswered(accepted.notebook, intake.released(assignment))
    report = blank.zeroed(assignment, accepted, report, unanswered)
    notebook = autograded.make(accepted, judged, report)
    outcome = Outcome(
        digests.work(assignment, accepted.cells, limits),
        accepted.cells,
        judged,
        report,
        unanswered,
        f"{nbformat.writes(notebook)}\n".encode(),
        answers,
    )
    return msgspec.msgpack.encode(outcome)


@functools.cache
def _root(brought: Path, key: str, digest: str) -> Path:
    """Return the folder of the course here; WorkersError if something here is another."""
    root = place(brought)
    if digests.course(course.named(root, key)) != digest:
        raise WorkersError(
            f"the worker on {platform.node()} runs another version of the referee, of Python or of "
            "a package than this machine; install the same referee/requirements.txt on both, and "
            "the packages of the course"
        )
    return root
