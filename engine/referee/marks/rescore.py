"""Move marks by hand when an item of a mark scheme has other points than it had.

An item is known by its sentence. One that a comment gives, but the scheme has no more, moves
nothing, and is told.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from nbgrader.api import Gradebook

from referee.course import Assignment, Course
from referee.marks import by_hand, files, marking
from referee.marks.grade_log import HandMark
from referee.marks.marking import Item
from referee.marks.standings import some

Points = Mapping[str, float]  # of the items of a cell, by their sentences


class Move(NamedTuple):
    """A mark by hand that moves, with its comment; it stays if the `new` one would be none."""

    submission: str
    cell: str
    old: HandMark
    new: HandMark | None
    line: str


def moves(book: Gradebook, assignment: Assignment, most: Mapping[str, float]) -> list[Move]:
    """Return how marks by hand move to have the points that their items have in the source now.

    `most` has the most points of each cell.
    """
    found = []
    for row, cell, mark, items in _marked(book, assignment):
        comment, more, why = rescored(mark.comment, items)
        if why and mark.score is not None:
            points, limit = round(mark.score + more, 3), most.get(cell, 0.0)
            line = f"{row.student.id}, {cell}: {mark.score:g} -> {points:g} ({'; '.join(why)})"
            if stays := not 0 <= points <= limit:
                outside = f"{points:g} is not between 0 and {limit:g}: mark it by hand"
                line += f"; it stays, since {outside}"
            new = msgspec.structs.replace(mark, score=points, comment=comment)
            found.append(Move(row.id, cell, mark, None if stays else new, line))
    return found


def gone(book: Gradebook, assignment: Assignment) -> list[str]:
    """Return a line for each sentence that gives points in comments and is no item any more."""
    whose: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row, cell, mark, items in _marked(book, assignment):
        for line in mark.comment.split("\n"):
            given = marking.ITEM.fullmatch(line)
            if given and given[2] not in items:
                whose[cell, given[2]].append(str(row.student.id))
    return [
        f'{cell}: "{sentence}" is no item any more; the marks of {some(students)} stay'
        for (cell, sentence), students in whose.items()
    ]


def move(course: Course, book: Gradebook, found: Iterable[Move]) -> None:
    """Move the marks, each with a line in the log."""
    for submission, cell, old, new, _ in found:
        if new:
            row = book.find_submission_notebook_by_id(submission)
            by_hand.replace(course, book, row, cell, (old, new), files.user())


def rescored(comment: str, items: Points) -> tuple[str, float, list[str]]:
    """Return a comment with its items as they are now, by how much the mark moves, and why."""
    lines, moved, why = comment.split("\n"), 0.0, list[str]()
    for place, line in enumerate(lines):
        given = marking.ITEM.fullmatch(line)
        if given is None:
            continue
        before, sentence = float(given[1]), given[2]
        now = items.get(sentence, before)
        if now != before:
            lines[place] = marking.line_of(Item(now, sentence))
            why.append(f"{before:g} -> {now:g}: {sentence}")
            moved += now - before
    return "\n".join(lines), moved, why


def _marked(book: Gradebook, assignment: Assignment) -> Iterator[tuple[Any, str, HandMark, Points]]:
    """Yield submissions and cells, what stands there, and the points of the cell's items."""
    schemes = marking.schemes(assignment)
    notebook = assignment.part or assignment.name
    rows = book.notebook_submissions(notebook, assignment.name) if schemes else []
    for row in sorted(rows, key=lambda row: str(row.student.id)):
        marks = by_hand.marks(book, row.id)
        for cell in schemes.keys() & marks.keys():
            yield row, cell, marks[cell][0], {one.sentence: one.points for one in schemes[cell]}
