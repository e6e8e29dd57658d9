"""Judge one notebook: run its cells, run the hidden checks on what they define, add up the points.

Knows neither nbgrader nor the class. A mark depends only on the notebook, the course and the seed.
"""

from collections import defaultdict
from collections.abc import Iterator, Set
from typing import Any, NamedTuple

import msgspec

from referee import intake
from referee.course import Assignment
from referee.judging import cache, digests, session, testcells
from referee.judging.plugin import Host
from referee.model import (
    Cell,
    CellMark,
    CheckResult,
    Explanation,
    Judged,
    Limits,
    Report,
    Verdict,
)
from referee.sandbox.outside.server import warm
from referee.sandbox.outside.submission import Submission

SUSPENDED = "The reference solution does not pass this check."


class Selection(NamedTuple):
    """The checks to run, as `file.py::test_name`: all of them, or up to the first lost one."""

    checks: frozenset[str]
    to_first_lost: bool = False


def judge_file(
    assignment: Assignment, accepted: intake.Intake, limits: Limits, previous: Judged | None = None
) -> tuple[Judged, Report]:
    """Judge the submitted files and add up the points: the one way from a file to a report.

    Results in `previous` are not judged again. If it is None, they are looked up in this machine's
    store, and new results are stored there.
    """
    assignment = with_files(assignment, accepted, limits)
    if previous is None:
        judged = judge_or_look_up(assignment, accepted.cells, limits)
    else:
        judged = judge(assignment, accepted.cells, limits, previous)
    return judged, report(assignment, accepted, judged)


def with_files(assignment: Assignment, accepted: intake.Intake, limits: Limits) -> Assignment:
    """Return the assignment with the files beside a submission, unless they leave it no room."""
    task = assignment._replace(beside=accepted.beside)
    small = not task.beside or sum(map(len, task.support.values())) <= limits.folder_bytes
    return task if small else assignment


def judge_or_look_up(assignment: Assignment, cells: list[Cell], limits: Limits) -> Judged:
    """Judge some cells; stored results are not judged again."""
    keys = digests.keys(assignment)
    work = digests.work(assignment, keys, cells, limits)
    previous = cache.get(assignment.root, work, keys)
    judged = judge(assignment, cells, limits, previous)
    if judged is not previous and digests.keys(assignment) == keys:  # nobody has edited the course
        cache.put(assignment.root, work, judged, keys)
    return judged


def judge(
    assignment: Assignment,
    cells: list[Cell],
    limits: Limits,
    previous: Judged | None = None,
    selection: Selection | None = None,
) -> Judged:
    """Run a notebook's cells and the hidden checks on what they define; explain what failed.

    Results in `previous` are not judged again. No student code runs if nothing is left to do. With
    a `selection` only its checks run, without explanations.
    """
    judged = previous = previous or Judged()
    checks = digests.checks(assignment)
    todo = to_run(checks.keys(), previous, selection)
    explaining, first = selection is None, selection is not None and selection.to_first_lost
    if previous.runs is None or todo or (explaining and previous.unexplained):
        is_reference = assignment.answers.data == ()
        server = warm(limits, assignment.subject)
        with Submission(server, cells, assignment.support, limits) as submission:
            host = Host(assignment, submission, previous.results)
            if todo and not first:
                session.run_checks(assignment, host, todo)
            for name in checks if first else ():
                if name in todo:
                    results = session.run_checks(assignment, host, {name})
                    outcomes = (one for one in results if digests.of_check(one.id) == name)
                    if any(one.verdict.lost for one in outcomes):
                        break
            names = previous.checks.keys() | (set() if first else todo)
            by_check: dict[str, list[CheckResult]] = {name: [] for name in names}  # or has none
            for result in host.results.values():
                by_check.setdefault(digests.of_check(result.id), []).append(result)
            judged = Judged(
                checks={name: by_check[name] for name in checks if name in by_check},
                runs=submission.runs,
                explained=dict(previous.explained),
                isolation=submission.layers,
                seen=previous.seen | host.seen if is_reference else {},
            )
            explain = assignment.subject.explain
            for cell in judged.unexplained if explaining else []:
                try:
                    answer = explain and explain(assignment.name, cell, submission.student)
                except Exception as error:  # of the course's own code
                    answer = Explanation(cell, trouble=f"{cell}: {type(error).__name__}: {error}")
                judged.explained[cell] = answer or Explanation(cell)
            judged.costs = previous.costs | {"": submission.cost} | host.costs  # after all calls
    judged.checks |= testcells.results(cells, judged.runs or [])
    return judged


def to_run(checks: Set[str], previous: Judged, selection: Selection | None) -> set[str]:
    """Return those of all checks, or of a selection, that are still to be run."""
    ids = {*checks} if selection is None else checks & selection.checks
    lost = any(one.verdict.lost for name in ids for one in previous.checks.get(name, []))
    return set() if lost and selection and selection.to_first_lost else ids - previous.checks.keys()


# --- points --------------------------------------------------------------------------------------


def report(assignment: Assignment, accepted: intake.Intake, judged: Judged) -> Report:
    """Add up the points of a judged notebook."""
    checks = as_they_count(assignment, judged, accepted.refused)
    explanations = judged.explained.values() if accepted.refused is None else []
    graded = [
        cell.metadata.nbgrader
        for cell in accepted.notebook.cells
        if cell.metadata.get("nbgrader", {}).get("points") is not None
    ]
    by_hand = {data.grade_id for data in graded if data.get("task") or data.get("solution")}
    marks = [_mark(data, data.grade_id in by_hand, checks) for data in graded]
    automatic_marks = [mark for mark in marks if mark.grade_id not in by_hand]
    return Report(
        assignment=assignment.key,
        score=sum(mark.score or 0 for mark in automatic_marks),
        max_score=sum(mark.max_score for mark in automatic_marks),
        cells=marks,
        checks=list(_in_points(checks, marks)),
        repairs=accepted.repairs,
        explanations=[one for one in explanations if one.misconception or one.example],
        trouble=[one.trouble for one in explanations if one.trouble],
        isolation=judged.isolation,
        costs=judged.costs,
        failures=list(_failures(accepted, judged)),
        refused=accepted.refused,
    )


def as_they_count(assignment: Assignment, judged: Judged, refused: str | None) -> list[CheckResult]:
    """Return the results: suspended ones count for nobody, and a file that was refused is not run.

    `refused` is why the file could not be read, None if it could.
    """
    checks, suspended = judged.results, assignment.answers.suspended
    for place, check in enumerate(checks):
        if check.id in suspended:
            checks[place] = msgspec.structs.replace(
                check, verdict=Verdict.REFEREE_ERROR, points=0, message=SUSPENDED, hint="",
                details=suspended[check.id],
            )  # fmt: skip
    if refused is None:
        return checks
    why = f"The file could not be read: {refused}."
    return [
        msgspec.structs.replace(check, verdict=Verdict.NOT_RUN, points=0, message=why, hint="")
        for check in checks
    ]


def _failures(accepted: intake.Intake, judged: Judged) -> Iterator[str]:
    """Yield a line for each cell that ended in an error, or has changed a library."""
    cells, pages = accepted.cells, intake.runnable(accepted.notebook, accepted.tests)
    changing = testcells.changing(cells)
    for (_, page), cell, run in zip(pages, cells, judged.runs or [], strict=True):
        if run.error:
            yield f"{cell.label}: {run.error}"
        if cell.label in changing and not page.metadata.get("nbgrader", {}).get("locked"):
            yield f"{cell.label}: {testcells.CHANGING}"


def _in_points(checks: list[CheckResult], marks: list[CellMark]) -> Iterator[CheckResult]:
    """Yield the checks with their shares of the most points of their cells, as marks have them."""
    totals = defaultdict[str, float](float)
    for check in checks:
        totals[check.cell] += check.max_points
    most = {mark.cell: mark.max_score for mark in marks}
    for check in checks:
        total = totals[check.cell]
        if total in (0, most.get(check.cell, total)):
            yield check
            continue
        shares = check.points, check.max_points
        points, max_points = (round(share * most[check.cell] / total, 4) for share in shares)
        yield msgspec.structs.replace(check, points=points, max_points=max_points)


def _mark(data: Any, by_hand: bool, checks: list[CheckResult]) -> CellMark:
    """Add up the checks of a graded cell; its points in the notebook are shared among them.

    A cell is left to a human if it is graded by hand or if a check has failed itself or asks
    for one.
    """
    name = data.grade_id
    tests = [check for check in checks if check.id == name]
    cell = name if tests else name.removeprefix("test_")
    group = tests or [check for check in checks if check.cell == cell]
    unclear = not group or any(check.verdict.open or check.waits for check in group)
    if by_hand or unclear:
        return CellMark(name, cell, None, data.points, needs_manual_grade=True)
    share = sum(check.points for check in group) / (sum(check.max_points for check in group) or 1)
    return CellMark(
        name, cell, round(data.points * share, 4), data.points, needs_manual_grade=False
    )
