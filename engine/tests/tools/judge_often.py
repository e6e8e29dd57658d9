"""Judge a class many times, under other hash seeds, orders of the checks and loads of the machine.

None of these may change a verdict. Enters nothing.
"""

import contextlib
import os
import random
from collections.abc import Iterator
from multiprocessing import get_context
from typing import Any, NamedTuple

from referee import intake
from referee.course import Assignment
from referee.judging import session, suspension, testcells
from referee.judging.plugin import Host
from referee.model import Cell, Limits
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.submission import Submission
from referee.workers import Lost, opened

Verdicts = dict[str, str]


class MovingVerdict(NamedTuple):
    """A check of a student's whose verdicts were not all alike, and under which conditions."""

    student: str
    check: str
    verdicts: list[tuple[str, str]]


def moving(
    assignment: Assignment, names: list[str], limits: Limits, workers: int, times: int
) -> Iterator[MovingVerdict]:
    """Judge the submissions of some students so many times; yield the checks that changed.

    The first round is as in grading; each later one has another hash seed and another order of the
    checks, and every other one a busy process beside it for each core.
    """
    assignment = suspension.prepared(assignment, limits)
    jobs = _jobs(assignment, names)
    rounds: dict[str, list[tuple[str, Verdicts]]] = {name: [] for name in jobs}
    with opened(workers) as benches:
        for number in range(times):
            busy = workers if number % 2 else 0
            how = f"hash seed {number}, order {number}" + (", busy machine" if busy else "")
            todo = [(name, (name, cells, number)) for name, cells in jobs.items()]
            with _load(busy):
                for name, answer in benches.run(_verdicts, (assignment, limits), todo):
                    if isinstance(answer, Exception):
                        raise answer
                    verdicts = {"": "lost"} if isinstance(answer, Lost) else answer
                    rounds[name].append((how, verdicts))
    for name, of_student in sorted(rounds.items()):
        for check in sorted({check for _, verdicts in of_student for check in verdicts}):
            answers = [(how, verdicts.get(check, "nothing")) for how, verdicts in of_student]
            if len({verdict for _, verdict in answers}) > 1:
                yield MovingVerdict(name, check, answers)


def _jobs(assignment: Assignment, names: list[str]) -> dict[str, list[Cell]]:
    """Return the cells to judge of those students who have handed in a notebook."""
    jobs: dict[str, list[Cell]] = {}
    for name in names:
        folder = assignment.course.folder("submitted") / name / assignment.name
        accepted = intake.accept(
            assignment, intake.collect(folder, assignment.notebook, assignment.others)
        )
        if accepted is not None:
            jobs[name] = accepted.cells
    return jobs


def _verdicts(setting: tuple[Assignment, Limits], job: tuple[str, list[Cell], int]) -> Verdicts:
    """Judge some cells in a worker, in the manner of a round."""
    (assignment, limits), (name, cells, number) = setting, job
    shuffled = random.Random(number) if number else None
    with (
        Server(limits, assignment.subject, hash_seed=number) as server,
        Submission(server, cells, assignment.support, limits) as submission,
    ):
        host = Host(submission, student=name, data=assignment.answers.data)
        results = session.run_checks(assignment, host, shuffled=shuffled)
        for found in testcells.results(cells, submission.runs).values():
            results += found
    return {one.id: f"{one.verdict}, {one.points:g} points" for one in results}


@contextlib.contextmanager
def _load(cores: int) -> Iterator[None]:
    """Keep that many processor cores busy meanwhile."""
    spawn = get_context("spawn")
    processes: list[Any] = [spawn.Process(target=_spin, daemon=True) for _ in range(cores)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def _spin() -> None:
    parent = os.getppid()
    while os.getppid() == parent:
        sum(range(10_000))
