"""Show the marks of a class as tables for other programs: spreadsheets, Canvas, Moodle.

Plugins for `nbgrader export --exporter=referee.marks.exports.Cells --to FILE`, also used by
`referee return --table`. They read the gradebook and the stored results, and decide no mark.

A spreadsheet program runs a text that begins like a formula, also after spaces and invisible
characters, and in the middle of a text if it separates fields by other signs than a comma. An
apostrophe before it keeps it a text.
"""

import csv
import io
import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from nbgrader import api
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, List, Unicode

from referee.course import Course, CourseError, find_course
from referee.intake.folder import UNSEEN
from referee.marks import entries, files, groups_and_extensions, standings
from referee.marks.standings import Standing
from referee.model import Format

DAY_SECONDS = 24 * 60 * 60
DIGITS = 4  # of a mark after the point
FORMULA = re.compile(rf"(?:^|(?<=[;|\t\r\n]))(?=[\s{UNSEEN}]*[=+\-@＝＋－＠]|^[\t\r\n])")


class Table(ExportPlugin):  # type: ignore[misc]
    """Writes a table."""

    file = ""
    mark = "\ufeff"  # by which a spreadsheet program knows UTF-8
    root = Unicode("", help="the course folder; by default the one you are in").tag(config=True)
    left_out = List(Unicode(), help="students whose marks are not in the table")

    def export(self, gradebook: api.Gradebook) -> None:
        """Write the table to the file that `to` names."""
        to = Path(self.to or self.file)
        files.save(to, self.mark.encode() + as_csv(self.table(gradebook)))
        self.log.info("Exported grades to %s", to)
        if self.left_out:
            self.log.warning("Left out, not yet marked: %s", ", ".join(self.left_out))

    def table(self, gradebook: api.Gradebook) -> list[list[Any]]:
        """Return the rows, the header first."""
        raise NotImplementedError

    def assignments(self, gradebook: api.Gradebook) -> list[api.Assignment]:
        """Return the assignments to show, by default all."""
        names = list(map(str, self.assignment))  # nbgrader reads 17 as a number
        return [one for one in gradebook.assignments if not names or one.name in names]

    def wants(self, student: str) -> bool:
        """Return whether to show a student, by default all."""
        return not self.student or student in map(str, self.student)

    def entries(
        self, gradebook: api.Gradebook
    ) -> Iterator[tuple[api.Assignment, api.Student, str, Standing | None]]:
        """Yield each assignment and student to show, who has handed in, and what that one has."""
        course, people = self.course(), {str(one.id): one for one in gradebook.students}
        for assignment in self.assignments(gradebook):
            by_student = standings.read(gradebook.db, assignment.name)
            owners = groups_and_extensions.owners(course, assignment.name, by_student)
            groups = groups_and_extensions.groups(course, assignment.name)
            members = {member for group in groups.values() for member in group}
            everybody = (people.keys() - groups.keys()) | owners.keys() | members
            for name in sorted(filter(self.wants, everybody)):
                student, owner = people.get(name) or api.Student(id=name), owners.get(name, "")
                yield assignment, student, owner, by_student.get(owner)

    def course(self) -> Course:
        """Return the course."""
        return find_course(Path(self.root or Path.cwd()).absolute())


class Cells(Table):
    """A row for each student and assignment: nbgrader's own columns, and each graded cell.

    A cell without a mark is empty. A student without a submission is "missing", with 0 points.
    Further columns are the automatic score, and `why` the score differs from it.
    """

    file = "grades.csv"
    columns = (
        "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
        "status", "seconds_late", "days_late", "auto_score", "raw_score",
        "late_submission_penalty", "score", "max_score", "why",
    )  # fmt: skip

    def table(self, gradebook: api.Gradebook) -> list[list[Any]]:
        """Return the rows, with a column for each graded cell and one for its points."""
        worth = {one.name: _worth(one) for one in self.assignments(gradebook)}
        columns = list(dict.fromkeys(column for points in worth.values() for column in points))
        rows = []
        for assignment, student, owner, entry in self.entries(gradebook):
            standing = entry or Standing({}, 0)
            status = "missing" if entry is None else "unmarked" if entry.waiting else "marked"
            why = [*standing.reasons]
            why += [f"handed in by {owner}"] if owner not in ("", student.id) else []
            row = [
                assignment.name, assignment.duedate, standing.timestamp,
                student.id, student.last_name, student.first_name, student.email, status,
                standing.seconds_late, math.ceil(standing.seconds_late / DAY_SECONDS),
                standing.total if entry else 0.0, standing.raw, standing.penalty, standing.final,
                assignment.max_score, "; ".join(why),
            ]  # fmt: skip
            for column in columns:
                cell, most = worth[assignment.name].get(column, ("", None))
                row += [standing.marks.get(cell), most]
            rows.append(row)
        return [[*self.columns, *(n for name in columns for n in (name, f"max {name}"))], *rows]


class Checks(Table):
    """A row for each submission and check: its verdict, and its share of the points."""

    file = "checks.csv"
    columns = (
        "assignment", "student", "cell", "check", "title", "verdict", "points", "max_points"
    )  # fmt: skip

    def table(self, gradebook: api.Gradebook) -> list[list[Any]]:
        """Return the checks as they were when the marks were entered."""
        course = self.course()
        rows = [
            [assignment.name, student, check.cell, check.id, check.title, check.verdict,
             check.points, check.max_points]
            for assignment in self.assignments(gradebook)
            for part in course.parts(assignment.name)
            for student, record in entries.get(course.root, part.key).items()
            for check in record.report.checks
            if self.wants(student)
        ]  # fmt: skip
        if not rows:
            raise CourseError("no results are kept by check; run `referee grade` first")
        return [list(self.columns), *rows]


class Import(Table):
    """A table for another gradebook: a row for each student, a column for each assignment.

    A student without a submission, or with a cell to be marked, has no row, and keeps the mark in
    the other gradebook.
    """

    mark = ""  # an importer may read it as a part of the first column's name
    person: ClassVar[Mapping[str, Callable[[api.Student], str]]] = {}  # a student's columns
    titles = Dict(
        key_trait=Unicode(), value_trait=Unicode(),
        help="assignment: how the other program calls it; by default the same",
    ).tag(config=True)  # fmt: skip

    def table(self, gradebook: api.Gradebook) -> list[list[Any]]:
        """Return the students, and their scores if all cells are marked."""
        names = [one.name for one in self.assignments(gradebook)]
        rows: dict[str, list[Any]] = {}
        for assignment, student, _, standing in self.entries(gradebook):
            if standing and not standing.waiting:
                empty = [*(field(student) for field in self.person.values()), *[""] * len(names)]
                row = rows.setdefault(student.id, empty)
                row[len(self.person) + names.index(assignment.name)] = standing.final
            elif standing:
                self.left_out.append(student.id)
        return [[*self.person, *(self.titles.get(one, one) for one in names)], *rows.values()]


class Canvas(Import):
    """The columns of Canvas's own export; the ID is `lms_user_id`, the login nbgrader's id."""

    file = "canvas.csv"
    person: ClassVar = {
        "Student": lambda person: (
            _line(f"{person.last_name or ''}, {person.first_name or ''}").strip(", ") or person.id
        ),
        "ID": lambda person: person.lms_user_id or "",
        "SIS User ID": lambda _: "",
        "SIS Login ID": lambda person: person.id,
        "Section": lambda _: "",
    }

    def table(self, gradebook: api.Gradebook) -> list[list[Any]]:
        """Return the table, with Canvas's row of possible points."""
        header, *rows = super().table(gradebook)
        points = [one.max_score for one in self.assignments(gradebook)]
        return [header, ["    Points Possible", "", "", "", "", *points], *rows]


class Moodle(Import):
    """The columns of Moodle's own export; the ID number is nbgrader's id."""

    file = "moodle.csv"
    person: ClassVar = {
        "First name": lambda person: _line(person.first_name),
        "Last name": lambda person: _line(person.last_name),
        "ID number": lambda person: person.id,
        "Email address": lambda person: person.email or "",
    }


TABLES = dict(zip(Format, (Cells, Checks, Canvas, Moodle), strict=True))


def as_csv(rows: list[list[Any]]) -> bytes:
    """Return a table as CSV in UTF-8, without anything that a spreadsheet program would run."""
    file = io.StringIO(newline="")
    for row in rows:
        texts = (FORMULA.sub("'", cell) if isinstance(cell, str) else cell for cell in row)
        fields = [round(cell, DIGITS) if isinstance(cell, float) else cell for cell in texts]
        csv.writer(file).writerow(fields)
    return file.getvalue().encode("utf-8", "replace")


def _worth(assignment: api.Assignment) -> dict[str, tuple[str, float]]:
    """Return by column the graded cell, called as in a `Standing`, and its points.

    A cell that is called like a column of all assignments comes after its notebook's name.
    """
    columns = {}
    for notebook in assignment.notebooks:
        for cell in (*notebook.grade_cells, *notebook.task_cells):
            full_name = f"{notebook.name}/{cell.name}"
            name = full_name if len(assignment.notebooks) > 1 else str(cell.name)
            columns[full_name if name in Cells.columns else name] = name, cell.max_score
    return columns


def _line(text: str | None) -> str:
    """Return a text as one line; an importer may know no other."""
    return " ".join((text or "").split())
