"""The commands that put the checks themselves to the test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.console import Console

from referee.doors.cli import errors, shared
from referee.doors.cli.shared import (
    AssignmentArgument,
    AssignmentsArgument,
    CourseOption,
    ForceOption,
    JsonOption,
    WorkersOption,
)

if TYPE_CHECKING:
    from referee import course
    from referee.doors import results


def audit_bank(
    assignment: AssignmentsArgument = None,
    solution: Annotated[
        list[str] | None, typer.Option(help="Only this solution, as wrong/never_cuts.")
    ] = None,
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Ask most solutions only what matters most."),
    ] = False,
    force: ForceOption = False,
    seeds: Annotated[
        int, typer.Option(min=1, help="With how many secrets: does any check's verdict move?")
    ] = 1,
    page: Annotated[
        Path | None, typer.Option(help="Write what each check catches into this Markdown page.")
    ] = None,
    workers: WorkersOption = shared.CORES,
    json: JsonOption = None,
    course_folder: CourseOption = None,
) -> None:
    """Judge the bank: do the checks catch every wrong solution and pass every right one?"""
    from referee.doors import results

    console = shared.console(json)
    with errors.in_one_line():
        shared.must_be_writable(json)
        tasks = shared.tasks(course_folder, assignment)
        options = _Options(solution or [], brief, force, seeds, page, workers)
        done = [_audit(console, task, options) for task in tasks]
        results.save(json, done)
    raise typer.Exit(0 if all(one.well for one in done) else 1)


class _Options(NamedTuple):
    solutions: list[str]
    brief: bool
    force: bool
    seeds: int
    page: Path | None
    workers: int


def _audit(console: Console, task: course.Assignment, options: _Options) -> results.Audited:
    """Audit an assignment and show what was found."""
    from referee import course
    from referee.doors import results, screen
    from referee.judging import session
    from referee.marks import files
    from referee.proof import audit, validity

    rounds: list[list[audit.Finding]] = []
    solutions = audit.solutions_in(task, options.solutions)
    limits = course.limits(task.root, unsafe=True)
    gaps = [] if options.solutions else audit.gaps(task, limits)
    total = options.seeds * len(solutions)
    with screen.progress(console, f"Auditing {task.key}", total) as done:
        for draw in range(options.seeds):
            rounds.append([])
            drawn, how = task._replace(draw=draw), (options.workers, options.brief, options.force)
            for finding in audit.audit(drawn, solutions, limits, *how):
                rounds[-1].append(finding)
                done(finding.solution.name, not finding.problems, True)
    if (page := options.page) is not None:
        before = page.read_text("utf-8") if page.is_file() else ""
        section = validity.section(task.key, session.markers(task), rounds)
        files.save(page, validity.merged(before, task.key, section).encode())
    findings = sorted(rounds[0], key=lambda finding: finding.solution.name)
    moved = audit.moved(rounds)
    screen.audited(console, findings, [*gaps, *moved])
    if options.seeds > 1:
        screen.say(console, f"{options.seeds} secrets: {len(moved)} verdicts move.")
    return results.audited(task.key, findings, gaps, moved)


def steady(
    assignment: AssignmentArgument,
    times: Annotated[int, typer.Option(min=2, help="How often everybody is judged.")] = 5,
    workers: WorkersOption = shared.CORES,
    course_folder: CourseOption = None,
) -> None:
    """Judge the class again and again: does no verdict ever change? Nothing is entered."""
    from referee import course, intake
    from referee.doors import screen
    from referee.proof import replay

    console = shared.console()
    count = 0
    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        names = intake.students(task.root, task.name)
        limits = course.limits(task.root)
        with console.status(f"Judging {len(names)} submissions {times} times ..."):
            for wobble in replay.wobbles(task, names, limits, workers, times):
                count += 1
                screen.wobble(console, wobble)
    console.print(f"{len(names)} submissions, {times} times: {count} verdicts changed.")
    raise typer.Exit(1 if count else 0)
