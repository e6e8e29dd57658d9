"""`referee viva`: for each student a sheet of questions on their own code, and the answers apart.

The work is the graded one. The sheets are one page, `viva-ASSIGNMENT.html`, whose print has each on
paper of its own; `viva-ASSIGNMENT-answers.html` is for the instructor.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from referee import course, workers
from referee.commands import shared, terminal
from referee.commands.terminal import some
from referee.course import Assignment
from referee.marks import entries, files
from referee.model import Limits, Record, counted
from referee.proof import replay
from referee.proof.viva.sheet import Sheet, page, sheet

FAILED = "Asking this code has failed here: {}."


class VivaResult(msgspec.Struct):
    """The sheets of an assignment that were written.

    `few` has by student why there are fewer than five questions, `letters` the right answers.
    `files` lie in the course's folder.
    """

    assignment: str
    students: int
    few: dict[str, str]
    letters: dict[str, str]
    files: list[str]


def run(
    assignment: shared.AssignmentArgument,
    student: shared.StudentsOption = None,
    json: shared.JsonOption = None,
    workers: shared.WorkersOption = shared.CORES,
    unsafe: shared.UnsafeOption = False,
    course_folder: shared.CourseOption = None,
) -> int:
    """Write sheets of questions to students on their own code."""
    task = shared.assignment(course_folder, assignment)
    if student:
        records = {name: replay.entered(task, name) for name in student}
    elif not (records := entries.get(task.root, task.key)):
        raise shared.not_graded(assignment)
    with terminal.console(json).status("Asking their code ..."):
        sheets = ask(task, records, task.course.limits(unsafe), workers)
    title = "".join([task.title, *(f"-{name}" for name in student or [])])
    names = [f"viva-{title}.html", f"viva-{title}-answers.html"]
    places = [shared.in_course(task.course, name) for name in names]
    for file, answers in zip(places, (False, True), strict=True):
        course.make_private(file)
        files.save(file, page(task, sheets, answers=answers).encode())
    few = {one.student: one.why for one in sheets if one.why}
    letters = {one.student: "".join("ABCD"[q.answer] for q in one.questions) for one in sheets}
    result = VivaResult(task.key, len(sheets), few, letters, names)
    terminal.said(_lines(result, *places), result, json)
    return 0


def ask(task: Assignment, records: dict[str, Record], limits: Limits, number: int) -> list[Sheet]:
    """Ask the code of each student in a worker."""
    sheets = list[Sheet]()
    for name, answer in workers.run(_sheet, (task, limits), records.items(), number):
        if not isinstance(answer, Sheet):
            crash = "it has ended the process that ran it"
            why = crash if isinstance(answer, workers.Lost) else answer
            answer = Sheet(name, [], {}, FAILED.format(why))
        sheets.append(answer)
    return sorted(sheets, key=lambda one: one.student)


def _sheet(setting: tuple[Assignment, Limits], record: Record) -> Sheet:
    assignment, limits = setting
    if reason := record.report.refused:
        return Sheet(record.student, [], {}, f"The file could not be read: {reason}.")
    return sheet(assignment.of(record.student), record.cells, limits)


def _lines(result: VivaResult, questions: Path, answers: Path) -> Iterator[str]:
    people = counted(result.students, "student")
    yield f"{people}, {result.students - len(result.few)} with five questions."
    for why in dict.fromkeys(result.few.values()):
        names = some([name for name in result.few if result.few[name] == why])
        yield f"Fewer: {names}. {why}"
    yield f"Print {questions}, a sheet a page; for you alone: {answers}"
