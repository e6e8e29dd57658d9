"""Offer the referee on the command line; decides nothing itself.

Exit codes: 0 all is well, 1 something is short of full marks or needs a human, 2 the command
could not be carried out (one line on standard error says why), 130 it was stopped with Ctrl-C.
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

from referee import cluster, course, intake
from referee.doors import batch, gradescope, screen
from referee.doors.doctor import advice, survey
from referee.judging import bundle
from referee.marks import enter, exports
from referee.marks import records as results
from referee.model import Limits, Report
from referee.proof import audit, bank
from referee.proof import replay as replays
from referee.sandbox.zygote import SandboxError, Zygote, shut_off

CORES = os.cpu_count() or 1
STOPPED = 130
EXPECTED = (
    OSError, cluster.ClusterError, course.CourseError, intake.UnreadableError, SandboxError,
    bundle.OtherEngineError,
)  # fmt: skip

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)

CourseOption = Annotated[
    Path | None, typer.Option("--course", help="The course folder; by default the one you are in.")
]


UnsafeOption = Annotated[
    bool, typer.Option("--unsafe", help="Go on where nothing isolates student code.")
]
WhoseOption = Annotated[
    str, typer.Option("--student", help="Ask what this student is asked: checks may differ.")
]
WorkersOption = Annotated[
    int, typer.Option(min=1, show_default="one for each core", help="Processes at work at once.")
]


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="The notebook to judge.")],
    assignment: Annotated[
        str | None, typer.Option(help="Its assignment; by default told from its cells.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the report to this file.")] = None,
    gradescope_results: Annotated[
        Path | None,
        typer.Option("--gradescope", help="Write Gradescope's results.json to this file."),
    ] = None,
    student: WhoseOption = "",
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Judge one notebook outside the class; nothing is entered in the gradebook."""
    console = Console()
    with _usage_errors():
        data = intake.contents(notebook)
        for file in (json, gradescope_results):
            if file is not None:
                _must_be_writable(file)
        root = _root(course_folder)
        parsed = intake.parse(data)
        name = assignment or _recognised(root, intake.identities(parsed))
        found = course.find_assignment(root, name).of(student)
        with console.status("Running the notebook and the hidden checks ..."):
            limits = course.limits(root, unsafe)
            with Zygote(limits, found.subject) as zygote:
                report = batch.judge_file(found, notebook, limits, lambda: zygote)
        if json is not None:
            _write(json, _to_json(report))
        if gradescope_results is not None:
            _write(gradescope_results, gradescope.encoded(gradescope.results(report)))
    screen.report(console, report)
    raise typer.Exit(0 if report.perfect else 1)


@app.command()
def grade(
    assignment: Annotated[str, typer.Argument(help="The assignment to grade.")],
    student: Annotated[
        list[str] | None, typer.Option(help="Only this student; may be repeated.")
    ] = None,
    workers: WorkersOption = CORES,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Work on the dask cluster at this address, as tcp://10.0.0.1:8786."),
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show whose marks would change; write nothing.")
    ] = False,
    never_lower: Annotated[
        bool, typer.Option("--never-lower", help="Keep the older result where it has more points.")
    ] = False,
    force: Annotated[bool, typer.Option(help="Judge again what was judged before.")] = False,
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Grade the class: fill the gradebook and write the autograded notebooks."""
    console = Console()
    with _usage_errors():
        found = _assignment(course_folder, assignment)
        handed_in = batch.students(found.root, assignment)
        names = student or handed_in
        unknown = sorted(set(names) - set(handed_in))
        if unknown or not names:
            where = f"submitted/{unknown[0] if unknown else '*'}/{assignment}"
            raise course.CourseError(f"nothing was handed in: there is no folder {where}")
        limits = course.limits(found.root, unsafe)
        options = batch.Options(workers, scheduler, force, preview, never_lower)
        results = []
        with screen.progress(console, f"Grading {assignment}", len(names)) as done:
            for result in batch.grade(found, names, limits, options):
                results.append(result)
                done(result.student, screen.needs_attention(result) is None)
    results.sort(key=lambda result: result.student)
    if preview:
        screen.changes(console, results)
    screen.graded(console, assignment, results, preview)
    layers = {layer: None for r in results if r.report for layer in r.report.isolation}
    console.print(screen.isolation(list(layers)), highlight=False)
    raise typer.Exit(1 if any(map(screen.needs_attention, results)) else 0)


@app.command()
def export(
    assignment: Annotated[str, typer.Argument(help="The assignment to export.")],
    table: Annotated[
        exports.Format, typer.Option("--format", help="Which table to write, as CSV.")
    ] = exports.Format.CELLS,
    to: Annotated[
        Path | None, typer.Option(help="The file; by default named as the table.")
    ] = None,
    autograder: Annotated[
        Path | None,
        typer.Option(
            "--gradescope-autograder",
            help="Write the zip that grades on Gradescope to this file, and no marks.",
        ),
    ] = None,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Let the zip grade where nothing isolates code.")
    ] = False,
    course_folder: CourseOption = None,
) -> None:
    """Write the marks for a spreadsheet, Canvas or Moodle, or what grades on Gradescope."""
    console = Console()
    with _usage_errors():
        found = _assignment(course_folder, assignment)
        if autograder is not None:
            _must_be_writable(autograder)
            _write(autograder, gradescope.pack(found, unsafe))
            console.print(f"Wrote {autograder}.", markup=False, highlight=False)
            return
        kind = exports.TABLES[table]
        file = to or Path(kind.file)
        _must_be_writable(file)
        written = kind(
            config=course.configuration(found.root),
            root=str(found.root),
            to=str(file),
            assignment=[assignment],
        )
        with enter.opened(found) as opened:
            if not opened.book.find_assignment(assignment).submissions:
                raise course.CourseError(
                    f"nothing was graded yet; run `referee grade {assignment}` first"
                )
            written.export(opened.book)
    console.print(f"Wrote {file}.", markup=False, highlight=False)
    if written.left_out:
        names = ", ".join(written.left_out)
        console.print(f"Left out, since a cell waits for a mark by hand: {names}.", markup=False)


@app.command(name="audit")
def audit_bank(
    assignment: Annotated[str, typer.Argument(help="The assignment whose checks to test.")],
    solution: Annotated[
        list[str] | None, typer.Option(help="Only this solution, as wrong/never_cuts.")
    ] = None,
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Ask most solutions only what matters most."),
    ] = False,
    flaky: Annotated[
        int | None,
        typer.Option(
            min=2, help="Judge the class so many times instead: does no verdict ever change?"
        ),
    ] = None,
    student: WhoseOption = "",
    workers: WorkersOption = CORES,
    course_folder: CourseOption = None,
) -> None:
    """Judge the bank: do the checks catch every wrong solution and pass every right one?"""
    console = Console()
    with _usage_errors():
        found = _assignment(course_folder, assignment).of(student)
        if flaky is not None:
            _audit_class(console, found, flaky, workers)
        solutions = audit.solutions_in(found, solution or [])
        limits = course.limits(found.root, unsafe=True)
    findings = []
    with screen.progress(console, f"Auditing {assignment}", len(solutions)) as done:
        for finding in audit.audit(found, solutions, limits, workers, brief):
            findings.append(finding)
            done(finding.solution.name, not finding.problems)
    findings.sort(key=lambda finding: finding.solution.name)
    screen.matrix(console, findings)
    bad = [finding for finding in findings if finding.problems]
    for finding in bad:
        for problem in finding.problems:
            console.print(f"{finding.solution.name}: {problem}", markup=False, highlight=False)
    counts = Counter(finding.solution.kind for finding in findings)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in bank.FOLDERS)
    console.print(f"{kinds}: {len(bad)} with a problem.", highlight=False)
    raise typer.Exit(1 if bad else 0)


@app.command()
def replay(
    student: Annotated[str, typer.Argument(help="Whose result.")],
    assignment: Annotated[str, typer.Argument(help="Of which assignment.")],
    check: Annotated[str | None, typer.Option(help="Only this check.")] = None,
    course_folder: CourseOption = None,
) -> None:
    """Judge a kept result again, by the course of that time: are the verdicts the same?"""
    console = Console()
    with _usage_errors():
        found = _assignment(course_folder, assignment)
        with console.status("Judging again ..."):
            results = replays.replay(found, student, check)
    same = screen.replayed(console, results)
    raise typer.Exit(0 if same else 1)


@app.command(name="report")
def report_class(
    assignment: Annotated[str, typer.Argument(help="The assignment that was graded.")],
    html: Annotated[
        Path | None,
        typer.Option(help="Write the page to this file; by default report-ASSIGNMENT.html."),
    ] = None,
    course_folder: CourseOption = None,
) -> None:
    """Show the class at a glance: points, checks, misconceptions, on one page for instructors."""
    from referee.report.page import page  # draws with matplotlib, which takes long to load

    with _usage_errors():
        found = _assignment(course_folder, assignment)
        records = results.get(found.root, assignment)
        if not records:
            raise course.CourseError(
                f"nothing of {assignment} was graded yet, so there is nothing to report; "
                f"run `referee grade {assignment}`"
            )
        file = html or found.root / f"report-{assignment}.html"
        _must_be_writable(file)
        made = page(found, records, batch.students(found.root, assignment))
        _write(file, made.encode())
    typer.echo(f"{len(records)} students: {file}")


@app.command()
def doctor() -> None:
    """Say what keeps student code away from this machine, and how to get what is missing."""
    console = Console()
    with _usage_errors():
        layers, why = survey(Limits(unsafe=True))
    for layer in layers:
        console.print(f"[green]✓[/] {layer}", highlight=False)
    for line in advice(layers, why):
        console.print(f"[yellow]–[/] {line}", highlight=False)
    raise typer.Exit(0 if shut_off(layers) else 1)


def _audit_class(console: Console, assignment: course.Assignment, times: int, workers: int) -> None:
    """Judge the class again and again, say which verdicts have changed, and end the command."""
    names = batch.students(assignment.root, assignment.name)
    limits = course.limits(assignment.root)
    count = 0
    with console.status(f"Judging {len(names)} submissions {times} times ..."):
        for found in replays.wobbles(assignment, names, limits, workers, times):
            count += 1
            screen.wobble(console, found)
    console.print(f"{len(names)} submissions, {times} times: {count} verdicts changed.")
    raise typer.Exit(1 if count else 0)


def main() -> None:
    """Run the command line."""
    app()


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Turn what a user can put right into one line and exit code 2, and Ctrl-C into 130."""
    try:
        yield
    except KeyboardInterrupt as error:
        typer.echo("referee: stopped; what was done is kept, run it again to go on", err=True)
        raise typer.Exit(STOPPED) from error
    except EXPECTED as error:
        said = str(error)
        if isinstance(error, OSError) and error.filename:
            said = f"{error.filename}: {error.strerror}; name a notebook file that can be read"
        typer.echo(f"referee: {' '.join(said.split())}", err=True)
        raise typer.Exit(2) from error


def _root(course_folder: Path | None) -> Path:
    """Return the course's folder: that which was named, or the one around the current folder."""
    return course.find_root((course_folder or Path.cwd()).absolute())


def _assignment(course_folder: Path | None, name: str) -> course.Assignment:
    return course.find_assignment(_root(course_folder), name)


def _recognised(root: Path, names: set[str]) -> str:
    """Return the assignment that shares the most cells with a notebook."""
    shared = {
        name: len(
            names
            & intake.identities(
                intake.parse(course.find_assignment(root, name).release.read_bytes())
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


def _must_be_writable(file: Path) -> None:
    """Raise a CourseError for a file that cannot be made, before any work is done for it."""
    if file.is_dir():
        raise course.CourseError(f"{file} cannot be written: it is a folder; name a file")
    if not file.absolute().parent.is_dir():
        raise course.CourseError(f"{file} cannot be written: there is no such folder")


def _write(file: Path, content: bytes) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(file)
