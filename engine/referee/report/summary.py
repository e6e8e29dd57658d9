"""Summarise the results of a class: marks, checks, misconceptions, notable students.

Numbers and words only; reads no files, draws nothing, gives no marks.
"""

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.judging import denials, testcells
from referee.marks.standings import NONE, Standing
from referee.model import CellMark, CheckResult, Record, Report, Verdict

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
        """Return ranges of marks, and how many students are in each; full marks stand alone.

        >>> CellSummary("f", "f", 20, [0, 5, 20], 0, False).bars[:3]
        [('0–1', 1), ('2–3', 0), ('4–5', 1)]
        """
        if self.max_score <= 0:
            return []
        width = max(1, math.ceil(self.max_score / BARS))
        whole = all(float(score).is_integer() for score in (*self.scores, self.max_score))
        found = []
        for low in range(0, math.ceil(self.max_score), width):
            high = min(low + width, self.max_score)
            last = high - (1 if whole else 0.1)
            label = f"{low:g}" if last <= low else f"{low:g}–{last:g}"
            found.append((label, sum(low <= score < high for score in self.scores)))
        return [*found, (f"{self.max_score:g}", sum(s >= self.max_score for s in self.scores))]


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


class Mistake(NamedTuple):
    """A misconception of some students; `rule` is what it breaks."""

    cell: str
    name: str
    behaves_like: str
    rule: str
    students: list[str]


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
    """Return the summary of each check, over the submissions that could be read."""
    by_check: dict[str, list[tuple[CheckResult, Report]]] = {}
    for report in (one.report for one in records.values() if not one.report.refused):
        for check in report.checks:
            by_check.setdefault(check.id, []).append((check, report))
    return [_check(results) for results in by_check.values()]


def _check(results: list[tuple[CheckResult, Report]]) -> CheckSummary:
    """Sum up one check from its results; an error of ours is no result."""
    first = results[0][0]
    judged = [(check, report) for check, report in results if not check.verdict.open]
    passed = [float(check.verdict is Verdict.PASS) for check, _ in judged]
    rest = [report.score - points(report)[check.id] for check, report in judged]
    verdicts = Counter(check.verdict for check, _ in results)
    return CheckSummary(
        first.id,
        first.cell,
        first.title,
        statistics.fmean(passed) if passed else None,
        correlation(passed, rest),
        [item for item in verdicts.most_common() if item[0] is not Verdict.PASS],
    )


def points(report: Report) -> dict[str, float]:
    """Return the points of each check, as its share of the cell's points in the notebook."""
    scored = {mark.cell: mark.max_score for mark in report.cells if mark.score is not None}
    totals: dict[str, float] = {}
    for check in report.checks:
        totals[check.cell] = totals.get(check.cell, 0) + check.max_points
    return {
        check.id: scored.get(check.cell, 0) * check.points / (totals[check.cell] or 1)
        for check in report.checks
    }


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


def mistakes(records: Records) -> list[Mistake]:
    """Return the misconceptions that were found, the most frequent first."""
    by_name: dict[tuple[str, str], Mistake] = {}
    for student, record in records.items():
        for explanation in record.report.explanations:
            if idea := explanation.misconception:
                key = (explanation.cell, idea.name)
                first = Mistake(*key, idea.behaves_like, idea.principle, [])
                by_name.setdefault(key, first).students.append(student)
    return sorted(by_name.values(), key=lambda mistake: -len(mistake.students))


def unnamed(records: Records) -> list[str]:
    """Return the students with a wrong example and no known misconception."""
    return [
        student
        for student, record in records.items()
        if any(one.misconception is None for one in record.report.explanations)
    ]


def for_a_human(
    records: Records, standings: Mapping[str, Standing] = NONE
) -> list[tuple[str, list[str]]]:
    """Return the students whose results a human should look at, and why, the urgent ones first.

    `standings` say which cells wait, since a human may have given a mark already.
    """
    by_hand = {cell.grade_id for cell in cells(records) if cell.by_hand}
    urgent, others = list[tuple[str, list[str]]](), list[tuple[str, list[str]]]()
    for student, report in ((name, record.report) for name, record in records.items()):
        why = [f"the file could not be read: {report.refused}"] if report.refused else []
        why += filter(None, [denials.undecided(report)])
        marks = {mark.cell: mark for mark in report.cells if mark.grade_id not in by_hand}
        if unmarked := [cell for cell, mark in marks.items() if mark.score is None]:
            why.append(f"without a mark: {', '.join(unmarked)}")
        if student in standings:
            why += standings[student].questions
        else:
            why += [text for cell, text in report.waits.items() if cell not in by_hand]
        if count := sum(check.verdict is Verdict.TAMPERED for check in report.checks):
            why.append(f"checks that were tampered with: {count}")
        verdicts = Counter(check.verdict for check in report.checks if check.verdict.stopped)
        stopped = [f"{count} {verdict}" for verdict, count in verdicts.most_common()]
        slow = [f"checks that were stopped: {', '.join(stopped)}"]
        slow = slow if verdicts.total() >= SEVERAL else []
        if why or slow:
            (urgent if why else others).append((student, why + slow))
    return urgent + others


def notes(report: Report) -> str:
    """Return short notes on anything unusual."""
    if report.refused is not None:
        return "unreadable"
    verdicts = {check.verdict for check in report.checks if not check.unwritten}
    words: list[str] = sorted(verdict for verdict in verdicts if not verdict.usual)
    if any(check.unwritten for check in report.checks):
        words.append("unfinished")
    if any("stopped" in failure for failure in report.failures):
        words.append("a cell was stopped")
    if any(failure.endswith(testcells.CHANGING) for failure in report.failures):
        words.append("a library was changed")
    if report.repairs:
        count = len(report.repairs)
        words.append("1 repair" if count == 1 else f"{count} repairs")
    return ", ".join(words)
