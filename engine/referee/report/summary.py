"""Summarise the results of a class: marks, misconceptions, repairs, effort, notable students.

Numbers and words only; reads no files, draws nothing, gives no marks.
"""

import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from referee.judging import denials, testcells
from referee.model import CellMark, Cost, Record, Report, Verdict

SEVERAL = 3  # checks that are stopped before a human should look

Records = Mapping[str, Record]  # by student


class Spread(NamedTuple):
    """The mean, median and quartiles of some values."""

    mean: float
    lower: float
    median: float
    upper: float


class CellSummary(NamedTuple):
    """A graded cell: its points, and the marks it got; `waiting` is how many have none yet."""

    grade_id: str
    name: str
    max_score: float
    scores: list[float]
    waiting: int
    by_hand: bool

    @property
    def spread(self) -> Spread | None:
        """Return mean, median and quartiles of its marks."""
        return spread(self.scores)


class Mistake(NamedTuple):
    """A misconception of some students; `rule` is what it breaks."""

    cell: str
    name: str
    behaves_like: str
    rule: str
    students: list[str]


class StudentSummary(NamedTuple):
    """A row of the class: the marks by `grade_id`, the sum, the effort, and what is notable."""

    name: str
    marks: dict[str, float | None]
    total: float
    seconds_late: float
    cpu_seconds: float
    calls: int
    notes: str


def spread(values: Sequence[float]) -> Spread | None:
    """Return mean, median and quartiles, or None of nothing."""
    if not values:
        return None
    if len(values) == 1:
        return Spread(*[float(values[0])] * 4)
    quarters = statistics.quantiles(values, method="inclusive")
    return Spread(statistics.fmean(values), *quarters)


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


def repairs(records: Records) -> list[tuple[str, list[str]]]:
    """Return the repairs of files with their students, the most frequent first."""
    whose: dict[str, list[str]] = {}
    for student, record in records.items():
        for repair in dict.fromkeys(record.report.repairs):
            whose.setdefault(repair, []).append(student)
    return sorted(whose.items(), key=lambda item: -len(item[1]))


def students(records: Records) -> list[StudentSummary]:
    """Return a row for each student."""
    return [
        StudentSummary(
            student,
            record.report.scores,
            record.report.score,
            record.seconds_late,
            record.report.costs.get("", Cost()).cpu_seconds,
            sum(cost.calls for cost in record.report.costs.values()),
            notes(record.report),
        )
        for student, record in records.items()
    ]


def for_a_human(records: Records) -> list[tuple[str, list[str]]]:
    """Return the students whose results a human should look at, and why, the urgent ones first."""
    by_hand = {cell.grade_id for cell in cells(records) if cell.by_hand}
    urgent, others = [], []
    for student, record in records.items():
        wrong, slow = _out_of_order(record.report, by_hand), _stopped(record.report)
        if wrong:
            urgent.append((student, wrong + slow))
        elif slow:
            others.append((student, slow))
    return urgent + others


def _out_of_order(report: Report, by_hand: Collection[str]) -> list[str]:
    """Return the reasons why a human should look before a mark is given."""
    why = []
    if report.refused is not None:
        why.append(f"the file could not be read: {report.refused}")
    if said := denials.undecided(report):
        why.append(said)
    if unmarked := [m.cell for m in report.cells if m.score is None and m.grade_id not in by_hand]:
        why.append(f"without a mark: {', '.join(unmarked)}")
    why += [text for cell, text in report.waits.items() if cell not in by_hand]
    if count := sum(check.verdict is Verdict.TAMPERED for check in report.checks):
        why.append(f"checks that were tampered with: {count}")
    return why


def _stopped(report: Report) -> list[str]:
    """Return the numbers of stopped checks by verdict, if there are several."""
    verdicts = Counter(check.verdict for check in report.checks if check.verdict.stopped)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    return [f"checks that were stopped: {counts}"] if verdicts.total() >= SEVERAL else []


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
