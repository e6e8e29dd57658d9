"""`referee dev`: test an assignment while it is being written."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.doors.cli import errors, shared

if TYPE_CHECKING:
    from referee import course

POLL_SECONDS = 0.5


def dev(
    assignment: shared.AssignmentArgument,
    once: Annotated[
        bool, typer.Option("--once", help="Judge once, and do not wait for changes.")
    ] = False,
    lint: Annotated[
        bool, typer.Option("--lint", help="Only look for faults in its files; judge nothing.")
    ] = False,
    workers: shared.WorkersOption = shared.CORES,
    course_folder: shared.CourseOption = None,
) -> None:
    """Test an assignment at each save: its files, its solution, its bank, mutants of that."""
    import multiprocessing

    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        if lint:
            raise typer.Exit(0 if _has_no_faults(task) else 1)
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


def _has_no_faults(task: course.Assignment) -> bool:
    """Show what is wrong with the files of an assignment; return whether nothing is."""
    from referee.doors.show import proof
    from referee.proof import lint

    faults = lint.faults(task)
    proof.faults(shared.console(soft_wrap=True), task.key, faults)
    return not faults


def _alone(task: course.Assignment, workers: int) -> None:
    """Make a pass in a process of its own; an error in it may be the author's mistake."""
    try:
        with errors.in_one_line():
            _pass(task, workers)
    except typer.Exit:
        pass


def _pass(task: course.Assignment, workers: int) -> bool:
    """Test an assignment and show the results; return whether all is well."""
    from referee import course
    from referee.doors import release, show
    from referee.doors.show import proof
    from referee.proof import lint, trial

    console = shared.console(soft_wrap=True)
    console.rule(f"{task.name}, {time.strftime('%H:%M:%S')}")
    if max(_stamps([task.source.parent]).values(), default=0) > task.release.stat().st_mtime_ns:
        release.make(task.root, task.name)
        show.say(console, f"release/{task.name} is made anew.")
    faults = lint.faults(task)
    for line in faults:
        show.say(console, line, "red")
    limits = course.limits(task.root, unsafe=True)
    try:
        with console.status("Judging ...") as status:
            say = lambda what: status.update(f"Judging {what} ...")  # noqa: E731
            found = trial.run(task, limits, workers, say)
    except course.CourseError:
        if faults:
            return False  # it was said above
        raise
    proof.trial(console, found)
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
