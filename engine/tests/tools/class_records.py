"""Make records of classes of any size, without grading: for the tests of what looks back."""

from collections.abc import Mapping, Sequence
from typing import Any

import reports
from nim_course import ASSIGNMENT

from referee.model import (
    Cell,
    CellMark,
    CheckResult,
    Explanation,
    Misconception,
    Record,
    Verdict,
)
from referee.proof import bank


def record(
    student: str, verdicts: Mapping[str, Sequence[str]], most: float = 10.0, **fields: Any
) -> Record:
    """Return a result with these verdicts for the checks of each cell, which share its points."""
    checks, marks = [], []
    for cell, mine in verdicts.items():
        for number, verdict in enumerate(mine, start=1):
            name, share = f"test_{cell}.py::test_{number}", most / len(mine)
            title, points = f"{cell} is right in way {number}", share * (verdict == "pass")
            checks.append(CheckResult(name, cell, title, Verdict(verdict), points, share, ""))
        unclear = "referee-error" in mine or not mine
        score = None if unclear else most * mine.count("pass") / len(mine)
        marks.append(CellMark(f"test_{cell}", cell, score, most, unclear))
    given = ("repairs", "refused", "trouble", "explanations", "costs")
    told = reports.report(
        assignment=ASSIGNMENT.name,
        score=sum(mark.score or 0 for mark in marks),
        max_score=sum(mark.max_score for mark in marks),
        cells=marks,
        checks=checks,
        **{name: fields.pop(name) for name in given if name in fields},
    )
    when = "2026-01-02 03:04:05 UTC"
    return Record(student, "s", "c" * 64, "b", when, fields.pop("cells", []), told, **fields)


def mistaken(cell: str, name: str) -> Explanation:
    """Return the explanation of a cell that behaves like a known mistake."""
    known = Misconception(name, f"a search that {name}", "here", "It must not.", "try")
    return Explanation(cell, known, None)


def of_bank(name: str) -> list[Cell]:
    """Return the cells of a student who has handed in a solution of the bank."""
    (solution,) = bank.read_all(ASSIGNMENT, [name])
    return [Cell(source, f"cell {cell}") for cell, source in solution.sections]
