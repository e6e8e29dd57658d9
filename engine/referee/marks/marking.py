"""Prepare formgrader's page for marking written answers, with `templates/marking`.

Tasks have question and mark scheme folded, and the items of the scheme as buttons. Stores nothing:
the buttons fill nbgrader's own boxes, with a line of the comment for each item that is given.
"""

import contextlib
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.filters.highlight import Highlight2HTML

from referee import intake
from referee.course import Assignment, CourseError, find_course
from referee.model import counted

TEMPLATE = str(Path(__file__).parent / "templates" / "marking" / "marking.html.j2")
FILTERS = {
    "questions": "referee.marks.marking.questions",
    "highlight_code": "referee.marks.marking.in_colours",
}
LONGEST = 20_000  # characters of a notebook's code that get colours

SCHEME = re.compile(
    r"^[^\n]*BEGIN MARK SCHEME[^\n]*$(.*?)^[^\n]*END MARK SCHEME[^\n]*$", re.MULTILINE | re.DOTALL
)
PARAGRAPH = re.compile(r"\n\s*(?:\n|(?=[-*+] |\d+[.)] ))")
POINTS = re.compile(r"(?:^|(?<=\s))\((\d+(?:\.\d+)?)\)\s+")
ITEM = re.compile(r"- (\d+(?:\.\d+)?) points?: (.*)")
BLANK_LINE = re.compile(r"^[^\S\n]++$", re.MULTILINE)
MARKS = " \t\n*_#-+.:"  # what a heading is decorated with


class Item(NamedTuple):
    """A sentence of a mark scheme that is worth points."""

    points: float
    sentence: str


def schemes(assignment: Assignment) -> dict[str, dict[str, float]]:
    """Return by question the items of its mark scheme in the source: points by sentence."""
    return {
        cell.metadata.nbgrader.grade_id: {
            item.sentence: item.points
            for scheme in SCHEME.findall(cell.source)
            for _, group in items(scheme, cell.metadata.nbgrader.points)
            for item in group
        }
        for cell in _tasks(assignment)
    }


def _tasks(assignment: Assignment) -> list[Any]:
    return [cell for cell in intake.course_notebook(assignment.source).cells if _is_task(cell)]


@pass_context
def questions(context: Context, cells: list[Any]) -> list[list[Any]]:
    """Return `runs` with each task as the page shows it, by its mark scheme in the source now.

    So a mark that is given between a release and the next grading has the points of the release.
    """
    resources, texts = context["resources"], dict[str, str]()
    with contextlib.suppress(CourseError, OSError):
        parts = find_course(Path.cwd()).find_parts(resources.get("assignment_id", ""))
        for part in (one for one in parts if one.source.stem == resources.get("notebook_id")):
            texts = {cell.metadata.nbgrader.grade_id: cell.source for cell in _tasks(part)}
    all_runs = runs(cells)
    return [[_folded(run[0], texts), *run[1:]] if _is_task(run[0]) else run for run in all_runs]


def runs(cells: list[Any]) -> list[list[Any]]:
    """Return the cells in runs: a task with the answers below it, and each other cell."""
    runs: list[list[Any]] = []
    for cell in cells:
        if runs and _is_task(runs[-1][0]) and "nbgrader" not in cell.metadata:
            runs[-1].append(cell)
        else:
            runs.append([cell])
    return runs


@pass_context
def in_colours(context: Context, source: str, **_: Any) -> str:
    """Return code as HTML in colours; without colours in a notebook with very much code.

    The time for IPython's rules grows with the square of some texts, for Python's with that of
    lines of spaces.
    """
    code = [cell.source for cell in context["nb"].cells if cell.cell_type == "code"]
    if sum(map(len, code)) > LONGEST:
        return f'<div class="highlight"><pre>{escape(source)}</pre></div>'
    return str(Highlight2HTML(pygments_lexer="python3")(BLANK_LINE.sub("", source)))


def items(scheme: str, most: float) -> list[tuple[str, list[Item]]]:
    """Return the items of a mark scheme under their headings.

    >>> items("**Growth, 3 points.** (2) The factor is said. (1) A reason.", 3)
    [('Growth, 3 points', [Item(points=2.0, sentence='The factor is said.'), \
Item(points=1.0, sentence='A reason.')])]
    """
    groups: list[tuple[str, list[Item]]] = []
    for paragraph in PARAGRAPH.split(scheme):
        head, *parts = POINTS.split(paragraph)
        pairs = zip(map(float, parts[::2]), map(_line, parts[1::2]), strict=True)
        group = [Item(*pair) for pair in pairs if 0 < pair[0] <= most and pair[1]]
        heading = _line(head).strip(MARKS)
        if group and groups and not heading:
            groups[-1][1].extend(group)
        elif group:
            groups.append((heading, group))
    return groups


def line_of(item: Item) -> str:
    """Return the line of a comment that gives an item, which is known again by its sentence.

    >>> line_of(Item(0.5, "A reason."))
    '- 0.5 points: A reason.'
    """
    return f"- {counted(item.points, 'point')}: {item.sentence}"


def _is_task(cell: Any) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("task"))


def _line(text: str) -> str:
    return " ".join(text.split())


def _folded(cell: Any, texts: Mapping[str, str]) -> Any:
    """Return a task with its question, its mark scheme, folded, and the items of that as buttons.

    These are HTML that is one block of Markdown: without empty lines.
    """
    task = cell.metadata.nbgrader
    schemes = SCHEME.findall(texts.get(task.grade_id, cell.source))
    groups = [group for scheme in schemes for group in items(scheme, task.points)]
    question = _fold(f"Question {task.grade_id}", SCHEME.sub("", cell.source), unfolded=not groups)
    buttons = ['<div class="items">'] if groups else []
    for heading, group in groups:
        buttons.append(f"<p>{escape(heading)}</p><ul>" if heading else "<ul>")
        for item in group:
            buttons.append(
                '<li><button type="button" class="tabbable" aria-pressed="false" disabled'
                f' data-item="{escape(item.sentence)}" data-line="{escape(line_of(item))}">'
                f"<b>+{item.points:g}</b> {escape(item.sentence)}</button></li>"
            )
        buttons.append("</ul>")
    buttons += ["</div>"] if groups else []
    folded = [_fold("Mark scheme", scheme) for scheme in schemes]
    return type(cell)(cell, source="\n\n".join([question, *folded, "\n".join(buttons)]))


def _fold(title: str, text: str, *, unfolded: bool = False) -> str:
    """Write Markdown to unfold, as Markdown."""
    state = " open" if unfolded else ""
    summary = f'<summary class="tabbable">{escape(title)}</summary>'
    return f'<details class="folded"{state}>{summary}\n\n{text.strip()}\n\n</details>'
