"""Grade the submissions of a class: judge them in parallel, enter them one by one.

Workers turn bytes into bytes (`worker`); this process alone reads what was handed in, keeps results
and writes the autograded notebooks, the gradebook and the log. What has not changed since it was
entered is not touched.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from referee import cluster, course, intake
from referee.doors import worker
from referee.intake.folder import shown
from referee.judging import bundle, cache, judge, version
from referee.marks import enter as entering
from referee.marks import gradebook, records
from referee.model import Judged, Limits, Outcome, Record, Report
from referee.sandbox.zygote import SandboxError, Zygote


class Options(NamedTuple):
    """How to grade: on how many workers or which cluster, and what to do with the results.

    `force` judges again what was judged before; `preview` enters nothing; with `never_lower` a
    result whose sum is lower than the one that stands is not entered.
    """

    workers: int
    scheduler: str | None = None
    force: bool = False
    preview: bool = False
    never_lower: bool = False


class Graded(NamedTuple):
    """A student's result: a report, and what stood in the way of entering it, if anything.

    `before` is the report that was entered before, and `standing` what the gradebook said then;
    `entered` says whether the gradebook was written.
    """

    student: str
    report: Report | None
    problem: str | None = None
    before: Report | None = None
    standing: gradebook.Standing | None = None
    entered: bool = False

    @property
    def total(self) -> float:
        """Return the sum of the automatic marks."""
        return sum(mark.score or 0 for mark in self.report.cells) if self.report else 0.0

    @property
    def concern(self) -> str | None:
        """Return why a teacher should look at it, or None."""
        if self.problem:
            return self.problem
        if self.report is None:
            return "no report was made"
        if self.report.refused:
            return f"the file could not be read: {self.report.refused}"
        if ours := self.report.ours:
            return f"something of ours has failed: {'; '.join(ours)}"
        return None

    @property
    def lower(self) -> bool:
        """Return whether the sum is lower than the one that stands in the gradebook."""
        return self.standing is not None and self.total < self.standing.total


def students(root: Path, assignment: str) -> list[str]:
    """Return the students who have handed something in for an assignment, sorted.

    A folder that cannot be read raises PermissionError: nobody is left out by accident.
    """
    submitted = root / "submitted"
    folders = submitted.iterdir() if submitted.is_dir() else ()
    return sorted(folder.name for folder in folders if (folder / assignment).exists())


def grade(
    assignment: course.Assignment, names: list[str], limits: Limits, options: Options
) -> Iterator[Graded]:
    """Grade the submissions of the named students; yield each one when it is done."""
    with entering.opened(assignment) as writer:
        class_ = _Class(assignment, limits, options, writer)
        jobs = []
        for name in names:
            if (graded := class_.at_once(name)) is not None:
                yield graded
            else:
                jobs.append(name)
        if not jobs:
            return
        with cluster.connected(min(options.workers, len(jobs)), options.scheduler) as client:
            requests = ((name, class_.request(name)) for name in jobs)
            packed = bundle.pack(assignment, gradebook.originals(writer.book, assignment.name))
            cache.put_course(assignment.root, version.course(assignment), packed)
            for name, answer in cluster.run(client, worker.work, packed, requests):
                yield class_.enter(name, answer)


def judge_file(
    assignment: course.Assignment, file: Path, limits: Limits, zygote: Callable[[], Zygote]
) -> Report:
    """Judge the notebook in a file, or take the result that is kept for it."""
    accepted = intake.accept_file(assignment, intake.contents(file))
    judged = judge.judged(assignment, accepted.cells, zygote, limits)
    return judge.report(assignment, accepted, judged)


class _Class:
    """The submissions of an assignment and what is known of them, at the time of grading."""

    def __init__(
        self,
        assignment: course.Assignment,
        limits: Limits,
        options: Options,
        writer: entering.Writer,
    ) -> None:
        self._assignment, self._root = assignment, assignment.root
        self._limits = limits
        self._options = options
        self._writer = writer
        self._standings = gradebook.standings(writer.book, assignment.name)
        self._records = records.get(self._root, assignment.name)
        self._edition = version.edition(assignment, limits)
        self._handed_in: dict[str, intake.HandedIn] = {}

    def at_once(self, name: str) -> Graded | None:
        """Return the result of a submission for which there is nothing to do, else None."""
        if not intake.STUDENT.fullmatch(name):
            refused = self._refused(name, "no student is called that; rename the folder")
            return refused._replace(student=shown(name))  # a terminal obeys what it cannot print
        folder = self._root / "submitted" / name / self._assignment.name
        handed_in = intake.collect(folder, self._assignment.notebook)
        if not handed_in.notebooks and not handed_in.refused:
            return self._refused(name, f"no notebook in {folder.relative_to(self._root)}")
        record, standing = self._records.get(name), self._standings.get(name)
        if record and standing and not self._options.force:
            same = (
                record.submission == version.digest(handed_in)
                and record.basis == self._edition.basis
            )
            if same and self._is_entered(record, standing):
                return Graded(name, record.report, None, record.report, standing)
        self._handed_in[name] = handed_in
        return None

    def request(self, name: str) -> bytes:
        """Return what a worker is told about a submission."""
        handed_in, before = self._handed_in[name], Judged()
        if not self._options.force:
            key = version.work(self._assignment.of(name), handed_in, self._limits)
            work = cache.get_work(self._root, key)
            before = cache.get(self._assignment, work) if work else before
        return msgspec.msgpack.encode(worker.Request(name, handed_in, self._limits, before))

    def enter(self, name: str, answer: Any) -> Graded:
        """Keep what a worker has found, and write it where it belongs."""
        if isinstance(answer, cluster.Lost):
            why = f"grading it ended a worker {answer.deaths} times; mark it by hand"
            return self._refused(name, why)
        if isinstance(answer, (course.CourseError, SandboxError, bundle.OtherEngineError)):
            raise answer  # nobody can be graded
        if isinstance(answer, Exception):
            return self._refused(name, f"our own code failed: {type(answer).__name__}: {answer}")
        outcome = msgspec.msgpack.decode(answer, type=Outcome)
        handed_in = self._handed_in.pop(name)
        cache.put(self._assignment, outcome.work, outcome.judged)
        key = version.work(self._assignment.of(name), handed_in, self._limits)
        cache.put_work(self._root, key, outcome.work)
        record, standing = self._records.get(name), self._standings.get(name)
        graded = Graded(name, outcome.report, None, record.report if record else None, standing)
        if self._options.preview or (self._options.never_lower and graded.lower):
            return graded
        self._writer.write(self._record(name, handed_in, outcome), outcome)
        return graded._replace(entered=True)

    def _record(self, name: str, handed_in: intake.HandedIn, outcome: Outcome) -> Record:
        return records.make(
            self._edition, name, version.digest(handed_in), handed_in.timestamp, outcome.work,
            outcome.cells, self._limits, outcome.report,
        )  # fmt: skip

    def _refused(self, name: str, why: str) -> Graded:
        """Give no marks, and leave none."""
        if not self._options.preview:
            self._writer.withdraw(name)
        return Graded(name, None, why, None, self._standings.get(name))

    def _is_entered(self, record: Record, standing: gradebook.Standing) -> bool:
        """Return whether the gradebook and the autograded folder say what a record says."""
        return (
            record.report.scores == standing.scores
            and record.seconds_late == standing.seconds_late
            and not record.report.ours
            and self._writer.is_complete(record.student)
        )
