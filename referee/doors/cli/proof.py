"""The commands that put the checks themselves to the test."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from referee import course, intake
from referee.doors import screen
from referee.doors.cli import errors, shared
from referee.doors.cli.shared import CourseOption, WorkersOption
from referee.judging import judge
from referee.marks import files
from referee.proof import audit, bank, replay, validity


def audit_bank(
    assignment: Annotated[str, typer.Argument(help="The assignment whose checks to test.")],
    solution: Annotated[
        list[str] | None, typer.Option(help="Only this solution, as wrong/never_cuts.")
    ] = None,
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Ask most solutions only what matters most."),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Judge all of it anew, kept or not.")
    ] = False,
    seeds: Annotated[
        int, typer.Option(min=1, help="With how many secrets: does any check's verdict move?")
    ] = 1,
    page: Annotated[
        Path | None, typer.Option(help="Write what each check catches into this Markdown page.")
    ] = None,
    workers: WorkersOption = shared.CORES,
    course_folder: CourseOption = None,
) -> None:
    """Judge the bank: do the checks catch every wrong solution and pass every right one?"""
    console = Console()
    rounds: list[list[audit.Finding]] = []
    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        solutions = audit.solutions_in(task, solution or [])
        limits = course.limits(task.root, unsafe=True)
        gaps = [] if solution else audit.gaps(task, limits)
        with screen.progress(console, f"Auditing {assignment}", seeds * len(solutions)) as done:
            for draw in range(seeds):
                rounds.append([])
                drawn = task._replace(draw=draw)
                for finding in audit.audit(drawn, solutions, limits, workers, brief, force):
                    rounds[-1].append(finding)
                    done(finding.solution.name, not finding.problems, True)
        if page is not None:
            before = page.read_text("utf-8") if page.is_file() else ""
            section = validity.section(assignment, judge.told(task), rounds)
            files.save(page, validity.merged(before, assignment, section).encode())
    findings = sorted(rounds[0], key=lambda finding: finding.solution.name)
    screen.matrix(console, findings)
    bad = [finding for finding in findings if finding.problems]
    for finding in bad:
        for problem in finding.problems:
            console.print(f"{finding.solution.name}: {problem}", markup=False, highlight=False)
    counts = Counter(finding.solution.kind for finding in findings)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in bank.FOLDERS)
    console.print(f"{kinds}: {len(bad)} with a problem.", highlight=False)
    moved = audit.moved(rounds)
    for line in (*gaps, *moved):
        console.print(line, markup=False, highlight=False)
    if seeds > 1:
        console.print(f"{seeds} secrets: {len(moved)} verdicts move.", highlight=False)
    raise typer.Exit(1 if bad or gaps or moved else 0)


def steady(
    assignment: Annotated[str, typer.Argument(help="The assignment whose class to judge.")],
    times: Annotated[int, typer.Option(min=2, help="How often everybody is judged.")] = 5,
    workers: WorkersOption = shared.CORES,
    course_folder: CourseOption = None,
) -> None:
    """Judge the class again and again: does no verdict ever change? Nothing is entered."""
    console = Console()
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
