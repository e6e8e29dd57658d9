"""Run the hidden checks of an assignment with pytest, or list their markers.

They are collected once for all submissions that a process judges, which saves time; each run has
fixtures of its own, of a module and the session, too. Only the plugins of pytest that hidden checks
use are loaded. Of pytest's own names that are not public this needs those to make a `Config`.
"""

import contextlib
import functools
import io
import itertools
import os
import sys
from collections.abc import Collection, Container, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from _pytest.config import _prepareconfig

from referee.course import Assignment, CourseError, files_in
from referee.judging import digests, interpreter, plugin
from referee.judging.plugin import HOST, Host
from referee.model import CheckResult

UNUSED = (
    "cacheprovider", "debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging",
    "pastebin", "setuponly", "setupplan", "stepwise", "subtests",
    "terminal", "threadexception", "unittest", "unraisableexception", "warnings",
)  # fmt: skip
PYTEST_OPTIONS = [
    "--disable-plugin-autoload", *(f"-pno:{name}" for name in UNUSED), "-preferee.judging.plugin",
    "-oaddopts=", "-otmp_path_retention_policy=failed", "--assert=plain", "--capture=no",
    "--import-mode=importlib", "--strict-markers", f"--config-file={os.devnull}",
]  # fmt: skip
UNMARKED = (
    "without @pytest.mark.check(cell=..., points=..., hint=...) it gives nobody points; mark it, "
    "or call it something that does not begin with test"
)
NOT_FOUND = "pytest does not ask it: the file or its conftest.py takes its name, or leaves it out"
NOT_AT_THE_TOP = "a check is a function at the top of a file test_*.py"


def run_checks(
    assignment: Assignment,
    host: Host,
    wanted: Container[str] | None = None,
    to_first_lost: bool = False,
    checks: Collection[str] | None = None,
) -> list[CheckResult]:
    """Run hidden checks of an assignment; return all results of the host.

    Those `wanted`, as `file.py::test_name`, or all are run in the order they are written.
    `to_first_lost` ends after the first check that is lost. `checks` are all of the assignment, if
    they are known.
    """
    with _collected(assignment, checks) as checked:
        items = [item for item in checked.items if wanted is None or check_of(item) in wanted]
        checked.run(items, host, to_first_lost)
    return list(host.results.values())


def markers(assignment: Assignment) -> dict[str, Mapping[str, Any]]:
    """Return by check the arguments of its marker, its `place`, and whether it `draws`."""
    with _collected(assignment) as checked:
        return {
            check_of(item): {
                **plugin.marker(item),
                "draws": "chance" in getattr(item, "fixturenames", ()),
                "place": plugin.place(item),
            }
            for item in checked.items
        }


def check_of(item: pytest.Item) -> str:
    """Return the check that an item of pytest belongs to."""
    return digests.of_check(plugin.name(item))


@contextlib.contextmanager
def _collected(
    assignment: Assignment, checks: Collection[str] | None = None
) -> Iterator["_Checks"]:
    """Give the checks of an assignment, in a Python whose settings change nothing for them.

    Raises CourseError if they cannot be run.
    """
    if faults := interpreter.faults():
        raise CourseError("; ".join(faults))
    names = frozenset(digests.checks(assignment) if checks is None else checks)
    content = files_in(assignment.hidden) if names else {}
    assignment.course.open_to_imports()
    noise = io.StringIO()
    with (
        interpreter.as_usual(),
        contextlib.chdir(Path.cwd()),
        contextlib.redirect_stdout(noise),
        contextlib.redirect_stderr(noise),
    ):
        yield _checks(assignment.root, assignment.hidden, names, tuple(content.items()))


@functools.lru_cache(maxsize=1)
def _checks(
    root: Path, folder: Path, names: frozenset[str], _: tuple[tuple[str, bytes], ...]
) -> "_Checks":
    """Return the checks of a folder with this content, collected once."""
    return _Checks(root, folder, names)


class _Checks:
    """The hidden checks of a folder, `items` of pytest; as a plugin of it, notes what is wrong."""

    def __init__(self, root: Path, folder: Path, names: frozenset[str]) -> None:
        """Collect the checks, which have these `names`; CourseError if they cannot be run."""
        self._folder = folder
        self._errors: list[str] = []
        self.items: list[pytest.Item] = []
        if names:
            self._collect(root)
        unmarked = [item for item in self.items if not plugin.marker(item)]
        unknown = [i for i in self.items if i not in unmarked and check_of(i) not in names]
        faults = [
            *self._errors,
            *(f"{plugin.place(item)}: {UNMARKED}" for item in unmarked),
            *(f"{plugin.place(item)}: {NOT_AT_THE_TOP}" for item in unknown),
        ]
        missing = names - {*map(check_of, self.items)}
        if faults := faults or [f"{name}: {NOT_FOUND}" for name in sorted(missing)]:
            where = folder.relative_to(root)
            raise CourseError(f"the hidden checks in {where} cannot be run:", faults)
        for item in self.items:
            item.repr_failure = lambda *_: ""  # type: ignore[method-assign]  # nobody reads it

    def _collect(self, root: Path) -> None:
        _forget(self._folder)
        places = f"--rootdir={root}", f"--confcutdir={self._folder}", str(self._folder)
        try:
            config = _prepareconfig([*PYTEST_OPTIONS, *places], [self])
            config.option.tbstyle = "native"  # nobody reads what pytest makes of a failed check
            config._do_configure()
            session = pytest.Session.from_config(config)
            config.hook.pytest_sessionstart(session=session)
            session.perform_collect()
        except pytest.UsageError as error:
            self._errors += map(str, error.args)
        except Exception as error:
            self._errors.append(f"{type(error).__name__}: {error}")

    def run(self, items: list[pytest.Item], host: Host, to_first_lost: bool) -> None:
        """Run some of the checks in this order, and note results in the host."""
        try:
            for item, following in itertools.zip_longest(items, items[1:]):
                item.config.stash[HOST] = host
                item.ihook.pytest_runtest_protocol(
                    item=item, nextitem=None if to_first_lost else following
                )
                ends = following is not None and check_of(following) != check_of(item)
                if to_first_lost and ends and any(r.verdict.lost for r in host.results.values()):
                    break
        except BaseException as error:
            _checks.cache_clear()  # its fixtures have not been torn down
            if isinstance(error, pytest.exit.Exception):
                raise KeyboardInterrupt from error
            raise

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.items = items

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._errors.append(report.longreprtext)


def _forget(folder: Path) -> None:
    """Drop the modules of a folder, so that pytest reads them as they are now."""
    relative = f"{'.'.join(folder.parts[-3:])}."
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if name.startswith(relative) or file.startswith(f"{folder}{os.sep}"):
            del sys.modules[name]
