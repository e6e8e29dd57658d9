"""Give an assignment in the gradebook the cells of a new release, in one transaction.

Marks and comments stay with the cells that have the same name; another name is another cell. What
changes for those who have handed in is told before, in the lines of a `plan`.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
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
Cells = Mapping[tuple[Any, str], dict[str, Any]]  # by kind and name


class ReleasedNotebook(NamedTuple):
    """A notebook of a release: its kernel, as nbgrader stores it, and its cells."""

    kernel: str | None
    cells: Cells

    def kinds(self, name: str) -> set[Any]:
        """Return what a cell is for, besides its source."""
        return {kind for kind, one in self.cells if one == name and kind is not SourceCell}

    @property
    def points(self) -> dict[str, float]:
        """Return the most points of each cell that has a mark."""
        return {n: cell["max_score"] for (_, n), cell in self.cells.items() if "max_score" in cell}


Release = Mapping[str, ReleasedNotebook]  # by the notebooks' names
Losses = list[tuple[str, str, dict[str, float | None]]]  # notebook, student, and the marks by cell
NOTHING = ReleasedNotebook(None, {})


def released(book: Gradebook, name: str) -> Release:
    """Return the notebooks of an assignment in a gradebook."""
    return {row.name: _released(row) for row in _notebooks(book, name)}


def _released(row: Notebook) -> ReleasedNotebook:
    cells = _cells(row).items()
    told = {key: {one: getattr(cell, one) for one in COLUMNS[key[0]]} for key, cell in cells}
    return ReleasedNotebook(row.kernelspec, told)


def plan(book: Gradebook, name: str, new: Release) -> list[str]:
    """Return what a release changes for those who have handed in, in lines."""
    rows, there, lines = _notebooks(book, name), released(book, name), list[str]()
    several = len({*new, *there}) > 1
    for row in rows:
        told = _told(row, there[row.name], new.get(row.name, NOTHING))
        lines += [f"{row.name}/{line}" if several else line for line in told]
    for one, notebook in new.items():
        lines += [] if one in there else [f"notebook {one} is new"]
        known = {cell for _, cell in there.get(one, NOTHING).cells}
        for cell, points in notebook.points.items():
            place = f"{one}/{cell}" if several else cell
            lines += [] if cell in known else [f"{place} is new ({counted(points, 'point')})"]
    return lines if any(row.submissions for row in rows) else []


@contextlib.contextmanager
def changed(
    book: Gradebook, name: str, new: Release, course_id: str
) -> Iterator[tuple[Losses, Callable[[], None]]]:
    """Change the cells; give what marks are lost by it, and the function that commits it.

    What is not committed is taken back.
    """
    try:
        assignment = book.db.query(Assignment).filter(Assignment.name == name).one_or_none()
        if assignment is None:
            book.db.merge(Course(id=course_id))
            assignment = Assignment(name=name, course_id=course_id)
            book.db.add(assignment)
        there, losses = {row.name: row for row in assignment.notebooks}, Losses()
        for one in there.keys() - new.keys():
            losses += _change(book, there[one], NOTHING)
            for row in (*there[one].submissions, there[one]):
                book.db.delete(row)
        for one in new.keys() - there.keys():
            there[one] = Notebook(name=one, assignment=assignment)
            book.db.add(there[one])
            for submission in assignment.submissions:
                book.db.add(SubmittedNotebook(notebook=there[one], assignment=submission))
        for one, wanted in new.items():
            losses += _change(book, there[one], wanted)
        yield losses, book.db.commit
    finally:
        book.db.rollback()


def _notebooks(book: Gradebook, name: str) -> list[Notebook]:
    return list(book.db.query(Notebook).join(Assignment).filter(Assignment.name == name))


def _cells(notebook: Notebook) -> dict[tuple[Any, str], Any]:
    """Return the rows of a notebook's cells."""
    rows = (*notebook._base_cells, *notebook.source_cells)
    return {(type(row), row.name): row for row in rows}


def _told(row: Notebook, old: ReleasedNotebook, new: ReleasedNotebook) -> Iterator[str]:
    """Yield a line for each cell of a notebook whose marks or comments something happens to."""
    for name in dict.fromkeys(name for kind, name in old.cells if kind is not SourceCell):
        was, points, kinds = old.points.get(name), new.points.get(name), new.kinds(name)
        grades, comments = (_of(row, role, name) for role in ROLES)
        by_hand = _whose(one for one in grades if one.manual_score is not None)
        automatic = _whose(one for one in grades if one.auto_score is not None)
        written = _whose(one for one in comments if one.manual_comment)
        lost = (
            {} if name in new.points else {"marks by hand": by_hand, "automatic marks": automatic}
        )
        lost |= {} if kinds & {*ROLES[Comment]} else {"comments by hand": written}
        told = ", ".join(f"{what} of {whose}" for what, whose in lost.items() if whose)
        stay = f"; marks by hand stay, to be looked at again: {by_hand}" if by_hand else ""
        if told or (was is not None and points is None):
            yield f"{name} {'loses' if kinds else 'goes, with'} {told or 'no mark'}"
        elif kinds and old.kinds(name) != kinds:
            yield f"{name} is marked in another way now{stay}"
        if None not in (was, points) and was != points:
            yield f"{name} has {points:g} points, not {was:g}{stay}"


def _whose(rows: Iterable[Any]) -> str:
    """Return the students to whom some rows belong in words, or ""."""
    students = {str(one.student.id) for one in rows}
    return some(students) if students else ""


def _of(row: Notebook, role: Any, name: str) -> list[Any]:
    """Return the grades, or the comments, of a cell in all submissions."""
    lists = (one.grades if role is Grade else one.comments for one in row.submissions)
    return [one for rows in lists for one in rows if one.name == name]


def _change(book: Gradebook, row: Notebook, new: ReleasedNotebook) -> Losses:
    """Change the cells of a notebook, and the rows of those who have handed it in.

    Each has a row for each new cell, keeps those of cells that stay, and loses the others. Return
    the marks that were lost.
    """
    old, row.kernelspec, rows, losses = _released(row), new.kernel, _cells(row), Losses()
    for key, columns in new.cells.items():
        if key not in rows:
            rows[key] = key[0](name=key[1], notebook=row, **columns)
            book.db.add(rows[key])
        for column, value in columns.items():
            setattr(rows[key], column, value)
    book.db.flush()
    for submission in row.submissions:
        marks = dict[str, float | None]()
        for role, kinds in ROLES.items():
            wanted = {name: rows[kind, name] for kind, name in new.cells if kind in kinds}
            for one in list(submission.grades if role is Grade else submission.comments):
                name, cell = one.name, wanted.pop(one.name, None)
                alike = cell is not None and old.kinds(name) == new.kinds(name)
                if role is Grade and not alike:
                    if cell is None or one.manual_score is None:
                        marks[name] = (
                            one.auto_score if one.manual_score is None else one.manual_score
                        )
                    one.auto_score = None
                if role is Grade and not (alike and old.points.get(name) == new.points.get(name)):
                    one.needs_manual_grade |= one.manual_score is not None
                if cell is None:
                    book.db.delete(one)
                else:
                    one.cell = cell
            for cell in wanted.values():
                book.db.add(role(cell=cell, notebook=submission))
        losses += [(row.name, submission.student.id, marks)] if marks else []
    book.db.flush()
    for key in rows.keys() - new.cells.keys():
        book.db.delete(rows[key])
    book.db.flush()
    book.db.expire(row)
    return losses
