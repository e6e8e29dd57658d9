"""A class to grade: what it hands in, its marks, and what breaks meanwhile. Imported by tests."""

import dataclasses
import os
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any

import formgrading
import small_course
from small_course import NAME

from referee.course import Course
from referee.marks import by_hand, entries, gradebook, standings
from referee.marks.grade_log import HandMark
from referee.model import Report

# What a check does before it asks: it ends the player as somebody else could, so many times.
KILLER = """
import os, pathlib, signal, pytest

@pytest.fixture(autouse=True)
def killed(student, request):
    left = pathlib.Path(os.environ["KILLS"])
    process = student._process
    if int(left.read_text()) and hasattr(process, "pid"):  # none where the record answers
        left.write_text(str(int(left.read_text()) - 1))
        os.kill(process.family if os.environ["WHOM"] == "all" else process.pid, signal.SIGKILL)
"""
REFUSED: dict[str, int] = {}  # by the end of a path, the error number with which it opens


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if REFUSED and event in ("open", "os.listdir"):
        for place, number in REFUSED.items():
            if os.fsdecode(str(arguments[0])).endswith(place):
                raise OSError(number, os.strerror(number), arguments[0])


sys.addaudithook(_refuse)


@dataclasses.dataclass
class Class:
    """The small course in a folder, with all that its students and their graders leave there."""

    root: Path

    @classmethod
    def made(cls, root: Path, *students: str) -> "Class":
        """Make the course; the students named hand in what is right."""
        made = cls(small_course.make(root))
        made.hand_in(*students)
        return made

    def copy(self, to: Path) -> "Class":
        """Return the same class in another folder: grading writes below its own only."""
        return Class(Path(shutil.copytree(self.root, to)))

    def path(self, place: str) -> Path:
        """Return a path in the folder."""
        return self.root / place

    def hidden(self, check: str) -> Path:
        """Return a file of hidden checks."""
        return self.root / "tests" / "hidden" / NAME / check

    def folder(self, student: str) -> Path:
        """Return where a student hands in."""
        return self.root / "submitted" / student / NAME

    def hand_in(self, *students: str, **sources: str) -> None:
        """Hand in the cells given, the others solved."""
        for student in students:
            small_course.hand_in(self.root, student, **sources)

    def replace(self, place: str, old: str, new: str) -> None:
        """Replace a text that must stand in a file."""
        text = self.path(place).read_text("utf-8")
        assert old in text
        self.path(place).write_text(text.replace(old, new), encoding="utf-8")

    def grade(self, *options: str, status: int = 0) -> str:
        """Grade everybody in this process; return what is said, in one line."""
        return " ".join(small_course.grade(self.root, *options, status=status).split())

    def rows(self) -> dict[str, dict[str, tuple[Any, ...]]]:
        """Return automatic score, score by hand and flag of each cell of each student."""
        return formgrading.rows(self.root, NAME)

    def totals(self) -> dict[str, float]:
        """Return the sums of automatic marks that stand in the gradebook."""
        with gradebook.opened(f"sqlite:///{self.root / 'gradebook.db'}") as book:
            return {name: one.total for name, one in standings.read(book.db, NAME).items()}

    def report(self, student: str) -> Report:
        """Return the result that is kept."""
        return entries.get(self.root, NAME)[student].report

    def save(self, student: str, cell: str, seen: HandMark | None = None, **typed: Any) -> HandMark:
        """Save what anna has typed for a cell on formgrader's page, where she has `seen` a mark.

        By default that is the one which stands there.
        """
        with gradebook.opened(f"sqlite:///{self.root / 'gradebook.db'}") as book:
            row = book.find_submission_notebook(NAME, NAME, student)
            saving = by_hand.Saving(cell, seen or by_hand.marks(book, row.id)[cell][0], **typed)
            return by_hand.save(Course(self.root), book, str(row.id), saving, "anna")

    def forget(self, student: str) -> None:
        """Lose the rows of a student."""
        with gradebook.opened(f"sqlite:///{self.root / 'gradebook.db'}") as book:
            book.remove_student(student)

    def sql(self, command: str) -> list[tuple[Any, ...]]:
        """Ask or change the gradebook's file itself, behind everybody's back."""
        with sqlite3.connect(self.root / "gradebook.db") as book:
            return book.execute(command).fetchall()
