"""`referee audit`: do the hidden checks give each solution of the bank the right verdict?"""

import contextlib
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.text import Text

from referee import course
from referee.commands import shared, terminal
from referee.course import Assignment, CourseError
from referee.judging import digests
from referee.marks import feedback
from referee.proof import audit, bank, lint, mutants
from referee.proof.audit import AuditResult, Finding

POLL_SECONDS = 0.5
UNCHANGED = "How good the checks are is not known: the solution has no function to change."


def run(
    assignment: shared.AssignmentsArgument = None,
    solution: Annotated[
        list[str] | None,
        typer.Option(help="Only this solution, as wrong/never_cuts; may be repeated."),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Look again at each save, until Ctrl-C.")
    ] = False,
    seeds: Annotated[
        int,
        typer.Option(min=1, help="Judge with so many secrets and show which verdicts differ."),
    ] = 1,
    force: shared.ForceOption = False,
    workers: shared.WorkersOption = shared.CORES,
    json: shared.JsonOption = None,
    course_folder: shared.CourseOption = None,
) -> int:
    """Test whether checks pass what is right and catch mistakes."""
    tasks, done = shared.tasks(course_folder, assignment), list[AuditResult]()
    if watch:
        _watch(tasks, json)
    for task in tasks:
        faults = [] if solution else lint.faults(task)
        try:
            done.append(_audited(task, solution or [], seeds, force, workers, json))
        except CourseError:  # one of them may be the cause
            terminal.said((terminal.whether(False, one) for one in faults), json=json)
            raise
        done[-1].faults = faults
        terminal.said(_lines(done[-1], seeds, bool(solution)), json=json)
    terminal.said([], done, json)
    return 0 if all(one.well for one in done) else 1


def _audited(
    task: Assignment, names: list[str], seeds: int, force: bool, workers: int, json: Path | None
) -> AuditResult:
    """Audit one notebook, or only what some solutions of its bank get."""
    console, rounds = terminal.console(json), list[list[Finding]]()
    solutions = bank.read_all(task, names)
    for one in solutions if names else ():
        sections = (f"# %% {name}\n{source}\n" for name, source in one.sections)
        terminal.said([f"# {one.name}", *sections], json=json)
    limits = task.course.limits(unsafe=True)
    again = audit.drawing(task, solutions)  # with each of the other secrets
    total = len(solutions) + (seeds - 1) * len(again)
    with terminal.Ticker(console, f"Auditing {task.key}", total) as shown:
        for draw in range(seeds):
            rounds.append([])
            drawn, asked = task._replace(draw=draw), again if draw else solutions
            for finding in audit.audit(drawn, asked, limits, workers, force):
                rounds[-1].append(finding)
                shown.done(bool(draw) or not finding.problems)
    findings = sorted(rounds[0], key=lambda finding: finding.solution)
    moved = audit.moved(rounds)
    if names:
        return AuditResult(task.key, findings, [], [], moved, None, {})
    gaps = audit.gaps(task, limits)
    with console.status("Judging mutants of the reference ..."):
        tried = mutants.tried(task, limits, workers)
    gaps += tried.gaps
    return AuditResult(task.key, findings, [], gaps, moved, tried.judged, tried.survivors)


def _watch(tasks: list[Assignment], json: Path | None) -> NoReturn:
    """Run this command anew, without --watch, at each save of what assignments depend on.

    Before that comes the release of a source that is newer.
    """
    program, seen = [sys.executable, sys.argv[0]], dict[Path, int]()
    words = [word for word in sys.argv[1:] if word != "--watch"]
    while True:
        if (now := _stamps(tasks)) != seen:
            seen = now
            terminal.said([f"\n--- {time.strftime('%H:%M:%S')}"], json=json)
            runs = []
            for task in tasks:
                mine = [when for file, when in now.items() if task.source.parent in file.parents]
                made = task.release.stat().st_mtime_ns if task.release.is_file() else 0
                if max(mine, default=0) > made:
                    runs.append(["release", task.name, f"--course={task.root}"])
            for run in [*runs, words]:
                if subprocess.run([*program, *run], check=False).returncode:
                    break
        time.sleep(POLL_SECONDS)


def _stamps(tasks: list[Assignment]) -> dict[Path, int]:
    """Return when each file was changed that some assignments depend on."""
    own = course.Course(tasks[0].root)  # as it is configured now
    files = [own.root / course.CONFIG]
    with contextlib.suppress(CourseError):  # an audit says so
        files += digests.subject_files(own)
    folders = [one for task in tasks for one in (task.source.parent, task.hidden, task.bank)]
    found = {}
    for file in (*(file for folder in folders for file in folder.rglob("*")), *files):
        with contextlib.suppress(FileNotFoundError):  # an editor has just put it away
            if not any(part.startswith((".", "__")) for part in file.parts[-2:]):
                found[file] = file.stat().st_mtime_ns
    return found


# --- what it says --------------------------------------------------------------------------------


def _lines(result: AuditResult, seeds: int, messages: bool) -> Iterator[str | Text]:
    for finding in result.solutions:
        yield from _solution(finding, messages)
    counts = Counter(finding.kind for finding in result.solutions)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in bank.FOLDERS)
    bad = sum(bool(finding.problems) for finding in result.solutions)
    yield f"{kinds}: {bad} with a problem."
    if result.mutants:
        caught = result.mutants - len(result.survivors)
        text = f"{caught} of {result.mutants} mutants are caught"
        yield terminal.whether(not result.survivors, text, "yellow")
    elif result.mutants == 0 and not result.gaps:
        yield Text(UNCHANGED, "yellow")
    for name, lines in result.survivors.items():
        cell = name.partition(":")[0]
        yield "\n        ".join([f"    {name}: no check of {cell} sees this change", *lines])
    for line in (*result.faults, *result.gaps, *result.moved):  # last: what to mend first
        yield terminal.whether(False, line)
    if seeds > 1:
        yield f"{seeds} secrets: {len(result.moved)} verdicts move."


def _solution(finding: Finding, messages: bool) -> Iterator[str | Text]:
    """Yield what a solution of the bank loses, the faults in that, and what students would read."""
    lost = [check for check in finding.checks if check.verdict.lost]
    count = len(finding.checks)
    text = f"{finding.solution} passes {count - len(lost)} of {count} checks"
    if finding.lost:
        text += f" and loses {finding.lost:.0%} of its cell"
    yield terminal.whether(not finding.problems, text)
    yield from (f"    {finding.solution}: {problem}" for problem in finding.problems)
    for group, why in feedback.reasons(lost, []) if messages else ():
        told = "\n      ".join([group[0].title, *why.splitlines(), *feedback.and_more(group)])
        yield f"    ✗ {told}"
