"""Put the hidden checks themselves to the test: does the bank get the marks that it must?

Every solution of the bank is judged as a submission would be. A right one must pass every check; a
mistake must be caught by the check that it names, and cost nothing in the cells that it does not
touch; a cheat, of which only the cell that it attacks is checked, must gain nothing.
"""

import functools
import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from referee import cluster, intake
from referee.course import Assignment, CourseError
from referee.judging import hooks, judge
from referee.judging.host import Host
from referee.model import Cell, CheckResult, Limits, Verdict
from referee.proof import bank
from referee.sandbox import zygote
from referee.sandbox.student import Submission

SLOW = ("loop", "cheat")  # these may use up their limits, which are shorter
LOOP_CPU_SECONDS = 0.7
LOOP_WALL_SECONDS = 20.0

Setting = tuple[Assignment, Limits]


class Finding(NamedTuple):
    """A solution, what became of it, and what is wrong with that."""

    solution: bank.Solution
    checks: list[CheckResult]
    problems: list[str]


Row = tuple[Finding, list[Verdict | None]]


def audit(
    assignment: Assignment,
    solutions: list[bank.Solution],
    limits: Limits,
    processes: int,
    brief: bool = False,
) -> Iterator[Finding]:
    """Judge the solutions in parallel; yield a finding for each as it is done.

    A `brief` audit asks mistakes nothing but the checks that must catch them, and one in four all
    that are not long; and three right ones in four nothing in the cells that they do not touch.
    """
    slow_first = sorted(solutions, key=lambda s: s.kind not in SLOW)
    judging = functools.partial(_judge, brief)
    for solution, checks in each(judging, assignment, slow_first, limits, processes):
        yield Finding(solution, checks, problems(solution, checks))


def problems(solution: bank.Solution, checks: list[CheckResult]) -> list[str]:
    """Return what the verdicts on a solution should not have been."""
    ours = [f"our own check failed: {c.id}" for c in checks if c.verdict is Verdict.REFEREE_ERROR]
    passed = [c for c in checks if c.verdict is Verdict.PASS]
    others = [c for c in checks if c.verdict is not Verdict.PASS]
    if solution.kind == "right":
        return ours + [f"false alarm: {c.id}: {c.message}" for c in others]
    cell, names = _named(solution)
    if cell is None or not names:
        return [*ours, "its docstring does not say `Cell: ...` and `Caught by: ...`"]
    survives = [_survival(name, cell, checks) for name in names]
    if solution.kind == "cheat":
        amiss = [f"gains points: {c.id}" for c in passed if c.cell == cell]
    else:
        touched, where = _touched(solution), "in a cell that it does not touch"
        amiss = [f"loses points {where}: {c.id}" for c in others if c.cell not in touched]
    return [*ours, *filter(None, survives), *amiss]


def _survival(name: str, cell: str, checks: list[CheckResult]) -> str:
    """Return how a solution survives the check that must catch it, or nothing if it does not."""
    named = [c for c in checks if c.cell == cell and c.id.endswith(f"::{name}")]
    if not named:
        return f"survives, as there is no check {name} for the cell {cell}"
    return "" if named[0].verdict.lost else f"survives {name}, which says {named[0].verdict}"


def _touched(solution: bank.Solution) -> set[str]:
    """Return the cells that a solution fills, or leaves blank."""
    return {section.removesuffix(bank.BLANK) for section, _ in solution.sections}


def _named(solution: bank.Solution) -> tuple[str | None, list[str]]:
    names = solution.fields.get("Caught by", "").replace(",", " ").split()
    return solution.fields.get("Cell"), names


def each(
    function: Callable[[Any, Any], Any],
    assignment: Assignment,
    solutions: list[bank.Solution],
    limits: Limits,
    processes: int,
) -> Iterator[tuple[bank.Solution, Any]]:
    """Yield what a function says of each solution, as it is done; it is asked in a worker."""
    named = {solution.name: solution for solution in solutions}
    with cluster.connected(processes) as client:
        for name, answer in cluster.run(client, function, (assignment, limits), named.items()):
            if isinstance(answer, Exception):
                raise answer
            if isinstance(answer, cluster.Lost):
                raise RuntimeError(f"{name} has ended the worker that judged it")
            yield named[name], answer


def _judge(brief: bool, setting: Setting, solution: bank.Solution) -> list[CheckResult]:
    """Judge a solution in a worker process."""
    assignment, limits = setting
    with running(assignment, solution, limits) as submission:
        host = Host(submission, student=assignment.student)
        return judge.run_checks(assignment, host, lambda item: _asked(solution, item, brief))


def _asked(solution: bank.Solution, item: Any, brief: bool) -> bool:
    """Return whether a check is asked: of a cheat those of the cell that it attacks.

    Of any other solution those of the cells that it touches are. In cells that it leaves to the
    reference right ones are asked the checks that are not long, and so is one mistake in four.
    """
    marker = hooks.told(item)
    cell, right, short = marker.get("cell"), solution.kind == "right", "cpu_seconds" not in marker
    named_cell, names = _named(solution)
    if solution.kind == "cheat":
        return bool(cell == named_cell)
    touched = cell in _touched(solution)
    one_in_four = zlib.crc32(solution.name.encode()) % 4 == 0
    if brief and not right:
        needed = bool(cell == named_cell) and hooks.is_needed(item, names)
        return needed or (short and one_in_four)
    return touched or (short and (one_in_four or (right and not brief)))


def running(assignment: Assignment, solution: bank.Solution, limits: Limits) -> Submission:
    """Run the cells of a solution in this worker."""
    cells, limits = _prepared(assignment, solution, limits)
    warm = zygote.warm(limits, assignment.subject)
    return Submission(warm, cells, assignment.support, limits)


def _prepared(
    assignment: Assignment, solution: bank.Solution, limits: Limits
) -> tuple[list[Cell], Limits]:
    """Return the cells of a solution, its games for tables not played, and its limits."""
    if solution.kind in SLOW:
        limits = msgspec.structs.replace(
            limits,
            check_cpu_seconds=LOOP_CPU_SECONDS,
            cell_cpu_seconds=LOOP_CPU_SECONDS,
            check_wall_seconds=LOOP_WALL_SECONDS,
            cell_wall_seconds=LOOP_WALL_SECONDS,
        )
    data = json.dumps(bank.notebook(solution, assignment, bank.tables(assignment))).encode()
    return intake.accept_file(assignment, data).cells, limits


def matrix(findings: list[Finding]) -> tuple[list[str], list[Row]]:
    """Return the ids of all checks, file by file, and for each finding its verdicts in that order.

    The verdict of a check that was not asked is None.
    """
    longest_first = sorted((finding.checks for finding in findings), key=len, reverse=True)
    in_order = dict.fromkeys(check.id for checks in longest_first for check in checks)
    ids = sorted(in_order, key=lambda name: name.partition("::")[0])
    rows: list[Row] = []
    for finding in findings:
        verdicts = {check.id: check.verdict for check in finding.checks}
        rows.append((finding, [verdicts.get(name) for name in ids]))
    return ids, rows


def solutions_in(assignment: Assignment, names: list[str]) -> list[bank.Solution]:
    """Return the solutions of these names, all of them when there is none."""
    solutions = bank.read_all(assignment)
    unknown = sorted(set(names) - {solution.name for solution in solutions})
    if unknown:
        raise CourseError(
            f"there is no solution {unknown[0]} in {assignment.bank}; a name is a folder and a "
            "file without its ending, as wrong/never_cuts"
        )
    return [solution for solution in solutions if not names or solution.name in names]
