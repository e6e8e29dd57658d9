"""The commands that judge what was handed in: one notebook, a class, a result anew."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from rich.console import Console

from referee import course, intake
from referee.doors import screen
from referee.doors.cli import errors, shared
from referee.doors.cli.shared import CourseOption, UnsafeOption, WhoseOption, WorkersOption
from referee.judging import judge, reference, version
from referee.marks import files
from referee.model import Limits, Report
from referee.proof import lint
from referee.proof import replay as replays
from referee.sandbox.zygote import Zygote

if TYPE_CHECKING:
    from referee.doors import batch

NotebookArgument = Annotated[Path, typer.Argument(help="The notebook to judge.")]
AssignmentOption = Annotated[
    str | None, typer.Option("--assignment", help="Its assignment; by default told from its cells.")
]
EDITED = (
    "The course was edited while the class was graded: these marks are by the course as it was at "
    "the start. Grade again."
)
SECRET = (
    "{}/seed.txt was made: what hidden checks draw depends on this secret. Keep it with your marks "
    "and show it to nobody."
)
FIELDS = (  # of the JSON report
    "assignment", "isolation", "score", "max_score", "cells", "checks", "explanations", "repairs",
    "failures", "refused",
)  # fmt: skip


def check(
    notebook: NotebookArgument,
    assignment: AssignmentOption = None,
    json: Annotated[Path | None, typer.Option(help="Write the report to this file.")] = None,
    student: WhoseOption = "",
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Judge one notebook outside the class; nothing is entered in the gradebook."""
    console = Console()
    with errors.in_one_line():
        shared.must_be_writable(json)
        report = judged(console, notebook, course_folder, assignment, student, unsafe)
        if json is not None:
            files.save(json, _as_json(report))
    screen.report(console, report)
    raise typer.Exit(0 if report.perfect else 1)


def grade(
    assignment: Annotated[str, typer.Argument(help="The assignment to grade.")],
    student: Annotated[
        list[str] | None, typer.Option(help="Only this student; may be repeated.")
    ] = None,
    workers: WorkersOption = shared.CORES,
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
    from referee.doors import batch  # writes with nbgrader, which takes long to load

    console = Console()
    with errors.in_one_line():
        tasks = course.find_parts(shared.root(course_folder), assignment)
        names = _students(tasks[0], student or [])
        limits = course.limits(tasks[0].root, unsafe)
        options = batch.Options(workers, scheduler, force, preview, never_lower)
        with _alone(tasks[0], preview):
            well = [
                _grade(console, task, names, limits, options, everybody=not student)
                for task in tasks
            ]
    raise typer.Exit(0 if all(well) else 1)


def _grade(
    console: Console,
    task: course.Assignment,
    names: list[str],
    limits: Limits,
    options: "batch.Options",
    everybody: bool,
) -> bool:
    """Grade one notebook of the class and show the table; return whether all is well."""
    from referee.doors import batch  # as above

    if not options.preview and course.draw_seed(task):
        console.print(SECRET.format(task.hidden.relative_to(task.root)), highlight=False)
    for line in lint.warnings(task):
        console.print(line, style="yellow", markup=False, highlight=False)
    results, edition = [], version.course(task)
    with screen.progress(console, f"Grading {task.key}", len(names)) as done:
        for result in batch.grade(task, names, limits, options):
            results.append(result)
            done(result.student, result.concern is None, result.judged)
    now = None if options.preview else batch.standings(task)
    open_ = {r.student for r in results if not r.entered and (r.lower or not r.report)}
    stale = [] if options.preview else batch.stale(task, open_)
    results.sort(key=lambda result: result.student)
    if options.preview:
        screen.changes(console, results)
    marked = {name for name, one in (now or {}).items() if one.marked}
    gone = sorted(marked - set(names)) if everybody else []
    screen.graded(console, task.key, results, now, gone, stale)
    layers = {layer for r in results if r.report for layer in r.report.isolation}
    console.print(screen.isolation(len(layers)), highlight=False)
    edited = version.course(task) != edition
    if edited:
        console.print(EDITED, highlight=False)
    return not edited and not any(result.concern for result in results)


def replay(
    student: Annotated[str, typer.Argument(help="Whose result.")],
    assignment: Annotated[str, typer.Argument(help="Of which assignment.")],
    check: Annotated[str | None, typer.Option(help="Only this check.")] = None,
    course_folder: CourseOption = None,
) -> None:
    """Judge a kept result again, by the course of that time: are the verdicts the same?"""
    console = Console()
    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        with console.status("Judging again ..."):
            results = replays.replay(task, student, check)
    same = screen.replayed(console, results)
    raise typer.Exit(0 if same else 1)


def judged(
    console: Console,
    notebook: Path,
    course_folder: Path | None,
    assignment: str | None,
    student: str,
    unsafe: bool,
) -> Report:
    """Judge a notebook that somebody has named; the assignment is told from its cells if need be.

    Whatever is wrong with the file itself is a CourseError that names it.
    """
    try:
        content = intake.contents(notebook)
        cells = intake.identities(intake.parse(content))
    except OSError as error:
        raise course.CourseError(errors.of_notebook(notebook, error)) from error
    except intake.UnreadableError as error:
        raise course.CourseError(f"{notebook}: {error}") from error
    root = shared.root(course_folder)
    task = course.find_assignment(root, assignment or _recognised(root, cells)).of(student)
    with console.status("Running the notebook and the hidden checks ..."):
        limits = course.limits(root, unsafe)
        task, suspended = reference.suspended(task, limits)
        accepted = intake.accept_file(task, content)
        with Zygote(limits, task.subject) as zygote:
            result = judge.judged(task, accepted.cells, lambda: zygote, limits)
        return judge.report(task, accepted, result, suspended)


def _alone(assignment: course.Assignment, preview: bool) -> AbstractContextManager[None]:
    """Let nobody else enter marks of an assignment at the same time."""
    lock = assignment.root / ".referee" / f"{assignment.name}.lock"
    return nullcontext() if preview else files.alone(lock, f"grading {assignment.name}")


def _students(assignment: course.Assignment, names: list[str]) -> list[str]:
    """Return the students to grade: those named, or all; who handed in nothing is an error."""
    handed_in = intake.students(assignment.root, assignment.name)
    unknown = sorted(set(names) - set(handed_in))
    if unknown or not handed_in:
        where = f"submitted/{unknown[0] if unknown else '*'}/{assignment.name}"
        raise course.CourseError(f"nothing was handed in: there is no folder {where}")
    return names or handed_in


def _recognised(root: Path, cells: set[str]) -> str:
    """Return the assignment that shares the most cells with a notebook."""
    shared_cells = {
        part.key: len(cells & intake.identities(intake.released(part)))
        for name in course.assignments(root)
        for part in course.find_parts(root, name)
    }
    best = max(shared_cells, key=lambda name: shared_cells[name], default="")
    if not shared_cells.get(best):
        raise course.CourseError(
            "no cell of this notebook belongs to an assignment of the course; "
            f"say which it is with --assignment, one of: {', '.join(shared_cells)}"
        )
    return best


def _as_json(report: Report) -> bytes:
    content = {name: getattr(report, name) for name in FIELDS}
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"
