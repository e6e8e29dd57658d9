"""Grade the submissions of a class: judge them in parallel, enter them one by one.

Workers judge, here or on another machine, by a copy of the course's files; only the process that
grades reads submissions, stores results and writes autograded notebooks, gradebook and log. A
submission that has not changed since it was entered is not touched.
"""

import contextlib
import functools
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import nbformat

from referee import intake, workers
from referee.course import Assignment, Course, CourseError
from referee.intake import database
from referee.intake.folder import shown
from referee.judging import bundle, cache, denials, digests, pipeline
from referee.marks import autograded, entries, grade_log, gradebook, missing, standings
from referee.marks import writer as entering
from referee.marks.standings import WAITS, Standing
from referee.model import Judged, Limits, Original, Record, Report
from referee.sandbox.outside import server
from referee.workers import WorkersError

MOST_SHOWN = 5  # files that are named where a notebook should be
STOPPING = (CourseError, server.SandboxError, WorkersError, OSError)  # they concern everybody


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
    """The result of a student: the fields are its JSON, the other attributes are for people.

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
        self.standing: Standing | None = None  # before grading
        self.now: Standing | None = None  # after grading

    @property
    def lower(self) -> bool:
        """Return whether the sum is lower than the one in the gradebook.

        Cells without an automatic mark now do not count.
        """
        if self.standing is None or self.report is None:
            return False
        new = {cell: score for cell, score in self.report.scores.items() if score is not None}
        return sum(new.values()) < sum(self.standing.scores.get(cell) or 0 for cell in new)

    def count(self, now: Standing) -> None:
        """Take the marks from the gradebook after grading."""
        self.now, self.mark, self.why = now, now.final, now.reasons
        self.open = bool(now.waiting)


class ClassResult(msgspec.Struct):
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

    @property
    def well(self) -> bool:
        """Return whether no human has to look at a result."""
        return not (self.edited or self.for_nothing or any(one.problem for one in self.students))


def student_result(
    name: str,
    report: Report | None,
    standing: Standing | None = None,
    problem: str | None = None,
    earlier: Report | None = None,
) -> StudentResult:
    """Return the result of a student: a report, or the problem in its place.

    `standing` has the marks in the gradebook before.
    """
    before = standing.total if standing else None
    result = StudentResult(name, before=before, problem=problem)
    result.report, result.standing, result.earlier = report, standing, earlier
    if report is not None:
        result.automatic = sum(mark.score or 0 for mark in report.cells)
        refused = report.refused and f"the file could not be read: {report.refused}"
        by_hand = standing.by_hand if standing else {}
        whys = [WAITS.format(*one) for one in report.waits.items() if one[0] not in by_hand]
        result.problem = refused or denials.undecided(report) or "; ".join(whys) or None
    return result


def grade(
    assignment: Assignment,
    names: list[str],
    limits: Limits,
    options: Options,
    watch: workers.Watch | None = None,
) -> Iterator[StudentResult]:
    """Grade the submissions of the named students; yield each one when it is done.

    The assignment is one that was prepared (`suspension`). `watch` gets who is waited for.
    """
    with entering.opened(assignment) as writer:
        cells = intake.graded(intake.released(assignment))
        gradebook.expect_cells(writer.book, assignment.key, cells)
        class_ = _Class(assignment, limits, options, writer)
        if not options.accepted and not options.preview:
            missing.expect_all(assignment, names, class_.records, class_.standings)
        jobs = []
        for name in names:
            if (result := class_.at_once(name)) is not None:
                yield result
            else:
                jobs.append(name)
        if not jobs:
            return
        with server.Folder("referee-course-") as place:
            files = bundle.files(assignment)
            copy = assignment._replace(course=bundle.write(files, Path(place)))
            class_.keys = digests.keys(copy)
            setting = Setting(
                copy,
                (*files.items(),) if options.scheduler else (),
                database.saved_cells(assignment),
                limits,
                class_.keys.course,
                class_.basis,
            )
            number, gone = min(options.workers, len(jobs)), list[StudentResult]()
            requests = class_.requests(jobs, gone)
            answers = workers.run(work, setting, requests, number, options.scheduler, watch)
            with contextlib.closing(answers):
                for name, answer in answers:
                    yield class_.enter(name, answer)
            yield from gone


def class_result(
    assignment: Assignment, results: list[StudentResult], preview: bool, everybody: bool
) -> ClassResult:
    """Return what became of a class, and what the gradebook says now of those with `results`.

    Who has marks and is not among them has no folder, if it was `everybody`.
    """
    now = {} if preview else standings.of(assignment)
    for result in results:
        if result.student in now:
            result.count(now[result.student])
    results = sorted(results, key=lambda one: one.student)
    cells = [one.report.cells for one in results if one.report][-1:]
    most = sum((mark.max_score for marks in cells for mark in marks), 0.0)
    with_marks = {name for name, one in now.items() if one.marked}
    without_folder = sorted(with_marks - {one.student for one in results}) if everybody else []
    names = {one.student for one in results if not one.entered and (one.lower or not one.report)}
    stale = [] if preview else standings.stale(assignment, names)
    return ClassResult(assignment.key, most, results, without_folder, stale)


class _Class:
    """The submissions of an assignment, and their earlier results, while they are graded."""

    def __init__(
        self, assignment: Assignment, limits: Limits, options: Options, writer: entering.Writer
    ) -> None:
        self.assignment, self._limits = assignment, limits
        self._options, self._writer = options, writer
        self._others = assignment.others
        self.standings = standings.read(writer.book.db, assignment.key)
        self.records = entries.get(assignment.root, assignment.key)
        self.keys = digests.keys(assignment)  # then those of the copy that workers judge by
        self.basis = digests.basis(assignment, limits, self.keys.course)

    def at_once(self, name: str) -> StudentResult | None:
        """Return the result of a submission that needs no judging, else None.

        The marks of a notebook that is gone are taken back only if that is accepted.
        """
        if not intake.STUDENT.fullmatch(name):
            result = self._undecided(name, "no student is called that; rename the folder")
            result.student = shown(name)  # a terminal obeys what it cannot print
            return result
        folder, standing = self.assignment.submitted(name), self.standings.get(name)
        try:
            handed_in = self._collected(name)
        except OSError as error:
            return self._unopened(name, error)
        if not handed_in.notebooks and not handed_in.refused:
            names = intake.inside(folder) or intake.inside(folder, hidden=True)
            where = f"no notebook in {folder.relative_to(self.assignment.root)}"
            if names:
                where += f", only {', '.join(map(shown, names[:MOST_SHOWN]))}"
            if standing and standing.marked and not self._options.preview:
                if not self._options.accepted:
                    why = f"{where}; put it back, or take its marks away ({missing.ACCEPT})"
                    return self._undecided(name, why)
                self._writer.withdraw(name)
                where += "; its marks were taken back"
            return student_result(name, None, standing, where)
        record = self._entered_record(name, digests.digest(handed_in))
        if record is None or not record.report.settled or self._options.force:
            return None
        return student_result(name, record.report, standing, earlier=record.report)

    def requests(self, names: list[str], gone: list[StudentResult]) -> Iterator[workers.Job]:
        """Yield what workers judge by; submissions are read only now, if they are not `gone`."""
        for name in names:
            try:
                handed_in, before = self._collected(name), Judged()
            except OSError as error:
                gone.append(self._unopened(name, error))
                continue
            if not self._options.force:
                work = self._work(name, digests.digest(handed_in))
                before = cache.get(self.assignment.root, work, self.keys)
            yield name, (name, handed_in, before)

    def _collected(self, name: str) -> intake.HandedIn:
        folder = self.assignment.submitted(name)
        return intake.collect(folder, self.assignment.notebook, self._others)

    def _work(self, name: str, submission: str) -> str:
        """Return the digest by which results are stored of the files that a student handed in."""
        return digests.work(self.assignment.of(name), self.keys, submission, self._limits)

    def enter(self, name: str, answer: Any) -> StudentResult:
        """Store a worker's outcome, and enter it in the gradebook."""
        if isinstance(answer, workers.Lost):
            return self._undecided(name, f"grading it ended a worker {answer.deaths} times")
        if isinstance(answer, STOPPING):
            raise answer
        if isinstance(answer, Exception):
            return self._undecided(name, f"our own code failed: {type(answer).__name__}: {answer}")
        record, judged, notebook = answer
        cache.put(self.assignment.root, self._work(name, record.submission), judged, self.keys)
        old = self.records.get(name)
        earlier, standing = old.report if old else None, self.standings.get(name)
        result = student_result(name, record.report, standing, earlier=earlier)
        if self._options.preview or (self._options.never_lower and result.lower):
            return result
        previous = self._entered_record(name, record.submission)
        if previous and previous.report.checks == record.report.checks and not self._options.force:
            return result  # a possible accident, again
        try:
            self._writer.write(record, notebook)
        except OSError as error:
            base = self._writer.folder(name)
            if not (base.is_dir() and Path(os.fsdecode(error.filename or "")).is_relative_to(base)):
                raise  # it concerns everybody
            return self._unopened(name, error)
        except gradebook.RowsError as error:
            return self._undecided(name, str(error))
        result.entered = True
        return result

    def _undecided(self, name: str, why: str) -> StudentResult:
        """Give no marks, and leave those in the gradebook: it is not the submission's fault."""
        problem = f"{why}; not graded, the marks are as before"
        return student_result(name, None, self.standings.get(name), problem)

    def _unopened(self, name: str, error: OSError) -> StudentResult:
        """Leave the marks of a student whose files cannot be opened, read or written."""
        file = error.filename or self.assignment.submitted(name)  # `read` does not say of what
        return self._undecided(name, f"{os.fsdecode(file)}: {error.strerror}")

    def _entered_record(self, name: str, submission: str) -> Record | None:
        """Return the record of a submission if gradebook and autograded folder agree with it."""
        record, standing = self.records.get(name), self.standings.get(name)
        if record is None or standing is None:
            return None
        scores, extension = record.report.scores, self._writer.extensions.get(name)
        stands = (
            record.submission == submission
            and record.basis == self.basis
            and scores.keys() == standing.scores.keys()
            and all(score in (None, standing.scores[cell]) for cell, score in scores.items())
            and record.seconds_late == standing.seconds_late
            and record.until == (extension.text if extension else "")
            and self._writer.has(record)
        )
        return record if stands else None


# --- what a worker does --------------------------------------------------------------------------


class Setting(NamedTuple):
    """What judging has in common for a class: the assignment, and the cells to show.

    Its course is a copy, with its `files` for workers on other machines; `edition` is the digest of
    the course, `basis` that of all that decides how marks are entered.
    """

    assignment: Assignment
    files: tuple[tuple[str, bytes], ...]
    originals: dict[str, Original]
    limits: Limits
    edition: str
    basis: str


Request = tuple[str, intake.HandedIn, Judged]  # a student, what they handed in, stored results


def work(setting: Setting, request: Request) -> tuple[Record, Judged, bytes]:
    """Judge a submission; return what to enter, what to store, and the notebook to show."""
    student, handed_in, before = request
    common = setting.assignment
    course, _ = _course(common.root, setting.files, common.key, setting.edition)
    assignment = common._replace(course=course, student=student)
    accepted = intake.accept(assignment, handed_in)
    if accepted is None:
        raise intake.UnreadableError("no notebook was handed in")
    limits = setting.limits
    judged, report = pipeline.judge_file(assignment, accepted, limits, before)
    cells = accepted.cells  # as they were run
    autograded.restore(accepted.notebook, setting.originals)
    answers = autograded.answers(accepted.notebook)
    unanswered = autograded.unanswered(accepted, intake.released(assignment))
    report = autograded.zeroed(assignment, report, unanswered)
    notebook = f"{nbformat.writes(autograded.make(accepted, judged, report))}\n".encode()
    record = Record(
        student, digests.digest(handed_in), setting.edition, setting.basis,
        grade_log.now(), cells, report, handed_in.timestamp, limits=limits, answers=answers,
        unanswered=unanswered, notebook=digests.digest(notebook),
    )  # fmt: skip
    return record, judged, notebook


@functools.lru_cache(1)
def _course(
    root: Path, files: tuple[tuple[str, bytes], ...], key: str, edition: str
) -> tuple[Course, server.Folder | None]:
    """Return the course here, and its folder if it came from another machine, until this ends.

    Raises WorkersError if something here is another.
    """
    course, folder = Course(root), None
    if not os.access(root, os.R_OK | os.X_OK):  # it is elsewhere, or another user's
        folder = server.Folder("referee-course-")
        course = bundle.write(dict(files), Path(folder.name))
    if digests.keys(course.by_key(key)).course != edition:
        raise WorkersError(
            f"the worker on {platform.node()} runs another version of the referee, of Python or of "
            "a package than this machine; install the same referee/requirements.txt on both, and "
            "the packages of the course"
        )
    return course, folder
