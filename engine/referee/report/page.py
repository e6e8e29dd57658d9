"""Show a class at a glance: one page of HTML that loads nothing and sends nothing.

Brings the numbers of `summary` and `similar` into `report.html`, which escapes all that students
wrote.
"""

import base64
import hashlib
import statistics
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from referee import intake
from referee.course import Assignment
from referee.marks import feedback
from referee.marks.standings import Standing
from referee.report import similar, summary
from referee.report.summary import CellSummary, Records

TEMPLATE = "report.html"
FIRST = 15  # of those who need a human, before the rest is folded
PAIRS = 30  # that are shown; nobody asks more students than that
ENOUGH = 10  # students, before a page says that a check goes against the others
SEPARATOR = "\n\n# ---\n\n"


class Question(NamedTuple):
    """Two similar works, and the lines of each: the text, and whether the other has it."""

    pair: similar.Pair
    lines: tuple[list[tuple[str, bool]], list[tuple[str, bool]]]


def page(
    assignment: Assignment,
    records: Records,
    handed_in: Collection[str] = (),
    standings: Mapping[str, Standing] | None = None,
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
    standings = standings or {}
    cells = summary.cells(records)
    scores = [record.report.score for record in records.values()]
    most = max((record.report.max_score for record in records.values()), default=0.0)
    checks = summary.checks(records)
    content = {
        "assignment": assignment.key,
        "records": records,
        "when": sorted({record.when for record in records.values()}),
        "versions": Counter(one.course[:8] for one in records.values()).most_common(),
        "whole": CellSummary("", "Sum of the points", most, scores, 0, by_hand=False),
        "median": statistics.median(scores) if scores else None,
        "cells": [cell for cell in cells if not cell.by_hand],
        "by_hand": [cell for cell in cells if cell.by_hand],
        "humans": summary.for_a_human(records, standings),
        "standings": standings,
        "first": FIRST,
        "ungraded": sorted({*handed_in} - set(records)),
        "gone": sorted(set(records) - set(handed_in)) if handed_in else [],
        "checks": checks,
        "suspects": [c for c in checks if (c.discrimination or 0) < 0 and len(records) >= ENOUGH],
        "mistakes": summary.mistakes(records),
        "unnamed": summary.unnamed(records),
        "notes": {name: summary.notes(record.report) for name, record in records.items()},
        "similar": _similar(assignment, records, known or {}),
        "stale": sorted(stale),
    }
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


def _similar(
    assignment: Assignment, records: Records, known: Mapping[str, list[str]]
) -> list[Question]:
    """Return the similar works in the class, and those like a `known` work or the reference."""
    release = _sources(assignment.release)
    reference = _sources(assignment.source) if assignment.source.is_file() else []
    known = {f"source/{assignment.name}": reference, **known}
    written = {
        name: [cell.source for cell in record.cells]
        for name, record in records.items()
        if record.report.refused is None
    }
    works = {
        name: [text for text in cells if text not in release]
        for name, cells in {**known, **written}.items()
    }
    pairs = similar.pairs({n: works[n] for n in written}, {n: works[n] for n in known}, release)
    return [_question(pair, works, release) for pair in pairs[:PAIRS]]


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
