"""Write for each student a sheet of questions on their own code, and the answers apart.

The work is the graded one. The sheets lie in `viva/`, a folder for each student; what is about the
whole class lies beside it, in `viva-ASSIGNMENT.html` and `viva-ASSIGNMENT-answers.html`.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import msgspec

from referee import course
from referee.course import Assignment, CourseError
from referee.marks import files
from referee.model import Cell, Limits, Record
from referee.proof.viva.page import page
from referee.proof.viva.sheet import Sheet, sheet
from referee.workers import Lost, opened

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "microsoft-edge")
PRINT_SECONDS = 120
REFUSED = "The file could not be read: {}."
LOST = "Running this code has ended the process that ran it."
NO_BROWSER = (
    "there is no browser that can make a PDF ({}); install one, as by `apt-get install chromium`, "
    "or run this without --pdf and print the pages in yours"
)


class VivaResult(msgspec.Struct):
    """The sheets of an assignment that were written.

    `few` has by student why there are fewer than five questions, `letters` the right answers;
    `files` are about the class, `quiz` those with cells and checks for the next notebook.
    """

    assignment: str
    students: int
    few: dict[str, str]
    letters: dict[str, str]
    files: list[str]
    quiz: list[str] = []


def write(
    assignment: Assignment, records: Mapping[str, Record], limits: Limits, workers: int, whose: str
) -> VivaResult:
    """Write the sheets of students with records, and the pages of all of them together.

    `whose` stands in the names of these pages where they are not about the whole class.
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
                raise answer
            found[name] = Sheet(name, [], {}, LOST) if isinstance(answer, Lost) else answer
    sheets = [found[name] for name in sorted(found)]
    root, title = assignment.root, f"{assignment.title}{whose}"
    pages = {
        root / f"viva-{title}.html": page(assignment, sheets),
        root / f"viva-{title}-answers.html": page(assignment, sheets, answers=True),
    }
    of_students = {
        course.folder(root, "viva") / one.student / f"{assignment.title}.html": page(
            assignment, [one]
        )
        for one in sheets
    }
    for file, text in (of_students | pages).items():
        file.parent.mkdir(parents=True, exist_ok=True)
        course.make_private(file)
        files.save(file, text.encode())
    few = {one.student: one.why for one in sheets if one.why}
    letters = {one.student: "".join("ABCD"[q.answer] for q in one.questions) for one in sheets}
    return VivaResult(assignment.key, len(sheets), few, letters, [*map(str, pages)])


def _sheet(setting: tuple[Assignment, Limits], job: tuple[str, list[Cell]]) -> Sheet:
    """Make the sheet of a student in a worker."""
    (assignment, limits), (name, cells) = setting, job
    return sheet(assignment.of(name), cells, limits)


def browser() -> str:
    """Return a browser that prints; CourseError if there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise CourseError(NO_BROWSER.format(", ".join(BROWSERS)))
    return found


def print_pdf(program: str, file: Path) -> Path:
    """Make a PDF of a page beside it; return where it is."""
    place = file.with_suffix(".pdf")
    course.make_private(place)
    options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", "--no-first-run"]
    options += ["--no-sandbox"] * (os.geteuid() == 0)  # which root cannot have; no script runs
    command = [program, *options, f"--print-to-pdf={place}", file.absolute().as_uri()]
    try:
        subprocess.run(command, capture_output=True, timeout=PRINT_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        place.unlink(missing_ok=True)
        raise CourseError(
            f"{program} has made no PDF of {file} ({error}); print it in yours"
        ) from None
    return place
