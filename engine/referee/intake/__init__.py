"""Turn whatever a student hands in into a notebook that can be graded.

`collect` reads a folder (`folder`), any version and encoding of a notebook is read (`file`), and
`accept` rebuilds it on the released one by a list of small repairs (`repair`). Runs no code.
"""

from pathlib import Path

from nbformat import NotebookNode

from referee.course import Assignment, CourseError, remake
from referee.intake import folder, repair, testcells
from referee.intake.file import MAX_BYTES, UnreadableError, parse
from referee.intake.folder import (
    OTHER_ENDING,
    STUDENT,
    HandedIn,
    collect,
    contents,
    inside,
    notebooks,
    shown,
    students,
    time_stamp,
)
from referee.intake.headings import called, headings
from referee.intake.repair import Intake, code_cells, graded, identities, identity, runnable

__all__ = [
    "MAX_BYTES", "OTHER_ENDING", "STUDENT", "HandedIn", "Intake", "UnreadableError",
    "accept", "accept_file", "called", "code_cells", "collect", "contents", "course_notebook",
    "graded", "headings", "identities", "identity", "inside", "notebooks", "other_language",
    "parse", "released", "runnable", "shown", "students", "time_stamp",
]  # fmt: skip


OTHER = (
    "{} is written in {}, and the referee runs Python: its marks stay as they are; `nbgrader "
    "autograde` grades it as before, outside of the sandbox"
)


def accept(assignment: Assignment, handed_in: HandedIn) -> Intake | None:
    """Return the notebook to grade, rebuilt on the released one; None if nothing was handed in.

    A file that cannot be read gives the released notebook, and a sentence with the reason.
    """
    accepted = folder.choose(handed_in, assignment.notebook, released(assignment))
    if accepted is None:
        return None
    accepted = accepted._replace(tests=testcells.tests(assignment))
    names, kept_names = assignment.given, assignment.course.kept(assignment.name)
    return folder.with_files(accepted, handed_in, {*names} - kept_names)


def accept_file(assignment: Assignment, content: bytes) -> Intake:
    """Return the notebook to grade, for a single submitted file."""
    tests = testcells.tests(assignment)
    return repair.read(content, released(assignment))._replace(tests=tests)


def released(assignment: Assignment) -> NotebookNode:
    """Return the released notebook; CourseError if it is in another language than Python."""
    release = course_notebook(assignment.release)
    if reason := other_language(assignment):
        raise CourseError(reason)
    release.nbformat_minor = max(5, release.nbformat_minor)
    for number, cell in enumerate(release.cells):
        cell.setdefault("id", f"cell-{number}")  # which came with 4.5
    return release


def other_language(assignment: Assignment) -> str:
    """Return why a notebook is left to nbgrader: its kernel is not Python; else ""."""
    metadata = course_notebook(assignment.release).metadata
    spec, info = (metadata.get(key) or {} for key in ("kernelspec", "language_info"))
    language = str(info.get("name") or spec.get("language") or spec.get("name") or "python")
    return "" if "py" in language.lower() else OTHER.format(assignment.key, language)


def course_notebook(place: Path) -> NotebookNode:
    """Return a notebook of the course; CourseError if it is damaged."""
    try:
        return parse(place.read_bytes())
    except UnreadableError as error:
        raise CourseError(
            f"{place} belongs to the course and cannot be read: {str(error).partition(';')[0]}; "
            f"put your last copy back, and make a release again with {remake(place.parent.name)}"
        ) from error
