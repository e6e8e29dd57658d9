"""Run the hidden checks of an assignment in a session of pytest, or list their markers.

Only the plugins of pytest that hidden checks use are loaded, as checks run for each submission.
"""

import contextlib
import io
import itertools
import os
import random
import traceback
from collections.abc import Collection, Container, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.course import Assignment, CourseError, open_to_imports
from referee.judging import digests, interpreter, plugin, pytest_once
from referee.judging.plugin import HOST, Host
from referee.model import CheckResult

UNUSED = (
    "cacheprovider", "debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging",
    "pastebin", "setuponly", "setupplan", "stepwise", "subtests",
    "terminal", "threadexception", "unittest", "unraisableexception", "warnings",
)  # fmt: skip
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


class ChecksError(CourseError):
    """Hidden checks cannot be run; `faults` are the reasons."""

    def __init__(self, folder: Path, faults: list[str]) -> None:
        """Make one message of all faults."""
        super().__init__("\n".join([f"the hidden checks in {folder} cannot be run:", *faults]))
        self.faults = faults


def run_checks(
    assignment: Assignment,
    host: Host,
    wanted: Container[str] | None = None,
    shuffled: random.Random | None = None,
    to_first_lost: bool = False,
    checks: Collection[str] | None = None,
) -> list[CheckResult]:
    """Run hidden checks of an assignment; return all results of the host.

    Those `wanted`, as `file.py::test_name`, or all are run in the order they are written, or
    `shuffled`; a check that another one needs comes before it. With `to_first_lost` the session
    ends after the first check that is lost. `checks` are all of the assignment, if they are known.
    """
    checks = digests.checks(assignment) if checks is None else checks
    session = _Session(host, assignment.hidden, checks, wanted, shuffled, to_first_lost)
    _pytest(assignment, session)
    return list(host.results.values())


def markers(assignment: Assignment) -> dict[str, Mapping[str, Any]]:
    """Return by check the arguments of its marker, its `place`, and whether it `draws`."""
    session = _Session(Host(), assignment.hidden, digests.checks(assignment))
    _pytest(assignment, session, "--collect-only")
    return {
        check_of(item): {
            **plugin.marker(item),
            "draws": "chance" in getattr(item, "fixturenames", ()),
            "place": plugin.place(item),
        }
        for item in session.items
    }


def _pytest(assignment: Assignment, session: "_Session", *options: str) -> None:
    """Run pytest on the hidden checks; CourseError if there are none or they cannot be run."""
    if not assignment.hidden.is_dir():
        return
    options = (
        *PYTEST_OPTIONS, f"--rootdir={assignment.root}", f"--config-file={os.devnull}",
        f"--confcutdir={assignment.hidden}", *options,
    )  # fmt: skip
    if faults := interpreter.faults():
        raise CourseError("; ".join(faults))
    noise = io.StringIO()
    open_to_imports(assignment.root)
    with (
        interpreter.as_usual(),
        contextlib.redirect_stdout(noise),
        contextlib.redirect_stderr(noise),
    ):
        code = pytest_once.run(options, assignment.hidden, session)
    if session.unreadable is not None:
        raise session.unreadable
    if code == pytest.ExitCode.INTERRUPTED and not session.errors:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or session.errors:
        none = ["there are no checks"] if code == pytest.ExitCode.NO_TESTS_COLLECTED else []
        faults = session.errors or [*none, noise.getvalue()]
        raise ChecksError(assignment.hidden.relative_to(assignment.root), faults)


def check_of(item: pytest.Item) -> str:
    """Return the check that an item of pytest belongs to."""
    return digests.of_check(plugin.name(item))


def _depth(needs: Mapping[str, str | None], name: str) -> int:
    """Return the length of the chain of needed checks before one."""
    needed = needs.get(name)
    return 0 if needed is None else 1 + _depth(needs, needed)


class _Session:
    """The pytest plugin of a session: passes the host on, selects checks, and collects faults."""

    def __init__(
        self,
        host: Host,
        folder: Path,
        checks: Collection[str],
        wanted: Container[str] | None = None,
        shuffled: random.Random | None = None,
        to_first_lost: bool = False,
    ) -> None:
        self._host = host
        self._folder = folder
        self._checks = checks
        self._wanted = checks if wanted is None else wanted
        self._shuffled = shuffled
        self._to_first_lost = to_first_lost
        self.items: list[pytest.Item] = []  # of pytest, that are run
        self.errors: list[str] = []
        self.unreadable: OSError | None = None  # met by Python when it imported the checks

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[HOST] = self._host
        config.option.tbstyle = "native"  # nobody reads what pytest makes of a failed check

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Any:
        unmarked = [item for item in items if not plugin.marker(item)]
        marked = [item for item in items if item not in unmarked]
        not_at_the_top = [item for item in marked if check_of(item) not in self._checks]
        self.errors += [
            *plugin.faults(items),
            *(f"{plugin.place(item)}: {UNMARKED}" for item in unmarked),
            *(f"{plugin.place(item)}: {NOT_AT_THE_TOP}" for item in not_at_the_top),
        ]
        if self.errors:
            raise pytest.UsageError("there are faults")
        yield
        missing = set(self._checks) - set(map(check_of, items))
        self.errors += [f"{name}: {NOT_FOUND}" for name in sorted(missing)]
        if self.errors:
            raise pytest.UsageError("there are faults")
        items[:] = [item for item in items if check_of(item) in self._wanted]
        self.items = items
        for item in items:
            item.repr_failure = lambda *_: ""  # type: ignore[method-assign]  # nobody reads it
        if self._shuffled is not None:
            needs = {plugin.name(item): plugin.needed(item) for item in items}
            groups = plugin.together(items)
            self._shuffled.shuffle(groups)
            groups.sort(key=lambda values: _depth(needs, plugin.name(values[0])))
            items[:] = itertools.chain.from_iterable(groups)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Any:
        done = yield
        if self._to_first_lost and nextitem is not None and check_of(nextitem) != check_of(item):
            lost = any(result.verdict.lost for result in self._host.results.values())
            item.session.shouldfail = lost and "a check is lost"
        return done

    def pytest_exception_interact(self, call: pytest.CallInfo[Any]) -> None:
        error = call.excinfo and call.excinfo.value
        if isinstance(error, OSError) and not any(
            self._folder in Path(frame.f_code.co_filename).parents
            for frame, _ in traceback.walk_tb(error.__traceback__)
        ):
            self.unreadable = error

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(report.longreprtext)
