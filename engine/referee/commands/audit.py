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
    tasks, results = shared.tasks(course_folder, assignment), list[AuditResult]()
    if watch:
        _watch(tasks, json)
    for task in tasks:
        faults = [] if solution else lint.faults(task)
        try:
            results.append(_audit(task, solution or [], seeds, force, workers, json))
        except CourseError:  # one of them may be the cause
            terminal.said((terminal.whether(False, one) for one in faults), json=json)
            raise
        results[-1].faults = faults
        terminal.said(_lines(results[-1], seeds, bool(solution)), json=json)
    terminal.said([], results, json)
    return 0 if all(one.well for one in results) else 1


def _audit(
    task: Assignment, names: list[str], seeds: int, force: bool, workers: int, json: Path | None
) -> AuditResult:
    """Audit one notebook, or only what some solutions of its bank get."""
    console, rounds = terminal.console(json), list[list[Finding]]()
    solutions = bank.read_all(task, names)
    for solution in solutions if names else ():
        sections = (f"# %% {name}\n{source}\n" for name, source in solution.sections)
        terminal.said([f"# {solution.name}", *sections], json=json)
    limits = task.course.limits(unsafe=True)
    drawing = audit.drawing(task, solutions)  # with each of the other secrets
    total = len(solutions) + (seeds - 1) * len(drawing)
    with terminal.Ticker(console, f"Auditing {task.key}", total) as ticker:
        for draw in range(seeds):
            rounds.append([])
            variant, subset = task._replace(draw=draw), drawing if draw else solutions
            for finding in audit.audit(variant, subset, limits, workers, force):
                rounds[-1].append(finding)
                ticker.done(bool(draw) or not finding.problems)
    findings = sorted(rounds[0], key=lambda finding: finding.solution)
    moved = audit.moved(rounds)
    if names:
        return AuditResult(task.key, findings, [], [], moved, None, {})
    gaps = audit.gaps(task, limits)
    with console.status("Judging mutants of the reference ..."):
        mutants_ = mutants.tried(task, limits, workers)
    gaps += mutants_.gaps
    return AuditResult(task.key, findings, [], gaps, moved, mutants_.judged, mutants_.survivors)


def _watch(tasks: list[Assignment], json: Path | None) -> NoReturn:
    """Run this command anew, without --watch, at each save of what assignments depend on.

    Before that comes the release of a source that is newer.
    """
    program, stamps = [sys.executable, sys.argv[0]], dict[Path, int]()
    words = [word for word in sys.argv[1:] if word != "--watch"]
    while True:
        if (now := _stamps(tasks)) != stamps:
            stamps = now
            terminal.said([f"\n--- {time.strftime('%H:%M:%S')}"], json=json)
            runs = []
            for task in tasks:
                times = [when for file, when in now.items() if task.source.parent in file.parents]
                release_time = task.release.stat().st_mtime_ns if task.release.is_file() else 0
                if max(times, default=0) > release_time:
                    runs.append(["release", task.name, f"--course={task.root}"])
            for run in [*runs, words]:
                if subprocess.run([*program, *run], check=False).returncode:
                    break
        time.sleep(POLL_SECONDS)


def _stamps(tasks: list[Assignment]) -> dict[Path, int]:
    """Return when each file was changed that some assignments depend on."""
    course_ = course.Course(tasks[0].root)  # as it is configured now
    files = [course_.root / course.CONFIG]
    with contextlib.suppress(CourseError):  # an audit says so
        files += digests.subject_files(course_)
    folders = [one for task in tasks for one in (task.source.parent, task.hidden, task.bank)]
    stamps = {}
    for file in (*(file for folder in folders for file in folder.rglob("*")), *files):
        with contextlib.suppress(FileNotFoundError):  # an editor has just put it away
            if not any(part.startswith((".", "__")) for part in file.parts[-2:]):
                stamps[file] = file.stat().st_mtime_ns
    return stamps


# --- what it says --------------------------------------------------------------------------------


def _lines(result: AuditResult, seeds: int, messages: bool) -> Iterator[str | Text]:
    """Yield what each solution loses, and what is wrong with it; if wanted, what students read.

    The mutants that survive follow, and last all that is wrong with the files.
    """
    for finding in result.solutions:
        losses = [check for check in finding.checks if check.verdict.lost]
        total = len(finding.checks)
        text = f"{finding.solution} passes {total - len(losses)} of {total} checks"
        if finding.lost:
            text += f" and loses {finding.lost:.0%} of its cell"
        yield terminal.whether(not finding.problems, text)
        yield from (f"    {finding.solution}: {problem}" for problem in finding.problems)
        for group, why in feedback.reasons(losses, []) if messages else ():
            lines = [group[0].title, *why.splitlines(), *feedback.and_more(group)]
            yield "    ✗ " + "\n      ".join(lines)
    counts = Counter(finding.kind for finding in result.solutions)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in bank.FOLDERS)
    bad = sum(bool(finding.problems) for finding in result.solutions)
    yield f"{kinds}: {bad} with a problem."
    if result.mutants:
        count = result.mutants - len(result.survivors)
        text = f"{count} of {result.mutants} mutants are caught"
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
