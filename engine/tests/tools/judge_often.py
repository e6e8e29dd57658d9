"""Judge a class many times, under other hash seeds, orders of the checks and loads of the machine.

None of these may change a verdict. Enters nothing.
"""

import contextlib
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

from referee import intake
from referee.course import Assignment
from referee.judging import digests, session, suspension
from referee.judging.plugin import Host
from referee.model import Limits
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.submission import Submission

SPIN = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(10_000))"


class MovingVerdict(NamedTuple):
    """A check of a student's whose verdicts were not all alike, and under which conditions."""

    student: str
    check: str
    verdicts: dict[str, str]


def moving(
    assignment: Assignment, names: list[str], limits: Limits, times: int
) -> list[MovingVerdict]:
    """Judge the submissions of some students so many times; return the checks that changed.

    Each round has another hash seed and another order of the checks, every other one a busy process
    beside it.
    """
    assignment, found = suspension.prepared(assignment, limits), {}
    for number in range(times):
        how = f"hash seed {number}, order {number}" + (", busy machine" if number % 2 else "")
        with _busy() if number % 2 else contextlib.nullcontext():
            for name in names:
                for check, verdict in _verdicts(assignment, limits, name, number).items():
                    found.setdefault((name, check), {})[how] = verdict
    return [
        MovingVerdict(*key, verdicts)
        for key, verdicts in found.items()
        if len(verdicts) < times or len({*verdicts.values()}) > 1
    ]


@contextlib.contextmanager
def _busy() -> Iterator[None]:
    """Keep a processor core busy meanwhile."""
    with subprocess.Popen([sys.executable, "-c", SPIN]) as process:
        try:
            yield
        finally:
            process.kill()


def _verdicts(assignment: Assignment, limits: Limits, name: str, number: int) -> dict[str, str]:
    """Judge what a student has handed in, in the manner of a round."""
    folder = assignment.course.folder("submitted") / name / assignment.name
    handed_in = intake.collect(folder, assignment.notebook, assignment.others)
    accepted = intake.accept(assignment, handed_in)
    assert accepted
    with (
        Server(limits, assignment.subject, hash_seed=number) as server,
        Submission(server, accepted.cells, assignment.support, limits) as submission,
    ):
        host, checks = Host(assignment.of(name), submission), digests.checks(assignment)
        for check in random.Random(number).sample([*checks], len(checks)):
            if check not in map(digests.of_check, host.results):
                session.run_checks(assignment, host, [check])
    return {one.id: f"{one.verdict}, {one.points:g} points" for one in host.results.values()}
