"""Grade the submissions of a class: judge them in parallel, then enter them one by one.

Judging fills the store of results; nbgrader's own autograde then finds each result there and
writes notebooks and gradebook, so that both ways of grading give the same. Imported by `cli`.
"""

import functools
from collections.abc import Callable, Iterator
from concurrent.futures import Future, as_completed
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from referee import course, handin, intake, ipynb, judge, nbgrader_door, store, workers
from referee.sandbox import Zygote
from referee.submission import Limits


class Graded(NamedTuple):
    """A student's result: a report, and what stood in the way of entering it, if anything."""

    student: str
    report: judge.Report | None
    problem: str | None = None


def students(root: Path, assignment: str) -> list[str]:
    """Return the students who have handed something in for an assignment, sorted."""
    return sorted(folder.parent.name for folder in (root / "submitted").glob(f"*/{assignment}"))


def grade(
    assignment: course.Assignment, names: list[str], limits: Limits, processes: int, force: bool
) -> Iterator[Graded]:
    """Grade the submissions of the named students; yield each one when it is done."""
    with workers.pool(processes) as pool:
        waiting = {
            pool.submit(judge_student, assignment, name, limits, force): name for name in names
        }
        for done in as_completed(waiting):
            yield _entered(assignment, waiting[done], done, limits.unsafe)


def judge_student(
    assignment: course.Assignment, student: str, limits: Limits, force: bool
) -> judge.Report:
    """Judge a student's submission, or take the result that is kept for it."""
    if not handin.STUDENT.fullmatch(student):
        raise ipynb.UnreadableError("no student is called that; rename the folder")
    folder = assignment.root / "submitted" / student / assignment.name
    accepted = handin.read(folder, assignment.notebook, _release(assignment))
    if accepted is None:
        raise ipynb.UnreadableError(f"no notebook in {folder.relative_to(assignment.root)}")
    warm = functools.partial(workers.zygote, limits.memory_bytes, limits.unsafe)
    return _judge(assignment, accepted, limits, warm, force)


def judge_file(
    assignment: course.Assignment,
    file: Path,
    limits: Limits,
    zygote: Callable[[], Zygote],
    force: bool = False,
) -> judge.Report:
    """Judge the notebook in a file, or take the result that is kept for it unless `force`."""
    accepted = intake.read(handin.contents(file), _release(assignment))
    return _judge(assignment, accepted, limits, zygote, force)


def _release(assignment: course.Assignment) -> NotebookNode:
    return ipynb.parse(assignment.release.read_bytes())


def _judge(
    assignment: course.Assignment,
    accepted: intake.Intake,
    limits: Limits,
    zygote: Callable[[], Zygote],
    force: bool,
) -> judge.Report:
    cells = intake.code_cells(accepted.notebook)
    judged = store.judged(assignment, cells, zygote, limits, force)
    return judge.report(assignment, accepted, judged)


def _entered(
    assignment: course.Assignment, student: str, done: Future[judge.Report], unsafe: bool
) -> Graded:
    """Let nbgrader write the result into the gradebook and the autograded notebook."""
    try:
        report = done.result()
    except ipynb.UnreadableError as error:
        nbgrader_door.forget(assignment.root, assignment.name, student)
        return Graded(student, None, str(error))
    problem = nbgrader_door.autograde(assignment.root, assignment.name, student, unsafe)
    return Graded(student, report, problem)
