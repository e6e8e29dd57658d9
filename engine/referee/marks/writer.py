"""Enter the marks of a judged submission for nbgrader, or take them back.

The rows of the gradebook are written in one transaction, the line of the log before it, and the
record after it.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from referee import course
from referee.course import Assignment
from referee.intake import times
from referee.judging import digests
from referee.marks import entries, files, grade_log, gradebook, groups_and_extensions, standings
from referee.model import Record


class Writer:
    """Writes the submissions of one assignment; `opened` makes one."""

    def __init__(self, assignment: Assignment, config: Config, book: Gradebook) -> None:
        """Write into an open gradebook, and into folders as nbgrader's configuration names them."""
        self.book = book
        self._assignment = assignment
        self._late = gradebook.late_rule(config)
        self._converter = Autograde(coursedir=CourseDirectory(config=config), config=config)
        source = course.files_in(assignment.source.parent, leave_out="*.ipynb")
        self._support = assignment.support | source
        due = book.find_assignment(assignment.name).duedate
        self.extensions = groups_and_extensions.extensions(assignment.course, assignment.name, due)

    def folder(self, student: str) -> Path:
        """Return the folder that a student's autograded submission is written to."""
        return self._assignment.course.folder("autograded") / student / self._assignment.name

    def write(self, record: Record, notebook: bytes) -> None:
        """Write a submission's notebook, marks and record, and the line of the log.

        An extension that was never in `extensions.csv` is nbgrader's own, and stays.
        """
        folder = self.folder(record.student)
        folder.mkdir(parents=True, exist_ok=True)
        contents = self._support | {self._assignment.notebook: notebook}
        if record.timestamp is not None:
            contents["timestamp.txt"] = record.timestamp.encode()
        for place, content in contents.items():  # files are replaced one by one
            file = folder / place
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.is_symlink():
                file.unlink()  # it is not followed
            if not file.is_file() or file.read_bytes() != content:
                files.save(file, content)
        paths = {folder / name for name in (*self._assignment.others, *contents)}
        paths |= {parent for file in paths for parent in file.parents}
        for path in sorted(folder.rglob("*"), reverse=True):  # what is in a folder before it
            if path not in paths:
                path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        self._converter.set_permissions(self._assignment.name, record.student)
        root, name, answers = self._assignment.root, self._assignment.key, record.answers
        previous, same = entries.get(root, name, record.student).get(record.student), None
        if previous and previous.submission == record.submission:  # whatever was an answer then
            same = set(answers)
        elif previous:
            same = {cell for cell, one in answers.items() if previous.answers.get(cell) == one}
        with gradebook.submission(self.book, name, record.student, make=True) as row:
            submission, before = row.assignment, gradebook.automatic(row)
            if record.timestamp is not None:
                submission.timestamp = times.moment(record.timestamp)
            gradebook.fill(row, record.report.scores, record.unanswered, same)
            due, extension = submission.assignment.duedate, self.extensions.get(record.student)
            record.until = extension.text if extension else ""
            if extension or (previous and previous.until):
                submission.extension = extension.until - due if extension and due else None
            gradebook.penalise(self.book, row, self._late)
            record.seconds_late = submission.total_seconds_late
            self.book.db.flush()  # what fails here has no line
            grade_log.note(root, name, record.student, before, gradebook.automatic(row), record)
        entries.put(root, name, record)

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
            before = gradebook.automatic(row)
            gradebook.fill(row, dict.fromkeys(before))
            self.book.db.flush()
            grade_log.note(root, name, student, before, dict.fromkeys(before))
        entries.drop(root, name, student)


@contextlib.contextmanager
def opened(assignment: Assignment) -> Iterator[Writer]:
    """Open the gradebook of a course for the submissions of an assignment that it knows."""
    with gradebook.opened(assignment.course.db_url) as book:
        try:
            book.find_notebook(assignment.part or assignment.name, assignment.name)
        except MissingEntry as error:
            raise standings.unknown(assignment) from error
        yield Writer(assignment, assignment.course.configuration(), book)
