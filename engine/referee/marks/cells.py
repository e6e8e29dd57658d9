"""Give an assignment in the gradebook the cells of a new release, in one transaction.

Marks and comments stay with their cells, and go along with one that has another name now. What is
told before is a `Plan`.
"""

import contextlib
from collections import Counter
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

from referee.course import CourseError
from referee.marks.missing import some

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
GOES = "goes, with"
OTHER_NAME = (
    "where one of these is another under a new name, say so with --renamed OLD=NEW, and its marks "
    "and comments go along"
)
Cells = Mapping[tuple[Any, str], dict[str, Any]]  # by kind and name


class ReleasedNotebook(NamedTuple):
    """A notebook of a release: its kernel, as nbgrader stores it, and its cells."""

    kernel: str | None
    cells: Cells


class Plan(NamedTuple):
    """What a release changes for those who have handed in, in `lines`.

    `notebooks` has the old name for each new notebook that stays, `names` the new name for each old
    cell that stays, by its old notebook; `alike` are those of them that are marked as before.
    """

    notebooks: dict[str, str]
    names: dict[str, dict[str, str]]
    alike: dict[str, dict[str, str]]
    lines: list[str]


def released(book: Gradebook, name: str) -> dict[str, ReleasedNotebook]:
    """Return the notebooks of an assignment in a gradebook, by name."""
    return {
        one.name: ReleasedNotebook(one.kernelspec, _cells(one)) for one in _notebooks(book, name)
    }


def plan(
    book: Gradebook, name: str, new: Mapping[str, ReleasedNotebook], said: Mapping[str, str]
) -> Plan:
    """Return what a release changes; `said` are the new names for old ones that are known."""
    old = released(book, name)
    stay = {one: one for one in new if one in old}
    gone, come = old.keys() - stay, new.keys() - stay
    if len(gone) == len(come) == 1:  # and they have cells in common
        was, one = *gone, *come
        stay |= {one: was} if old[was].cells.keys() & new[one].cells.keys() else {}
    names: dict[str, dict[str, str]] = {was: {} for was in old}
    names |= {was: _stay(old[was].cells, new[one].cells, said) for one, was in stay.items()}
    odd = said.items() - {pair for found in names.values() for pair in found.items()}
    if odd or len({*said.values()}) < len(said):
        pairs = ", ".join("=".join(pair) for pair in sorted(odd or said.items()))
        raise CourseError(
            f"--renamed {pairs}: there must be one cell that is gone and one that is new by these "
            "names; correct them"
        )
    alike = {
        was: {
            name: now
            for name, now in names[was].items()
            if _kinds(old[was].cells, name) == _kinds(new[one].cells, now)
        }
        for one, was in stay.items()
    }
    return Plan(stay, names, alike, list(_lines(book, name, new, stay, names)))


@contextlib.contextmanager
def changed(
    book: Gradebook,
    name: str,
    new: Mapping[str, ReleasedNotebook],
    agreed: Plan,
    course_id: str,
) -> Iterator[Callable[[], None]]:
    """Carry a plan out; give the function that commits it. What is not committed is taken back."""
    try:
        assignment = book.db.query(Assignment).filter(Assignment.name == name).one_or_none()
        if assignment is None:
            if book.db.get(Course, course_id) is None:
                book.db.add(Course(id=course_id))
            assignment = Assignment(name=name, course_id=course_id)
            book.db.add(assignment)
        _change(book, assignment, new, agreed)
        yield book.db.commit
    finally:
        book.db.rollback()


def _change(
    book: Gradebook, assignment: Assignment, new: Mapping[str, ReleasedNotebook], agreed: Plan
) -> None:
    there = {row.name: row for row in assignment.notebooks}
    kept = {was: one for one, was in agreed.notebooks.items()}
    for was, row in there.items():
        _change_cells(book, row, new[kept[was]].cells if was in kept else {}, agreed.names[was])
        if was not in kept:
            for one in (*row.submissions, row):
                book.db.delete(one)
    book.db.flush()
    for one, wanted in new.items():
        row = there.get(agreed.notebooks.get(one, ""))
        if row is None:
            row = Notebook(name=one, assignment=assignment)
            book.db.add(row)
            for submission in assignment.submissions:
                book.db.add(SubmittedNotebook(notebook=row, assignment=submission))
            _change_cells(book, row, wanted.cells, {})
        row.name, row.kernelspec = one, wanted.kernel
    book.db.flush()


def going(book: Gradebook, name: str, agreed: Plan) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield notebook and student of each submission, and by cell the marks that it loses."""
    for row in _notebooks(book, name):
        for one in sorted(row.submissions, key=lambda one: str(one.student.id)):
            marks = {
                grade.name: grade.auto_score if grade.manual_score is None else grade.manual_score
                for grade in one.grades
                if grade.name not in agreed.names[row.name]
            }
            yield row.name, one.student.id, marks


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


def _stay(old: Cells, new: Cells, said: Mapping[str, str]) -> dict[str, str]:
    """Return the new names of the cells that stay: the same, one that is `said`, or a likely one.

    A cell that is gone is likely to be the new one that is the only one like it: of the same kinds,
    with the same text.
    """
    before, after = {name for _, name in old}, {name for _, name in new}
    found = {name: name for name in before & after}
    gone, come = before - after, after - before
    found |= {was: now for was, now in said.items() if was in gone and now in come}
    old_like = {one: _like(old, one) for one in gone - found.keys()}
    new_like = {one: _like(new, one) for one in come - set(found.values())}
    times = Counter(old_like.values()), Counter(new_like.values())
    for was, like in old_like.items():
        if all(count[like] == 1 for count in times):
            found[was] = next(one for one, other in new_like.items() if other == like)
    return found


def _like(cells: Cells, name: str) -> tuple[Any, ...]:
    """Return what a cell has in common with itself under another name."""
    kinds, text = _kinds(cells, name), cells.get((SourceCell, name), {})
    return (frozenset(kinds), text.get("cell_type"), text.get("locked"), text.get("source"))


def _lines(
    book: Gradebook,
    name: str,
    new: Mapping[str, ReleasedNotebook],
    stay: Mapping[str, str],
    names: Mapping[str, Mapping[str, str]],
) -> Iterator[str]:
    """Yield a line for each change that those who have handed in get to know; else nothing."""
    rows = _notebooks(book, name)
    if not any(row.submissions for row in rows):
        return
    many = len({*names, *new}) > 1
    goes = False
    for row in rows:
        cells = next((new[one].cells for one, was in stay.items() if was == row.name), {})
        for line in _told(row, cells, names[row.name]):
            goes |= GOES in line
            yield f"{row.name}/{line}" if many else line
    for one, notebook in new.items():
        before = names[stay[one]].values() if one in stay else ()
        if one not in stay:
            yield f"notebook {one} is new"
        elif stay[one] != one:
            yield f"notebook {stay[one]} is called {one} now"
        for (kind, cell), columns in notebook.cells.items():
            if kind in ROLES[Grade] and cell not in before:
                points = columns["max_score"]
                place = f"{one}/{cell}" if many else cell
                yield f"{place} is new ({points:g} point{'s' * (points != 1)})"
                if goes:
                    yield OTHER_NAME
                    goes = False


def _told(row: Notebook, new: Cells, names: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each cell of a notebook whose marks or comments something happens to."""
    old = _cells(row)
    for name in dict.fromkeys(name for kind, name in old if kind is not SourceCell):
        now = names.get(name, "")
        lost = ", ".join(_lost(row, new, name, now))
        was, points = _points(old, name), _points(new, now)
        by_hand = [one for one in _of(row, Grade, name) if one.manual_score is not None]
        stay = f"; marks by hand stay, to be looked at again: {_whose(by_hand)}" if by_hand else ""
        if lost or (was and not points):
            yield f"{name} {'loses' if now else GOES} {lost or 'no mark'}"
        elif now and now != name:
            yield (
                f"{name} is called {now} now; its marks and comments go along (if it is another "
                "question, make a release without it first)"
            )
        elif now and _kinds(old, name) != _kinds(new, now):
            yield f"{name} is marked in another way now{stay}"
        if was and points and was != points:
            yield f"{now} has {points[0]:g} points, not {was[0]:g}{stay}"


def _kinds(cells: Cells, name: str) -> set[Any]:
    return {kind for kind, one in cells if one == name and kind is not SourceCell}


def _points(cells: Cells, name: str) -> list[float]:
    """Return the points of a cell in a list; an empty one if it has none."""
    return [
        one["max_score"]
        for (kind, cell), one in cells.items()
        if cell == name and kind in ROLES[Grade]
    ]


def _lost(row: Notebook, cells: Cells, name: str, now: str) -> Iterator[str]:
    """Yield what is lost with a cell, and who loses it."""
    grades, comments = (
        [] if any((kind, now) in cells for kind in kinds) else _of(row, role, name)
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


def _change_cells(book: Gradebook, row: Notebook, new: Cells, names: Mapping[str, str]) -> None:
    """Change the cells of a notebook, and the rows of those who have handed it in."""
    rows = _rows(row)
    for cell in rows.values():
        cell.name = names.get(cell.name, cell.name)
    book.db.flush()
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
    """Give a submission a row for each new cell; move those of cells that stay, delete others."""
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
