"""`referee audit`: do the hidden checks give each solution of the bank the right verdict?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.console import Console

from referee.doors.cli import errors, shared

if TYPE_CHECKING:
    from referee import course
    from referee.proof.audit import AuditResult, Finding


def audit_bank(
    assignment: shared.AssignmentsArgument = None,
    solution: Annotated[
        list[str] | None,
        typer.Option(help="Only this solution, as wrong/never_cuts; may be repeated."),
    ] = None,
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Ask most solutions only the checks that matter most."),
    ] = False,
    force: shared.ForceOption = False,
    seeds: Annotated[
        int,
        typer.Option(min=1, help="Judge with so many secrets and show which verdicts differ."),
    ] = 1,
    mutants: Annotated[
        int,
        typer.Option(min=0, help="Judge one in so many mutants of the right solutions as well."),
    ] = 0,
    page: Annotated[
        Path | None, typer.Option(help="Write what each check catches into this Markdown page.")
    ] = None,
    workers: shared.WorkersOption = shared.CORES,
    json: shared.JsonOption = None,
    course_folder: shared.CourseOption = None,
) -> None:
    """Judge the bank: do the checks catch every wrong solution and pass every right one?"""
    from referee.doors import show

    console = shared.console(json)
    with errors.in_one_line():
        shared.expect_writable(json)
        tasks = shared.tasks(course_folder, assignment)
        options = _Options(solution or [], brief, force, seeds, mutants, page, workers)
        done = [_audit(console, task, options) for task in tasks]
        show.save(json, done)
    raise typer.Exit(0 if all(one.well for one in done) else 1)


class _Options(NamedTuple):
    solutions: list[str]
    brief: bool
    force: bool
    seeds: int
    mutants: int
    page: Path | None
    workers: int


def _audit(console: Console, task: course.Assignment, options: _Options) -> AuditResult:
    """Audit an assignment and show what was found."""
    from referee import course
    from referee.doors.show import progress, proof
    from referee.judging import session
    from referee.marks import files
    from referee.proof import audit, mutants, validity

    rounds: list[list[Finding]] = []
    solutions = audit.solutions_in(task, options.solutions)
    solutions += mutants.of_right_solutions(task, options.mutants) if options.mutants else []
    limits = course.limits(task.root, unsafe=True)
    gaps = [] if options.solutions else audit.gaps(task, limits)
    again = audit.drawing(task, solutions, options.brief)  # with each of the other secrets
    total = len(solutions) + (options.seeds - 1) * len(again)
    with progress.shown(console, f"Auditing {task.key}", total, options.workers) as shown:
        for draw in range(options.seeds):
            rounds.append([])
            drawn, how = task._replace(draw=draw), (options.workers, options.brief, options.force)
            for finding in audit.audit(drawn, again if draw else solutions, limits, *how):
                rounds[-1].append(finding)
                shown.done(finding.solution, bool(draw) or not finding.problems, True)
    if (page := options.page) is not None:
        before = page.read_text("utf-8") if page.is_file() else ""
        section = validity.section(task.key, session.markers(task), rounds)
        files.save(page, validity.merged(before, task.key, section).encode())
    findings = sorted(rounds[0], key=lambda finding: finding.solution)
    result = audit.AuditResult(task.key, findings, gaps, audit.moved(rounds))
    proof.audited(console, result, options.seeds)
    return result
