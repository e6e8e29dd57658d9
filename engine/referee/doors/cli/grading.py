"""The commands that judge what was handed in: one notebook, a class, a result anew."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from referee.doors.cli import errors, shared
from referee.doors.cli.shared import (
    AssignmentArgument,
    AssignmentOption,
    AssignmentsArgument,
    CourseOption,
    ForceOption,
    JsonOption,
    StudentArgument,
    StudentsOption,
    UnsafeOption,
    WhoseOption,
    WorkersOption,
)

if TYPE_CHECKING:
    from referee import course
    from referee.doors import batch, results
    from referee.model import Limits, Report

AcceptOption = Annotated[
    bool,
    typer.Option(
        "--accept-removed", help="Go on though checks, notebooks or results of marks are gone."
    ),
]
NotebookArgument = Annotated[Path, typer.Argument(help="The notebook to judge.")]
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
    json: JsonOption = None,
    student: WhoseOption = "",
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Judge one notebook outside the class; nothing is entered in the gradebook."""
    from referee.doors import results, screen

    console = shared.console(json)
    with errors.in_one_line():
        shared.must_be_writable(json)
        report = judged(console, notebook, course_folder, assignment, student, unsafe)
        results.save(json, {name: getattr(report, name) for name in FIELDS})
    screen.report(console, report)
    raise typer.Exit(0 if report.perfect else 1)


def grade(
    assignment: AssignmentsArgument = None,
    student: StudentsOption = None,
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
    accept_removed: AcceptOption = False,
    force: ForceOption = False,
    unsafe: UnsafeOption = False,
    json: JsonOption = None,
    course_folder: CourseOption = None,
) -> None:
    """Grade the class: fill the gradebook and write the autograded notebooks."""
    from referee import course, intake
    from referee.doors import batch, results, screen
    from referee.marks import groups_and_extensions

    console, done = shared.console(json), list[results.Graded]()
    with errors.in_one_line():
        shared.must_be_writable(json)
        tasks = shared.tasks(course_folder, assignment)
        whom, limits = _classes(tasks, student or []), course.limits(tasks[0].root, unsafe)
        screen.lists(console, groups_and_extensions.reading(tasks[0].root, whom))
        options = batch.Options(workers, scheduler, force, preview, never_lower, accept_removed)
        for task in tasks:
            if left := intake.other_language(task):
                console.print(left, markup=False, highlight=False, soft_wrap=True)
            elif names := whom[task.name]:
                with _alone(task, preview):
                    done.append(_grade(console, task, names, limits, options, not student))
        results.save(json, done)
    raise typer.Exit(0 if all(one.well for one in done) else 1)


def _grade(
    console: Console,
    task: course.Assignment,
    names: list[str],
    limits: Limits,
    options: batch.Options,
    everybody: bool,
) -> results.Graded:
    """Grade one notebook of the class and show the table."""
    from referee.doors import batch, results, screen
    from referee.judging import digests, suspension
    from referee.marks import missing
    from referee.proof import lint

    if not options.preview and missing.draw_secret(task, options.accepted):
        console.print(SECRET.format(task.hidden.relative_to(task.root)), highlight=False)
    if not options.preview:
        batch.must_be_writable(task)
    for_nothing = suspension.for_nothing(task, limits)
    for line in (*lint.warnings(task), *for_nothing):
        console.print(line, style="yellow", markup=False, highlight=False)
    done, edition = list[batch.Graded](), digests.course(task)
    with screen.progress(console, f"Grading {task.key}", len(names)) as tell:
        for result in batch.grade(task, names, limits, options):
            done.append(result)
            tell(result.student, result.concern is None, result.judged)
    now = None if options.preview else batch.standings(task)
    open_ = {r.student for r in done if not r.entered and (r.lower or not r.report)}
    stale = [] if options.preview else batch.stale(task, open_)
    done.sort(key=lambda result: result.student)
    if options.preview:
        screen.changes(console, done)
    marked = {name for name, one in (now or {}).items() if one.marked}
    gone = sorted(marked - set(names)) if everybody else []
    screen.graded(console, task.key, done, now, gone, stale)
    layers = {layer for r in done if r.report for layer in r.report.isolation}
    console.print(screen.isolation(len(layers)), highlight=False)
    if edited := digests.course(task) != edition:
        console.print(EDITED, highlight=False)
    return results.graded(task.key, done, now or {}, gone, stale, edited, for_nothing)


def replay(
    student: StudentArgument,
    assignment: AssignmentArgument,
    check: Annotated[str | None, typer.Option(help="Only this check.")] = None,
    json: JsonOption = None,
    course_folder: CourseOption = None,
) -> None:
    """Judge a kept result again, by the course of that time: are the verdicts the same?"""
    from referee.doors import results, screen
    from referee.proof import replay as replays

    console = shared.console(json)
    with errors.in_one_line():
        shared.must_be_writable(json)
        task = shared.assignment(course_folder, assignment)
        with console.status("Judging again ..."):
            again = replays.replay(task, student, check)
        results.save(json, results.replayed(task.key, student, again))
    same = screen.replayed(console, again)
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
    from referee import course, intake
    from referee.judging import pipeline, suspension
    from referee.sandbox.outside.zygote import Zygote

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
        task = suspension.prepared(task, limits)
        accepted = intake.accept_file(task, content)
        with Zygote(limits, task.subject) as zygote:
            return pipeline.judge_file(task, accepted, lambda: zygote, limits)[1]


def _alone(assignment: course.Assignment, preview: bool) -> AbstractContextManager[None]:
    """Let nobody else enter marks of an assignment at the same time."""
    name = assignment.name
    return nullcontext() if preview else shared.lock(assignment.root, name, f"grading {name}")


def _classes(tasks: list[course.Assignment], names: list[str]) -> dict[str, list[str]]:
    """Return whom to grade in each assignment: those named, or all; that nobody is is an error."""
    from referee import course, intake

    found = {task.name: intake.students(task.root, task.name) for task in tasks}
    everybody = {student for students in found.values() for student in students}
    unknown = sorted(set(names) - everybody)
    if unknown or not everybody:
        where = tasks[0].name if len(found) == 1 else "*"
        raise course.CourseError(
            "nothing was handed in: there is no folder "
            f"submitted/{unknown[0] if unknown else '*'}/{where}"
        )
    return {name: [one for one in all_ if one in (names or all_)] for name, all_ in found.items()}


def _recognised(root: Path, cells: set[str]) -> str:
    """Return the assignment that shares the most cells with a notebook."""
    from referee import course, intake

    shared_cells = {
        part.key: len(cells & intake.identities(intake.course_notebook(part.release)))
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
