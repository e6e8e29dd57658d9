"""Offer the referee on the command line; decides nothing itself.

Exit codes: 0 all is well, 1 something is short of full marks or needs a human, 2 the command
could not be carried out (one line on standard error says why).
"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from referee import (
    audit,
    bank,
    batch,
    course,
    diagnose,
    feedback,
    handin,
    intake,
    ipynb,
    nbgrader_door,
    sandbox,
)
from referee.judge import CellMark, Report
from referee.plugin import NOT_WRITTEN
from referee.submission import Limits

CORES = os.cpu_count() or 1
NAMED_RIGHTLY = 0.9

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)

CourseOption = Annotated[
    Path | None, typer.Option("--course", help="The course folder; by default the one you are in.")
]


UnsafeOption = Annotated[
    bool, typer.Option("--unsafe", help="Go on where nothing isolates student code.")
]
WorkersOption = Annotated[int, typer.Option(min=1, help="Processes at work at once.")]


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="The notebook to judge.")],
    assignment: Annotated[
        str | None, typer.Option(help="Its assignment; by default told from its cells.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the report to this file.")] = None,
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Judge one notebook outside the class; nothing is entered in the gradebook."""
    console = Console()
    with _usage_errors():
        data = handin.contents(notebook)
        if json is not None and not json.absolute().parent.is_dir():
            raise course.CourseError(f"{json} cannot be written: there is no such folder")
        root = course.find_root((course_folder or Path.cwd()).absolute())
        parsed = ipynb.parse(data)
        name = assignment or _recognised(root, intake.identities(parsed))
        found = course.find_assignment(root, name)
        with console.status("Running the notebook and the hidden checks ..."):
            limits = nbgrader_door.limits(root, unsafe)
            with sandbox.Zygote(limits.memory_bytes, limits.unsafe) as zygote:
                report = batch.judge_file(found, notebook, limits, lambda: zygote)
        if json is not None:
            _write(json, _to_json(report))
    _show(console, report)
    raise typer.Exit(0 if report.perfect else 1)


@app.command()
def grade(
    assignment: Annotated[str, typer.Argument(help="The assignment to grade.")],
    student: Annotated[
        list[str] | None, typer.Option(help="Only this student; may be repeated.")
    ] = None,
    workers: WorkersOption = CORES,
    force: Annotated[bool, typer.Option(help="Judge again what was judged before.")] = False,
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Grade the class: fill the gradebook and write the autograded notebooks."""
    console = Console()
    with _usage_errors():
        root = course.find_root((course_folder or Path.cwd()).absolute())
        found = course.find_assignment(root, assignment)
        handed_in = batch.students(root, assignment)
        names = student or handed_in
        unknown = sorted(set(names) - set(handed_in))
        if unknown or not names:
            where = f"submitted/{unknown[0] if unknown else '*'}/{assignment}"
            raise course.CourseError(f"nothing was handed in: there is no folder {where}")
        limits = nbgrader_door.limits(root, unsafe)
        isolation, _ = sandbox.survey(limits.memory_bytes, limits.unsafe)
    with _progress(console) as progress:
        task = progress.add_task(f"Grading {assignment}", total=len(names))
        graded = []
        for result in batch.grade(found, names, limits, workers, force):
            graded.append(result)
            progress.update(task, advance=1, description=f"Graded {result.student}")
    graded.sort(key=lambda result: result.student)
    console.print(_class_table(assignment, graded))
    by_hand = sorted(
        {m.grade_id for r in graded if r.report for m in r.report.cells if m.score is None}
    )
    if by_hand:
        console.print(f"To be marked by hand: {', '.join(by_hand)}.", highlight=False)
    console.print(_isolation(isolation), highlight=False)
    open_questions = [result for result in graded if _needs_attention(result)]
    for result in open_questions:
        console.print(
            f"{result.student} needs you: {_needs_attention(result)}", markup=False, highlight=False
        )
    raise typer.Exit(1 if open_questions else 0)


@app.command(name="audit")
def audit_bank(
    assignment: Annotated[str, typer.Argument(help="The assignment whose checks to test.")],
    solution: Annotated[
        list[str] | None, typer.Option(help="Only this solution, as wrong/never_cuts.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write the table to this file.")] = None,
    workers: WorkersOption = CORES,
    course_folder: CourseOption = None,
) -> None:
    """Judge the bank: do the checks catch every wrong solution and pass every right one?"""
    console = Console()
    with _usage_errors():
        root = course.find_root((course_folder or Path.cwd()).absolute())
        found = course.find_assignment(root, assignment)
        solutions = audit.solutions_in(found, solution or [])
        limits = nbgrader_door.limits(root, unsafe=True)
    with _progress(console) as progress:
        task = progress.add_task(f"Auditing {assignment}", total=len(solutions))
        findings = []
        for finding in audit.audit(found, solutions, limits, workers):
            findings.append(finding)
            progress.update(task, advance=1, description=finding.solution.name)
    findings.sort(key=lambda finding: finding.solution.name)
    _show_matrix(console, findings)
    if html is not None:
        with _usage_errors():
            _write(html, audit.as_html(f"Audit of {assignment}", findings).encode())
    bad = [finding for finding in findings if finding.problems]
    for finding in bad:
        for problem in finding.problems:
            console.print(f"{finding.solution.name}: {problem}", markup=False, highlight=False)
    counts = Counter(finding.solution.kind for finding in findings)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in bank.FOLDERS)
    console.print(f"{kinds}: {len(bad)} with a problem.", highlight=False)
    raise typer.Exit(1 if bad else 0)


@app.command(name="diagnose")
def diagnose_bank(
    assignment: Annotated[str, typer.Argument(help="The assignment whose mistakes to tell apart.")],
    update: Annotated[
        bool, typer.Option(help="Write down how the bank's wrong searches behave.")
    ] = False,
    workers: WorkersOption = CORES,
    course_folder: CourseOption = None,
) -> None:
    """Ask every wrong search of the bank anew: is its own misconception the one that is named?"""
    console = Console()
    with _usage_errors():
        root = course.find_root((course_folder or Path.cwd()).absolute())
        found = course.find_assignment(root, assignment)
        solutions, limits = bank.read_all(found), nbgrader_door.limits(root, unsafe=True)
        with console.status("Asking the wrong searches of the bank ..."):
            behaviours = audit.behaviours(found, solutions, limits, workers)
        if update:
            lines = (f"{_json_line(name)}: {_json_line(behaviours[name])}" for name in behaviours)
            text = "{\n" + ",\n".join(lines) + "\n}\n"
            _write(root / "bank" / assignment / "behaviours.json", text.encode())
        known = diagnose.known_behaviours(found)
    right = 0
    for name, entry in behaviours.items():
        named = diagnose.nearest(entry["answers"], entry["Cell"], known)
        same = named is not None and known[named.solution]["answers"] == entry["answers"]
        right += named is not None and (named.solution == name or same)
        said = "nothing" if named is None else f"{named.solution} ({named.agreement:.0%})"
        console.print(f"{name}: {said}", highlight=False)
    share = right / max(1, len(behaviours))
    console.print(f"{right} of {len(behaviours)} named rightly, or by a twin ({share:.0%}).")
    raise typer.Exit(0 if share >= NAMED_RIGHTLY else 1)


@app.command()
def doctor() -> None:
    """Say what keeps student code away from this machine, and how to get what is missing."""
    console = Console()
    with _usage_errors():
        layers, why = sandbox.survey(Limits().memory_bytes, unsafe=True)
    for layer in layers:
        console.print(f"[green]✓[/] {layer}", highlight=False)
    for line in sandbox.advice(layers, why):
        console.print(f"[yellow]–[/] {line}", highlight=False)
    raise typer.Exit(0 if sandbox.shut_off(layers) else 1)


def _json_line(value: object) -> str:
    """Return a value as one line of JSON with sorted keys."""
    return msgspec.json.encode(value, order="sorted").decode()


def main() -> None:
    """Run the command line."""
    app()


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Turn what a user can put right into one line and exit code 2."""
    try:
        yield
    except (OSError, sandbox.SandboxError, course.CourseError, ipynb.UnreadableError) as error:
        said = str(error)
        if isinstance(error, OSError) and error.filename:
            said = f"{error.filename}: {error.strerror}; name a notebook file that can be read"
        typer.echo(f"referee: {' '.join(said.split())}", err=True)
        raise typer.Exit(2) from error


def _recognised(root: Path, names: set[str]) -> str:
    """Return the assignment that shares the most cells with a notebook."""
    shared = {
        name: len(
            names
            & intake.identities(
                ipynb.parse(course.find_assignment(root, name).release.read_bytes())
            )
        )
        for name in course.assignments(root)
    }
    best = max(shared, key=lambda name: shared[name])
    if not shared[best]:
        raise course.CourseError(
            "no cell of this notebook belongs to an assignment of the course; "
            f"say which it is with --assignment, one of: {', '.join(shared)}"
        )
    return best


def _to_json(report: Report) -> bytes:
    fields = (
        "assignment",
        "isolation",
        "score",
        "max_score",
        "cells",
        "checks",
        "explanations",
        "repairs",
        "failures",
        "refused",
    )
    content = {name: getattr(report, name) for name in fields}
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def _write(file: Path, content: bytes) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(file)


def _show(console: Console, report: Report) -> None:
    if repairs := feedback.repairs_as_text(report):
        console.print(repairs, style="yellow", markup=False, highlight=False)
    for failure in report.failures:
        console.print(
            f"While the notebook ran, {failure}", style="red", markup=False, highlight=False
        )
    for mark in report.cells:
        console.print(feedback.as_text(report, mark), markup=False, highlight=False)
        console.print()
    console.print(_isolation(report.isolation), highlight=False)
    console.print(
        f"[bold]{report.score:g} of {report.max_score:g} points[/] without a human's help."
    )


def _isolation(layers: list[str]) -> str:
    return f"Isolation of student code: {', '.join(layers)}."


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description:32}"), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), console=console,
    )  # fmt: skip


def _class_table(assignment: str, graded: list[batch.Graded]) -> Table:
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
        table.add_row(result.student, *marks, total, _notes(result.report))
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


def _notes(report: Report) -> str:
    """Say in a few words what is out of the ordinary."""
    if report.refused is not None:
        return "unreadable"
    told = {check.verdict for check in report.checks if check.message != NOT_WRITTEN}
    notes = sorted(told - {"pass", "wrong", "not-run"})
    if any(check.message == NOT_WRITTEN for check in report.checks):
        notes.append("unfinished")
    if any("stopped" in failure for failure in report.failures):
        notes.append("a cell was stopped")
    if report.repairs:
        notes.append(f"{len(report.repairs)} repairs")
    return ", ".join(notes)


def _show_matrix(console: Console, findings: list[audit.Finding]) -> None:
    """Print which check caught which solution: a column a check, numbered below."""
    ids, rows = audit.matrix(findings)
    width = max((len(finding.solution.name) for finding in findings), default=0)
    for finding, verdicts in rows:
        signs = "".join(audit.SIGNS.get(verdict, "!") for verdict in verdicts)
        console.print(f"{finding.solution.name:{width}}  {signs}", markup=False, highlight=False)
    for number, name in enumerate(ids, start=1):
        console.print(f"  column {number}: {name}", markup=False, highlight=False)
    console.print("  · pass   X wrong   E error   T timeout   - not run   ! other", highlight=False)


def _needs_attention(result: batch.Graded) -> str | None:
    if result.problem:
        return result.problem
    if result.report is None:
        return "no report was made"
    if result.report.refused:
        return f"the file could not be read: {result.report.refused}"
    ours = [c.id for c in result.report.checks if c.verdict == "referee-error"]
    if ours:
        return f"our own checks failed: {', '.join(ours)}"
    trouble = result.report.trouble
    return f"a failed cell could not be explained: {'; '.join(trouble)}" if trouble else None
