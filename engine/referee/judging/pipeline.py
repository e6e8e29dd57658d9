"""Judge one notebook: run its cells, run the hidden checks on it, add up the points.

The referee's side of the work and nothing else: knows neither nbgrader nor the class. A mark
depends only on the notebook, the course and the seed.
"""

import contextlib
import io
import os
import random
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from referee import intake
from referee.course import Assignment, CourseError, open_to_imports
from referee.judging import cache, digests, interpreter, plugin, pytest_once, testcells
from referee.judging.host import HOST, Host
from referee.model import (
    Cell,
    CellMark,
    CheckResult,
    Explained,
    Judged,
    Limits,
    Reference,
    Report,
    Verdict,
)
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import Zygote

UNUSED = (
    "cacheprovider", "debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging",
    "pastebin", "setuponly", "setupplan", "stepwise", "subtests",
    "terminal", "threadexception", "unittest", "unraisableexception", "warnings",
)  # fmt: skip
# Of pytest nothing is started that hidden checks do not use: they run once for each submission.
PYTEST_OPTIONS = [
    "--disable-plugin-autoload", *(f"-pno:{name}" for name in UNUSED), "-preferee.judging.plugin",
    "-oaddopts=", "--assert=plain", "--capture=no", "--import-mode=importlib", "--strict-markers",
]  # fmt: skip
UNMARKED = (
    "without @pytest.mark.check(cell=..., points=..., hint=...) it gives nobody points; mark it, "
    "or call it something that does not begin with test"
)
NOT_FOUND = "pytest does not ask it: the file or its conftest.py takes its name, or leaves it out"
NOT_AT_THE_TOP = "a check is a function at the top of a file test_*.py"
SUSPENDED = "The reference solution does not pass this check."


class ChecksError(CourseError):
    """Hidden checks cannot be run; `faults` are the reasons."""

    def __init__(self, folder: Path, faults: list[str]) -> None:
        """Say all of them in one message."""
        super().__init__("\n".join([f"the hidden checks in {folder} cannot be run:", *faults]))
        self.faults = faults


class UnpreparedError(RuntimeError):
    """An assignment was to be judged by whose reference solution was not asked: a fault of ours."""


class Asked(NamedTuple):
    """Which checks are asked, as `file.py::test_name`: all, or up to the first that is lost."""

    checks: frozenset[str]
    to_first_lost: bool = False


def judged(
    assignment: Assignment,
    cells: list[Cell],
    zygote: Callable[[], Zygote],
    limits: Limits,
    force: bool = False,
) -> Judged:
    """Judge some cells; what is kept of them is not judged again, unless by `force`."""
    edition = digests.course(assignment)
    work = digests.work(assignment, cells, limits)
    kept = Judged() if force else cache.get(assignment, work)
    result = judge(assignment, cells, zygote, limits, kept)
    if result is not kept:
        cache.put(assignment, work, result, edition)
    return result


def judge(
    assignment: Assignment,
    cells: list[Cell],
    zygote: Callable[[], Zygote],
    limits: Limits,
    known: Judged | None = None,
    asked: Asked | None = None,
) -> Judged:
    """Run a notebook's cells and the hidden checks on what they define; explain what failed.

    What is `known` of it is not judged again; without anything left to do, nothing is run, nor
    where checks ask what they have asked before. Only some checks may be `asked`, and then nothing
    is explained.
    """
    judged = _judge(assignment, cells, zygote, limits, known or Judged(), asked)
    judged.checks |= testcells.results(cells, judged.runs or [])
    return judged


def reference(assignment: Assignment) -> Reference:
    """Return what the reference solution has answered; nobody is judged before it was asked."""
    if assignment.reference is None:
        raise UnpreparedError(f"{assignment.key} is judged before its reference solution was asked")
    return assignment.reference


def _judge(
    assignment: Assignment,
    cells: list[Cell],
    zygote: Callable[[], Zygote],
    limits: Limits,
    known: Judged,
    asked: Asked | None,
) -> Judged:
    data, missing = reference(assignment).data, unknown(assignment, known, asked)
    unexplained = known.unexplained if asked is None else []
    if known.runs is not None and not missing and not unexplained:
        return known
    with Submission(zygote(), cells, assignment.support, limits, known) as submission:
        judged = Judged(explained=dict(known.explained))
        whose = assignment.student, assignment.draw
        host = Host(submission, known.results, *whose, known.transcripts, data)
        to_first = asked is not None and asked.to_first_lost
        if missing:
            run_checks(assignment, host, lambda item: check_of(item) in missing, to_first=to_first)
        done = known.checks.keys() | (set() if to_first else missing)
        found: dict[str, list[CheckResult]] = {name: [] for name in done}
        for result in host.results.values():
            found.setdefault(digests.of_check(result.id), []).append(result)
        judged.checks = {n: found[n] for n in digests.checks(assignment) if n in found}
        for cell in judged.unexplained if asked is None else []:
            judged.explained[cell] = _explained(assignment, cell, submission)
        judged.runs, judged.isolation = submission.runs, submission.layers
        judged.costs = known.costs | {"": submission.cost} | host.costs
        judged.transcripts = host.transcripts
        judged.seen = known.seen | host.seen if data == () else {}
        return judged


def unknown(assignment: Assignment, known: Judged, asked: Asked | None) -> set[str]:
    """Return the checks that are still to be run, of all or of those that are asked.

    A check is run after what it needs, and so never without it.
    """
    if asked is None:
        return digests.checks(assignment).keys() - known.checks.keys()
    if asked.to_first_lost and any(result.verdict.lost for result in known.results):
        return set()
    return digests.with_needs(assignment, asked.checks) - known.checks.keys()


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
    to_first: bool = False,
) -> list[CheckResult]:
    """Run the `wanted` hidden checks of an assignment; return all results of the host.

    They are run as they are written, or `shuffled`; one that another needs comes before that. On
    demand they end with the first that is lost, the whole of it.
    """
    bring = _Bring(host, wanted, digests.checks(assignment), shuffled, to_first)
    _pytest(assignment, bring)
    return list(host.results.values())


def told(assignment: Assignment) -> dict[str, Mapping[str, Any]]:
    """Return what the marker of each check says of it, its `place`, and whether it `draws`."""
    found: dict[str, Mapping[str, Any]] = {}

    def note(item: pytest.Item) -> bool:
        draws = "chance" in getattr(item, "fixturenames", ())
        found[check_of(item)] = {**plugin.told(item), "draws": draws, "place": plugin.place(item)}
        return True

    _pytest(assignment, _Bring(Host(), note, digests.checks(assignment)), "--collect-only")
    return found


def _pytest(assignment: Assignment, bring: "_Bring", *options: str) -> None:
    """Run pytest on the hidden checks, if there are any; a CourseError says why it cannot be."""
    if not assignment.hidden.is_dir():
        return
    options = (
        *PYTEST_OPTIONS, f"--rootdir={assignment.root}", f"--config-file={os.devnull}",
        f"--confcutdir={assignment.hidden}", *options,
    )  # fmt: skip
    if found := interpreter.faults():
        raise CourseError("; ".join(found))
    noise = io.StringIO()
    open_to_imports(assignment.root)
    quiet = contextlib.redirect_stdout(noise), contextlib.redirect_stderr(noise)
    with interpreter.as_usual(), quiet[0], quiet[1]:
        code = pytest_once.run(options, assignment.hidden, bring)
    if code == pytest.ExitCode.INTERRUPTED and not bring.errors:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or bring.errors:
        none = ["there are no checks"] if code == pytest.ExitCode.NO_TESTS_COLLECTED else []
        faults = bring.errors or [*none, noise.getvalue()]
        raise ChecksError(assignment.hidden.relative_to(assignment.root), faults)


def check_of(item: pytest.Item) -> str:
    """Return the check that an item of pytest belongs to."""
    return digests.of_check(plugin.name(item))


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
        shuffled: random.Random | None = None,
        to_first: bool = False,
    ) -> None:
        self._host = host
        self._wanted = wanted
        self._checks = checks
        self._shuffled = shuffled
        self._to_first = to_first
        self.errors: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[HOST] = self._host
        config.option.tbstyle = "native"  # nobody reads what pytest makes of a failed check

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Any:
        unmarked = [item for item in items if not plugin.told(item)]
        lower = [one for one in items if one not in unmarked and check_of(one) not in self._checks]
        self.errors += [
            *plugin.faults(items),
            *(f"{plugin.place(item)}: {UNMARKED}" for item in unmarked),
            *(f"{plugin.place(item)}: {NOT_AT_THE_TOP}" for item in lower),
        ]
        if self.errors:
            raise pytest.UsageError("there are faults")
        yield
        missing = set(self._checks) - set(map(check_of, items))
        self.errors += [f"{name}: {NOT_FOUND}" for name in sorted(missing)]
        if self.errors:
            raise pytest.UsageError("there are faults")
        items[:] = [item for item in items if self._wanted(item)]
        if self._shuffled is not None:
            self._shuffled.shuffle(items)
            needs = {plugin.name(item): plugin.needed(item) for item in items}
            items.sort(key=lambda item: _depth(needs, plugin.name(item)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Any:
        done = yield
        if self._to_first and nextitem is not None and check_of(nextitem) != check_of(item):
            lost = any(result.verdict.lost for result in self._host.results.values())
            item.session.shouldfail = lost and "a check is lost"
        return done

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(report.longreprtext)


def report(assignment: Assignment, accepted: intake.Intake, judged: Judged) -> Report:
    """Add up the points of a judged notebook; checks that are suspended count for nobody."""
    suspended = reference(assignment).suspended
    checks = [
        _suspended(one, suspended[one.id]) if one.id in suspended else one for one in judged.results
    ]
    if accepted.refused is not None:
        why = f"The file could not be read: {accepted.refused}."
        checks = [
            msgspec.structs.replace(check, verdict=Verdict.NOT_RUN, points=0, message=why, hint="")
            for check in checks
        ]
    explained = judged.explained.values() if accepted.refused is None else []
    graded = [
        cell.metadata.nbgrader
        for cell in accepted.notebook.cells
        if cell.metadata.get("nbgrader", {}).get("points") is not None
    ]
    by_hand = {data.grade_id for data in graded if data.get("task") or data.get("solution")}
    marks = [_mark(data, data.grade_id in by_hand, checks) for data in graded]
    counted = [mark for mark in marks if mark.grade_id not in by_hand]
    return Report(
        assignment=assignment.key,
        score=sum(mark.score or 0 for mark in counted),
        max_score=sum(mark.max_score for mark in counted),
        cells=marks,
        checks=checks,
        repairs=accepted.repairs,
        explanations=[one.explanation for one in explained if one.explanation],
        trouble=[one.trouble for one in explained if one.trouble],
        isolation=judged.isolation,
        costs=judged.costs,
        failures=list(_failures(accepted, judged)),
        refused=accepted.refused,
    )


def _failures(accepted: intake.Intake, judged: Judged) -> Iterator[str]:
    """Yield a line for each cell that ended in an error, or has changed what tests may call."""
    cells = intake.code_cells(accepted.notebook)
    changing, pages = testcells.changing(cells), intake.runnable(accepted.notebook)
    for (_, page), cell, run in zip(pages, cells, judged.runs or [], strict=True):
        if run.error:
            yield f"{cell.label}: {run.error}"
        if cell.label in changing and not page.metadata.get("nbgrader", {}).get("locked"):
            yield f"{cell.label}: {testcells.CHANGING}"


def _suspended(check: CheckResult, why: str) -> CheckResult:
    return msgspec.structs.replace(
        check, verdict=Verdict.REFEREE_ERROR, points=0, message=SUSPENDED, hint="", details=why
    )


def _mark(data: Any, by_hand: bool, checks: list[CheckResult]) -> CellMark:
    """Add up the checks of a graded cell; its points in the notebook are shared among them.

    A cell is left to a human when it is graded by hand or when a check of ours has failed.
    """
    name = data.grade_id
    own = [check for check in checks if check.id == name]
    cell = name if own else name.removeprefix("test_")
    mine = own or [check for check in checks if check.cell == cell]
    unclear = not mine or any(check.verdict.open for check in mine)
    if by_hand or unclear:
        return CellMark(name, cell, None, data.points, needs_manual_grade=True)
    share = sum(check.points for check in mine) / (sum(check.max_points for check in mine) or 1)
    return CellMark(
        name, cell, round(data.points * share, 4), data.points, needs_manual_grade=False
    )
