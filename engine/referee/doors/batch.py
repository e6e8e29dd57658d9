"""Grade the submissions of a class: judge them in parallel, enter them one by one.

Workers turn bytes into bytes (`worker`); this process alone reads what was handed in, keeps results
and writes the autograded notebooks, the gradebook and the log. What has not changed since it was
entered is not touched.
"""

import contextlib
import errno
import os
import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from referee import course, intake, workers
from referee.doors import worker
from referee.doors.cli import errors
from referee.intake.folder import shown
from referee.judging import bundle, cache, digests, suspension
from referee.marks import entries, gradebook, missing
from referee.marks import writer as entering
from referee.model import Judged, Limits, Outcome, Record, Report
from referee.sandbox.outside.zygote import SandboxError

NOBODY = (  # can be graded
    course.CourseError, SandboxError, bundle.OtherEngineError, sqlite3.Error, MemoryError,
)  # fmt: skip
EVERYBODY = (  # is concerned by these: the machine has no more of something, for anybody
    errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM,
)  # fmt: skip


class Options(NamedTuple):
    """How to grade: on how many workers or which cluster, and what to do with the results.

    `force` judges again what was judged before; `preview` enters nothing; with `never_lower` a
    result whose sum is lower than the one that stands is not entered. What marks were made with
    and is gone is a question, unless that is `accepted`: then the marks of a notebook go with it.
    """

    workers: int
    scheduler: str | None = None
    force: bool = False
    preview: bool = False
    never_lower: bool = False
    accepted: bool = False


class Graded(NamedTuple):
    """A student's result: a report, and what stood in the way of entering it, if anything.

    `before` is the report that was entered before, and `standing` what the gradebook said then;
    `entered` says whether the gradebook was written, `asked` whether a worker was.
    """

    student: str
    report: Report | None
    problem: str | None = None
    before: Report | None = None
    standing: gradebook.Standing | None = None
    entered: bool = False
    asked: bool = False

    @property
    def judged(self) -> bool:
        """Return whether checks were asked now, and not only a file refused or a record read."""
        return self.asked and self.report is not None and not self.report.refused

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
        """Return whether the sum is lower than the one that stands in the gradebook.

        Cells about which nothing is said now do not count.
        """
        if self.standing is None or self.report is None:
            return False
        new = {cell: score for cell, score in self.report.scores.items() if score is not None}
        return sum(new.values()) < sum(self.standing.scores.get(cell) or 0 for cell in new)


def grade(
    assignment: course.Assignment, names: list[str], limits: Limits, options: Options
) -> Iterator[Graded]:
    """Grade the submissions of the named students; yield each one when it is done."""
    with entering.opened(assignment) as writer:
        class_ = _Class(assignment, limits, options, writer)
        class_.expect_all(names)
        jobs = []
        for name in names:
            if (graded := class_.at_once(name)) is not None:
                yield graded
            else:
                jobs.append(name)
        if not jobs:
            return
        class_.assignment = suspension.prepared(assignment, limits)
        with workers.opened(min(options.workers, len(jobs)), options.scheduler) as benches:
            requests = class_.requests(jobs)
            packed = bundle.pack(class_.assignment)
            class_.keys = digests.keys(class_.assignment)
            cache.put_course(assignment.root, class_.edition.course, packed)
            for name, answer in benches.run(worker.work, packed, requests):
                yield class_.enter(name, answer)
            yield from class_.unread


def must_be_writable(assignment: course.Assignment) -> None:
    """Raise an OSError for a place where results cannot be written, before anybody is judged."""
    with entering.opened(assignment) as writer:
        writer.must_be_writable()


def standings(assignment: course.Assignment) -> dict[str, gradebook.Standing]:
    """Return what the gradebook says now, by student."""
    with entering.opened(assignment) as writer:
        return gradebook.standings(writer.book, assignment.key)


def stale(assignment: course.Assignment, among: Collection[str]) -> list[str]:
    """Return who has another notebook in their folder than the one whose marks were entered."""
    found = []
    for name, record in entries.get(assignment.root, assignment.key).items():
        if name not in among:
            continue
        folder = _place(assignment.root, assignment, name)
        with contextlib.suppress(OSError):  # the grading has said so
            if folder.is_dir():
                handed_in = intake.collect(folder, assignment.notebook, assignment.others)
                if digests.digest(handed_in) != record.submission:
                    found.append(name)
    return found


def _place(root: Path, assignment: course.Assignment, name: str) -> Path:
    return root / "submitted" / name / assignment.name


class _Class:
    """The submissions of an assignment and what is known of them, at the time of grading."""

    def __init__(
        self,
        assignment: course.Assignment,
        limits: Limits,
        options: Options,
        writer: entering.Writer,
    ) -> None:
        self.assignment, self._root = assignment, assignment.root
        self._others = assignment.others
        self._limits = limits
        self._options = options
        self._writer = writer
        self._standings = gradebook.standings(writer.book, assignment.key)
        self._extensions = writer.extensions()
        self._records = entries.get(self._root, assignment.key)
        self.edition = digests.edition(assignment, limits)
        self.keys = self.edition.keys  # of what the workers judge by
        self._asked: dict[str, tuple[str, str | None, str]] = {}
        self.unread: list[Graded] = []  # what could not be opened when it was to be judged

    def expect_all(self, names: list[str]) -> None:
        """Raise a CourseError for what marks were made with and is gone, unless it is accepted."""
        cells = intake.graded(intake.released(self.assignment))
        gradebook.expect_cells(self._writer.book, self.assignment.key, cells)
        if not self._options.accepted and not self._options.preview:
            missing.expect_all(self.assignment, names, self._records, self._standings)

    def at_once(self, name: str) -> Graded | None:
        """Return the result of a submission for which there is nothing to do, else None."""
        if not intake.STUDENT.fullmatch(name):
            refused = self._undecided(name, "no student is called that; rename the folder")
            return refused._replace(student=shown(name))  # a terminal obeys what it cannot print
        try:
            handed_in = self._collected(name)
        except OSError as error:
            return self._unopened(name, error)
        if not handed_in.notebooks and not handed_in.refused:
            return self._without_notebook(name)
        record = self._entered(name, digests.digest(handed_in))
        if record is None or not record.report.settled or self._options.force:
            return None
        return Graded(name, record.report, None, record.report, self._standings[name])

    def _folder(self, name: str) -> Path:
        return _place(self._root, self.assignment, name)

    def _collected(self, name: str) -> intake.HandedIn:
        return intake.collect(self._folder(name), self.assignment.notebook, self._others)

    def requests(self, names: list[str]) -> Iterator[tuple[str, bytes]]:
        """Yield what workers are told, but for what cannot be opened, which is `unread` then."""
        for name in names:
            try:
                yield name, self.request(name)
            except OSError as error:
                self.unread.append(self._unopened(name, error))

    def request(self, name: str) -> bytes:
        """Return what a worker is told about a submission."""
        handed_in, before = self._collected(name), Judged()
        key = digests.work(self.assignment.of(name), handed_in, self._limits)
        self._asked[name] = digests.digest(handed_in), handed_in.timestamp, key
        if not self._options.force:
            before = cache.get_noted(self.assignment, key, self.keys)
        request = worker.Request(name, handed_in, self._limits, before)
        return msgspec.msgpack.encode(request)

    def enter(self, name: str, answer: Any) -> Graded:
        """Keep what a worker has found, and write it where it belongs."""
        if isinstance(answer, workers.Lost):
            why = f"grading it ended a worker {answer.deaths} times"
            return self._undecided(name, why)
        if isinstance(answer, NOBODY) or getattr(answer, "errno", None) in EVERYBODY:
            raise answer
        if isinstance(answer, Exception):
            return self._undecided(name, f"our own code failed: {type(answer).__name__}: {answer}")
        outcome = msgspec.msgpack.decode(answer, type=Outcome)
        submission, timestamp, key = self._asked.pop(name)
        course, keys = self.edition.course, self.keys
        cache.put(self.assignment, outcome.work, outcome.judged, course, keys, key)
        record, standing = self._records.get(name), self._standings.get(name)
        graded = Graded(
            name, outcome.report, None, record.report if record else None, standing, asked=True
        )
        if self._options.preview or (self._options.never_lower and graded.lower):
            return graded
        entered = self._entered(name, submission)
        if entered and entered.report.checks == outcome.report.checks and not self._options.force:
            return graded  # what may be an accident has happened again
        new = self._record(name, submission, timestamp, outcome)
        try:
            if record and standing and self._has(name, record, standing, new):
                self._writer.renew(new, outcome, record)
            else:
                self._writer.write(new, outcome)
        except OSError as error:
            return self._unopened(name, error)
        except gradebook.RowsError as error:
            return self._undecided(name, str(error))
        return graded._replace(entered=True)

    def _record(
        self, name: str, submission: str, timestamp: str | None, outcome: Outcome
    ) -> Record:
        record = entries.make(
            self.edition, name, submission, timestamp, outcome.work,
            outcome.cells, self._limits, outcome.report, outcome.answers, outcome.unanswered,
        )  # fmt: skip
        record.notebook = digests.digest(outcome.notebook)
        return record

    def _has(self, name: str, old: Record, standing: gradebook.Standing, new: Record) -> bool:
        """Return whether the gradebook says already what a new result of the same work says.

        What lateness takes depends on the configuration, so then it is always written.
        """
        told = [
            (one.submission, one.timestamp, one.report.scores, one.answers, one.unanswered)
            for one in (old, new)
        ]
        return (
            told[0] == told[1]
            and not self._options.force
            and _agree(standing, new.report)
            and old.seconds_late == standing.seconds_late == 0
            and old.until == self._extensions.get(name, "")
        )

    def _undecided(self, name: str, why: str) -> Graded:
        """Give no marks, and leave those that stand: it is not the submission's fault."""
        problem = f"{why}; not graded, the marks are as before"
        return Graded(name, None, problem, None, self._standings.get(name))

    def _unopened(self, name: str, error: OSError) -> Graded:
        """Leave the marks of somebody whose file cannot be used; raise what concerns everybody."""
        file = Path(os.fsdecode(error.filename or ""))
        if error.errno in (errno.EEXIST, errno.ENOTDIR):
            file = errors.in_the_way(error) or file
        own = self._folder(name), self._writer.folder(name)
        if error.errno in EVERYBODY or not any(map(file.is_relative_to, own)):
            raise error
        return self._undecided(name, errors.sentence(error))

    def _without_notebook(self, name: str) -> Graded:
        """Give no marks; those that stand go only where that is accepted."""
        where = f"no notebook in {self._folder(name).relative_to(self._root)}"
        standing = self._standings.get(name)
        if not (standing and standing.marked) or self._options.preview:
            return Graded(name, None, where, None, standing)
        if not self._options.accepted:
            where = f"{where}; put it back, or take its marks away ({missing.ACCEPT})"
            return self._undecided(name, where)
        self._writer.withdraw(name)
        return Graded(name, None, f"{where}; its marks were taken back", None, standing)

    def _entered(self, name: str, submission: str) -> Record | None:
        """Return the record of a submission if gradebook and autograded folder still say so."""
        record, standing = self._records.get(name), self._standings.get(name)
        if record is None or standing is None:
            return None
        stands = (
            record.submission == submission
            and record.basis == self.edition.basis
            and _agree(standing, record.report)
            and record.seconds_late == standing.seconds_late
            and record.until == self._extensions.get(name, "")
            and self._writer.has(record)
        )
        return record if stands else None


def _agree(standing: gradebook.Standing, report: Report) -> bool:
    """Return whether the gradebook says what a report does; where that is silent, anything does."""
    scores = report.scores
    return scores.keys() == standing.scores.keys() and all(
        score is None or score == standing.scores[cell] for cell, score in scores.items()
    )
