"""Move marks by hand when an item of a mark scheme has other points than it had, or is gone."""

from collections.abc import Iterable, Set

import msgspec

from referee import course
from referee.course import Assignment
from referee.marks import by_hand, files, gradebook, marking
from referee.marks.marking import Item


class MovedMark(msgspec.Struct):
    """A mark by hand before and after, and by which items; `refused` says why it stays."""

    student: str
    cell: str
    old: float
    new: float
    items: list[str]
    refused: str = ""


def rescore(assignment: Assignment, preview: bool) -> list[MovedMark]:
    """Give each mark by hand the points that its items have in the source notebook.

    Returns the marks that move; with `preview` nothing is written. Other comments may get new
    numbers of items.
    """
    found = []
    name, notebook = assignment.name, assignment.part or assignment.name
    with gradebook.opened(course.db_url(assignment.root)) as book:
        rows = {row.student.id: row.id for row in book.notebook_submissions(notebook, name)}
        told = {student: by_hand.marks(book, row) for student, row in rows.items()}
        for cell, items in marking.schemes(assignment).items():
            marked = {student: one[cell] for student, one in told.items() if cell in one}
            taken = moved_items((one.mark.comment for one in marked.values()), items)
            for student in sorted(marked):
                mark, most = marked[student].mark, marked[student].most
                comment, points, why = rescored(mark.comment, items, taken)
                if mark.score is None or comment == mark.comment:
                    continue
                move = MovedMark(student, cell, mark.score, round(mark.score + points, 3), why)
                if not 0 <= move.new <= most:
                    move.refused = f"{move.new:g} is not between 0 and {most:g}; mark it by hand"
                elif not preview:
                    extra = "" if mark.extra is None else str(mark.extra)
                    typed = by_hand.Typed(str(move.new), extra, comment)
                    saving = by_hand.Saving(cell, mark, typed)
                    who = files.user()
                    by_hand.save(assignment.root, book, rows[student], saving, who, seen=False)
                found += [move] * bool(why)
    return found


def moved_items(comments: Iterable[str], items: list[Item]) -> set[int]:
    """Return the numbers of items that had another one, as the sentences in comments tell."""
    numbers = _numbers(items)
    given = [
        (int(n), numbers.get(text)) for one in comments for _, n, text in marking.ITEM.findall(one)
    ]
    return {now for before, now in given if now is not None and now != before}


def rescored(comment: str, items: list[Item], taken: Set[int]) -> tuple[str, float, list[str]]:
    """Return a comment with its items as they are now, by how much the mark moves, and why.

    An item is known by its sentence, or else by its number, unless another has `taken` that.
    """
    numbers, lines, moved, why = _numbers(items), list[str](), 0.0, list[str]()
    for line in comment.split("\n"):
        given = marking.ITEM.fullmatch(line)
        if given is None:
            lines.append(line)
            continue
        points, before, sentence = float(given[1]), int(given[2]), given[3]
        number = numbers.get(sentence, len(items) + 1 if before in taken else before)
        now = items[number - 1].points if number <= len(items) else 0.0
        if now:
            lines.append(marking.line_of(number, Item(now, sentence)))
        if now != points:
            why.append(f"item {before}: {points:g} -> {f'{now:g}' if now else 'gone'}")
            moved += now - points
    return "\n".join(lines), moved, why


def _numbers(items: list[Item]) -> dict[str, int]:
    return {item.sentence: number for number, item in enumerate(items, 1)}
