"""Show a class at a glance: one page of HTML that loads nothing and sends nothing.

Brings the numbers of `summary` and `similar` into `report.html`, which escapes all that students
wrote.
"""

import statistics
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

import jinja2
from markupsafe import Markup

from referee import intake
from referee.course import Assignment
from referee.marks import feedback
from referee.marks.standings import NONE, Standing
from referee.report import similar, summary
from referee.report.summary import CellSummary, Records

TEMPLATE = "report.html"
PAIRS = 30  # that are shown; nobody asks more students than that
ENOUGH = 10  # students, before a page says that a check goes against the others
SEPARATOR = "\n\n# ---\n\n"


def page(
    assignment: Assignment,
    records: Records,
    handed_in: Collection[str] = (),
    standings: Mapping[str, Standing] = NONE,
    stale: Collection[str] = (),
    known: Mapping[str, list[str]] = NONE,
) -> str:
    """Return the page of a class; some in `handed_in` may have no record.

    `standings` has the marks in the gradebook; students in `stale` have handed in another notebook
    since. `known` has the cells of other works, such as other years'.
    """
    named = intake.headings(assignment)
    environment = jinja2.Environment(  # it fails at what is missing
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = _number
    environment.filters["code"] = lambda text: Markup(feedback.as_code(text))
    environment.filters["called"] = lambda name: named.get(name, name)
    cells, checks = summary.cells(records), summary.checks(records)
    there, again = set(handed_in or records), f"run `referee grade {assignment.key}`"
    others = [
        (stale, f"has handed in another notebook since; {again}"),
        (
            records.keys() - there,
            "has no folder in submitted/ any more; the marks stand as they were",
        ),
        (there - records.keys(), f"handed in, but has no result; {again}"),
    ]
    scores = [record.report.score for record in records.values()]
    most = max((record.report.max_score for record in records.values()), default=0.0)
    return environment.get_template(TEMPLATE).render(
        assignment=assignment.key,
        records=records,
        when=sorted({record.when for record in records.values()}),
        versions=Counter(one.course[:8] for one in records.values()).most_common(),
        whole=CellSummary("", "Sum of the points", most, scores, 0, by_hand=False),
        median=statistics.median(scores) if scores else None,
        cells=[cell for cell in cells if not cell.by_hand],
        by_hand=[cell for cell in cells if cell.by_hand],
        humans=[(name, [why]) for names, why in others for name in sorted(names)]
        + summary.for_a_human(records, standings),
        standings=standings,
        checks=sorted(checks, key=lambda one: 2 if one.pass_rate is None else one.pass_rate),
        suspects=[c for c in checks if (c.discrimination or 0) < 0 and len(records) >= ENOUGH],
        mistakes=summary.mistakes(records),
        similar=_similar(assignment, records, known),
    )


def _similar(
    assignment: Assignment, records: Records, known: Mapping[str, list[str]]
) -> list[tuple[similar.Pair, list[list[tuple[str, bool]]]]]:
    """Return the similar works in the class, and those like a `known` work or the reference.

    Each comes with the lines of both, and whether the other has them.
    """
    release = _sources(assignment.release)
    reference = _sources(assignment.source) if assignment.source.is_file() else []
    written = {
        name: [cell.source for cell in record.cells]
        for name, record in records.items()
        if record.report.refused is None
    }
    known = {f"source/{assignment.name}": reference, **known}
    works = {
        name: [text for text in cells if text not in release]
        for name, cells in {**known, **written}.items()
    }
    found = []
    pairs = similar.pairs({n: works[n] for n in written}, {n: works[n] for n in known}, release)
    for pair in pairs[:PAIRS]:
        texts = [SEPARATOR.join(works[name])[: similar.LONGEST] for name in pair[:2]]
        alike = similar.same_lines(texts[0], texts[1], release)
        sides = [
            [(line, number in same) for number, line in enumerate(text.splitlines())]
            for text, same in zip(texts, alike, strict=True)
        ]
        found.append((pair, sides))
    return found


def _sources(notebook: Path) -> list[str]:
    return [cell.source for cell in intake.code_cells(intake.course_notebook(notebook))]


def _number(value: float | None, digits: int = 1) -> str:
    """Return a number rounded as text, or a dash for None."""
    return "–" if value is None else f"{round(value, digits):g}"
