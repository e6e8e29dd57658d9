"""Grade the submissions of a class: judge them in parallel, enter them one by one.

Workers judge (`worker`); only this process reads submissions, stores results and writes autograded
notebooks, gradebook and log. A submission that has not changed since it was
entered is not touched.
"""

import contextlib
import math
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from referee import course, intake, workers
from referee.commands import errors
from referee.doors import worker
from referee.intake import saved
from referee.intake.folder import shown
from referee.judging import bundle, cache, denials, digests
from referee.marks import entries, grade_log, gradebook, missing
from referee.marks import writer as entering
from referee.model import Judged, Limits, Outcome, Record, Report
from referee.sandbox.outside import tempfolder
from referee.sandbox.outside.zygote import SandboxError

MOST_SHOWN = 5  # files that are named where a notebook should be
# From a worker, they concern everybody.
STOPPING = (course.CourseError, SandboxError, workers.WorkersError, OSError)


class Options(NamedTuple):
    """How to grade: on how many workers or which cluster, and what to do with the results.

    `force` judges again; `preview` enters nothing; with `never_lower` a result with fewer points
    than the present one is not entered. Anything missing that marks depend on stops grading, unless
    that is `accepted`: then the marks of a missing notebook are taken back.
    """

    workers: int
    scheduler: str | None = None
    force: bool = False
    preview: bool = False
    never_lower: bool = False
    accepted: bool = False


class StudentResult(msgspec.Struct, dict=True):
    """The result of a student: the fields are its JSON, the other attributes are for `show`.

    `automatic` and `before` are the sums of the automatic marks now and before, `mark` is the score
    as text, `open` if a cell has no mark yet, and `why` it is not the automatic one; empty if
    nothing was entered. `problem` is the reason why a teacher should look at it.
    """

    student: str
    automatic: float | None = None
    mark: float | None = None
    open: bool = False
    why: list[str] = []
    before: float | None = None
    entered: bool = False
    problem: str | None = None

    def __post_init__(self) -> None:
        """Start without a report and without marks."""
        self.report: Report | None = None
        self.earlier: Report | None = None  # that was entered before
        self.standing: gradebook.Standing | None = None  # before grading
        self.now: gradebook.Standing | None = None  # after grading
        self.by_worker = False

    @property
    def judged(self) -> bool:
        """Return whether checks were run now: the file was not refused, nor a record used."""
        return self.by_worker and self.report is not None and not self.report.refused

    @property
    def lower(self) -> bool:
        """Return whether the sum is lower than the one in the gradebook.

        Cells without an automatic mark now do not count.
        """
        if self.standing is None or self.report is None:
            return False
        new = {cell: score for cell, score in self.report.scores.items() if score is not None}
        return sum(new.values()) < sum(self.standing.scores.get(cell) or 0 for cell in new)

    def count(self, now: gradebook.Standing) -> None:
        """Take the marks from the gradebook after grading."""
        self.now, self.mark, self.why = now, now.final, now.reasons
        self.open = "?" in now.mark


class ClassResult(msgspec.Struct, dict=True):
    """The results of a class: the fields are its JSON.

    `without_folder` are the students with marks and without a folder, `stale` those who have handed
    in another notebook since. `edited` says whether the course was edited during grading;
    `for_nothing` has a sentence for each check that gives points for the notebook as released.
    """

    assignment: str
    max_score: float
    students: list[StudentResult]
    without_folder: list[str]
    stale: list[str]
    edited: bool = False
    for_nothing: list[str] = []

    def __post_init__(self) -> None:
        """Start as a grading that enters marks, of cells that are called by their names."""
        self.preview = False
        self.headings: dict[str, str] = {}

    @property
    def well(self) -> bool:
        """Return whether no human has to look at a result."""
        return not (self.edited or self.for_nothing or any(one.problem for one in self.students))


def student_result(
    name: str,
    report: Report | None,
    standing: gradebook.Standing | None = None,
    problem: str | None = None,
) -> StudentResult:
    """Return the result of a student: a report, or the problem in its place.

    `standing` has the marks in the gradebook before.
    """
    before = standing.total if standing else None
    result = StudentResult(name, before=before, problem=problem)
    result.report, result.standing = report, standing
    if report is not None:
        result.automatic = sum(mark.score or 0 for mark in report.cells)
        if report.refused:
            result.problem = f"the file could not be read: {report.refused}"
        elif why := denials.undecided(report):
            result.problem = why
        elif waits := waiting(report, standing):
            result.problem = "; ".join(waits)
    return result


def waiting(report: Report, standing: gradebook.Standing | None) -> list[str]:
    """Return why checks leave marks to a human, unless that has given them."""
    by_hand = standing.by_hand if standing else {}
    whys = {cell: why for cell, why in report.waits.items() if cell not in by_hand}
    return [f"{cell} waits for your mark: {why}" for cell, why in whys.items()]


def grade(
    assignment: course.Assignment,
    names: list[str],
    limits: Limits,
    options: Options,
    watch: workers.Watch | None = None,
) -> Iterator[StudentResult]:
    """Grade the submissions of the named students; yield each one when it is done.

    The assignment is one that was prepared (`suspension`). `watch` gets who is waited for.
    """
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
        jobs.sort(key=class_.seconds, reverse=True)  # so that no worker waits for a long last one
        with (
            tempfolder.Folder("referee-course-") as place,
            workers.opened(min(options.workers, len(jobs)), options.scheduler) as benches,
        ):
            there = benches.bring(bundle.copied(assignment, Path(place)).root)
            class_.keys = digests.keys(assignment)
            common = assignment._replace(root=there), saved.cells(assignment), limits
            setting = worker.Setting(*common, class_.keys.course)
            for name, answer in benches.run(worker.work, setting, class_.requests(jobs), watch):
                yield class_.enter(name, answer)
            yield from class_.unread


def class_result(
    assignment: course.Assignment, done: list[StudentResult], preview: bool, everybody: bool
) -> ClassResult:
    """Return what became of a class, with what the gradebook says now of those who are `done`.

    Who has marks and is not among them has no folder, if it was `everybody`.
    """
    now = {} if preview else standings(assignment)
    for one in done:
        if one.student in now:
            one.count(now[one.student])
    done = sorted(done, key=lambda one: one.student)
    cells = [one.report.cells for one in done if one.report][-1:]
    most = sum((mark.max_score for mine in cells for mark in mine), 0.0)
    marked = {name for name, one in now.items() if one.marked}
    gone = sorted(marked - {one.student for one in done}) if everybody else []
    kept = {one.student for one in done if not one.entered and (one.lower or not one.report)}
    old = [] if preview else stale(assignment, kept)
    result = ClassResult(assignment.key, most, done, gone, old)
    result.preview, result.headings = preview, intake.headings(assignment)
    return result


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
    return course.folder(root, "submitted") / name / assignment.name


class _Class:
    """The submissions of an assignment, and their earlier results, while they are graded."""

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
        self.unread: list[StudentResult] = []  # what could not be opened when it was to be judged

    def expect_all(self, names: list[str]) -> None:
        """Raise a CourseError for missing things that marks depend on, unless accepted."""
        cells = intake.graded(intake.released(self.assignment))
        gradebook.expect_cells(self._writer.book, self.assignment.key, cells)
        if not self._options.accepted and not self._options.preview:
            missing.expect_all(self.assignment, names, self._records, self._standings)

    def at_once(self, name: str) -> StudentResult | None:
        """Return the result of a submission that needs no judging, else None."""
        if not intake.STUDENT.fullmatch(name):
            refused = self._undecided(name, "no student is called that; rename the folder")
            refused.student = shown(name)  # a terminal obeys what it cannot print
            return refused
        try:
            handed_in = self._collected(name)
        except OSError as error:
            return self._unopened(name, error)
        if not handed_in.notebooks and not handed_in.refused:
            return self._without_notebook(name)
        record = self._entered(name, digests.digest(handed_in))
        if record is None or not record.report.settled or self._options.force:
            return None
        result = student_result(name, record.report, self._standings[name])
        result.earlier = record.report
        return result

    def seconds(self, name: str) -> float:
        """Return the CPU seconds that a submission took last time; infinity if it is new."""
        record = self._records.get(name)
        if record is None:
            return math.inf
        return sum(cost.cpu_seconds for cost in record.report.costs.values())

    def _folder(self, name: str) -> Path:
        return _place(self._root, self.assignment, name)

    def _collected(self, name: str) -> intake.HandedIn:
        return intake.collect(self._folder(name), self.assignment.notebook, self._others)

    def requests(self, names: list[str]) -> Iterator[tuple[str, worker.Request]]:
        """Yield the requests to workers; add submissions that cannot be opened to `unread`."""
        for name in names:
            try:
                yield name, self.request(name)
            except OSError as error:
                self.unread.append(self._unopened(name, error))

    def request(self, name: str) -> worker.Request:
        """Return the request with which a worker judges a submission."""
        handed_in, before = self._collected(name), Judged()
        key = digests.work(self.assignment.of(name), handed_in, self._limits)
        self._asked[name] = digests.digest(handed_in), handed_in.timestamp, key
        if not self._options.force:
            before = cache.get_noted(self.assignment, key, self.keys)
        return worker.Request(name, handed_in, before)

    def enter(self, name: str, answer: Any) -> StudentResult:
        """Store a worker's outcome, and enter it in the gradebook."""
        if isinstance(answer, workers.Lost):
            why = f"grading it ended a worker {answer.deaths} times"
            return self._undecided(name, why)
        if isinstance(answer, STOPPING):
            raise answer
        if isinstance(answer, Exception):
            return self._undecided(name, f"our own code failed: {type(answer).__name__}: {answer}")
        outcome = msgspec.msgpack.decode(answer, type=Outcome)
        submission, timestamp, key = self._asked.pop(name)
        course, keys = self.edition.course, self.keys
        cache.put(self.assignment, outcome.work, outcome.judged, course, keys, key)
        record, standing = self._records.get(name), self._standings.get(name)
        graded = student_result(name, outcome.report, standing)
        graded.earlier, graded.by_worker = record.report if record else None, True
        if self._options.preview or (self._options.never_lower and graded.lower):
            return graded
        entered = self._entered(name, submission)
        if entered and entered.report.checks == outcome.report.checks and not self._options.force:
            return graded  # a possible accident, again
        new = self._record(name, submission, timestamp, outcome)
        try:
            self._writer.write(new, outcome)
        except OSError as error:
            file, own = Path(os.fsdecode(error.filename or "")), self._writer.folder(name)
            if error.errno in errors.FULL or not (own.is_dir() and file.is_relative_to(own)):
                raise  # it concerns everybody
            return self._unopened(name, error)
        except gradebook.RowsError as error:
            return self._undecided(name, str(error))
        graded.entered = True
        return graded

    def _record(
        self, name: str, submission: str, timestamp: str | None, outcome: Outcome
    ) -> Record:
        return Record(
            name, submission, self.edition.course, self.edition.basis, outcome.work,
            grade_log.now(), outcome.cells, outcome.report, timestamp, limits=self._limits,
            answers=outcome.answers, unanswered=outcome.unanswered,
            notebook=digests.digest(outcome.notebook),
        )  # fmt: skip

    def _undecided(self, name: str, why: str) -> StudentResult:
        """Give no marks, and leave those in the gradebook: it is not the submission's fault."""
        problem = f"{why}; not graded, the marks are as before"
        return student_result(name, None, self._standings.get(name), problem)

    def _unopened(self, name: str, error: OSError) -> StudentResult:
        """Leave the marks of a student whose files cannot be opened or read."""
        error.filename = error.filename or str(self._folder(name))  # `read` does not say of what
        return self._undecided(name, errors.sentence(error))

    def _without_notebook(self, name: str) -> StudentResult:
        """Give no marks; take back those in the gradebook only if that is accepted."""
        folder = self._folder(name)
        names = intake.inside(folder) or intake.inside(folder, hidden=True)
        there = ", ".join(map(shown, names[:MOST_SHOWN]))
        where = f"no notebook in {folder.relative_to(self._root)}"
        where += f", only {there}" if there else ""
        standing = self._standings.get(name)
        if not (standing and standing.marked) or self._options.preview:
            return student_result(name, None, standing, where)
        if not self._options.accepted:
            where = f"{where}; put it back, or take its marks away ({missing.ACCEPT})"
            return self._undecided(name, where)
        self._writer.withdraw(name)
        return student_result(name, None, standing, f"{where}; its marks were taken back")

    def _entered(self, name: str, submission: str) -> Record | None:
        """Return the record of a submission if gradebook and autograded folder agree with it."""
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
    """Return whether the gradebook has a report's scores; any, where the report has none."""
    scores = report.scores
    return scores.keys() == standing.scores.keys() and all(
        score is None or score == standing.scores[cell] for cell, score in scores.items()
    )
