"""Judge one notebook: run its cells, run the hidden checks on it, add up the points.

The referee's side of the work and nothing else: knows neither nbgrader nor the class. A mark
depends only on the notebook, the course and the seed.
"""

import contextlib
import io
import os
import random
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import intake
from referee.course import Assignment, CourseError, open_to_imports
from referee.judging import cache, hooks, version
from referee.judging.host import HOST, Host
from referee.model import (
    Cell,
    CellMark,
    CheckResult,
    Explained,
    Judged,
    Limits,
    Report,
    Verdict,
)
from referee.sandbox.student import Submission
from referee.sandbox.zygote import Zygote

UNUSED = (
    "cacheprovider", "debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging",
    "pastebin", "setuponly", "setupplan", "stepwise", "subtests",
    "terminal", "threadexception", "unittest", "unraisableexception", "warnings",
)  # fmt: skip
# Of pytest nothing is started that hidden checks do not use: they run once for each submission.
PYTEST_OPTIONS = [
    "--disable-plugin-autoload", *(f"-pno:{name}" for name in UNUSED), "-preferee.judging.hooks",
    "-oaddopts=", "--assert=plain", "--capture=no", "--import-mode=importlib", "--strict-markers",
]  # fmt: skip
TOLD = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")


def judged(
    assignment: Assignment,
    cells: list[Cell],
    zygote: Callable[[], Zygote],
    limits: Limits,
    force: bool = False,
) -> Judged:
    """Judge some cells; what is kept of them is not judged again, unless by `force`."""
    work = version.work(assignment, cells, limits)
    kept = Judged() if force else cache.get(assignment, work)
    result = judge(assignment, cells, zygote, limits, kept)
    cache.put(assignment, work, result)
    return result


def judge(
    assignment: Assignment,
    cells: list[Cell],
    zygote: Callable[[], Zygote],
    limits: Limits,
    known: Judged | None = None,
) -> Judged:
    """Run a notebook's cells and the hidden checks on what they define; explain what failed.

    What is `known` of it is not judged again; without anything left to do, nothing is run.
    """
    known = known or Judged()
    missing = [name for name in version.checks(assignment) if name not in known.checks]
    if known.runs is not None and not missing and not known.unexplained:
        return known
    with Submission(zygote(), cells, assignment.support, limits) as submission:
        judged = Judged(
            runs=submission.runs,
            explained=dict(known.explained),
            isolation=submission.layers,
            costs=known.costs | {"": submission.cost},
        )
        host = Host(submission, known.results, assignment.student)
        if missing:
            run_checks(assignment, host, lambda item: _check_of(item) in missing)
        judged.costs |= host.costs
        judged.checks = {name: known.checks.get(name, []) for name in version.checks(assignment)}
        for name in missing:
            results = host.results.values()
            judged.checks[name] = [r for r in results if version.of_check(r.id) == name]
        for cell in judged.unexplained:
            judged.explained[cell] = _explained(assignment, cell, submission)
        return judged


def _explained(assignment: Assignment, cell: str, submission: Submission) -> Explained:
    """Ask the course what is behind a wrong check; an error of ours is no explanation."""
    explain = assignment.subject.explain
    try:
        return Explained(explain and explain(assignment.name, cell, submission.student))
    except Exception as error:
        return Explained(trouble=f"{cell}: {type(error).__name__}: {error}")


def run_checks(
    assignment: Assignment,
    host: Host,
    wanted: Callable[[pytest.Item], bool] = lambda item: True,
    shuffled: random.Random | None = None,
) -> list[CheckResult]:
    """Run the `wanted` hidden checks of an assignment; return all results of the host.

    They are run as they are written, or `shuffled`; one that another needs comes before that.
    """
    collector = _Bring(host, wanted, version.checks(assignment), shuffled)
    arguments = [
        *PYTEST_OPTIONS, f"--rootdir={assignment.root}", f"--config-file={os.devnull}",
        str(assignment.hidden),
    ]  # fmt: skip
    noise = io.StringIO()
    open_to_imports(assignment.root)
    _forget(assignment.hidden)
    with alone(), contextlib.redirect_stdout(noise), contextlib.redirect_stderr(noise):
        code = pytest.main(arguments, plugins=[collector])
    if code == pytest.ExitCode.INTERRUPTED and not collector.errors:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or collector.errors:
        none = ["there are no checks"] if code == pytest.ExitCode.NO_TESTS_COLLECTED else []
        said = "\n".join([*none, *collector.errors, noise.getvalue()])
        folder = assignment.hidden.relative_to(assignment.root)
        raise CourseError(f"the hidden checks in {folder} cannot be run: {said}")
    return list(host.results.values())


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Hide from pytest what the environment tells it: no mark may depend on that."""
    hidden = {name: os.environ.pop(name) for name in TOLD if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(hidden)


def _check_of(item: pytest.Item) -> str:
    return version.of_check(hooks.name(item))


def _forget(folder: Path) -> None:
    """Drop the modules of a folder, so that pytest reads them as they are now."""
    relative, inside = f"{'.'.join(folder.parts[-3:])}.", f"{folder}{os.sep}"
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if name.startswith(relative) or file.startswith(inside):
            del sys.modules[name]


def _depth(needs: Mapping[str, str | None], name: str) -> int:
    """Return how many checks must come before one, each of which needs the next."""
    needed = needs.get(name)
    return 0 if needed is None else 1 + _depth(needs, needed)


class _Bring:
    """Hands the host to the plugin, and keeps what goes wrong before any check runs."""

    def __init__(
        self,
        host: Host,
        wanted: Callable[[pytest.Item], bool],
        checks: Collection[str],
        shuffled: random.Random | None,
    ) -> None:
        self._host = host
        self._wanted = wanted
        self._checks = checks
        self._shuffled = shuffled
        self.errors: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[HOST] = self._host
        config.option.tbstyle = "native"  # nobody reads what pytest makes of a failed check

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            if hooks.told(item) and _check_of(item) not in self._checks:
                raise pytest.UsageError(
                    f"{item.nodeid}: a check is a function at the top of a file test_*.py"
                )
        items[:] = [item for item in items if self._wanted(item)]
        if self._shuffled is not None:
            self._shuffled.shuffle(items)
            needs = {hooks.name(item): hooks.needed(item) for item in items}
            items.sort(key=lambda item: _depth(needs, hooks.name(item)))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(report.longreprtext)


def report(assignment: Assignment, accepted: intake.Intake, judged: Judged) -> Report:
    """Add up the points of a judged notebook."""
    checks = judged.results
    if accepted.refused is not None:
        why = f"The file could not be read: {accepted.refused}."
        checks = [
            msgspec.structs.replace(check, verdict=Verdict.NOT_RUN, points=0, message=why, hint="")
            for check in checks
        ]
    explained = judged.explained.values()
    graded = [
        cell.metadata.nbgrader
        for cell in accepted.notebook.cells
        if cell.metadata.get("nbgrader", {}).get("points") is not None
    ]
    by_hand = {data.grade_id for data in graded if data.get("task") or data.get("solution")}
    marks = [_mark(data, data.grade_id in by_hand, checks) for data in graded]
    counted = [mark for mark in marks if mark.grade_id not in by_hand]
    return Report(
        assignment=assignment.name,
        score=sum(mark.score or 0 for mark in counted),
        max_score=sum(mark.max_score for mark in counted),
        cells=marks,
        checks=checks,
        repairs=accepted.repairs,
        explanations=[]
        if accepted.refused
        else [one.explanation for one in explained if one.explanation],
        trouble=[one.trouble for one in explained if one.trouble],
        isolation=judged.isolation,
        costs=judged.costs,
        failures=[
            f"{cell.label}: {run.error}"
            for cell, run in zip(
                intake.code_cells(accepted.notebook), judged.runs or [], strict=True
            )
            if run.error
        ],
        refused=accepted.refused,
    )


def _mark(data: Any, by_hand: bool, checks: list[CheckResult]) -> CellMark:
    """Add up the checks of a graded cell; its points in the notebook are shared among them.

    A cell is left to a human when it is graded by hand or when a check of ours has failed.
    """
    name = data.grade_id
    cell = name.removeprefix("test_")
    mine = [check for check in checks if check.cell == cell]
    unclear = not mine or any(check.verdict is Verdict.REFEREE_ERROR for check in mine)
    if by_hand or unclear:
        return CellMark(name, cell, None, data.points, needs_manual_grade=True)
    share = sum(check.points for check in mine) / sum(check.max_points for check in mine)
    return CellMark(
        name, cell, round(data.points * share, 4), data.points, needs_manual_grade=False
    )
