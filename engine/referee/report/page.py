"""Show a class at a glance: one page of HTML that loads nothing and sends nothing.

It has marks, checks, misconceptions, and who needs a human. `report.html` escapes all that students
wrote.
"""

import math
import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from referee import intake
from referee.course import Assignment
from referee.judging import denials
from referee.marks import feedback
from referee.marks.standings import NONE, Standing
from referee.model import CellMark, CheckResult, Misconception, Record, Verdict
from referee.report import similar

TEMPLATE = "report.html"
ENOUGH = 10  # students, before a page says that a check goes against the others
BARS = 10  # of a cell's marks, besides the one of full marks
FEWEST = 3  # students of whom a correlation says anything
DIGITS = 6  # what differs less than this is the same
SEVERAL = 3  # checks that are stopped before a human should look

Records = Mapping[str, Record]  # by student


class CellSummary(NamedTuple):
    """A graded cell: its points, and the marks it got; `waiting` is how many have none yet."""

    grade_id: str
    name: str
    max_score: float
    scores: list[float]
    waiting: int
    by_hand: bool

    @property
    def mean(self) -> float | None:
        """Return the mean of its marks, None without marks."""
        return statistics.fmean(self.scores) if self.scores else None

    @property
    def bars(self) -> list[tuple[str, int]]:
        """Return how many students have which marks, by where each range begins, and full marks.

        >>> CellSummary("f", "f", 20, [0, 5, 20], 0, False).bars[:3]
        [('0–', 1), ('2–', 0), ('4–', 1)]
        """
        width = max(1, math.ceil(self.max_score / BARS))
        counts = Counter(
            "full" if score >= self.max_score else score // width for score in self.scores
        )
        steps = range(math.ceil(self.max_score / width))
        rows = [(f"{step * width}–", counts[step]) for step in steps]
        return [*rows, (f"{self.max_score:g}", counts["full"])] if rows else []


class CheckSummary(NamedTuple):
    """A check: how often it passed, its correlation with the other marks, and why it failed.

    `pass_rate` and `discrimination` are None where they are undefined.
    """

    id: str
    cell: str
    title: str
    pass_rate: float | None
    discrimination: float | None
    failures: list[tuple[Verdict, int]]


def cells(records: Records) -> list[CellSummary]:
    """Return the summary of each graded cell.

    A cell is marked by hand if nobody has a mark for it and no failure of ours is the reason.
    """
    marks: dict[str, list[CellMark]] = {}
    for record in records.values():
        for mark in record.report.cells:
            marks.setdefault(mark.grade_id, []).append(mark)
    all_checks = (check for record in records.values() for check in record.report.checks)
    errors = {check.cell for check in all_checks if check.verdict.open}
    return [
        CellSummary(
            name,
            cell_marks[0].cell,
            max(mark.max_score for mark in cell_marks),
            [mark.score for mark in cell_marks if mark.score is not None],
            sum(mark.score is None for mark in cell_marks),
            all(mark.score is None for mark in cell_marks) and cell_marks[0].cell not in errors,
        )
        for name, cell_marks in marks.items()
    ]


def checks(records: Records) -> list[CheckSummary]:
    """Return the summary of each check, over the submissions that could be read.

    An error of ours is no result.
    """
    by_check: dict[str, list[tuple[CheckResult, float]]] = {}  # with the points of all others
    for report in (one.report for one in records.values() if not one.report.refused):
        scored = {mark.cell for mark in report.cells if mark.score is not None}
        for check in report.checks:
            others = report.score - (check.points if check.cell in scored else 0)
            by_check.setdefault(check.id, []).append((check, others))
    summaries = []
    for name, results in by_check.items():
        final = [one for one in results if not one[0].verdict.open]
        passes = [float(check.verdict is Verdict.PASS) for check, _ in final]
        failures = Counter(check.verdict for check, _ in results)
        del failures[Verdict.PASS]
        rate, first = statistics.fmean(passes) if passes else None, results[0][0]
        values = rate, correlation(passes, [rest for _, rest in final]), failures.most_common()
        summaries.append(CheckSummary(name, first.cell, first.title, *values))
    return summaries


def correlation(passes: Sequence[float], rest: Sequence[float]) -> float | None:
    """Return Pearson's correlation, which for passed or not is the point-biserial one.

    None for fewer than three students, or when all values on a side are the same.

    >>> correlation([0, 0, 1, 1], [1, 2, 3, 4])
    0.894427191
    """
    rest = [round(value, DIGITS) for value in rest]
    if len(passes) < FEWEST or len(set(passes)) == 1 or len(set(rest)) == 1:
        return None
    return round(statistics.correlation(passes, rest), 9)


def mistakes(records: Records) -> list[tuple[str, Misconception, list[str]]]:
    """Return cell, misconception and students of those that were found, the most frequent first."""
    by_idea: dict[tuple[str, str], tuple[str, Misconception, list[str]]] = {}
    for student, record in records.items():
        for entry in record.report.explanations:
            if idea := entry.misconception:
                mistake = by_idea.setdefault((entry.cell, idea.name), (entry.cell, idea, []))
                mistake[2].append(student)
    return sorted(by_idea.values(), key=lambda mistake: -len(mistake[2]))


def for_a_human(
    records: Records, standings: Mapping[str, Standing] = NONE
) -> list[tuple[str, list[str]]]:
    """Return the students whose results a human should look at, and why, the urgent ones first.

    `standings` say which cells wait, since a human may have given a mark already.
    """
    rows = list[tuple[bool, str, list[str]]]()
    for student, report in ((name, record.report) for name, record in records.items()):
        tampered = sum(check.verdict is Verdict.TAMPERED for check in report.checks)
        stopped = Counter(check.verdict for check in report.checks if check.verdict.stopped)
        counts = ", ".join(f"{count} {verdict}" for verdict, count in stopped.most_common())
        why = [
            f"the file could not be read: {report.refused}" if report.refused else "",
            denials.undecided(report),
            *(standings[student].questions if student in standings else ()),
            f"checks that were tampered with: {tampered}" if tampered else "",
        ]
        slow = f"checks that were stopped: {counts}" if stopped.total() >= SEVERAL else ""
        if any(why) or slow:
            rows.append((not any(why), student, [*filter(None, [*why, slow])]))
    return [(student, why) for _, student, why in sorted(rows, key=lambda one: one[0])]


def page(
    assignment: Assignment,
    records: Records,
    handed_in: Collection[str] = (),
    standings: Mapping[str, Standing] = NONE,
    stale: Collection[str] = (),
    works: similar.Works = NONE,
) -> str:
    """Return the page of a class; some in `handed_in` may have no record.

    `standings` has the marks in the gradebook; students in `stale` have handed in another notebook
    since. `works` are others that are compared besides the reference, such as other years'.
    """
    notebook = intake.course_notebook(assignment.release)
    headings, release = intake.headings(notebook), {c.source for c in intake.code_cells(notebook)}
    environment = jinja2.Environment(  # it fails at what is missing
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = _number
    environment.filters["code"] = lambda text: Markup(feedback.as_code(text))
    environment.filters["called"] = lambda name: headings.get(name, name)
    graded, hard = cells(records), checks(records)
    there, again = set(handed_in or records), f"run `referee grade {assignment.key}`"
    groups = [
        (stale, f"has handed in another notebook since; {again}"),
        (
            records.keys() - there,
            "has no folder in submitted/ any more; the marks stand as they were",
        ),
        (there - records.keys(), f"handed in, but has no result; {again}"),
    ]
    if assignment.source.is_file():
        reference = intake.code_cells(intake.course_notebook(assignment.source))
        works = {f"source/{assignment.name}": [cell.source for cell in reference], **works}
    students = {
        name: [cell.source for cell in record.cells if cell.source not in release]
        for name, record in records.items()
        if record.report.refused is None
    }
    others = {
        name: [text for text in texts if text not in release] for name, texts in works.items()
    }
    scores = [record.report.score for record in records.values()]
    most = max((record.report.max_score for record in records.values()), default=0.0)
    return environment.get_template(TEMPLATE).render(
        assignment=assignment.key,
        records=records,
        when=sorted({record.when for record in records.values()}),
        versions=Counter(one.course[:8] for one in records.values()).most_common(),
        whole=CellSummary("", "Sum of the points", most, scores, 0, by_hand=False),
        median=statistics.median(scores) if scores else None,
        cells=[cell for cell in graded if not cell.by_hand],
        by_hand=[cell for cell in graded if cell.by_hand],
        humans=[(name, [why]) for names, why in groups for name in sorted(names)]
        + for_a_human(records, standings),
        standings=standings,
        checks=sorted(hard, key=lambda one: 2 if one.pass_rate is None else one.pass_rate),
        suspects=[c for c in hard if (c.discrimination or 0) < 0 and len(records) >= ENOUGH],
        mistakes=mistakes(records),
        similar=similar.pairs(students, others, release),
    )


def _number(value: float | None, digits: int = 1) -> str:
    """Return a number rounded as text, or a dash for None."""
    return "–" if value is None else f"{round(value, digits):g}"
