"""Write a graded submission where nbgrader looks for it: autograded folder, gradebook, log.

There is one writer per run, so that nothing waits for anything. Each file is written to a temporary
name and renamed, the gradebook is changed in one transaction. Imported by `batch`.
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

from referee import gradebook, history, nbgrader_door, store
from referee.course import Assignment, CourseError, release_files
from referee.task import Outcome


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
        places = assignment.release.parent, assignment.source.parent
        self._support = release_files(places[0]) | release_files(places[1])

    def folder(self, student: str) -> Path:
        """Return the folder that a student's autograded submission is written to."""
        step = self._folders.autograded_directory
        return Path(self._folders.format_path(step, student, self._assignment.name))

    def write(self, record: store.Record, outcome: Outcome) -> None:
        """Write a submission's notebook, marks and record, and the line of the log."""
        root, assignment, student = self._assignment.root, self._assignment.name, record.student
        self._write_folder(student, outcome.notebook, record.timestamp)
        moment = gradebook.moment(record.timestamp)
        with gradebook.entered(self.book, assignment, student, moment) as row:
            before = gradebook.fill(row, record.report.scores, outcome.unanswered)
            gradebook.penalise(row, self._penalty)
            record.seconds_late = row.assignment.total_seconds_late
            new = record.report.scores
            history.note(root, assignment, student, before, new, record.course)
        store.enter(root, assignment, record)

    def is_complete(self, student: str) -> bool:
        """Return whether a student's autograded notebook is there, and judged."""
        return nbgrader_door.is_complete(self.folder(student) / self._assignment.notebook)

    def forget(self, student: str) -> None:
        """Take back the marks of a student for whom there is nothing that can be graded."""
        root, assignment = self._assignment.root, self._assignment.name
        with (
            contextlib.suppress(MissingEntry),
            gradebook.submission(self.book, assignment, student) as row,
        ):
            before = gradebook.reset(row)
            history.note(root, assignment, student, before, dict.fromkeys(before))
        store.forget(root, assignment, student)

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
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as temporary:
                temporary.write(content)
            Path(temporary.name).replace(file)
        wanted = {folder / name for name in files}
        wanted |= {parent for file in wanted for parent in file.parents}
        for other in sorted(folder.rglob("*"), reverse=True):  # what is in a folder before it
            if other not in wanted:
                other.rmdir() if other.is_dir() and not other.is_symlink() else other.unlink()
        self._converter.set_permissions(self._assignment.name, student)


@contextlib.contextmanager
def opened(assignment: Assignment) -> Iterator[Writer]:
    """Open the gradebook of a course for the submissions of an assignment that it knows."""
    config = nbgrader_door.configuration(assignment.root)
    with gradebook.opened(CourseDirectory(config=config).db_url) as book:
        try:
            book.find_assignment(assignment.name)
        except MissingEntry as error:
            raise CourseError(
                f"the gradebook does not know {assignment.name}; run `make release`, which puts it "
                "there"
            ) from error
        yield Writer(assignment, config, book)
