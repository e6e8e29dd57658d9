"""Show the marks of a class as tables for other programs: spreadsheets, Canvas, Moodle.

Plugins for `nbgrader export --exporter=referee.marks.exports.Cells --to FILE`, also used by
`referee return --table`. They read the gradebook and the stored results, and decide no mark.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from nbgrader import api
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, List, Unicode

from referee import course
from referee.marks import entries, files, groups_and_extensions, spreadsheet
from referee.marks import gradebook as marks
from referee.model import Format

DAY_SECONDS = 24 * 60 * 60


class Entry(NamedTuple):
    """A student's submission for an assignment, if any."""

    assignment: api.Assignment
    student: api.Student
    submission: api.SubmittedAssignment | None

    @property
    def notebooks(self) -> list[api.SubmittedNotebook]:
        """Return the submitted notebooks."""
        return list(self.submission.notebooks) if self.submission else []

    @property
    def scores(self) -> dict[str, float | None]:
        """Return the mark of each graded cell, by column: None while it has none of any kind."""
        return {
            column(notebook.notebook, grade.cell): None
            if grade.auto_score is None and grade.manual_score is None
            else grade.score
            for notebook in self.notebooks
            for grade in notebook.grades
        }

    @property
    def status(self) -> str:
        """Return whether anything was handed in, and whether no cell of it waits for a human."""
        if self.submission is None:
            return "missing"
        grades = (grade for notebook in self.notebooks for grade in notebook.grades)
        facts = ((one.auto_score, one.manual_score, one.needs_manual_grade) for one in grades)
        return "unmarked" if any(marks.is_open(*fact) for fact in facts) else "marked"

    @property
    def penalty(self) -> float:
        """Return the penalty for lateness, in points."""
        return sum((one.late_submission_penalty or 0.0 for one in self.notebooks), 0.0)

    @property
    def raw_score(self) -> float:
        """Return the sum of the marks, as nbgrader computes it with a query for each."""
        return sum((grade.score for one in self.notebooks for grade in one.grades), 0.0)

    @property
    def score(self) -> float:
        """Return the sum of the marks minus the penalty, as nbgrader computes it."""
        return max(0.0, self.raw_score - self.penalty)


class Table(ExportPlugin):  # type: ignore[misc]
    """Writes a table."""

    file = ""
    root = Unicode("", help="the course folder; by default the one you are in").tag(config=True)
    left_out = List(Unicode(), help="students whose marks are not in the table")

    def export(self, gradebook: api.Gradebook) -> None:
        """Write the table to the file that `to` names."""
        to = Path(self.to or self.file)
        files.save(to, spreadsheet.as_csv(self.table(gradebook)))
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

    def entries(self, gradebook: api.Gradebook) -> Iterator[Entry]:
        """Yield the entry of each assignment and student to show."""
        root = self.course_folder()
        for assignment in self.assignments(gradebook):
            handed_in = marks.handed_in(gradebook, assignment)
            shares = groups_and_extensions.sharing(root, assignment.name, handed_in)
            whose = {person: handed_in[owner] for owner, all_ in shares.items() for person in all_}
            groups = groups_and_extensions.groups(root, assignment.name)
            people = {str(one.id): one for one in gradebook.students if str(one.id) not in groups}
            everybody = {*people, *whose, *(one for all_ in groups.values() for one in all_)}
            for name in sorted(filter(self.wants, everybody)):
                student = people.get(name) or api.Student(id=name)
                yield Entry(assignment, student, whose.get(name))

    def course_folder(self) -> Path:
        """Return the course's folder."""
        return course.find_root(Path(self.root or Path.cwd()).absolute())


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
        cells = list(dict.fromkeys(cell for points in worth.values() for cell in points))
        standings = {name: marks.standings(gradebook, name) for name in worth}
        rows = []
        for entry in self.entries(gradebook):
            assignment, student, submission = entry
            late = submission.total_seconds_late if submission else 0
            scores = entry.scores
            owner = str(submission.student.id) if submission else ""
            standing = standings[assignment.name].get(owner)
            why = list(standing.reasons) if standing else []
            why += [f"handed in by {owner}"] if owner not in ("", student.id) else []
            row = [
                assignment.name, assignment.duedate, submission and submission.timestamp,
                student.id, student.last_name, student.first_name, student.email, entry.status,
                late, math.ceil(late / DAY_SECONDS), standing.total if standing else 0.0,
                entry.raw_score, entry.penalty, entry.score,
                assignment.max_score, "; ".join(why),
            ]  # fmt: skip
            for cell in cells:
                row += [scores.get(cell), worth[assignment.name].get(cell)]
            rows.append(row)
        return [[*self.columns, *(n for cell in cells for n in (cell, f"max {cell}"))], *rows]


class Checks(Table):
    """A row for each submission and check: its verdict, and its share of the points."""

    file = "checks.csv"
    columns = (
        "assignment", "student", "cell", "check", "title", "verdict", "points", "max_points"
    )  # fmt: skip

    def table(self, gradebook: api.Gradebook) -> list[list[Any]]:
        """Return the checks as they were when the marks were entered."""
        root = self.course_folder()
        rows = [
            [assignment.name, student, check.cell, check.id, check.title, check.verdict,
             check.points, check.max_points]
            for assignment in self.assignments(gradebook)
            for part in course.parts(root, assignment.name)
            for student, record in entries.get(root, part.key).items()
            for check in record.report.checks
            if self.wants(student)
        ]  # fmt: skip
        if not rows:
            raise course.CourseError("no results are kept by check; run `referee grade` first")
        return [list(self.columns), *rows]


class Import(Table):
    """A table for another gradebook: a row for each student, a column for each assignment.

    A student without a submission, or with a cell to be marked, has no row, and keeps the mark in
    the other gradebook.
    """

    person: tuple[str, ...] = ()
    titles = Dict(
        key_trait=Unicode(), value_trait=Unicode(),
        help="assignment: how the other program calls it; by default the same",
    ).tag(config=True)  # fmt: skip

    def table(self, gradebook: api.Gradebook) -> list[list[Any]]:
        """Return the students, and their scores if all cells are marked."""
        assignments = self.assignments(gradebook)
        rows: dict[str, list[Any]] = {}
        for entry in self.entries(gradebook):
            if entry.status == "marked":
                empty = [*self.person_of(entry.student), *[""] * len(assignments)]
                row = rows.setdefault(entry.student.id, empty)
                row[len(self.person) + assignments.index(entry.assignment)] = entry.score
            elif entry.status == "unmarked":
                self.left_out.append(entry.student.id)
        titles = [self.titles.get(one.name, one.name) for one in assignments]
        return [[*self.person, *titles], *rows.values()]

    def person_of(self, student: api.Student) -> list[str]:
        """Return the values by which the other program finds a student, as in `person`."""
        raise NotImplementedError


class Canvas(Import):
    """The columns of Canvas's own export; the ID is `lms_user_id`, the login nbgrader's id."""

    file = "canvas.csv"
    person = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")

    def table(self, gradebook: api.Gradebook) -> list[list[Any]]:
        """Return the table, with Canvas's row of possible points."""
        header, *rows = super().table(gradebook)
        points = [one.max_score for one in self.assignments(gradebook)]
        return [header, ["    Points Possible", "", "", "", "", *points], *rows]

    def person_of(self, student: api.Student) -> list[str]:
        """Return name, ID and login."""
        names = filter(None, map(_line, (student.last_name, student.first_name)))
        return [", ".join(names) or student.id, student.lms_user_id or "", "", student.id, ""]


class Moodle(Import):
    """The columns of Moodle's own export; the ID number is nbgrader's id."""

    file = "moodle.csv"
    person = ("First name", "Last name", "ID number", "Email address")

    def person_of(self, student: api.Student) -> list[str]:
        """Return names, ID number and address."""
        names = (student.first_name, student.last_name)
        return [*map(_line, names), student.id, student.email or ""]


TABLES = dict(zip(Format, (Cells, Checks, Canvas, Moodle), strict=True))


def column(notebook: api.Notebook, cell: api.BaseCell) -> str:
    """Return the column of a graded cell: its name, after the notebook's if that is not enough."""
    enough = len(notebook.assignment.notebooks) == 1 and cell.name not in Cells.columns
    return str(cell.name) if enough else f"{notebook.name}/{cell.name}"


def _worth(assignment: api.Assignment) -> dict[str, float]:
    """Return the points of each graded cell, by column."""
    return {
        column(notebook, cell): cell.max_score
        for notebook in assignment.notebooks
        for cell in (*notebook.grade_cells, *notebook.task_cells)
    }


def _line(text: str | None) -> str:
    """Return a text as one line; an importer may know no other."""
    return " ".join((text or "").split())
