"""Give an assignment in the gradebook the cells of a new release, in one transaction.

Marks and comments stay with the cells that have the same name; another name is another cell. What
is told before is a `Plan`.
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


class Plan(NamedTuple):
    """What a release changes for those who have handed in, in `lines`.

    `alike` has the cells that are marked as before, by each notebook that was there.
    """

    alike: dict[str, frozenset[str]]
    lines: list[str]


def released(book: Gradebook, name: str) -> dict[str, ReleasedNotebook]:
    """Return the notebooks of an assignment in a gradebook, by name."""
    return {
        one.name: ReleasedNotebook(one.kernelspec, _cells(one)) for one in _notebooks(book, name)
    }


def plan(book: Gradebook, name: str, new: Mapping[str, ReleasedNotebook]) -> Plan:
    """Return what a release changes."""
    alike = {}
    for row in _notebooks(book, name):
        old, now = _cells(row), _of_release(new, row)
        both = {cell for _, cell in old} & {cell for _, cell in now}
        alike[row.name] = frozenset(c for c in both if _kinds(old, c) == _kinds(now, c))
    return Plan(alike, list(_lines(book, name, new)))


@contextlib.contextmanager
def changed(
    book: Gradebook,
    name: str,
    new: Mapping[str, ReleasedNotebook],
    course_id: str,
) -> Iterator[Callable[[], None]]:
    """Change the cells; give the function that commits it. What is not committed is taken back."""
    try:
        assignment = book.db.query(Assignment).filter(Assignment.name == name).one_or_none()
        if assignment is None:
            if book.db.get(Course, course_id) is None:
                book.db.add(Course(id=course_id))
            assignment = Assignment(name=name, course_id=course_id)
            book.db.add(assignment)
        _change(book, assignment, new)
        yield book.db.commit
    finally:
        book.db.rollback()


def _change(book: Gradebook, assignment: Assignment, new: Mapping[str, ReleasedNotebook]) -> None:
    there = {row.name: row for row in assignment.notebooks}
    for name in there.keys() - new.keys():
        row = there[name]
        _change_cells(book, row, {})
        for one in (*row.submissions, row):
            book.db.delete(one)
    book.db.flush()
    for name, wanted in new.items():
        notebook = there.get(name)
        if notebook is None:
            notebook = Notebook(name=name, assignment=assignment)
            book.db.add(notebook)
            for submission in assignment.submissions:
                book.db.add(SubmittedNotebook(notebook=notebook, assignment=submission))
        _change_cells(book, notebook, wanted.cells)
        notebook.kernelspec = wanted.kernel
    book.db.flush()


def going(
    book: Gradebook, name: str, new: Mapping[str, ReleasedNotebook]
) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield notebook and student of each submission, and by cell the marks that it loses."""
    for row in _notebooks(book, name):
        stay = {cell for kind, cell in _of_release(new, row) if kind in ROLES[Grade]}
        for one in sorted(row.submissions, key=lambda one: str(one.student.id)):
            marks = {
                grade.name: grade.auto_score if grade.manual_score is None else grade.manual_score
                for grade in one.grades
                if grade.name not in stay
            }
            yield row.name, one.student.id, marks


def _of_release(new: Mapping[str, ReleasedNotebook], row: Notebook) -> Cells:
    """Return the cells that a notebook has in a release; none if it is not there any more."""
    return new[row.name].cells if row.name in new else {}


def _notebooks(book: Gradebook, name: str) -> list[Notebook]:
    return list(book.db.query(Notebook).join(Assignment).filter(Assignment.name == name))


def _rows(notebook: Notebook) -> dict[tuple[Any, str], Any]:
    """Return the rows of a notebook's cells."""
    rows = (*notebook._base_cells, *notebook.source_cells)
    return {(type(row), row.name): row for row in rows}


def _cells(notebook: Notebook) -> Cells:
    return {
        key: {column: getattr(row, column) for column in COLUMNS[key[0]]}
        for key, row in _rows(notebook).items()
    }


def _lines(book: Gradebook, name: str, new: Mapping[str, ReleasedNotebook]) -> Iterator[str]:
    """Yield a line for each change that those who have handed in get to know; else nothing."""
    rows = {row.name: row for row in _notebooks(book, name)}
    if not any(row.submissions for row in rows.values()):
        return
    many = len({*rows, *new}) > 1
    for one, row in rows.items():
        for line in _told(row, _of_release(new, row)):
            yield f"{one}/{line}" if many else line
    for one, notebook in new.items():
        before = {cell for _, cell in _cells(rows[one])} if one in rows else set()
        if one not in rows:
            yield f"notebook {one} is new"
        for (kind, cell), columns in notebook.cells.items():
            if kind in ROLES[Grade] and cell not in before:
                points = columns["max_score"]
                place = f"{one}/{cell}" if many else cell
                yield f"{place} is new ({points:g} point{'s' * (points != 1)})"


def _told(row: Notebook, new: Cells) -> Iterator[str]:
    """Yield a line for each cell of a notebook whose marks or comments something happens to."""
    old = _cells(row)
    for name in dict.fromkeys(name for kind, name in old if kind is not SourceCell):
        lost = ", ".join(_lost(row, new, name))
        was, points, kinds = _points(old, name), _points(new, name), _kinds(new, name)
        by_hand = [one for one in _of(row, Grade, name) if one.manual_score is not None]
        stay = f"; marks by hand stay, to be looked at again: {_whose(by_hand)}" if by_hand else ""
        if lost or (was and not points):
            yield f"{name} {'loses' if kinds else 'goes, with'} {lost or 'no mark'}"
        elif kinds and _kinds(old, name) != kinds:
            yield f"{name} is marked in another way now{stay}"
        if was and points and was != points:
            yield f"{name} has {points[0]:g} points, not {was[0]:g}{stay}"


def _kinds(cells: Cells, name: str) -> set[Any]:
    return {kind for kind, one in cells if one == name and kind is not SourceCell}


def _points(cells: Cells, name: str) -> list[float]:
    """Return the points of a cell in a list; an empty one if it has none."""
    return [
        one["max_score"]
        for (kind, cell), one in cells.items()
        if cell == name and kind in ROLES[Grade]
    ]


def _lost(row: Notebook, cells: Cells, name: str) -> Iterator[str]:
    """Yield what is lost with a cell, and who loses it."""
    grades, comments = (
        [] if any((kind, name) in cells for kind in kinds) else _of(row, role, name)
        for role, kinds in ROLES.items()
    )
    lost = {
        "marks by hand": [one for one in grades if one.manual_score is not None],
        "automatic marks": [one for one in grades if one.auto_score is not None],
        "comments by hand": [one for one in comments if one.manual_comment],
    }
    for what, rows in lost.items():
        if rows:
            yield f"{what} of {_whose(rows)}"


def _whose(rows: Iterable[Any]) -> str:
    return some({str(one.student.id) for one in rows})


def _of(row: Notebook, role: Any, name: str) -> list[Any]:
    """Return the grades, or the comments, of a cell in all submissions."""
    lists = (one.grades if role is Grade else one.comments for one in row.submissions)
    return [one for rows in lists for one in rows if one.name == name]


def _change_cells(book: Gradebook, row: Notebook, new: Cells) -> None:
    """Change the cells of a notebook, and the rows of those who have handed it in."""
    rows = _rows(row)
    for key, columns in new.items():
        if key not in rows:
            rows[key] = key[0](name=key[1], notebook=row, **columns)
            book.db.add(rows[key])
        for column, value in columns.items():
            if column == "max_score" and getattr(rows[key], column) != value:
                for grade in _of(row, Grade, key[1]):
                    grade.needs_manual_grade |= grade.manual_score is not None
            setattr(rows[key], column, value)
    book.db.flush()
    for submission in row.submissions:
        _change_submission(book, submission, rows, new)
    book.db.flush()
    for key in rows.keys() - new.keys():
        book.db.delete(rows[key])
    book.db.flush()
    book.db.expire(row)


def _change_submission(
    book: Gradebook, submission: SubmittedNotebook, rows: Mapping[Any, Any], new: Cells
) -> None:
    """Give a submission a row for each new cell; keep those of cells that stay, delete others."""
    for role, kinds in ROLES.items():
        wanted = {name: rows[kind, name] for kind, name in new if kind in kinds}
        there = submission.grades if role is Grade else submission.comments
        for one in list(there):
            if (cell := wanted.pop(one.name, None)) is not None:
                one.cell = cell
            else:
                book.db.delete(one)
        for cell in wanted.values():
            book.db.add(role(cell=cell, notebook=submission))
