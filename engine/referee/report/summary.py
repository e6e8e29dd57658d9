"""Summarise the results of a class: marks, checks, misconceptions, notable students.

Numbers and words only; reads no files, draws nothing, gives no marks.
"""

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.judging import denials
from referee.marks.standings import NONE, Standing
from referee.model import CellMark, CheckResult, Misconception, Record, Verdict

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
        found = [(f"{step * width}–", counts[step]) for step in steps]
        return [*found, (f"{self.max_score:g}", counts["full"])] if found else []


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
    failed = {
        check.cell
        for record in records.values()
        for check in record.report.checks
        if check.verdict.open
    }
    return [
        CellSummary(
            name,
            mine[0].cell,
            max(mark.max_score for mark in mine),
            [mark.score for mark in mine if mark.score is not None],
            sum(mark.score is None for mark in mine),
            all(mark.score is None for mark in mine) and mine[0].cell not in failed,
        )
        for name, mine in marks.items()
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
    found = []
    for name, results in by_check.items():
        judged = [one for one in results if not one[0].verdict.open]
        passed = [float(check.verdict is Verdict.PASS) for check, _ in judged]
        failures = Counter(check.verdict for check, _ in results)
        del failures[Verdict.PASS]
        rate, first = statistics.fmean(passed) if passed else None, results[0][0]
        told = rate, correlation(passed, [rest for _, rest in judged]), failures.most_common()
        found.append(CheckSummary(name, first.cell, first.title, *told))
    return found


def correlation(passed: Sequence[float], rest: Sequence[float]) -> float | None:
    """Return Pearson's correlation, which for passed or not is the point-biserial one.

    None for fewer than three students, or when all values on a side are the same.

    >>> correlation([0, 0, 1, 1], [1, 2, 3, 4])
    0.894427191
    """
    rest = [round(value, DIGITS) for value in rest]
    if len(passed) < FEWEST or len(set(passed)) == 1 or len(set(rest)) == 1:
        return None
    return round(statistics.correlation(passed, rest), 9)


def mistakes(records: Records) -> list[tuple[str, Misconception, list[str]]]:
    """Return cell, misconception and students of those that were found, the most frequent first."""
    found: dict[tuple[str, str], tuple[str, Misconception, list[str]]] = {}
    for student, record in records.items():
        for one in record.report.explanations:
            if idea := one.misconception:
                mistake = found.setdefault((one.cell, idea.name), (one.cell, idea, []))
                mistake[2].append(student)
    return sorted(found.values(), key=lambda mistake: -len(mistake[2]))


def for_a_human(
    records: Records, standings: Mapping[str, Standing] = NONE
) -> list[tuple[str, list[str]]]:
    """Return the students whose results a human should look at, and why, the urgent ones first.

    `standings` say which cells wait, since a human may have given a mark already.
    """
    by_hand = {cell.grade_id for cell in cells(records) if cell.by_hand}
    urgent, others = list[tuple[str, list[str]]](), list[tuple[str, list[str]]]()
    for student, report in ((name, record.report) for name, record in records.items()):
        marks = [one for one in report.cells if one.grade_id not in by_hand]
        unmarked = ", ".join(mark.cell for mark in marks if mark.score is None)
        verdicts = Counter(check.verdict for check in report.checks)
        tampered = verdicts[Verdict.TAMPERED]
        stopped = [(count, one) for one, count in verdicts.most_common() if one.stopped]
        told = ", ".join(f"{count} {verdict}" for count, verdict in stopped)
        why = [
            f"the file could not be read: {report.refused}" if report.refused else "",
            denials.undecided(report),
            f"without a mark: {unmarked}" if unmarked else "",
            *(standings[student].questions if student in standings else ()),
            f"checks that were tampered with: {tampered}" if tampered else "",
        ]
        many = sum(count for count, _ in stopped) >= SEVERAL
        slow = [f"checks that were stopped: {told}"] if many else []
        if any(why) or slow:
            (urgent if any(why) else others).append((student, [*filter(None, why), *slow]))
    return urgent + others
