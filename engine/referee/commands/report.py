"""`referee report`: a page about the class for its instructors."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from referee import intake
from referee.commands import shared, terminal
from referee.course import Assignment, Course, CourseError
from referee.marks import entries, files, standings
from referee.model import counted
from referee.proof import bank
from referee.report.page import page


def run(
    assignment: shared.AssignmentsArgument = None,
    html: Annotated[
        Path | None,
        typer.Option(
            callback=shared.writable,
            dir_okay=False,
            help="Write the page to this file; by default report-ASSIGNMENT.html in the "
            "course's folder.",
        ),
    ] = None,
    archive: shared.ArchiveOption = None,
    course_folder: shared.CourseOption = None,
) -> int:
    """Write a page on the class: points, checks, misconceptions."""
    tasks = shared.tasks_of_class(course_folder, assignment)
    by_task = {task: records for task in tasks if (records := entries.get(task.root, task.key))}
    if not by_task:
        raise shared.not_graded(assignment)
    if html is not None:
        shared.only_one("--html", len(by_task))
    for task, records in by_task.items():
        file = html or shared.in_course(task.course, f"report-{task.title}.html")
        solutions = [one for one in bank.read_all(task) if one.kind == "right"]
        works = {f"bank/{one.name}": [source for _, source in one.sections] for one in solutions}
        works |= _older_works(task, archive or [])
        handed_in, stale = intake.students(task.course, task.name), standings.stale(task, records)
        text = page(task, records, handed_in, standings.of(task), stale, works)
        files.save(file, text.encode())
        terminal.said([f"{counted(len(records), 'student')}: {file}"])
    return 0


def _older_works(assignment: Assignment, folders: Iterable[Path]) -> dict[str, list[str]]:
    """Return the code cells of each work in some course folders, by folder and student."""
    works: dict[str, list[str]] = {}
    for folder in folders:
        course = Course(folder)
        if not (students := intake.students(course, assignment.name)):
            raise CourseError(
                f"no folder {folder}/submitted/*/{assignment.name}; name a course folder of "
                "another year, with what was handed in then"
            )
        for name in students:
            place = course.folder("submitted") / name / assignment.name
            handed_in = intake.collect(place, assignment.notebook, assignment.others)
            accepted = intake.accept(assignment, handed_in)
            if accepted is not None and accepted.refused is None:
                cells = [cell.source for cell in accepted.cells]
                works[f"{folder.absolute().name}/{name}"] = cells
    return works
