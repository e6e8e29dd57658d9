"""Put the hidden checks themselves to the test: does the bank get the marks that it must?

Every solution of the bank is judged as a submission would be. A right one must pass every check; a
mistake must be caught by the check that it names, and cost nothing in the cells that it does not
touch; a cheat, of which only the cell that it attacks is checked, must gain nothing.
"""

import contextlib
import itertools
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from referee import intake, workers
from referee.course import Assignment, CourseError
from referee.intake import testcells
from referee.judging import cache, digests, pipeline, session, suspension
from referee.model import Cell, CheckResult, Judged, Limits, Verdict
from referee.proof import bank

SLOW = ("loop", "cheat")  # these may use up their limits, which are shorter
CHECK_CPU_SECONDS = 4.0  # of those; their other limits are as much shorter
SECONDS = [name for name in Limits.__struct_fields__ if name.endswith("_seconds")]


class Finding(msgspec.Struct):
    """A solution of the bank, and what became of its checks: the fields are its JSON.

    `fields` are what its file names, as its weight, `problems` what is not as that says; `lost` is
    the share of its cell's points that it loses, None where not all checks of the cell were asked.
    """

    solution: str
    kind: str
    verdicts: dict[str, Verdict]
    problems: list[str]
    fields: dict[str, str]
    lost: float | None
    checks: list[CheckResult]


class AuditResult(msgspec.Struct):
    """What an audit has found in a notebook's files and bank: the fields are its JSON.

    `faults` are in the files, `gaps` what is not proved, `moved` the verdicts that another secret
    changes. Of so many `mutants` (None if only some solutions were asked for) `survivors` pass
    every check of their cell, each with its lines; the author says whether they are mistakes.
    """

    assignment: str
    solutions: list[Finding]
    faults: list[str]
    gaps: list[str]
    moved: list[str]
    mutants: int | None
    survivors: dict[str, list[str]]

    @property
    def well(self) -> bool:
        """Return whether the checks have done all that they must."""
        amiss = any(one.problems for one in self.solutions)
        return not (self.faults or self.gaps or self.moved or amiss)


class Job(NamedTuple):
    """Some cells, the limits that they run within, and the selection of their checks."""

    cells: list[Cell]
    limits: Limits
    selection: pipeline.Selection


def audit(
    assignment: Assignment,
    solutions: list[bank.Solution],
    limits: Limits,
    processes: int,
    force: bool = False,
) -> Iterator[Finding]:
    """Judge the solutions in parallel; yield a finding for each as it is done.

    Which answers are plain data is decided with the secret of the marks, whichever is tried.
    """
    draw, assignment = assignment.draw, assignment._replace(draw=0)
    assignment = suspension.prepared(assignment, limits)._replace(draw=draw)
    markers = session.markers(assignment)
    by_name = {solution.name: solution for solution in solutions}
    jobs: dict[str, Job] = {}
    for solution in sorted(solutions, key=lambda one: one.kind not in SLOW):
        cells = prepared(assignment, solution, limits, solution.kind == "loop")
        jobs[solution.name] = Job(*cells, pipeline.Selection(select(assignment, solution, markers)))
    points = Counter[str]()  # of the checks of each cell
    for marker in markers.values():
        points[marker["cell"]] += marker["points"]
    for name, checks in judge_all(assignment, jobs, processes, force):
        yield finding(by_name[name], checks, points)


def finding(
    solution: bank.Solution, checks: list[CheckResult], points: Mapping[str, float]
) -> Finding:
    """Return what the checks have said of a solution, and what is wrong with that.

    `points` are those of each cell. Which share of its own a solution loses is known, and held to
    its weight, only where all checks of the cell were asked.
    """
    cell, weight = solution.fields.get("Cell", ""), solution.fields.get("Weight")
    cell_checks = [check for check in checks if check.cell == cell]
    amiss, lost, most = problems(solution, checks), None, sum(one.max_points for one in cell_checks)
    if most and most >= points.get(cell, 0):
        lost = 1 - sum(check.points for check in cell_checks) / most
    if weight is not None and lost is not None:
        least, largest = bank.WEIGHTS[weight]
        fits = round(least, 6) <= round(lost, 6) <= round(largest, 6)
        message = f"loses {lost:.0%} of its cell; a {weight} loses {least:.0%} to {largest:.0%}"
        if fits == ("Exception" in solution.fields):
            amiss.append(f"{message}, and so it needs no 'Exception'" if fits else message)
    verdicts = {check.id: check.verdict for check in checks}
    return Finding(solution.name, solution.kind, verdicts, amiss, solution.fields, lost, checks)


def judge_all(
    assignment: Assignment, jobs: Mapping[str, Job], processes: int, force: bool = False
) -> Iterator[tuple[str, list[CheckResult]]]:
    """Yield what each job's checks say, as it is done.

    What is stored is not judged again, unless by `force`; what is new is stored.
    """
    return each(_judge, (assignment, digests.keys(assignment), force), jobs, processes)


def _judge(shared: tuple[Assignment, digests.Keys, bool], job: Job) -> list[CheckResult]:
    """Do a job in a worker; return the results of its selected checks, and of test cells."""
    assignment, keys, force = shared
    work = digests.work(assignment, keys, job.cells, job.limits)
    previous = Judged() if force else cache.get(assignment.root, work, keys)
    judged = pipeline.judge(assignment, job.cells, job.limits, previous, job.selection)
    if judged is not previous and digests.keys(assignment) == keys:  # nobody has edited the course
        cache.put(assignment.root, work, judged, keys)
    return [
        result
        for check, results in judged.checks.items()
        if check in job.selection.checks or "::" not in check
        for result in results
    ]


def each(
    function: Callable[[Any, Any], Any], shared: Any, jobs: Mapping[str, Any], processes: int
) -> Iterator[tuple[str, Any]]:
    """Yield what `function(shared, job)` says of each job, as it is done; workers are asked."""
    if not jobs:
        return
    answers = workers.run(function, shared, jobs.items(), min(processes, len(jobs)))
    with contextlib.closing(answers):
        for name, answer in answers:
            if isinstance(answer, Exception):
                raise answer
            if isinstance(answer, workers.Lost):
                raise RuntimeError(f"{name} has ended the worker that judged it")
            yield name, answer


def problems(solution: bank.Solution, checks: list[CheckResult]) -> list[str]:
    """Return what is wrong with the verdicts on a solution, a line each."""
    errors = [f"our own check failed: {c.id}" for c in checks if c.verdict is Verdict.REFEREE_ERROR]
    passes = [c for c in checks if c.verdict is Verdict.PASS]
    others = [c for c in checks if c.verdict is not Verdict.PASS]
    if solution.kind == "right":
        return errors + [f"false alarm: {c.id}: {c.message}" for c in others]
    cell, names = solution.fields.get("Cell"), solution.names("Caught by")
    if cell is None or not names:
        return [*errors, "its docstring does not say `Cell: ...` and `Caught by: ...`"]
    survives = []
    for name in names:
        verdicts = [c.verdict for c in checks if c.cell == cell and c.id.endswith(f"::{name}")]
        if not verdicts:
            why = f"as there is no check {name} for the cell {cell}; write or name one"
            survives.append(f"survives, {why}")
        elif verdicts[0] in (Verdict.PASS, Verdict.NOT_RUN, Verdict.REFEREE_ERROR):
            survives.append(f"survives {name}, which says {verdicts[0]}")
    if solution.kind == "cheat":
        amiss = [f"gains points: {c.id}" for c in passes if c.cell == cell]
    else:
        cells = {*_cells_of(solution), *solution.names("Needed by")}
        where = "in a cell that it does not touch, nor names in `Needed by`"
        amiss = [f"loses points {where}: {c.id}" for c in others if c.cell not in cells]
    return [*errors, *survives, *amiss]


def _cells_of(solution: bank.Solution) -> set[str]:
    """Return the cells that a solution fills, or leaves blank."""
    return {section.removesuffix(bank.BLANK) for section, _ in solution.sections}


def select(
    assignment: Assignment, solution: bank.Solution, markers: Mapping[str, Mapping[str, Any]]
) -> frozenset[str]:
    """Return the checks that are asked: of a cheat those of the cell that it names.

    Of any other solution those of the cells that it touches are. In cells that it leaves to the
    reference right ones are asked the checks that are not long, and so is one mistake in four. But
    where a table stands for games that were not played, a mistake is asked nothing: the table tells
    how right players do. A loop is asked everything else: it costs nothing there. With another
    secret each is asked what draws, in its own cells; loops and cheats nothing.
    """
    cells, stand_ins = _cells_of(solution), bank.tables(assignment).keys()
    right, loop = solution.kind == "right", solution.kind == "loop"
    widely = right or loop or zlib.crc32(solution.name.encode()) % 4 == 0
    names = set[str]()
    for name, marker in markers.items():
        cell, asked = marker["cell"], marker["cell"] in cells
        if assignment.draw:
            asked = asked and marker["draws"] and solution.kind not in SLOW
        elif solution.kind == "cheat":
            asked = cell == solution.fields.get("Cell")
        elif right or cell not in stand_ins:
            asked = asked or (widely and (loop or "cpu_factor" not in marker))
        if asked:
            names.add(name)
    return frozenset(names)


def drawing(assignment: Assignment, solutions: list[bank.Solution]) -> list[bank.Solution]:
    """Return the solutions that are asked something with another secret."""
    other, markers = assignment._replace(draw=1), session.markers(assignment)
    return [one for one in solutions if select(other, one, markers)]


def prepared(
    assignment: Assignment, solution: bank.Solution, limits: Limits, played: bool = False
) -> tuple[list[Cell], Limits]:
    """Return the cells of a solution, and its limits; games for tables need not be `played`."""
    if solution.kind in SLOW:
        share = min(1.0, CHECK_CPU_SECONDS / limits.check_cpu_seconds)
        limits = msgspec.structs.replace(
            limits, **{name: share * getattr(limits, name) for name in SECONDS}
        )
    tables = bank.tables(assignment, played)
    data = json.dumps(bank.notebook(solution, assignment, tables)).encode()
    accepted = intake.accept_file(assignment, data)
    if accepted.repairs or accepted.refused:
        reason = accepted.refused or "; ".join(accepted.repairs)
        raise CourseError(f"{solution.file}: its notebook is not taken in as it is: {reason}")
    return accepted.cells, limits


def gaps(assignment: Assignment, limits: Limits) -> list[str]:
    """Return what cannot be proved: checks that the reference fails, cells without mistakes.

    A check that the released notebook passes shows nothing. No bank is asked for where only test
    cells decide.
    """
    solutions = bank.read_all(assignment)
    asserts = {testcells.short(name) for name in testcells.tests(assignment)}
    cells = [one for one in suspension.graded(assignment) if solutions or one not in asserts]
    failures = suspension.prepared(assignment, limits).answers.suspended
    wrong = {one.fields.get("Cell") for one in solutions if one.kind != "right"}
    right = any(one.kind == "right" for one in solutions)
    return [
        *(f"the reference solution does not pass {name}: {why}" for name, why in failures.items()),
        *suspension.for_nothing(assignment, limits),
        *([] if right or not cells else [f"there is no right solution in {assignment.bank}/right"]),
        *(
            f"there is no wrong solution for the cell {cell} in {assignment.bank / 'wrong'}"
            for cell in cells
            if cell not in wrong
        ),
    ]


def moved(rounds: list[list[Finding]]) -> list[str]:
    """Return the checks that some draws let a solution pass and others do not, in a line each."""
    passes: dict[tuple[str, str], list[bool]] = {}
    for finding in itertools.chain.from_iterable(rounds):
        for check, verdict in finding.verdicts.items():
            passes.setdefault((finding.solution, check), []).append(verdict is Verdict.PASS)
    return [
        f"{name} passes {check} with {sum(flags)} of {len(flags)} secrets"
        for (name, check), flags in sorted(passes.items())
        if len(set(flags)) > 1
    ]
