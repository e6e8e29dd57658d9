"""`referee viva`: for each student a sheet of questions on their own code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.commands import errors, shared

if TYPE_CHECKING:
    from referee.course import Assignment
    from referee.model import Record

UNKNOWN = (
    "{} has no result for {}; `referee status` says who has handed in, and `referee grade {}` "
    "judges it"
)


def viva(
    assignment: shared.AssignmentArgument,
    student: shared.StudentsOption = None,
    json: shared.JsonOption = None,
    workers: shared.WorkersOption = shared.CORES,
    unsafe: shared.UnsafeOption = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Write sheets of questions to students on their own code."""
    from referee import course
    from referee.commands import terminal as show
    from referee.doors import viva as door
    from referee.doors.show import classroom

    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        shared.expect_writable(json)
        records = _records(task, assignment, student or [])
        limits = course.limits(task.root, unsafe)
        console, whose = shared.console(json), "".join(f"-{name}" for name in student or [])
        with console.status("Asking their code ..."):
            result = door.write(task, records, limits, workers, whose)
        show.save(json, result)
        classroom.sheets(console, result)


def _records(task: Assignment, named: str, students: list[str]) -> dict[str, Record]:
    """Return the entered results of some students, or of all."""
    from referee.course import CourseError
    from referee.marks import entries

    records = entries.get(task.root, task.key)
    if not records:
        raise shared.not_graded(named)
    if unknown := sorted(set(students) - records.keys()):
        raise CourseError(UNKNOWN.format(unknown[0], task.key, task.name))
    return {name: one for name, one in records.items() if not students or name in students}
