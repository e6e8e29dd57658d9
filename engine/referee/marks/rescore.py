"""Move marks by hand when an item of a mark scheme has other points than it had.

An item is known by its sentence. One that a comment gives, but the scheme has no more, moves
nothing, and is told.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec
from nbgrader.api import Gradebook

from referee.course import Assignment, Course
from referee.marks import by_hand, files, marking
from referee.marks.grade_log import HandMark
from referee.marks.marking import Item
from referee.marks.standings import some


class Move(NamedTuple):
    """A mark by hand that moves, with its comment; it stays if the `new` one would be none."""

    submission: str
    cell: str
    old: HandMark
    new: HandMark | None
    line: str


def moves(
    book: Gradebook, assignment: Assignment, most: Mapping[str, float]
) -> tuple[list[Move], list[str]]:
    """Return how marks by hand move to have the points that their items have in the source now.

    `most` has the most points of each cell. With it comes a line for each sentence that gives
    points in comments and is no item any more.
    """
    found, whose = list[Move](), defaultdict[tuple[str, str], list[str]](list)
    schemes = marking.schemes(assignment)
    rows = book.notebook_submissions(assignment.part or assignment.name, assignment.name)
    for row in sorted(rows if schemes else (), key=lambda row: str(row.student.id)):
        for cell, (mark, _) in by_hand.marks(book, row.id).items():
            lines, moved, why = mark.comment.split("\n"), 0.0, list[str]()
            for place, line in enumerate(lines if cell in schemes else ()):
                if (given := marking.ITEM.fullmatch(line)) is None:
                    continue
                before, sentence = float(given[1]), given[2]
                if (now := schemes[cell].get(sentence)) is None:
                    whose[cell, sentence].append(str(row.student.id))
                elif now != before:
                    lines[place] = marking.line_of(Item(now, sentence))
                    why.append(f"{before:g} -> {now:g}: {sentence}")
                    moved += now - before
            if why and mark.score is not None:
                points, limit = round(mark.score + moved, 3), most.get(cell, 0.0)
                told = f"{row.student.id}, {cell}: {mark.score:g} -> {points:g} ({'; '.join(why)})"
                new: HandMark | None = msgspec.structs.replace(
                    mark, score=points, comment="\n".join(lines)
                )
                if not 0 <= points <= limit:
                    outside = f"{points:g} is not between 0 and {limit:g}"
                    told, new = f"{told}; it stays, since {outside}: mark it by hand", None
                found.append(Move(row.id, cell, mark, new, told))
    return found, [
        f'{cell}: "{sentence}" is no item any more; the marks of {some(students)} stay'
        for (cell, sentence), students in whose.items()
    ]


def move(course: Course, book: Gradebook, found: Iterable[Move]) -> None:
    """Move the marks, each with a line in the log."""
    for submission, cell, old, new, _ in found:
        if new:
            row = book.find_submission_notebook_by_id(submission)
            by_hand.replace(course, book, row, cell, (old, new), files.user())
