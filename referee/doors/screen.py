"""Show results in a terminal: one report, a class, a bank. Decides nothing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from referee.judging.judge import SUSPENDED
from referee.marks import feedback
from referee.model import CellMark, Report, Verdict
from referee.proof import audit
from referee.proof.replay import Replayed, Wobble
from referee.proof.trial import Trial
from referee.report import summary

if TYPE_CHECKING:  # it loads nbgrader
    from referee.doors.batch import Graded

LINE_SECONDS = 10.0
LETTERS = dict(zip(Verdict, "·XETCMK!-~?", strict=True))  # of the table of an audit


def report(console: Console, report: Report) -> None:
    """Print all that was decided about a notebook."""
    if repairs := feedback.repairs_as_text(report):
        console.print(repairs, style="yellow", markup=False, highlight=False)
    for failure in report.failures:
        console.print(
            f"While the notebook ran, {failure}", style="red", markup=False, highlight=False
        )
    for mark in report.cells:
        console.print(feedback.as_text(report, mark), markup=False, highlight=False)
        console.print()
    console.print(isolation(report.isolation), highlight=False)
    console.print(
        f"[bold]{report.score:g} of {report.max_score:g} points[/] without a human's help."
    )


def isolation(layers: list[str]) -> str:
    """Return a sentence that names the layers that student code was behind."""
    return f"Isolation of student code: {', '.join(layers)}."


@contextmanager
def progress(console: Console, what: str, total: int) -> Iterator[Callable[[str, bool], None]]:
    """Show how far the work has come: a bar in a terminal, now and then a line elsewhere.

    Gives a function that is told of each item that is done: its name, and whether it went well.
    """
    if console.is_terminal:
        columns = (
            TextColumn("{task.description:36}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
            TextColumn("{task.fields[failed]}", style="yellow"),
        )  # fmt: skip
        with Progress(*columns, console=console) as bar:
            yield _bar(bar, what, total)
    else:
        yield _lines(console, what, total)


def _bar(bar: Progress, what: str, total: int) -> Callable[[str, bool], None]:
    task = bar.add_task(what, total=total, rate="", failed="")
    failed, begin = 0, time.monotonic()

    def done(name: str, well: bool) -> None:
        nonlocal failed
        failed += not well
        count = bar.tasks[task].completed + 1
        rate = 60 * count / max(0.001, time.monotonic() - begin)
        need = f"{failed} need you" if failed else ""
        bar.update(task, advance=1, description=f"{what}: {name}", rate=f"{rate:.0f}/min")
        bar.update(task, failed=need)

    return done


def _lines(console: Console, what: str, total: int) -> Callable[[str, bool], None]:
    count = failed = 0
    begin = last = time.monotonic()

    def done(name: str, well: bool) -> None:
        nonlocal count, failed, last
        count, failed = count + 1, failed + (not well)
        now = time.monotonic()
        if count < total and now - last < LINE_SECONDS:
            return
        last, spent = now, now - begin
        left = spent / count * (total - count)
        need = f", {failed} need you" if failed else ""
        console.print(
            f"{what}: {count} of {total} in {spent:.0f} s, about {left:.0f} s left{need}",
            highlight=False,
        )

    return done


def graded(console: Console, assignment: str, results: list[Graded], preview: bool) -> None:
    """Print a class that was graded: a table of marks, and whom the teacher should look at."""
    console.print(_class_table(assignment, results))
    by_hand = {m.grade_id for r in results if r.report for m in r.report.cells if m.score is None}
    if by_hand:
        console.print(f"To be marked by hand: {', '.join(sorted(by_hand))}.", highlight=False)
    for result in results:
        if result.concern:
            console.print(
                f"{result.student} needs you: {result.concern}", markup=False, highlight=False
            )
        elif result.lower and not preview and not result.entered:
            console.print(
                f"{result.student} keeps {_before(result):g} points; "
                f"the new result has {result.total:g}.",
                markup=False, highlight=False,
            )  # fmt: skip
    for line in (*_suspended(results), *_lowered(results)):
        console.print(line, markup=False, highlight=False)
    entered = sum(result.entered for result in results)
    attention = sum(result.concern is not None for result in results)
    same = len(results) - entered - sum(result.report is None for result in results)
    doing = "nothing was written (--preview)" if preview else f"{entered} entered, {same} as before"
    console.print(f"{len(results)} students: {doing}, {attention} need you.", highlight=False)


def _suspended(results: list[Graded]) -> list[str]:
    """Say which checks count for nobody."""
    checks = [check for r in results if r.report for check in r.report.checks]
    names = dict.fromkeys(check.id for check in checks if check.message == SUSPENDED)
    if not names:
        return []
    return [
        f"Suspended, since the reference solution does not pass: {', '.join(names)}. Mend the "
        "check or the reference and grade again; until then a human marks the cells."
    ]


def _lowered(results: list[Graded]) -> list[str]:
    """Say how many marks are lower than those that stood before, and by which checks."""
    lower = [result for result in results if result.report and result.lower]
    if not lower:
        return []
    checks = Counter(name for result in lower for name in _lost(result))
    by = ", ".join(f"{name} ({count})" for name, count in checks.most_common())
    return [f"Lower than before: {len(lower)} of {len(results)}, by {by or 'no check'}."]


def _lost(result: Graded) -> list[str]:
    """Return the checks that were passed before and are not now."""
    passed = (
        {c.id for c in result.before.checks if c.verdict is Verdict.PASS} if result.before else ()
    )
    now = result.report.checks if result.report else []
    return [check.id for check in now if check.id in passed and check.verdict is not Verdict.PASS]


def changes(console: Console, results: list[Graded]) -> None:
    """Print who would gain or lose how much, and by which checks."""
    changed = [r for r in results if r.report and _marks(r) != r.report.scores]
    for result in changed:
        old, new = _before(result), result.total
        was = "new" if result.standing is None else f"{old:g} points"
        sign = f"{new - old:+g}" if result.standing else f"{new:g}"
        console.print(f"{result.student}: {was}, {sign}", markup=False, highlight=False)
        for line in _reasons(result):
            console.print(f"    {line}", markup=False, highlight=False)
    console.print(f"{len(changed)} of {len(results)} would change.", highlight=False)


def _marks(result: Graded) -> dict[str, float | None]:
    return {} if result.standing is None else result.standing.scores


def _before(result: Graded) -> float:
    return 0.0 if result.standing is None else result.standing.total


def _reasons(result: Graded) -> list[str]:
    """Return the cells whose marks change, each with the checks that have another verdict."""
    if result.report is None or result.standing is None:
        return []
    checks = result.before.checks if result.before else []
    before = {check.id: check.verdict for check in checks}
    lines = []
    for mark in result.report.cells:
        old = result.standing.scores.get(mark.grade_id)
        if old == mark.score:
            continue
        lines.append(f"{mark.cell}: {_points(old)} -> {_points(mark.score)}")
        lines += [
            f"  {check.id}: {before.get(check.id, 'not asked')} -> {check.verdict}"
            for check in result.report.checks
            if check.cell == mark.cell and before.get(check.id) != check.verdict
        ]
    return lines


def _points(score: float | None) -> str:
    return "by hand" if score is None else f"{score:g}"


def _class_table(assignment: str, graded: list[Graded]) -> Table:
    """Make the table of students and the cells that are graded automatically."""
    reports = [result.report for result in graded if result.report is not None]
    cells = [mark for mark in reports[0].cells if _automatic(mark, reports)] if reports else []
    table = Table(
        title=f"{assignment}: {len(graded)} students", box=None, padding=(0, 1), pad_edge=False
    )
    table.add_column("student\n")
    for mark in cells:
        table.add_column(f"{mark.cell}\n/{mark.max_score:g}", justify="right", no_wrap=True)
    table.add_column(f"sum\n/{reports[0].max_score:g}" if reports else "sum", justify="right")
    table.add_column("notes\n")
    names = {mark.grade_id for mark in cells}
    for result in graded:
        if result.report is None:
            table.add_row(result.student, *[""] * (len(cells) + 1), result.problem)
            continue
        marks = [_cell_text(mark) for mark in result.report.cells if mark.grade_id in names]
        total = f"{result.report.score:g}"
        table.add_row(result.student, *marks, total, summary.notes(result.report))
    return table


def _automatic(mark: CellMark, reports: list[Report]) -> bool:
    return any(
        other.score is not None
        for report in reports
        for other in report.cells
        if other.grade_id == mark.grade_id
    )


def _cell_text(mark: CellMark) -> str:
    if mark.score is None:
        return "[bold]?[/]"
    colour = "green" if mark.score == mark.max_score else "red" if mark.score == 0 else "yellow"
    return f"[{colour}]{mark.score:g}[/]"


def matrix(console: Console, findings: list[audit.Finding]) -> None:
    """Print which check caught which solution: a column a check, numbered below."""
    ids, rows = audit.matrix(findings)
    width = max((len(finding.solution.name) for finding in findings), default=0)
    for finding, verdicts in rows:
        letters = "".join(" " if verdict is None else LETTERS[verdict] for verdict in verdicts)
        console.print(f"{finding.solution.name:{width}}  {letters}", markup=False, highlight=False)
    for number, name in enumerate(ids, start=1):
        console.print(f"  column {number}: {name}", markup=False, highlight=False)
    legend = "   ".join(f"{letter} {verdict}" for verdict, letter in LETTERS.items())
    console.print(f"  {legend}", highlight=False, soft_wrap=True)


def trial(console: Console, found: Trial) -> None:
    """Print what became of an assignment that is being written."""
    lost = [check for check in found.reference if check.verdict is not Verdict.PASS]
    _line(console, not lost, f"the reference passes {_of(found.reference, lost)} checks")
    for check in lost:
        console.print(f"    {check.id}: {check.message} {check.details}", markup=False)
    for finding in found.findings:
        _finding(console, finding)
    for gap in found.gaps:
        _line(console, False, gap)
    if not found.mutants:
        return
    caught = f"{found.mutants - len(found.survivors)} of {found.mutants} mutants are caught"
    _line(console, not found.survivors, caught, "yellow")
    for mutant, lines in found.survivors:
        text = f"    {mutant.name}: no check of {mutant.cell} sees this change"
        console.print("\n        ".join([text, *lines]), markup=False, highlight=False)


def _of(everything: Sized, lost: Sized) -> str:
    return f"{len(everything) - len(lost)} of {len(everything)}"


def _finding(console: Console, finding: audit.Finding) -> None:
    """Print a solution of the bank: what is wrong with it, or what its student would read."""
    lost = [check for check in finding.checks if check.verdict.lost]
    passes = f"passes {_of(finding.checks, lost)} checks"
    said = "; ".join(finding.problems) or passes
    _line(console, not finding.problems, f"{finding.solution.name} {said}")
    seen: set[str] = set()
    for check in lost:
        text = f"{check.title}\n{feedback.message(check, seen)}".strip().replace("\n", "\n      ")
        console.print(f"    ✗ {text}", markup=False, highlight=False)


def _line(console: Console, good: bool, text: str, bad: str = "red") -> None:
    sign, style = ("✓", "green") if good else ("✗", bad)
    console.print(f"{sign} {text}", style=style, markup=False, highlight=False)


def replayed(console: Console, results: list[Replayed]) -> bool:
    """Print what has become of each check that was judged again; return whether all are alike."""
    for before, now in results:
        verdict = "not asked any more" if now is None else now.verdict
        sign = "=" if Replayed(before, now).same else "≠"
        line = f"{sign} {before.id}: {before.verdict} -> {verdict}"
        console.print(line, markup=False, highlight=False)
        if now is not None and len(results) == 1:
            console.print(
                "\n".join([now.title, now.message, now.hint, now.details]).strip(), markup=False
            )
    changed = sum(not one.same for one in results)
    console.print(f"{len(results)} judged again, {changed} changed.", highlight=False)
    return not changed


def wobble(console: Console, one: Wobble) -> None:
    """Print a check whose verdict has changed from one run to the next."""
    console.print(f"{one.student}: {one.check}", markup=False, highlight=False)
    for how, verdict in one.verdicts:
        console.print(f"    {how}: {verdict}", markup=False, highlight=False)
