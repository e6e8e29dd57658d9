"""`referee why`: what has made a student's marks, from what is stored."""

import re
from collections.abc import Iterator
from datetime import timedelta
from shlex import quote
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from referee import intake
from referee.commands import shared, terminal
from referee.course import Assignment, CourseError
from referee.judging import denials
from referee.marks import feedback, grade_log, gradebook, standings
from referee.marks.grade_log import Change
from referee.model import CheckResult, Verdict, counted
from referee.proof import replay


class CellReasons(msgspec.Struct):
    """A cell's points, automatic and by hand, and what each of its checks has said."""

    cell: str
    score: float | None
    by_hand: float | None
    max_score: float
    checks: list[CheckResult]
    waits: str = ""


class Reasons(msgspec.Struct):
    """All that has made a student's marks of a notebook: the fields are its JSON.

    `score` is what counts: by hand where there is a mark by hand, plus `extra` points, less
    the `penalty` for being late, by the `late_rule`; `waits` tells whether a human still has to
    look.
    """

    assignment: str
    student: str
    score: float
    max_score: float
    extra: float
    penalty: float
    late_rule: str  #: the plugin's class
    waits: bool
    handed_in: str | None
    seconds_late: float
    extension: str
    judged: str
    notes: list[str]  #: repairs, and errors of cells
    cells: list[CellReasons]
    changes: list[Change]  #: those of `grades.jsonl`


def run(
    student: shared.StudentArgument,
    assignment: shared.AssignmentArgument,
    again: Annotated[
        bool, typer.Option("--again", help="Judge once more, by the course as it is now.")
    ] = False,
    check: Annotated[str | None, typer.Option(help="Judge only this check once more.")] = None,
    json: shared.JsonOption = None,
    course_folder: shared.CourseOption = None,
) -> int:
    """Tell why a student has these marks, or judge them once more."""
    task = shared.assignment(course_folder, assignment)
    if reason := intake.other_language(task):
        raise CourseError(reason)
    if not again and check is None:
        reasons = _reasons(task, student)
        headings = intake.headings(intake.course_notebook(task.release))
        terminal.said(_lines(reasons, headings), reasons, json)
        return 0
    with terminal.console(json).status("Judging again ..."):
        result = replay.again(task, student, check)
    terminal.said(_comparison(result), result, json)
    return 0 if result.same else 1


def _reasons(task: Assignment, student: str) -> Reasons:
    """Return why a student has these marks; CourseError if nothing is stored of them."""
    record = replay.entered(task, student)
    report, standing = record.report, standings.of(task).get(student)
    if standing is None:
        raise CourseError(
            f"the gradebook has no marks of {student} for {task.name}; "
            f"`referee grade {quote(task.name)}` enters them"
        )
    return Reasons(
        assignment=task.key,
        student=student,
        score=standing.final,
        max_score=sum(mark.max_score for mark in report.cells),
        extra=sum(standing.extra.values()),
        penalty=standing.penalty,
        late_rule=gradebook.late_rule(task.course.configuration()).plugin_class.__name__,
        waits=bool(standing.waiting),
        handed_in=record.timestamp,
        seconds_late=record.seconds_late,
        extension=record.until,
        judged=record.when,
        notes=[*feedback.repairs_as_text(report).splitlines(), *report.failures],
        cells=[
            CellReasons(
                mark.grade_id,
                standing.scores[mark.grade_id],
                standing.by_hand.get(mark.grade_id),
                mark.max_score,
                [check for check in report.checks if check.cell == mark.cell],
                standing.waiting.get(mark.grade_id, ""),
            )
            for mark in report.cells
            if mark.grade_id in standing.scores  # else a release has left it out since
        ],
        changes=[one for one in grade_log.changes(task.root, task.key) if one.student == student],
    )


# --- what it says --------------------------------------------------------------------------------


def _lines(result: Reasons, headings: dict[str, str]) -> Iterator[str | Text]:
    """Yield why a student has these marks: cells with their checks, then how they have changed."""
    waits = ", and waits for a human" if result.waits else ""
    mark = f"{_mark(result.score)} of {result.max_score:g}"
    yield f"{result.student}, {result.assignment}: {mark}{waits}."
    late = f", {timedelta(seconds=round(result.seconds_late))} late" if result.seconds_late else ""
    if result.extension:
        late = f"{late or ', in time'} by the extension until {result.extension}"
    yield f"Handed in {_time(result.handed_in)}{late}; judged {result.judged}."
    if result.penalty:
        off = counted(round(result.penalty, 2), "point")
        yield f"{off} off for being late, by {result.late_rule}."
    if result.extra:
        yield f"{counted(result.extra, 'point')} extra."
    for note in result.notes:
        yield Text(denials.named(note.rstrip(": ")), "yellow")
    for cell in result.cells:
        score = cell.score if cell.by_hand is None else cell.by_hand
        text = f"{_mark(score) if score is not None else 'no mark'} of {cell.max_score:g}"
        if cell.by_hand is not None:
            text += ", by hand"
            text += "" if cell.score is None else f" in place of the automatic {_mark(cell.score)}"
        waits = f"; waits for a human: {cell.waits}" if cell.waits else ""
        yield f"\n{intake.called(cell.cell, headings)}: {text}{waits}"
        for group, why in feedback.reasons(cell.checks, []):
            for check in group:
                points = f"{_mark(check.points)} of {_mark(check.max_points)}"
                yield f"  {check.verdict}: {check.title} ({check.id}, {points})"
            yield from (f"      {line}" for line in denials.named(why).splitlines())
        if passes := sum(one.verdict is Verdict.PASS for one in cell.checks):
            yield f"  pass: {passes} of {len(cell.checks)} checks"
    if result.changes:
        yield "\nChanges of marks:"
    work = ""  # the submission that has its marks so far
    for change in result.changes:
        cause = ""
        if change.new and set(change.new.values()) == {None}:
            cause = ", marks withdrawn"
        elif change.submission and work == change.submission:
            cause = ", the same submission graded again"
        elif change.submission and work:
            cause = f", another submission, handed in {_time(change.handed_in)}"
        work = change.submission or work
        cells = [f"{c} {_mark(change.old.get(c))} -> {_mark(new)}" for c, new in change.new.items()]
        for name, (before, after) in change.by_hand.items():
            marks = f"{_mark(before.score)} -> {_mark(after.score)}"
            extra = f", extra {_mark(before.extra)} -> {_mark(after.extra)}"
            extra = extra if before.extra != after.extra else ""
            note = ", another comment" if before.comment != after.comment else ""
            cells.append(f"{name} by hand {marks}{extra}{note}")
        yield f"  {change.when}, {change.who}{cause}: {', '.join(cells)}"


def _time(stamp: str | None) -> str:
    return re.sub(r"\.\d+", "", stamp or "without a time stamp that counts")


def _mark(score: float | None) -> str:
    return "none" if score is None else f"{round(score, 2):g}"


def _comparison(result: replay.ReplayResult) -> Iterator[str | Text]:
    """Yield the verdict of each check that was judged again; a single check in full."""
    for pair in result.checks:
        verdict = pair.now or "not asked any more"
        yield f"{'=' if pair.same else '≠'} {pair.check}: {pair.before} -> {verdict}"
        if pair.result is not None and len(result.checks) == 1:
            texts = pair.result.title, pair.result.message, pair.result.hint, pair.result.details
            yield "\n".join(texts).strip()
    if result.edited:
        yield Text("The course has changed since; this is what it says now.", "yellow")
    count = sum(not pair.same for pair in result.checks)
    yield f"{len(result.checks)} judged again, {count} changed."
