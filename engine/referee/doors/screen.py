"""Show results in a terminal: one report, a class, a bank. Decides nothing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from referee.doors import results, table
from referee.intake.folder import TIMELESS
from referee.judging.points import SUSPENDED
from referee.marks import feedback
from referee.model import Report, Verdict
from referee.proof import audit, bank
from referee.proof.replay import Replayed, Wobble
from referee.proof.trial import Trial

if TYPE_CHECKING:  # it loads nbgrader
    from referee.doors.batch import Graded
    from referee.marks.gradebook import Standing
    from referee.marks.groups_and_extensions import Reading

LINE_SECONDS = 10.0
MOST_NAMED = 10
Done = Callable[[str, bool, bool], None]
LETTERS = dict(zip(Verdict, "·XETCMKI!-~?", strict=True))  # of the table of an audit


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
    console.print(isolation(len(report.isolation)), highlight=False)
    console.print(
        f"[bold]{report.score:g} of {report.max_score:g} points[/] without a human's help."
    )


def isolation(layers: int) -> str:
    """Say behind how many layers student code was; `referee doctor` lists them."""
    return f"sandboxed: {layers} layers" if layers else "not sandboxed"


@contextmanager
def progress(console: Console, what: str, total: int) -> Iterator[Done]:
    """Show how far the work has come: a bar in a terminal, now and then a line elsewhere.

    Gives a function that is told of each item that is done: its name, whether it went well, and
    whether there was anything to judge; what was not judged is no work and does not count.
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


def _bar(bar: Progress, what: str, total: int) -> Done:
    task = bar.add_task(what, total=total, rate="", failed="")
    count, failed, begin = 0, 0, time.monotonic()

    def done(name: str, well: bool, judged: bool) -> None:
        nonlocal count, failed, total
        count, failed, total = count + judged, failed + (not well), total - (not judged)
        rate = 60 * count / max(0.001, time.monotonic() - begin)
        need = f"{failed} need you" if failed else ""
        bar.update(task, completed=count, total=total, description=f"{what}: {name}")
        bar.update(task, failed=need, rate=f"{rate:.0f}/min")

    return done


def _lines(console: Console, what: str, total: int) -> Done:
    count = failed = 0
    begin = last = time.monotonic()

    def done(name: str, well: bool, judged: bool) -> None:
        nonlocal count, failed, total, last
        count, failed, total = count + judged, failed + (not well), total - (not judged)
        now = time.monotonic()
        if count == 0 or (count < total and now - last < LINE_SECONDS):
            return
        last, spent = now, now - begin
        left = spent / count * (total - count)
        need = f", {failed} need you" if failed else ""
        console.print(
            f"{what}: {count} of {total} in {spent:.0f} s, about {left:.0f} s left{need}",
            highlight=False,
        )

    return done


def graded(
    console: Console,
    assignment: str,
    results: list[Graded],
    standings: Mapping[str, Standing] | None,
    gone: Sequence[str] = (),
    stale: Sequence[str] = (),
) -> None:
    """Print a class that was graded: a table of marks, and whom the teacher should look at.

    `standings` is what the gradebook says now, or None if nothing was to be written; `gone` are
    the students with marks there and no folder any more, `stale` those whose marks are for another
    notebook than lies there now.
    """
    table.of_class(console, assignment, results, standings or {})
    preview = standings is None
    lines = _open(results, standings or {})
    for result in results:
        if result.lower and not (result.concern or preview or result.entered):
            lines.append(
                f"{result.student} keeps {_before(result):g} points; "
                f"the new result has {result.total:g}."
            )
    for line in (
        *lines,
        *_concerns(results),
        *_suspended(results),
        *_lowered(results),
        *_gone(assignment, gone),
        *_stale(stale),
        *_timeless(results),
    ):
        say(console, line)
    entered = sum(result.entered for result in results)
    attention = sum(result.concern is not None for result in results)
    same = len(results) - entered - sum(result.report is None for result in results)
    doing = "nothing was written (--preview)" if preview else f"{entered} entered, {same} as before"
    say(console, f"{len(results)} students: {doing}, {attention} need you.")


def lists(console: Console, lists: Reading) -> None:
    """Print what the lists of an instructor say, a few lines of each kind."""
    for lines, kind in zip(lists, ("extensions.csv", "what reaches nobody"), strict=True):
        for line in lines[:MOST_NAMED]:
            say(console, line)
        if len(lines) > MOST_NAMED:
            say(console, f"and {len(lines) - MOST_NAMED} more lines of {kind}")


def status(console: Console, found: Sequence[results.Status]) -> None:
    """Print a line for each notebook, and below who has to be done."""
    heads = ("", "handed in", "graded", "to grade", "stale", "by hand")
    rows = [
        (one.assignment, *map(str, map(len, (
            one.handed_in, one.graded, one.to_grade, one.stale, one.by_hand
        )))) for one in found
    ]  # fmt: skip
    first = max(len(row[0]) for row in rows)
    for name, *counts in (heads, *rows):
        fields = (f"{text:>{len(head)}}" for text, head in zip(counts, heads[1:], strict=True))
        say(console, "  ".join([f"{name:{first}}", *fields]))
    for one in found:
        for words, names in (
            ("to grade", one.to_grade),
            ("stale, since another notebook was handed in", one.stale),
            ("with a cell to mark by hand", one.by_hand),
        ):
            if names:
                say(console, f"{one.assignment}, {words}: {some(names)}")


def some(names: Sequence[str]) -> str:
    """Return the first ten names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def say(console: Console, line: str) -> None:
    """Print a line as it is; in a pipe it stays one, however long it is."""
    console.print(line, markup=False, highlight=False, soft_wrap=not console.is_terminal)


def _open(results: list[Graded], standings: Mapping[str, Standing]) -> list[str]:
    """Say in which cells somebody waits for a mark by hand."""
    cells: set[str] = set()
    for result in results:
        standing = standings.get(result.student, result.standing)
        if result.report:
            unscored = {mark.grade_id for mark in result.report.cells if mark.score is None}
            cells |= unscored - set(standing.by_hand if standing else ())
    return [f"To be marked by hand: {', '.join(sorted(cells))}."] if cells else []


def _concerns(results: list[Graded]) -> list[str]:
    """Say who needs a human, and why: who have one reason stand in one line."""
    who: dict[str, list[str]] = {}
    for result in results:
        if result.concern:
            who.setdefault(result.concern, []).append(result.student)
    return [
        f"{names[0]} needs you: {concern}"
        if len(names) == 1
        else f"{len(names)} need you: {concern}: {', '.join(names)}"
        for concern, names in who.items()
    ]


def _gone(assignment: str, students: Sequence[str]) -> list[str]:
    """Say whose marks stand though nothing of theirs is there any more."""
    if not students:
        return []
    return [
        f"Without a folder submitted/*/{assignment}, with the marks they had: "
        f"{', '.join(students)}. Put the folders back, or take who has left out of the gradebook "
        "(`nbgrader db student remove`)."
    ]


def _stale(students: Sequence[str]) -> list[str]:
    """Say whose marks are for an older notebook."""
    return [f"With the marks of an older notebook: {', '.join(students)}."] if students else []


def _timeless(results: list[Graded]) -> list[str]:
    """Say who is not late for want of a time stamp that can be read."""
    reports = {one.student: one.report.repairs for one in results if one.report}
    names = [who for who, told in reports.items() if any(one.startswith(TIMELESS) for one in told)]
    why = "Not late, since their time stamp does not count (the notebook in autograded/ says why)"
    return [f"{why}: {some(names)}."] if names else []


def _suspended(results: list[Graded]) -> list[str]:
    """Say which checks count for nobody."""
    checks = [check for r in results if r.report for check in r.report.checks]
    reasons = {check.id: check.details for check in checks if check.message == SUSPENDED}
    return [
        f"Suspended, since the reference solution does not pass {name}: {why}. Mend the check or "
        "the reference and grade again; until then a human marks the cell."
        for name, why in reasons.items()
    ]


def _lowered(results: list[Graded]) -> list[str]:
    """Say how many marks are lower than those that stood before, and by which checks."""
    lower = [result for result in results if result.report and result.lower]
    if not lower:
        return []
    checks = Counter(name for result in lower for name in _lost(result))
    by = ", ".join(f"{name} ({count})" for name, count in checks.most_common())
    who = ", ".join(f"{one.student} {_before(one):g} -> {one.total:g}" for one in lower)
    return [f"Lower than before: {len(lower)} of {len(results)}, by {by or 'no check'}: {who}."]


def _lost(result: Graded) -> list[str]:
    """Return the checks that take more than before, or are new, in cells whose marks are lower."""
    if result.report is None:
        return []
    before = result.before.checks if result.before else []
    taken = {check.id: check.max_points - check.points for check in before}
    scores = _marks(result)
    lower = {
        mark.cell
        for mark in result.report.cells
        if mark.score is not None and mark.score < (scores.get(mark.grade_id) or 0)
    }
    return [
        check.id
        for check in result.report.checks
        if check.cell in lower and check.max_points - check.points > taken.get(check.id, 0)
    ]


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


def audited(console: Console, findings: list[audit.Finding], lines: Sequence[str]) -> None:
    """Print what became of the bank, and some lines more that say what is wrong."""
    matrix(console, findings)
    for finding in findings:
        for problem in finding.problems:
            say(console, f"{finding.solution.name}: {problem}")
    counts = Counter(finding.solution.kind for finding in findings)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in bank.FOLDERS)
    bad = sum(bool(finding.problems) for finding in findings)
    say(console, f"{kinds}: {bad} with a problem.")
    for line in lines:
        say(console, line)


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
