"""`referee grade`: grade the class into the gradebook."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from referee.commands import errors, shared

if TYPE_CHECKING:
    from referee import course
    from referee import grading as batch
    from referee.model import Limits

SchedulerOption = Annotated[
    str | None,
    typer.Option(help="Work on the dask cluster at this address, as tcp://10.0.0.1:8786."),
]
PreviewOption = Annotated[
    bool, typer.Option("--preview", help="Show whose marks would change; write nothing.")
]
NeverLowerOption = Annotated[
    bool, typer.Option("--never-lower", help="Keep the older result where it has more points.")
]
AcceptOption = Annotated[
    bool,
    typer.Option(
        "--accept-removed",
        help="Grade although checks, notebooks or results that marks depend on are gone.",
    ),
]


def grade(
    assignment: shared.AssignmentsArgument = None,
    student: shared.StudentsOption = None,
    workers: shared.WorkersOption = shared.CORES,
    scheduler: SchedulerOption = None,
    preview: PreviewOption = False,
    never_lower: NeverLowerOption = False,
    accept_removed: AcceptOption = False,
    force: shared.ForceOption = False,
    unsafe: shared.UnsafeOption = False,
    json: shared.JsonOption = None,
    course_folder: shared.CourseOption = None,
) -> None:
    """Grade the class: gradebook and autograded notebooks."""
    from referee import course
    from referee import grading as batch
    from referee.commands import terminal as show
    from referee.doors.show import classroom
    from referee.marks import groups_and_extensions

    console = shared.console(json)
    done: list[batch.ClassResult] = []
    with errors.in_one_line():
        shared.expect_writable(json)
        tasks = shared.tasks_of_class(course_folder, assignment)
        whom = _whom_to_grade(tasks, student or [])
        limits = course.limits(tasks[0].root, unsafe)
        classroom.lists(console, groups_and_extensions.reading(tasks[0].root, whom))
        options = batch.Options(workers, scheduler, force, preview, never_lower, accept_removed)
        for task, names in _to_grade(console, tasks, whom):
            doing = f"grading {task.name}"
            with nullcontext() if preview else shared.lock(task.root, task.name, doing):
                done.append(_grade(console, task, names, limits, options, not student))
        show.save(json, done)
    raise typer.Exit(0 if all(one.well for one in done) else 1)


def _to_grade(
    console: Console, tasks: list[course.Assignment], whom: dict[str, list[str]]
) -> Iterator[tuple[course.Assignment, list[str]]]:
    """Yield each notebook and who has handed it in; print which notebooks are left to nbgrader."""
    from referee import intake
    from referee.commands import terminal as show

    for task in tasks:
        if left := intake.other_language(task):
            show.say(console, left)
        elif names := whom[task.name]:
            yield task, names


def _grade(
    console: Console,
    task: course.Assignment,
    names: list[str],
    limits: Limits,
    options: batch.Options,
    everybody: bool,
) -> batch.ClassResult:
    """Grade one notebook of the class and show the table."""
    from referee import grading as batch
    from referee.commands import progress
    from referee.commands import terminal as show
    from referee.doors.show import grading
    from referee.judging import digests, suspension
    from referee.marks import missing
    from referee.proof import lint, reference

    if not options.preview and (made := missing.make_secret(task, options.accepted)):
        show.say(console, made)
    if options.scheduler is None:
        reference.ask(task, limits, options.workers)
    task = suspension.prepared(task, limits)
    for_nothing = suspension.for_nothing(task, limits)
    for line in (*lint.warnings(task), *for_nothing):
        show.say(console, line, "yellow")
    done, edition = list[batch.StudentResult](), digests.course(task)
    with progress.shown(console, f"Grading {task.key}", len(names), options.workers) as shown:
        for result in batch.grade(task, names, limits, options, shown.watch):
            done.append(result)
            shown.done(result.student, result.problem is None, result.judged)
    found = batch.class_result(task, done, options.preview, everybody)
    found.for_nothing, found.edited = for_nothing, digests.course(task) != edition
    grading.graded(console, found)
    return found


def _whom_to_grade(tasks: list[course.Assignment], names: list[str]) -> dict[str, list[str]]:
    """Return the students to grade in each assignment: those named, or all; CourseError if none."""
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
