"""Give an assignment in the gradebook the cells of a new release.

Marks and comments stay with the cells that have the same name; another name is another cell.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from nbgrader.api import (
    Assignment,
    Comment,
    Course,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SolutionCell,
    SourceCell,
    SubmittedNotebook,
    TaskCell,
)

from referee.marks.standings import some
from referee.model import counted

COLUMNS: Mapping[Any, tuple[str, ...]] = {  # what a cell's row says of it
    GradeCell: ("max_score", "cell_type"),
    TaskCell: ("max_score", "cell_type"),
    SolutionCell: (),
    SourceCell: ("cell_type", "locked", "source", "checksum"),
}
ROLES: Mapping[Any, tuple[Any, ...]] = {  # the cells that a row of a submission may belong to
    Grade: (GradeCell, TaskCell),
    Comment: (SolutionCell, TaskCell),
}
LOST = BY_HAND, AUTOMATIC, COMMENTS = "marks by hand", "automatic marks", "comments by hand"
STAY = "; marks by hand stay, to be looked at again"


class ReleasedNotebook(NamedTuple):
    """A notebook of a release: its kernel, as nbgrader stores it, and its cells."""

    kernel: str | None
    cells: Mapping[tuple[Any, str], dict[str, Any]]  # by kind and name

    def kinds(self, name: str) -> set[Any]:
        """Return what a cell is for, besides its source."""
        return {kind for kind, cell in self.cells if cell == name and kind is not SourceCell}

    @property
    def points(self) -> dict[str, float]:
        """Return the most points of each cell that has a mark."""
        return {n: cell["max_score"] for (_, n), cell in self.cells.items() if "max_score" in cell}


Release = Mapping[str, ReleasedNotebook]  # by the notebooks' names
Losses = list[tuple[str, str, dict[str, float | None]]]  # notebook, student, and the marks by cell
Whose = dict[tuple[str, str], list[str]]  # by cell, and what is lost or stays, the students
NOTHING = ReleasedNotebook(None, {})


def released(book: Gradebook, name: str) -> Release:
    """Return the notebooks of an assignment in a gradebook."""
    notebooks = {}
    for row in book.db.query(Notebook).join(Assignment).filter(Assignment.name == name):
        cells = {
            key: {column: getattr(cell, column) for column in COLUMNS[key[0]]}
            for key, cell in _cells(row).items()
        }
        notebooks[row.name] = ReleasedNotebook(row.kernelspec, cells)
    return notebooks


def change(book: Gradebook, name: str, new: Release, course_id: str) -> tuple[list[str], Losses]:
    """Change the cells, and commit nothing.

    Return what changes for those who have handed in, in lines, and the marks that they lose.
    """
    before = released(book, name)
    assignment = book.db.query(Assignment).filter(Assignment.name == name).one_or_none()
    if assignment is None:
        book.db.merge(Course(id=course_id))
        assignment = Assignment(name=name, course_id=course_id)
        book.db.add(assignment)
    rows, lines, losses = {row.name: row for row in assignment.notebooks}, list[str](), Losses()
    several = len({*rows, *new}) > 1
    for notebook in (notebook for notebook in new if notebook not in rows):
        rows[notebook] = Notebook(name=notebook, assignment=assignment)
        book.db.add(rows[notebook])
        for submission in assignment.submissions:
            book.db.add(SubmittedNotebook(notebook=rows[notebook], assignment=submission))
    for notebook, row in rows.items():
        old, target = (release.get(notebook, NOTHING) for release in (before, new))
        handed_in = bool(row.submissions)
        whose, lost_marks = _change(book, row, old, target)
        losses += [(notebook, student, marks) for student, marks in lost_marks.items()]
        changes = _lines(old, target, whose) if handed_in else ()
        lines += [f"{notebook}/{line}" if several else line for line in changes]
        if notebook not in new:
            for old_row in (*row.submissions, row):
                book.db.delete(old_row)
    book.db.flush()
    return lines, losses


def _cells(notebook: Notebook) -> dict[tuple[Any, str], Any]:
    """Return the rows of a notebook's cells."""
    rows = (*notebook._base_cells, *notebook.source_cells)
    return {(type(row), row.name): row for row in rows}


def _lines(old: ReleasedNotebook, new: ReleasedNotebook, whose: Whose) -> Iterator[str]:
    """Yield a line for each cell that is marked, or was, in another way."""
    for name in dict.fromkeys(cell for _, cell in (*old.cells, *new.cells)):
        before, points, kinds = old.points.get(name), new.points.get(name), new.kinds(name)
        losses = [f"{what} of {some(whose[name, what])}" for what in LOST if (name, what) in whose]
        by_hand = whose.get((name, STAY))
        stay = f"{STAY}: {some(by_hand)}" if by_hand else ""
        if not old.kinds(name):
            if points is not None:
                yield f"{name} is new ({counted(points, 'point')})"
        elif losses or (before is not None and points is None):
            yield f"{name} {'loses' if kinds else 'goes, with'} {', '.join(losses) or 'no mark'}"
        elif kinds != old.kinds(name):
            yield f"{name} is marked in another way now{stay}"
        if None not in (before, points) and before != points:
            yield f"{name} has {points:g} points, not {before:g}{stay}"


def _change(
    book: Gradebook, row: Notebook, old: ReleasedNotebook, new: ReleasedNotebook
) -> tuple[Whose, dict[str, dict[str, float | None]]]:
    """Change the cells of a notebook, and the rows of those who have handed it in.

    Each has a row for each new cell, keeps those of cells that stay, and loses the others. Return
    what that means for whom, and the marks that students lose, by cell.
    """
    row.kernelspec, rows = new.kernel, _cells(row)
    whose: Whose = defaultdict(list)
    losses = defaultdict[str, dict[str, float | None]](dict)
    for key, columns in new.cells.items():
        if key not in rows:
            rows[key] = key[0](name=key[1], notebook=row, **columns)
            book.db.add(rows[key])
        for column, value in columns.items():
            setattr(rows[key], column, value)
    book.db.flush()
    for submission in row.submissions:
        student = str(submission.student.id)
        for role, kinds in ROLES.items():
            cells = {name: rows[kind, name] for kind, name in new.cells if kind in kinds}
            for entry in list(submission.grades if role is Grade else submission.comments):
                name, cell = entry.name, cells.pop(entry.name, None)
                by_hand = role is Grade and entry.manual_score is not None
                changed = old.kinds(name) != new.kinds(name)
                if role is Grade and changed and (cell is None or not by_hand):
                    losses[student][name] = entry.manual_score if by_hand else entry.auto_score
                if cell is None:
                    for what in _holds(entry):
                        whose[name, what].append(student)
                    book.db.delete(entry)
                    continue
                entry.cell = cell
                if role is Grade and changed:
                    entry.auto_score = None
                if by_hand and (changed or old.points.get(name) != new.points.get(name)):
                    entry.needs_manual_grade = True
                    whose[name, STAY].append(student)
            for cell in cells.values():
                book.db.add(role(cell=cell, notebook=submission))
    book.db.flush()
    for key in rows.keys() - new.cells.keys():
        book.db.delete(rows[key])
    book.db.flush()
    book.db.expire_all()
    return whose, losses


def _holds(entry: Grade | Comment) -> list[str]:
    """Return what a row has that would be missed."""
    if isinstance(entry, Comment):
        return [COMMENTS] if entry.manual_comment else []
    marks = (BY_HAND, entry.manual_score), (AUTOMATIC, entry.auto_score)
    return [what for what, mark in marks if mark is not None]
