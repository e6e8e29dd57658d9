"""Show a class at a glance: one page of HTML that loads nothing and sends nothing.

Brings the numbers of `summary`, `difficulty` and `similar` and the drawings of `chart` into
`report.html`, which escapes all that students wrote.
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import jinja2
from markupsafe import Markup

from referee import intake
from referee.course import Assignment
from referee.marks import feedback
from referee.report import chart, difficulty, similar, summary
from referee.report.summary import CellSummary, Records

if TYPE_CHECKING:  # it loads nbgrader
    from referee.marks.gradebook import Standing

TEMPLATE = "report.html"
WIDE, SMALL = ((4.8, 2.0), 10), ((3.3, 1.7), 5)  # inches of a histogram, and its bars at most
VERSION_DIGITS = 8  # of a digest, as far as people compare it
FIRST = 15  # of those who need a human, before the rest is folded
SLOWEST = 5  # checks that are shown
PAIRS = 30  # that are shown; nobody asks more students than that
SUSPECT = 0.0  # a discrimination below says that a check goes against the others
ENOUGH = 10  # students, before a page says so
SEPARATOR = "\n\n# ---\n\n"


class Plot(NamedTuple):
    """A cell, and the histogram of its marks."""

    cell: CellSummary
    svg: Markup


class Question(NamedTuple):
    """Two similar works, and the lines of each: the text, and whether the other has it."""

    pair: similar.Pair
    lines: tuple[list[tuple[str, bool]], list[tuple[str, bool]]]


class Alike(NamedTuple):
    """Similar works: pairs in the class, works like `known` ones, and copies of the solution.

    The first of `pairs` and `known` are shown; `more` is the number of the others.
    """

    pairs: list[Question]
    known: list[Question]
    verbatim: list[str]
    compared: int
    more: int


def page(
    assignment: Assignment,
    records: Records,
    handed_in: Iterable[str] = (),
    standings: "Mapping[str, Standing] | None" = None,
    stale: Collection[str] = (),
    known: Mapping[str, list[str]] | None = None,
) -> str:
    """Return the page of a class; some students in `handed_in` may have no record.

    `standings` has the marks in the gradebook; students in `stale` have handed in another notebook
    since. `known` has the cells of other works, such as other years'.
    """
    environment = templates()
    environment.filters["number"] = _number
    environment.filters["code"] = _code
    named = intake.headings(assignment)
    environment.filters["called"] = lambda name: named.get(name, name)
    content = _content(assignment, records, list(handed_in))
    content["alike"] = _alike(assignment, records, known or {})
    content |= {"standings": standings or {}, "stale": sorted(stale)}
    return environment.get_template(TEMPLATE).render(content) + "\n"


def templates() -> jinja2.Environment:
    """Return the templates of pages; they escape what is put in, and fail at what is missing."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["sha256"] = _sha256
    return environment


def _content(assignment: Assignment, records: Records, handed_in: list[str]) -> dict[str, Any]:
    """Return the variables of the template."""
    cells = summary.cells(records)
    automatic = [cell for cell in cells if not cell.by_hand]
    scores = [record.report.score for record in records.values()]
    most = max((record.report.max_score for record in records.values()), default=0.0)
    checks = difficulty.checks(records)
    return {
        "assignment": assignment.key,
        "count": len(records),
        "when": sorted({record.when for record in records.values()}),
        "versions": _versions(records),
        "spread": summary.spread(scores),
        "max_score": most,
        "plot": _plot("plot-sum", "Sum of the points", scores, most, *WIDE),
        "cells": automatic,
        "plots": [
            Plot(cell, _plot(f"plot-{number}", cell.name, cell.scores, cell.max_score, *SMALL))
            for number, cell in enumerate(automatic)
        ],
        "by_hand": [cell for cell in cells if cell.by_hand],
        "humans": summary.for_a_human(records),
        "first": FIRST,
        "ungraded": sorted(set(handed_in) - set(records)),
        "gone": sorted(set(records) - set(handed_in)) if handed_in else [],
        "checks": checks,
        "slowest": sorted(checks, key=lambda check: -check.most_seconds)[:SLOWEST],
        "suspects": _suspects(checks, len(records)),
        "mistakes": summary.mistakes(records),
        "unnamed": summary.unnamed(records),
        "repairs": summary.repairs(records),
        "students": summary.students(records),
    }


def _versions(records: Records) -> list[tuple[str, int]]:
    """Return the versions of the course that decided the marks, the most frequent first."""
    return Counter(record.course[:VERSION_DIGITS] for record in records.values()).most_common()


def _plot(
    name: str,
    what: str,
    scores: Sequence[float],
    most: float,
    inches: tuple[float, float],
    limit: int,
) -> Markup:
    """Return a histogram of marks, "" without marks; `chart` escapes its text."""
    ranges = chart.bins(scores, most, limit)
    return Markup(chart.histogram(name, what, ranges, inches)) if ranges and scores else Markup()


def _suspects(checks: list[difficulty.CheckSummary], count: int) -> list[difficulty.CheckSummary]:
    """Return the checks with negative discrimination, in a class that is large enough."""
    return [
        check
        for check in checks
        if count >= ENOUGH and check.discrimination is not None and check.discrimination < SUSPECT
    ]


def _alike(assignment: Assignment, records: Records, others: Mapping[str, list[str]]) -> Alike:
    """Return the similar works, without the code that was given to all."""
    release = _sources(assignment.release)
    reference = _sources(assignment.source) if assignment.source.is_file() else []
    known = {
        f"source/{assignment.name}": [text for text in reference if text not in release],
        **{name: [text for text in cells if text not in release] for name, cells in others.items()},
    }
    written = {
        name: [cell.source for cell in record.cells if cell.source not in release]
        for name, record in records.items()
        if record.report.refused is None
    }
    pairs = similar.pairs(written, [*release, *reference])
    older = similar.against(written, known, release)
    return Alike(
        [_question(pair, written, [*release, *reference]) for pair in pairs[:PAIRS]],
        [_question(pair, written | known, release) for pair in older[:PAIRS]],
        similar.verbatim(written, reference, release),
        len(known),
        len(pairs[PAIRS:]) + len(older[PAIRS:]),
    )


def _question(pair: similar.Pair, works: similar.Works, given: list[str]) -> Question:
    """Return a pair with its texts, in which equal lines are marked."""
    one, other = (SEPARATOR.join(works[name])[: similar.LONGEST] for name in pair[:2])
    same = similar.same_lines(one, other, given)

    def told(text: str, alike: set[int]) -> list[tuple[str, bool]]:
        return [(line, number in alike) for number, line in enumerate(text.splitlines())]

    return Question(pair, (told(one, same[0]), told(other, same[1])))


def _sources(notebook: Path) -> list[str]:
    return [cell.source for cell in intake.code_cells(intake.course_notebook(notebook))]


def _sha256(text: str) -> str:
    """Return the digest of a script for the page's content security policy."""
    return base64.b64encode(hashlib.sha256(str(text).encode()).digest()).decode()


def _number(value: float | None, digits: int = 1) -> str:
    """Return a number rounded as text, or a dash for None."""
    return "–" if value is None else f"{round(value, digits):g}"


def _code(text: str) -> Markup:
    return Markup(feedback.as_code(text))
