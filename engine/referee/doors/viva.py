"""Write for each student a sheet of questions on their own code, and the answers apart.

The work is the graded one. The sheets are one page, `viva-ASSIGNMENT.html`, whose print has each on
paper of its own; `viva-ASSIGNMENT-answers.html` is for the instructor.
"""

from collections.abc import Mapping

import msgspec

from referee import course
from referee.course import Assignment
from referee.marks import files
from referee.model import Cell, Limits, Record
from referee.proof.viva.page import page
from referee.proof.viva.sheet import Sheet, sheet
from referee.workers import Lost, opened

REFUSED = "The file could not be read: {}."
LOST = "Running this code has ended the process that ran it."
FAILED = "Asking this code has failed here: {}."


class VivaResult(msgspec.Struct):
    """The sheets of an assignment that were written.

    `few` has by student why there are fewer than five questions, `letters` the right answers.
    """

    assignment: str
    students: int
    few: dict[str, str]
    letters: dict[str, str]
    files: list[str]


def write(
    assignment: Assignment, records: Mapping[str, Record], limits: Limits, workers: int, whose: str
) -> VivaResult:
    """Write a page with the sheets of students with records, and a page with the answers.

    `whose` stands in their names where they are not about the whole class.
    """
    found, jobs = dict[str, Sheet](), []
    for name, record in records.items():
        if record.report.refused:
            found[name] = Sheet(name, [], {}, REFUSED.format(record.report.refused))
        else:
            jobs.append((name, (name, record.cells)))
    with opened(workers) as benches:
        for name, answer in benches.run(_sheet, (assignment, limits), jobs):
            if isinstance(answer, Exception):
                answer = Sheet(name, [], {}, FAILED.format(answer))
            found[name] = Sheet(name, [], {}, LOST) if isinstance(answer, Lost) else answer
    sheets = [found[name] for name in sorted(found)]
    root, title = assignment.root, f"{assignment.title}{whose}"
    pages = {
        root / f"viva-{title}.html": page(assignment, sheets),
        root / f"viva-{title}-answers.html": page(assignment, sheets, answers=True),
    }
    for file, text in pages.items():
        course.make_private(file)
        files.save(file, text.encode())
    few = {one.student: one.why for one in sheets if one.why}
    letters = {one.student: "".join("ABCD"[q.answer] for q in one.questions) for one in sheets}
    return VivaResult(assignment.key, len(sheets), few, letters, [*map(str, pages)])


def _sheet(setting: tuple[Assignment, Limits], job: tuple[str, list[Cell]]) -> Sheet:
    """Make the sheet of a student in a worker."""
    (assignment, limits), (name, cells) = setting, job
    return sheet(assignment.of(name), cells, limits)
