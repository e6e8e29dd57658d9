"""Lay a graded class out as a table in a terminal, or in a pipe. Decides nothing.

The student's id is never cut. Headings that do not fit are replaced by numbers; an id that is too
long gets a line of its own, and a note that is too long a line below.
"""

import re
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from referee.commands.terminal import say
from referee.grading import ClassResult, StudentResult
from referee.model import CellMark, Report
from referee.report import summary

GAP = "  "
SUMS = ("auto", "mark")  # the last columns
MOST_CHARACTERS = 40  # of a heading
NUMBER = re.compile(r"( \(\d+\))?$")
UNLIMITED = 10_000  # a pipe has lines of any length


class _Row(NamedTuple):
    student: str
    fields: list[Text]
    note: str


def of_class(console: Console, result: ClassResult) -> None:
    """Print the automatic marks of a class, the scores, and notes.

    Only the automatic marks, if nothing was entered.
    """
    students = result.students
    reports = [one.report for one in students if one.report is not None]
    cells = [mark for mark in reports[0].cells if _automatic(mark, reports)] if reports else []
    called = [result.headings.get(mark.grade_id, mark.cell) for mark in cells]
    heads = [(_cut(name), f"/{mark.max_score:g}") for name, mark in zip(called, cells, strict=True)]
    entered = any(one.now for one in students)
    if reports:
        heads.append((SUMS[0], f"/{reports[0].max_score:g}"))
    if reports and entered:
        heads.append((SUMS[1], f"/{sum(mark.max_score for mark in reports[0].cells):g}"))
    names = {mark.grade_id for mark in cells}
    rows = [_row(one, names, entered) for one in students]
    width = console.width if console.is_terminal else UNLIMITED
    say(console, f"{result.assignment}: {len(students)} students\n")
    console.print(Text("\n").join(_lines(heads, rows, width)), soft_wrap=True, highlight=False)
    console.print()


def _cut(heading: str) -> str:
    """Return a heading that is not too wide, with the number that tells it from others."""
    if len(heading) <= MOST_CHARACTERS:
        return heading
    number = NUMBER.search(heading)[0]  # type: ignore[index]
    return f"{heading[: MOST_CHARACTERS - 1 - len(number)].rstrip()}…{number}"


def _automatic(mark: CellMark, reports: list[Report]) -> bool:
    return any(
        other.score is not None
        for report in reports
        for other in report.cells
        if other.grade_id == mark.grade_id
    )


def _row(result: StudentResult, names: set[str], entered: bool) -> _Row:
    if result.report is None:
        return _Row(result.student, [], "not graded")
    fields = [_mark(mark) for mark in result.report.cells if mark.grade_id in names]
    fields.append(Text(f"{result.report.score:g}"))
    notes = [summary.notes(result.report)]
    if result.now:
        fields.append(Text(result.now.mark, "bold"))
        notes = [*result.why, *notes]
    elif entered:
        fields.append(Text("–"))
    return _Row(result.student, fields, ", ".join(filter(None, notes)))


def _mark(mark: CellMark) -> Text:
    if mark.score is None:
        return Text("?", "bold")
    colour = "green" if mark.score == mark.max_score else "red" if mark.score == 0 else "yellow"
    return Text(f"{mark.score:g}", colour)


def _lines(heads: list[tuple[str, str]], rows: list[_Row], width: int) -> list[Text]:
    """Return the lines of the table, within the given width if possible."""
    lengths = [cell_len(text) for text in ("student", *(row.student for row in rows))]
    legend, columns = "", _widths(heads, rows)
    if max(lengths) + sum(columns) > width:
        cells = [name for name, _ in heads if name not in SUMS]
        legend = ", ".join(f"{number} {name}" for number, name in enumerate(cells, start=1))
        numbers = [str(number) for number, _ in enumerate(cells, start=1)]
        heads = [
            (short, worth) for short, (_, worth) in zip([*numbers, *SUMS], heads, strict=False)
        ]
        columns = _widths(heads, rows)
    first = max([one for one in lengths if one + sum(columns) <= width], default=len("student"))
    room = width - first - sum(columns) - len(GAP)
    lines = [_line(text, list(map(Text, fields)), first, columns) for text, fields in (
        ("student", [name for name, _ in heads]), ("", [worth for _, worth in heads]),
    )]  # fmt: skip
    below = [Text(legend)] if legend else []
    for row in rows:
        alone = cell_len(row.student) > first
        lines += [Text(row.student)] if alone else []
        line = _line("" if alone else row.student, row.fields, first, columns)
        if row.note and cell_len(row.note) <= room:
            line.append(f"{GAP}{row.note}")
        elif row.note:
            below.append(Text(f"{row.student}: {row.note}"))
        line.rstrip()
        lines += [line] if line.plain else []
    return [*lines, *([Text(), *below] if below else [])]


def _widths(heads: list[tuple[str, str]], rows: list[_Row]) -> list[int]:
    """Return how wide each column is, with the gap before it."""
    return [
        len(GAP) + max(cell_len(text) for text in (*head, *(
            row.fields[column].plain for row in rows if row.fields
        )))
        for column, head in enumerate(heads)
    ]  # fmt: skip


def _line(student: str, fields: list[Text], first: int, columns: list[int]) -> Text:
    """Return a line: the student to the left, the fields to the right of their columns."""
    line = Text(student + " " * (first - cell_len(student)))
    for number, width in enumerate(columns):
        field = fields[number] if number < len(fields) else Text()
        line.append(" " * (width - cell_len(field.plain))).append_text(field)
    return line
