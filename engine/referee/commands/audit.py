"""`referee audit`: do the hidden checks give each solution of the bank the right verdict?"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.console import Console

from referee.commands import errors, shared

if TYPE_CHECKING:
    from referee import course
    from referee.proof.audit import AuditResult, Finding

POLL_SECONDS = 0.5


def audit_bank(
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
) -> None:
    """Test whether checks pass what is right and catch mistakes."""
    with errors.in_one_line():
        shared.expect_writable(json)
        tasks = shared.tasks(course_folder, assignment)
        options = _Options(solution or [], force, seeds, workers, watch)
        if watch:
            _watch(tasks, options, json)
        well = _all(tasks, options, json)
    raise typer.Exit(0 if well else 1)


class _Options(NamedTuple):
    solutions: list[str]
    force: bool
    seeds: int
    workers: int
    watch: bool


def _all(tasks: list[course.Assignment], options: _Options, json: Path | None) -> bool:
    """Audit assignments and show what was found; return whether all is well."""
    from referee.commands import terminal as show

    console = shared.console(json)
    done = [_audit(console, task, options) for task in tasks]
    show.save(json, done)
    return all(one.well for one in done)


def _audit(console: Console, task: course.Assignment, options: _Options) -> AuditResult:
    """Audit an assignment and show what was found."""
    from referee import course
    from referee.commands import terminal as show
    from referee.doors.show import proof
    from referee.proof import lint

    faults = [] if options.solutions else lint.faults(task)
    try:
        result = _found(console, task, options, faults)
    except course.CourseError:
        for line in faults:  # one of them may be the cause
            show.say_whether(console, False, line)
        raise
    proof.audited(console, result, options.seeds, bool(options.solutions) or options.watch)
    return result


def _found(
    console: Console, task: course.Assignment, options: _Options, faults: list[str]
) -> AuditResult:
    """Judge the bank, with each secret, and mutants of the reference."""
    from referee import course
    from referee.commands import progress
    from referee.proof import audit, mutants

    rounds: list[list[Finding]] = []
    solutions = audit.solutions_in(task, options.solutions)
    limits = course.limits(task.root, unsafe=True)
    again = audit.drawing(task, solutions)  # with each of the other secrets
    total = len(solutions) + (options.seeds - 1) * len(again)
    with progress.shown(console, f"Auditing {task.key}", total, options.workers) as shown:
        for draw in range(options.seeds):
            rounds.append([])
            drawn, how = task._replace(draw=draw), (options.workers, False, options.force)
            for finding in audit.audit(drawn, again if draw else solutions, limits, *how):
                rounds[-1].append(finding)
                shown.done(finding.solution, bool(draw) or not finding.problems, True)
    findings = sorted(rounds[0], key=lambda finding: finding.solution)
    moved = audit.moved(rounds)
    if options.solutions:
        return audit.AuditResult(task.key, findings, [], [], moved, None, {})
    gaps = audit.gaps(task, limits)
    with console.status("Judging mutants of the reference ..."):
        tried = mutants.tried(task, limits, options.workers)
    gaps += tried.gaps
    return audit.AuditResult(task.key, findings, faults, gaps, moved, tried.judged, tried.survivors)


def _watch(tasks: list[course.Assignment], options: _Options, json: Path | None) -> None:
    """Audit at each save of a file that assignments depend on, until the process is stopped."""
    import multiprocessing

    seen: dict[Path, int] = {}
    fork = multiprocessing.get_context("fork")
    while True:
        folders = [one for task in tasks for one in (task.source.parent, task.hidden, task.bank)]
        now = _stamps(folders, _of_course(tasks[0].root))
        if now != seen:
            seen = now
            one = fork.Process(target=_once, args=(tasks, options, json))  # knows no older module
            one.start()
            one.join()
        time.sleep(POLL_SECONDS)


def _once(tasks: list[course.Assignment], options: _Options, json: Path | None) -> None:
    """Audit in a process of its own; an error in it may be the author's mistake."""
    from referee.commands import terminal as show
    from referee.marks import release

    console = shared.console(json)
    with contextlib.suppress(typer.Exit), errors.in_one_line():
        console.rule(time.strftime("%H:%M:%S"))
        for task in tasks:
            saved = max(_stamps([task.source.parent]).values(), default=0)
            if saved > task.release.stat().st_mtime_ns:
                release.make(task.root, task.name)
                show.say(console, f"release/{task.name} is made anew.")
        _all(tasks, options, json)


def _of_course(root: Path) -> list[Path]:
    """Return the files that all assignments of a course depend on."""
    from referee import course
    from referee.judging import digests

    with contextlib.suppress(course.CourseError):  # an audit says so
        return [root / course.CONFIG, *digests.subject_files(root)]
    return [root / course.CONFIG]


def _stamps(folders: Iterable[Path], files: Iterable[Path] = ()) -> dict[Path, int]:
    """Return when each file was changed, and each one in some folders."""
    inside = [file for folder in folders for file in folder.rglob("*")]
    found = {}
    for file in (*inside, *files):
        with contextlib.suppress(FileNotFoundError):  # an editor has just put it away
            if not any(part.startswith((".", "__")) for part in file.parts[-2:]):
                found[file] = file.stat().st_mtime_ns
    return found
