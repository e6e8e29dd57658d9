"""Enter the marks of a judged submission for nbgrader, or take them back.

The rows of the gradebook are written in one transaction, the line of the log before it, and the
record after it. Each file of an autograded folder is written to a temporary name and renamed.
"""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config

from referee import course
from referee.course import Assignment, CourseError
from referee.intake import times
from referee.judging import digests
from referee.marks import (
    entries,
    grade_log,
    gradebook,
    groups_and_extensions,
    missing,
)
from referee.model import Outcome, Record


def _extend(assignment: Assignment, row: SubmittedNotebook, before: str) -> str:
    """Set a student's extension from `extensions.csv`, and return it; `before` is the last one.

    An extension that was never in the file is nbgrader's own, and stays.
    """
    mine, due = row.assignment, row.assignment.assignment.duedate
    extension = groups_and_extensions.extensions(assignment.root, assignment.name, due).get(
        mine.student.id
    )
    if extension or before:
        mine.extension = extension.until - due if extension and due else None
    return extension.text if extension else ""


class Writer:
    """Writes the submissions of one assignment; `opened` makes one."""

    def __init__(self, assignment: Assignment, config: Config, book: Gradebook) -> None:
        """Write into an open gradebook, and into folders as nbgrader's configuration names them."""
        self.book = book
        self._assignment = assignment
        self._folders = CourseDirectory(config=config)
        self._folders.assignment_id = assignment.name
        self._late = AssignLatePenalties(config=config)
        self._late.init_plugin()
        self._converter = Autograde(coursedir=self._folders, config=config)
        source = course.files_in(assignment.source.parent, leave_out="*.ipynb")
        self._support = assignment.support | source

    def folder(self, student: str) -> Path:
        """Return the folder that a student's autograded submission is written to."""
        step = self._folders.autograded_directory
        return Path(self._folders.format_path(step, student, self._assignment.name))

    def write(self, record: Record, outcome: Outcome) -> None:
        """Write a submission's notebook, marks and record, and the line of the log."""
        self._write_folder(record.student, outcome.notebook, record.timestamp)
        root, name, answers = self._assignment.root, self._assignment.key, record.answers
        moment = None if record.timestamp is None else times.moment(record.timestamp)
        marked, same = entries.of(root, name, record.student), None
        if marked and marked.submission == record.submission:  # whatever once belonged to an answer
            same = set(answers)
        elif marked:
            same = {cell for cell, one in answers.items() if marked.answers.get(cell) == one}
        with gradebook.entered(self.book, name, record.student, moment) as row:
            before = gradebook.fill(row, record.report.scores, record.unanswered, same)
            record.until = _extend(self._assignment, row, marked.until if marked else "")
            gradebook.penalise(self.book, row, self._penalty)
            record.seconds_late = row.assignment.total_seconds_late
            self.book.db.flush()  # what fails here has no line
            grade_log.note(root, name, record.student, before, gradebook.automatic(row), record)
        entries.put(root, name, record)

    def extensions(self) -> dict[str, str]:
        """Return the extensions, by student."""
        name = self._assignment.name
        due = gradebook.transact(self.book, lambda: self.book.find_assignment(name).duedate)
        found = groups_and_extensions.extensions(self._assignment.root, name, due)
        return {student: one.text for student, one in found.items()}

    def has(self, record: Record) -> bool:
        """Return whether a student's autograded notebook exists as it was written."""
        file = self.folder(record.student) / self._assignment.notebook
        return file.is_file() and digests.digest(file.read_bytes()) == record.notebook

    def withdraw(self, student: str) -> None:
        """Take back the marks of a student for whom there is nothing that can be graded."""
        root, name = self._assignment.root, self._assignment.key
        with (
            contextlib.suppress(MissingEntry),
            gradebook.submission(self.book, name, student) as row,
        ):
            before = gradebook.reset(row)
            self.book.db.flush()
            grade_log.note(root, name, student, before, dict.fromkeys(before))
        entries.drop(root, name, student)

    def _penalty(self, student: str, row: SubmittedNotebook, late: float) -> float | None:
        found = self._late.plugin_inst.late_submission_penalty(student, row.score, late)
        return None if found is None else self._late._check_late_penalty(row, found)

    def _write_folder(self, student: str, notebook: bytes, timestamp: str | None) -> None:
        """Replace the files of a student's autograded folder, one by one."""
        folder = self.folder(student)
        folder.mkdir(parents=True, exist_ok=True)
        files = dict(self._support)
        if timestamp is not None:
            files["timestamp.txt"] = timestamp.encode()
        files[self._assignment.notebook] = notebook
        others = {folder / name for name in self._assignment.others}
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if _holds(file, content):
                continue
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as temporary:
                temporary.write(content)
            Path(temporary.name).replace(file)
        wanted = others | {folder / name for name in files}
        wanted |= {parent for file in wanted for parent in file.parents}
        for other in sorted(folder.rglob("*"), reverse=True):  # what is in a folder before it
            if other not in wanted:
                other.rmdir() if other.is_dir() and not other.is_symlink() else other.unlink()
        self._converter.set_permissions(self._assignment.name, student)


def _holds(file: Path, content: bytes) -> bool:
    """Return whether a file exists and has exactly this content."""
    return file.is_file() and not file.is_symlink() and file.read_bytes() == content


@contextlib.contextmanager
def opened(assignment: Assignment) -> Iterator[Writer]:
    """Open the gradebook of a course for the submissions of an assignment that it knows."""
    config = course.configuration(assignment.root)
    with gradebook.opened(CourseDirectory(config=config).db_url) as book:
        try:
            notebook = assignment.part or assignment.name
            gradebook.transact(book, lambda: book.find_notebook(notebook, assignment.name))
        except MissingEntry as error:
            unknown = f"the gradebook {book.engine.url.database} does not know {assignment.key}"
            if known := sorted(entries.get(assignment.root, assignment.key)):
                is_file = book.engine.url.get_backend_name() == "sqlite"
                copy = ", or put your last copy back" * is_file
                raise CourseError(
                    f"{unknown}, where results of {missing.some(known)} were entered: see that "
                    f"c.CourseDirectory.db_url in {course.CONFIG} names the right one{copy}; a new "
                    "one would lack all marks by hand"
                ) from error
            raise CourseError(
                f"{unknown}; {course.remake(assignment.name)} puts it there"
            ) from error
        yield Writer(assignment, config, book)
