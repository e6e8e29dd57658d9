"""Compute the difficulty and the discrimination of each check (classical test theory).

Numbers only.
"""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.model import CheckResult, Cost, Report, Verdict
from referee.report.summary import Records

FEWEST = 3  # students of whom a correlation says anything
DIGITS = 6  # what differs less than this is the same


class CheckSummary(NamedTuple):
    """A check: how often it passed, its correlation with the other marks, and its CPU time.

    `discrimination` is None where it is undefined.
    """

    id: str
    cell: str
    title: str
    verdicts: Counter[Verdict]
    pass_rate: float | None
    discrimination: float | None
    median_seconds: float
    most_seconds: float
    slowest: str

    @property
    def failures(self) -> list[tuple[Verdict, int]]:
        """Return the verdicts other than pass, the most frequent first."""
        return [item for item in self.verdicts.most_common() if item[0] is not Verdict.PASS]


def checks(records: Records) -> list[CheckSummary]:
    """Return the summary of each check, over the submissions that could be read."""
    readable = {name: record for name, record in records.items() if not record.report.refused}
    by_check: dict[str, dict[str, CheckResult]] = {}
    worth = {name: points(record.report) for name, record in readable.items()}
    for student, record in readable.items():
        for check in record.report.checks:
            by_check.setdefault(check.id, {})[student] = check
    return [_check(results, readable, worth) for results in by_check.values()]


def _check(
    results: dict[str, CheckResult],
    records: Records,
    worth: Mapping[str, Mapping[str, float]],
) -> CheckSummary:
    """Sum up one check from its results by student; an error of ours is no result."""
    first = next(iter(results.values()))
    judged = [name for name, check in results.items() if not check.verdict.open]
    passed = [float(results[name].verdict is Verdict.PASS) for name in judged]
    rest = [records[name].report.score - worth[name][first.id] for name in judged]
    seconds = {
        name: records[name].report.costs.get(first.id, Cost()).cpu_seconds for name in results
    }
    slowest = max(seconds, key=lambda name: seconds[name])
    return CheckSummary(
        first.id,
        first.cell,
        first.title,
        Counter(check.verdict for check in results.values()),
        statistics.fmean(passed) if passed else None,
        correlation(passed, rest),
        statistics.median(seconds.values()),
        seconds[slowest],
        slowest,
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
