"""Judge one notebook: run its cells, run the hidden checks on what they define, add up the points.

Knows neither nbgrader nor the class. A mark depends only on the notebook, the course and the seed.
"""

from collections.abc import Mapping
from typing import NamedTuple

from referee import intake
from referee.course import Assignment
from referee.judging import cache, digests, points, session, testcells
from referee.judging.plugin import Host
from referee.model import Cell, CheckResult, Explanation, Judged, Limits, Report
from referee.sandbox.outside.server import warm
from referee.sandbox.outside.submission import Submission


class Selection(NamedTuple):
    """The checks to run, as `file.py::test_name`: all of them, or up to the first lost one."""

    checks: frozenset[str]
    to_first_lost: bool = False


def judge_file(
    assignment: Assignment, accepted: intake.Intake, limits: Limits, known: Judged | None = None
) -> tuple[Judged, Report]:
    """Judge the submitted files and add up the points: the one way from a file to a report.

    Results in `known` are not judged again. If it is None, they are looked up in this machine's
    store, and new results are stored there.
    """
    if known is None:
        judged = judge_or_look_up(assignment, accepted.cells, limits)
    else:
        judged = judge(assignment, accepted.cells, limits, known)
    return judged, points.report(assignment, accepted, judged)


def with_files(assignment: Assignment, accepted: intake.Intake, limits: Limits) -> Assignment:
    """Return the assignment with the files beside a submission, unless they leave it no room."""
    own = assignment._replace(beside=accepted.beside)
    small = not own.beside or sum(map(len, own.support.values())) <= limits.folder_bytes
    return own if small else assignment


def judge_or_look_up(assignment: Assignment, cells: list[Cell], limits: Limits) -> Judged:
    """Judge some cells; stored results are not judged again."""
    keys = digests.keys(assignment)
    work = digests.work(assignment, keys, cells, limits)
    stored = cache.get(assignment.root, work, keys)
    result = judge(assignment, cells, limits, stored)
    if result is not stored and digests.keys(assignment) == keys:  # nobody has edited the course
        cache.put(assignment.root, work, result, keys)
    return result


def judge(
    assignment: Assignment,
    cells: list[Cell],
    limits: Limits,
    known: Judged | None = None,
    selection: Selection | None = None,
) -> Judged:
    """Run a notebook's cells and the hidden checks on what they define; explain what failed.

    Results in `known` are not judged again. No student code runs if nothing is left to do. With a
    `selection` only its checks run, without explanations.
    """
    judged = known = known or Judged()
    checks = digests.checks(assignment)
    todo = unasked(checks, known, selection)
    explaining, first = selection is None, selection is not None and selection.to_first_lost
    if known.runs is None or todo or (explaining and known.unexplained):
        is_reference = assignment.answers.data == ()
        server = warm(limits, assignment.subject)
        with Submission(server, cells, assignment.support, limits) as submission:
            host = Host(assignment, submission, known.results)
            for group in [{name} for name in checks if name in todo] if first else [todo]:
                if group:
                    session.run_checks(assignment, host, group, checks)
                if first and any(result.verdict.lost for result in host.results.values()):
                    break
            finished = known.checks.keys() | (set() if first else todo)
            by_check: dict[str, list[CheckResult]] = {name: [] for name in finished}  # or has none
            for result in host.results.values():
                by_check.setdefault(digests.of_check(result.id), []).append(result)
            judged = Judged(
                checks={name: by_check[name] for name in checks if name in by_check},
                runs=submission.runs,
                explained=dict(known.explained),
                isolation=submission.layers,
                seen=known.seen | host.seen if is_reference else {},
            )
            explain = assignment.subject.explain
            for cell in judged.unexplained if explaining else []:
                try:
                    found = explain and explain(assignment.name, cell, submission.student)
                except Exception as error:  # of the course's own code
                    found = Explanation(cell, trouble=f"{cell}: {type(error).__name__}: {error}")
                judged.explained[cell] = found or Explanation(cell)
            judged.costs = known.costs | {"": submission.cost} | host.costs  # after all questions
    judged.checks |= testcells.results(cells, judged.runs or [])
    return judged


def unasked(
    checks: Mapping[str, digests.Check], known: Judged, selection: Selection | None
) -> set[str]:
    """Return those of all checks, or of a selection and what it needs, that are still to be run."""
    if selection is None:
        return checks.keys() - known.checks.keys()
    if selection.to_first_lost and any(result.verdict.lost for result in known.results):
        return set()
    return digests.with_needs(checks, selection.checks) - known.checks.keys()
