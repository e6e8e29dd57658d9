"""Print the report on one notebook, why it has its marks, and verdicts when judged again."""

import re

from rich.console import Console

from referee.commands.terminal import say
from referee.doors.why import CellReasons, Reasons
from referee.intake import called
from referee.judging import denials
from referee.marks import feedback
from referee.marks.grade_log import Change, HandMark
from referee.model import CheckResult, Report, Verdict
from referee.proof.replay import ReplayResult


def report(console: Console, report: Report) -> None:
    """Print the report on a notebook."""
    if repairs := feedback.repairs_as_text(report):
        say(console, repairs, "yellow")
    for failure in report.failures:
        say(console, f"While the notebook ran, {denials.named(failure)}", "red")
    for mark in report.cells:
        say(console, f"{feedback.as_text(report, mark)}\n")
    say(console, isolation(len(report.isolation)))
    console.print(
        f"[bold]{report.score:g} of {report.max_score:g} points[/] without a human's help."
    )


def isolation(layers: int) -> str:
    """Print the number of layers of isolation; `referee doctor` lists them."""
    return f"sandboxed: {layers} layers" if layers else "not sandboxed"


def reasons(console: Console, found: Reasons, check: str | None, headings: dict[str, str]) -> None:
    """Print why a student has these marks; with `check`, of that check only."""
    waits = ", and waits for a human" if found.waits else ""
    say(
        console,
        f"{found.student}, {found.assignment}: {found.score:g} of {found.max_score:g}{waits}.",
    )
    say(console, f"{_handed_in(found)}; judged {found.judged}.")
    if len(works := _graded(found)) > 1:
        many = f"{len(works)} submissions were graded, and the last one counts; the one before was"
        say(console, f"{many} handed in {_time(works[-2].handed_in)}.")
    if found.penalty:
        say(console, f"{_points(found.penalty)} off for being late.")
    if found.extra:
        say(console, f"{_points(found.extra)} extra.")
    for note in found.notes:
        say(console, denials.named(note.rstrip(": ")), "yellow")
    for cell in found.cells:
        checks = [one for one in cell.checks if check in (None, one.id.partition("::")[2], one.id)]
        if check is None or checks:
            say(console, f"\n{called(cell.cell, headings)}: {_given(cell)}")
            _checks(console, checks, whole=check is not None)
    if found.changes and check is None:
        say(console, "\nChanges of marks:")
        for one in found.changes:
            cells = [f"{c} {_mark(one.old.get(c))} -> {_mark(new)}" for c, new in one.new.items()]
            cells += [f"{cell} by hand {_by_hand(*pair)}" for cell, pair in one.by_hand.items()]
            say(console, f"  {one.when}, {one.who}{_cause(works, one)}: {', '.join(cells)}")


def _graded(found: Reasons) -> list[Change]:
    """Return the changes with which another submission has got its first marks."""
    works: list[Change] = []
    for one in found.changes:
        if one.submission and (not works or one.submission != works[-1].submission):
            works.append(one)
    return works


def _cause(works: list[Change], change: Change) -> str:
    """Return why a change was made, as far as the log tells; `works` are those of `_graded`."""
    if change in works[1:]:
        return f", another submission, handed in {_time(change.handed_in)}"
    if change.new and set(change.new.values()) == {None}:
        return ", marks withdrawn"
    again = change.submission and change not in works
    return ", the same submission graded again" if again else ""


def _handed_in(found: Reasons) -> str:
    """Return when a notebook was handed in, and how late that is."""
    time = _time(found.handed_in)
    late = f"{found.seconds_late / 86400:.1f} days late" if found.seconds_late else "in time"
    if found.extension:
        return f"Handed in {time}, {late} by the extension until {found.extension}"
    return f"Handed in {time}, {late}" if found.seconds_late else f"Handed in {time}"


def _time(stamp: str | None) -> str:
    return re.sub(r"\.\d+", "", stamp or "without a time stamp")


def _given(cell: CellReasons) -> str:
    """Return what counts for a cell, who has given it, and whether somebody still has to look."""
    score = cell.score if cell.by_hand is None else cell.by_hand
    text = f"{_mark(score) if score is not None else 'no mark'} of {cell.max_score:g}"
    if cell.by_hand is not None:
        text += ", by hand"
        text += "" if cell.score is None else f" in place of the automatic {cell.score:g}"
    return f"{text}; waits for a human" if cell.waits else text


def _points(number: float) -> str:
    return f"{number:g} point{'' if number == 1 else 's'}"


def _by_hand(old: HandMark, new: HandMark) -> str:
    """Return what somebody changed in the mark of a cell."""
    extra = f", extra {_mark(old.extra)} -> {_mark(new.extra)}" if old.extra != new.extra else ""
    told = ", another comment" if old.comment != new.comment else ""
    return f"{_mark(old.score)} -> {_mark(new.score)}{extra}{told}"


def _mark(score: float | None) -> str:
    return "none" if score is None else f"{score:g}"


def _checks(console: Console, checks: list[CheckResult], whole: bool) -> None:
    """Print what was lost by which checks and why, and how many have passed."""
    passed = [one for one in checks if one.verdict is Verdict.PASS]
    for group, why in [*feedback.reasons(checks, []), *([(passed, "")] if whole else [])]:
        for one in group:
            points = f"{one.points:g} of {one.max_points:g}"
            say(console, f"  {one.verdict}: {one.title} ({one.id}, {points})")
        for line in denials.named(why).splitlines():
            say(console, f"      {line}")
    if passed and not whole:
        say(console, f"  pass: {len(passed)} of {len(checks)} checks")


def why(console: Console, result: ReplayResult) -> None:
    """Print the verdict of each check that was judged again; a single check in full."""
    for one in result.checks:
        verdict = one.now or "not asked any more"
        say(console, f"{'=' if one.same else '≠'} {one.check}: {one.before} -> {verdict}")
        if one.result is not None and len(result.checks) == 1:
            texts = one.result.title, one.result.message, one.result.hint, one.result.details
            say(console, "\n".join(texts).strip())
    if result.edited:
        say(console, "The course has changed since; this is what it says now.", "yellow")
    changed = sum(not one.same for one in result.checks)
    say(console, f"{len(result.checks)} judged again, {changed} changed.")
