"""Make everybody's feedback with nbgrader's own converter, and read it."""

from collections.abc import Collection
from pathlib import Path

from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory

from referee.course import CONFIG, Assignment
from referee.intake import database
from referee.judging import digests


def make(assignment: Assignment, students: Collection[str]) -> dict[str, bytes]:
    """Return the page of each of the `students` who was graded: marks by hand are in it.

    They are not made again if they are newer than gradebook, notebooks, settings and this program.
    """
    own, there = assignment.course, graded(assignment)
    autograded, feedback = (own.folder(step) for step in ("autograded", "feedback"))
    left_out = own.left_out | ({*there} - {*students})  # taken out of the gradebook
    names = [name for name in there if name not in left_out]
    notebooks = [autograded / name / assignment.name / assignment.notebook for name in names]
    page = Path(assignment.name, assignment.notebook).with_suffix(".html")
    pages = {name: feedback / name / page for name in names}
    program = [one for one in digests.PACKAGE.rglob("*.*") if one.suffix != ".pyc"]
    book = database.file(own.db_url)
    made_of = max(map(_changed, (*notebooks, *program, own.root / CONFIG, book or own.root)))
    if book is None or min(map(_changed, pages.values()), default=0) <= made_of:
        config = own.configuration()
        folders = CourseDirectory(config=config)
        folders.assignment_id = assignment.name
        folders.student_id_exclude = ",".join(sorted(left_out))
        converter = GenerateFeedback(coursedir=folders, config=config)
        converter.force = True
        converter.log.setLevel("ERROR")
        converter.start()
    return {name: file.read_bytes() for name, file in pages.items() if file.is_file()}


def _changed(file: Path) -> int:
    """Return when a file was changed, in ns; 0 if it is not there."""
    return file.stat().st_mtime_ns if file.exists() else 0


def graded(assignment: Assignment) -> list[str]:
    """Return the students who have an autograded notebook here."""
    found = assignment.course.folder("autograded").glob(
        f"*/{assignment.name}/{assignment.notebook}"
    )
    return sorted({one.parents[1].name for one in found})
