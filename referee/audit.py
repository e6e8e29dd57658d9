"""Put the hidden checks themselves to the test: does the bank get the marks that it must?

Every solution of the bank is judged as a submission would be. A right one must pass every check; a
mistake must be caught by the check that it names, and cost nothing in the cells that it does not
touch; a cheat must gain nothing. Imported by `cli`.
"""

import functools
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import NamedTuple

import msgspec

from referee import bank, intake, judge
from referee.course import Assignment
from referee.plugin import CheckResult
from referee.sandbox import Zygote
from referee.submission import Limits

CAUGHT = ("wrong", "error", "timeout", "work-limit", "memory", "killed", "tampered")
LOOP_CPU_SECONDS = 2.0


class Finding(NamedTuple):
    """A solution, what became of it, and what is wrong with that."""

    solution: bank.Solution
    checks: list[CheckResult]
    problems: list[str]


def audit(
    assignment: Assignment, solutions: list[bank.Solution], limits: Limits, workers: int
) -> Iterator[Finding]:
    """Judge the solutions in parallel; yield a finding for each as it is done."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_judge, assignment, s, limits): s for s in solutions}
        for done in as_completed(waiting):
            solution, checks = waiting[done], done.result()
            yield Finding(solution, checks, problems(solution, checks))


def problems(solution: bank.Solution, checks: list[CheckResult]) -> list[str]:
    """Return what the verdicts on a solution should not have been."""
    found = [f"our own check failed: {c.id}" for c in checks if c.verdict == "referee-error"]
    if solution.kind == "right":
        return found + [f"false alarm: {c.id}: {c.message}" for c in checks if c.verdict != "pass"]
    cell, names = _named(solution)
    if cell is None or not names:
        return [*found, "its docstring does not say `Cell: ...` and `Caught by: ...`"]
    for name in names:
        caught = [c for c in checks if c.cell == cell and c.id.endswith(f"::{name}")]
        if not caught:
            found.append(f"there is no check {name} for the cell {cell}")
        elif caught[0].verdict not in CAUGHT:
            found.append(f"survives {name}, which says {caught[0].verdict}")
    touched = {section.removesuffix(bank.BLANK) for section, _ in solution.sections}
    elsewhere = [c.id for c in checks if c.verdict != "pass" and c.cell not in touched]
    return found + [f"loses points in a cell that it does not touch: {name}" for name in elsewhere]


def _named(solution: bank.Solution) -> tuple[str | None, list[str]]:
    names = solution.fields.get("Caught by", "").replace(",", " ").split()
    return solution.fields.get("Cell"), names


def _judge(assignment: Assignment, solution: bank.Solution, limits: Limits) -> list[CheckResult]:
    """Judge a solution in a worker process; its games for tables are not played."""
    if solution.kind == "loop":
        limits = msgspec.structs.replace(
            limits, check_cpu_seconds=LOOP_CPU_SECONDS, cell_cpu_seconds=LOOP_CPU_SECONDS
        )
    instead = bank.tables(assignment)
    data = json.dumps(bank.notebook(solution, assignment, instead)).encode()
    accepted = intake.read(data, intake.parse(assignment.release.read_bytes()))
    cells = intake.code_cells(accepted.notebook)
    return judge.judge(assignment, cells, _zygote(limits.memory_bytes), limits).checks


@functools.cache
def _zygote(memory_bytes: int) -> Zygote:
    """Return this worker's warm process; it ends with the worker."""
    return Zygote(memory_bytes)


def matrix(findings: list[Finding]) -> tuple[list[str], list[tuple[Finding, list[str]]]]:
    """Return the ids of all checks, and for each finding its verdicts in that order."""
    ids = [check.id for check in findings[0].checks] if findings else []
    rows = []
    for finding in findings:
        verdicts = {check.id: check.verdict for check in finding.checks}
        rows.append((finding, [verdicts[name] for name in ids]))
    return ids, rows


def solutions_in(assignment: Assignment, names: list[str]) -> list[bank.Solution]:
    """Return the solutions whose names are given, all of them when none is."""
    found = bank.read_all(assignment)
    unknown = set(names) - {solution.name for solution in found}
    if unknown:
        raise FileNotFoundError(f"no solution {sorted(unknown)[0]} in bank/{assignment.name}")
    return [solution for solution in found if not names or solution.name in names]
