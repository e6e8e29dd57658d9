"""Make everybody's feedback with nbgrader's own converter, and read it.

A page whose notebook, marks, comments and settings are as they were is not made again.
"""

import contextlib
from importlib import metadata
from pathlib import Path

from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory

from referee import course
from referee.course import CONFIG, Assignment
from referee.judging import digests
from referee.marks import files, gradebook

MADE = ".made"  # in a folder of pages: a digest of them and of what they were made from


def make(assignment: Assignment) -> dict[str, bytes]:
    """Return the page of each student who was graded, as it is now: marks by hand are in it."""
    config = course.configuration(assignment.root)
    folders = CourseDirectory(config=config)
    folders.assignment_id = assignment.name
    inputs = _inputs(assignment)
    same = {who for who in inputs if "," not in who and _is_made(assignment, who, inputs[who])}
    left_out = course.left_out(assignment.root) | same
    folders.student_id_exclude = ",".join(sorted(left_out))
    if stale := inputs.keys() - left_out:
        converter = GenerateFeedback(coursedir=folders, config=config)
        converter.force = True
        converter.log.setLevel("ERROR")
        converter.start()
        for student in stale:
            if (place := _folder(assignment, student)).is_dir():
                files.save(place / MADE, _made(place, inputs[student]).encode())
    places = {one: _folder(assignment, one) / assignment.notebook for one in graded(assignment)}
    found = {student: file.with_suffix(".html") for student, file in places.items()}
    return {student: file.read_bytes() for student, file in found.items() if file.is_file()}


def graded(assignment: Assignment) -> list[str]:
    """Return the students who have an autograded notebook here."""
    return _graded(assignment, assignment.notebook)


def _graded(assignment: Assignment, notebook: str) -> list[str]:
    root = course.folder(assignment.root, "autograded")
    found = root.glob(f"*/{assignment.name}/{notebook}")
    return sorted({one.parents[1].name for one in found})


def _inputs(assignment: Assignment) -> dict[str, str]:
    """Return for each student a digest of all that the student's pages are made from."""
    root = assignment.root
    code = {file.name: file.read_bytes() for file in sorted(root.glob("*.py"))}
    ours = course.files_in(digests.PACKAGE / "marks")
    versions = [metadata.version(name) for name in ("nbgrader", "nbconvert")]
    common = digests.digest(code | {CONFIG: (root / CONFIG).read_bytes()}, ours, versions)
    place = course.folder(root, "autograded")
    with gradebook.opened(course.db_url(root)) as book:
        return {
            student: digests.digest(
                common,
                course.files_in(place / student / assignment.name),
                gradebook.printed(book, assignment.name, student),
            )
            for student in _graded(assignment, "*.ipynb")
        }


def _is_made(assignment: Assignment, student: str, inputs: str) -> bool:
    """Return whether a student's pages are, unchanged, those that these inputs give."""
    place = _folder(assignment, student)
    with contextlib.suppress(OSError):
        return (place / MADE).read_text("utf-8", "replace") == _made(place, inputs)
    return False


def _made(place: Path, inputs: str) -> str:
    return digests.digest(inputs, course.files_in(place))


def _folder(assignment: Assignment, student: str) -> Path:
    return course.folder(assignment.root, "feedback") / student / assignment.name
