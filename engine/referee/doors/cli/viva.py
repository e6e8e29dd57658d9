"""`referee viva`: for each student a sheet of questions on their own code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.doors.cli import errors, shared

if TYPE_CHECKING:
    from referee.course import Assignment
    from referee.model import Record

UNKNOWN = (
    "{} has no result for {}; `referee status` says who has handed in, and `referee grade {}` "
    "judges it"
)
MOST_BYTES = 100  # of names in the name of a file
PdfOption = Annotated[
    bool, typer.Option("--pdf", help="Print the pages of the class as PDF, too, by a browser.")
]
QuizOption = Annotated[
    str | None,
    typer.Option(
        metavar="NEXT",
        help="Put cells for the answers into this assignment's source, with hidden checks.",
    ),
]


def viva(
    assignment: shared.AssignmentArgument,
    student: shared.StudentsOption = None,
    pdf: PdfOption = False,
    quiz: QuizOption = None,
    json: shared.JsonOption = None,
    workers: shared.WorkersOption = shared.CORES,
    unsafe: shared.UnsafeOption = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Write for each student a sheet of five questions on their own code, and the answers apart."""
    from referee import course
    from referee.doors import quiz as asking
    from referee.doors import show
    from referee.doors import viva as door
    from referee.doors.show import classroom

    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        shared.expect_writable(json)
        records = _records(task, assignment, student or [])
        limits = course.limits(task.root, unsafe)
        browser = door.browser() if pdf else ""
        if quiz is not None:
            asking.source(task.root, quiz)
            if student:
                raise course.CourseError("--quiz is for the whole class; leave out --student")
        console, whose = shared.console(json), _whose([*dict.fromkeys(student or [])])
        with console.status("Asking their code ..."):
            result = door.write(task, records, limits, workers, whose)
            if browser:
                result.files += [str(door.print_pdf(browser, Path(one))) for one in result.files]
            if quiz is not None:
                result.quiz = asking.write(task.root, quiz, result.letters)
        show.save(json, result)
        classroom.sheets(console, result, quiz or "")


def _whose(students: list[str]) -> str:
    """Return what stands in the names of pages about some students; "" about all."""
    named = "".join(f"-{name}" for name in students)
    fits = len(named.encode()) <= MOST_BYTES
    return named if fits else f"-{students[0]}-and-{len(students) - 1}-more"


def _records(task: Assignment, named: str, students: list[str]) -> dict[str, Record]:
    """Return the entered results of some students, or of all."""
    from referee.course import CourseError
    from referee.marks import entries

    records = entries.get(task.root, task.key)
    if not records:
        raise shared.not_graded(named, [task])
    if unknown := sorted(set(students) - records.keys()):
        raise CourseError(UNKNOWN.format(unknown[0], task.key, task.name))
    return {name: one for name, one in records.items() if not students or name in students}
