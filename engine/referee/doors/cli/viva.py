"""`referee viva`: for each student a sheet of questions on their own code."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.doors.cli import errors, shared

UNKNOWN = (
    "{} has no result for {}; `referee status` says who has handed in, and `referee grade {}` "
    "judges it"
)


def viva(
    assignment: shared.AssignmentArgument,
    student: shared.StudentsOption = None,
    pdf: Annotated[
        bool, typer.Option("--pdf", help="Print the pages of the class as PDF, too, by a browser.")
    ] = False,
    workers: shared.WorkersOption = shared.CORES,
    unsafe: shared.UnsafeOption = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Write for each student a sheet of five questions on their own code, and the answers apart."""
    from referee import course
    from referee.doors import viva as door
    from referee.doors.show import classroom
    from referee.marks import entries

    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        records = entries.get(task.root, task.key)
        if not records:
            raise shared.not_graded(assignment, [task])
        if unknown := sorted(set(student or ()) - records.keys()):
            raise course.CourseError(UNKNOWN.format(unknown[0], task.key, task.name))
        limits = course.limits(task.root, unsafe)
        browser = door.browser() if pdf else ""
        console = shared.console()
        with console.status("Asking their code ..."):
            whose = "".join(f"-{name}" for name in student or [])
            wanted = {name: one for name, one in records.items() if not student or name in student}
            result = door.write(task, wanted, limits, workers, whose)
            if browser:
                result.files += [door.print_pdf(browser, file) for file in result.files]
        classroom.sheets(console, result)
