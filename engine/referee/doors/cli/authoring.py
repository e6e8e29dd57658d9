"""The commands with which an assignment is written."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.doors.cli import errors, shared
from referee.doors.cli.shared import CORES, AssignmentArgument, CourseOption, WorkersOption

if TYPE_CHECKING:
    from referee import course

POLL_SECONDS = 0.5


def new(
    assignment: Annotated[str, typer.Argument(help="What to call it.")],
    notebook: Annotated[
        Path | None, typer.Option("--from", help="Start from the solutions in this notebook.")
    ] = None,
    course_folder: CourseOption = None,
) -> None:
    """Write a new assignment that works at once: notebook, checks, right and wrong solutions."""
    from referee import course
    from referee.doors import new as assignments

    console = shared.console()
    with errors.in_one_line():
        try:
            root = shared.root(course_folder)
        except course.CourseError:
            root = (course_folder or Path.cwd()).absolute()  # which becomes a course
        for file in assignments.write(root, assignment, notebook):
            console.print(f"  {file.relative_to(root)}", markup=False, highlight=False)
    console.print(
        f"Change these files, and watch what becomes of them: referee dev {assignment}",
        markup=False, highlight=False,
    )  # fmt: skip


def check_files(assignment: AssignmentArgument, course_folder: CourseOption = None) -> None:
    """Say what is wrong with the files of an assignment, line by line, before anybody is graded."""
    from referee.proof import lint

    console = shared.console(soft_wrap=True)
    with errors.in_one_line():
        found = lint.faults(shared.assignment(course_folder, assignment))
    for line in found:
        console.print(line, markup=False, highlight=False)
    console.print(f"{assignment}: {len(found) or 'no'} faults.", highlight=False)
    raise typer.Exit(1 if found else 0)


def dev(
    assignment: AssignmentArgument,
    once: Annotated[bool, typer.Option("--once", help="Look once, and do not wait.")] = False,
    workers: WorkersOption = CORES,
    course_folder: CourseOption = None,
) -> None:
    """Try an assignment out at each save: its reference, its bank, mutants against its checks."""
    import multiprocessing

    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        if once:
            raise typer.Exit(0 if _pass(task, workers) else 1)
        seen: dict[Path, int] = {}
        fork = multiprocessing.get_context("fork")
        while True:
            now = _stamps((task.source.parent, task.hidden, task.bank), _of_course(task.root))
            if now != seen:
                seen = now
                one = fork.Process(target=_alone, args=(task, workers))  # knows no older module
                one.start()
                one.join()
            time.sleep(POLL_SECONDS)


def _alone(task: course.Assignment, workers: int) -> None:
    """Make a pass in a process of its own, whose errors are an author's as well."""
    try:
        with errors.in_one_line():
            _pass(task, workers)
    except typer.Exit:
        pass


def _pass(task: course.Assignment, workers: int) -> bool:
    """Show all there is to know of an assignment; return whether it is good."""
    from referee import course
    from referee.doors import new as assignments
    from referee.doors import screen
    from referee.proof import lint, trial

    console = shared.console(soft_wrap=True)
    console.rule(f"{task.name}, {time.strftime('%H:%M:%S')}")
    if max(_stamps([task.source.parent]).values(), default=0) > task.release.stat().st_mtime_ns:
        assignments.release(task.root, task.name)
        console.print(f"release/{task.name} is made anew.", highlight=False)
    faults = lint.faults(task)
    for line in faults:
        console.print(line, style="red", markup=False, highlight=False)
    limits = course.limits(task.root, unsafe=True)
    try:
        with console.status("Judging ...") as status:
            say = lambda what: status.update(f"Judging {what} ...")  # noqa: E731
            found = trial.run(task, limits, workers, say)
    except course.CourseError:
        if faults:
            return False  # it was said above
        raise
    screen.trial(console, found)
    return found.good and not faults


def _of_course(root: Path) -> list[Path]:
    """Return the files that all assignments of a course depend on."""
    from referee import course
    from referee.judging import digests

    with contextlib.suppress(course.CourseError):  # a pass says so
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
