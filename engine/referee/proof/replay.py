"""Judge again what was judged: is the verdict still the same?

`replay` takes a student's result from the store, with the cells, the limits and the course of that
time, and judges it anew. `moving` judges a class many times, under other hash seeds, orders of the
checks and loads of the machine, none of which may change a verdict. Enters nothing.
"""

import contextlib
import os
import random
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from shlex import quote
from typing import Any

import msgspec

from referee import course, intake
from referee.course import Assignment, CourseError
from referee.judging import (
    bundle,
    cache,
    digests,
    pipeline,
    session,
    suspension,
    testcells,
)
from referee.judging.plugin import Host
from referee.marks import entries
from referee.model import Cell, CheckResult, Explained, Judged, Limits, Record
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import Zygote
from referee.workers import Lost, opened

Verdicts = dict[str, str]


class Comparison(msgspec.Struct, dict=True):
    """A check that was asked again; no verdict `now` where it is not asked any more.

    `same` says whether verdict and points are. The fields are its JSON; `result` is all of it.
    """

    check: str
    before: str
    now: str | None
    same: bool

    def __post_init__(self) -> None:
        """Begin without a result."""
        self.result: CheckResult | None = None


class ReplayResult(msgspec.Struct):
    """A student's result that was judged again: the fields are its JSON."""

    assignment: str
    student: str
    checks: list[Comparison]

    @property
    def same(self) -> bool:
        """Return whether all is as it was."""
        return all(one.same for one in self.checks)


class MovingVerdict(msgspec.Struct):
    """A check of a student's whose verdicts were not all alike, and under which conditions."""

    student: str
    check: str
    verdicts: list[tuple[str, str]]


def replay(assignment: Assignment, student: str, check: str | None = None) -> ReplayResult:
    """Judge a student's kept result again, all of it or one check, by the course of that time."""
    record = entered(assignment, student)
    return again(record, packed_course(assignment.root, record), assignment.key, check)


def entered(assignment: Assignment, student: str) -> Record:
    """Return a student's entered result; CourseError if there is none."""
    record = entries.of(assignment.root, assignment.key, student)
    if record is None:
        raise CourseError(
            f"nothing is kept of {student} and {assignment.key}; "
            f"`referee grade {quote(assignment.name)}` judges and keeps it"
        )
    return record


def packed_course(root: Path, record: Record) -> bytes:
    """Return the packed course by which a result was judged; CourseError if it is not kept."""
    packed = cache.get_course(root, record.course)
    if packed is None:
        raise CourseError(
            f"the course that {record.student} was judged by was not kept; grade again"
        )
    return packed


def again(record: Record, packed: bytes, assignment: str, check: str | None = None) -> ReplayResult:
    """Judge an entered result again, all of it or one check, by a packed course."""
    student, checks = record.student, record.report.checks
    results = [one for one in checks if check in (None, one.id, one.id.partition("::")[2])]
    if not results:
        raise CourseError(
            f"there is no check {check} in {student}'s result; name one as it is printed by "
            f"`referee why {quote(student)} {quote(assignment)} --again`"
        )
    then = bundle.unpacked(packed)[0].of(student)
    anew = {digests.of_check(one.id) for one in results}
    rest = Judged(explained={mark.cell: Explained() for mark in record.report.cells})
    for one in checks:
        if digests.of_check(one.id) not in anew:
            rest.checks.setdefault(digests.of_check(one.id), []).append(one)
    limits = record.limits
    with Zygote(limits, then.subject) as zygote:
        judged = pipeline.judge(then, record.cells, lambda: zygote, limits, rest)
    now = {one.id: one for one in judged.results}
    compared = [_compared(one, now.get(one.id)) for one in results]
    return ReplayResult(assignment, student, compared)


def _compared(old: CheckResult, new: CheckResult | None) -> Comparison:
    same = new is not None and (old.verdict, old.points) == (new.verdict, new.points)
    compared = Comparison(old.id, old.verdict, new.verdict if new else None, same)
    compared.result = new
    return compared


# --- the same class, again and again -------------------------------------------------------------


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
        folder = course.folder(assignment.root, "submitted") / name / assignment.name
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
        Zygote(limits, assignment.subject, hash_seed=number) as zygote,
        Submission(zygote, cells, assignment.support, limits) as submission,
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
