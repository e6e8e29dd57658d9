"""Run the hidden checks of an assignment with pytest, or list their markers.

They are collected once for all submissions that a process judges, which saves time; each run has
fixtures of its own, of a module and the session, too. Only the plugins of pytest that hidden checks
use are loaded, and no setting or environment variable of this Python has a say. Of pytest's own
names that are not public this needs those to make a `Config`, and the one that runs a test.
"""

import codecs
import contextlib
import functools
import io
import itertools
import locale
import os
import sys
import warnings
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from _pytest import runner
from _pytest.config import _prepareconfig

from referee.course import Assignment, CourseError, files_in
from referee.judging import digests, plugin
from referee.judging.plugin import HOST, Host
from referee.model import TRIES, CheckResult

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
    assignment: Assignment, host: Host, checks: Collection[str] | None = None
) -> list[CheckResult]:
    """Run hidden checks of an assignment; return all results of the host.

    The `checks`, as `file.py::test_name`, with what they need, or all are run in the order they
    are written, again after an accident.
    """
    with _collected(assignment) as all_items:
        names = {*map(check_of, all_items)} if checks is None else {*checks}
        for item in reversed(all_items):  # what is needed comes before
            needed = plugin.needed(item)
            if needed and check_of(item) in names and needed not in host.results:
                names.add(digests.of_check(needed))
        items = [item for item in all_items if check_of(item) in names]
        try:
            for item, following in itertools.zip_longest(items, items[1:]):
                item.config.stash[HOST] = host
                for _ in range(TRIES):
                    host.forget(plugin.name(item))
                    runner.runtestprotocol(item, log=False, nextitem=following)
                    if not host.results[plugin.name(item)].verdict.odd:
                        break
        except BaseException as error:
            _items.cache_clear()  # their fixtures have not been torn down
            if isinstance(error, pytest.exit.Exception):
                raise KeyboardInterrupt from error
            raise
    return list(host.results.values())


def markers(assignment: Assignment) -> dict[str, Mapping[str, Any]]:
    """Return by check the arguments of its marker, its `place`, and whether it `draws`."""
    with _collected(assignment) as items:
        return {
            check_of(item): {
                **plugin.marker(item),
                "draws": "chance" in getattr(item, "fixturenames", ()),
                "place": plugin.place(item),
            }
            for item in items
        }


def check_of(item: pytest.Item) -> str:
    """Return the check that an item of pytest belongs to."""
    return digests.of_check(plugin.name(item))


@contextlib.contextmanager
def _collected(assignment: Assignment) -> Iterator[list[pytest.Item]]:
    """Give the checks of an assignment, in a Python whose settings change nothing for them.

    Raises CourseError if they cannot be run.
    """
    if faults := _wrong_settings():
        raise CourseError("; ".join(f"{fault}; unset it and run this again" for fault in faults))
    names = frozenset(digests.checks(assignment))
    content = files_in(assignment.hidden) if names else {}
    assignment.course.open_to_imports()
    noise, digits = io.StringIO(), sys.get_int_max_str_digits()
    variables = {name: value for name, value in os.environ.items() if name.startswith("PYTEST_")}
    for name in variables:
        del os.environ[name]
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    try:
        with (
            contextlib.chdir(Path.cwd()),
            contextlib.redirect_stdout(noise),
            contextlib.redirect_stderr(noise),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            yield _items(assignment.root, assignment.hidden, names, tuple(content.items()))
    finally:
        sys.set_int_max_str_digits(digits)
        os.environ.update(variables)


def _wrong_settings() -> list[str]:
    """Return a sentence for each setting that keeps this Python from running checks."""
    places = compile("0", "", "eval").co_positions()
    encoding = "utf-8" if sys.flags.utf8_mode else locale.getencoding()
    faults = {
        "Python leaves asserts out here, by which checks decide: PYTHONOPTIMIZE is set, or it was "
        "started with -O": sys.flags.optimize,
        "Python forgets here at which step a check has failed: PYTHONNODEBUGRANGES is set": all(
            column is None for _, _, column, _ in places
        ),
        "files are not read as UTF-8 here: LC_ALL, LANG or PYTHONUTF8 say so": (
            codecs.lookup(encoding).name != "utf-8"
        ),
    }
    return [fault for fault, is_so in faults.items() if is_so]


class _Reports:
    """A plugin of pytest that notes what cannot be collected."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(report.longreprtext)


@functools.lru_cache(maxsize=1)
def _items(
    root: Path, folder: Path, names: frozenset[str], _: tuple[tuple[str, bytes], ...]
) -> list[pytest.Item]:
    """Return the checks in a folder, which have these names; CourseError if they cannot be run.

    They are collected again when the content of the folder's files is another.
    """
    if not names:
        return []
    where, reports, items = folder.relative_to(root), _Reports(), list[pytest.Item]()
    errors = reports.errors
    for name, module in list(sys.modules.items()):  # which pytest is to read as they are now
        if f"{os.sep}{where}{os.sep}" in (getattr(module, "__file__", None) or ""):
            del sys.modules[name]
    places = f"--rootdir={root}", f"--confcutdir={folder}", str(folder)
    try:
        config = _prepareconfig([*PYTEST_OPTIONS, *places], [reports])
        config.option.tbstyle = "native"  # nobody reads what pytest makes of a failed check
        config._do_configure()
        session = pytest.Session.from_config(config)
        config.hook.pytest_sessionstart(session=session)
        try:
            session.perform_collect()
        finally:
            items = session.items
    except pytest.UsageError as error:
        errors += map(str, error.args)
    except Exception as error:
        errors.append(f"{type(error).__name__}: {error}")
    for item in items:
        if not plugin.marker(item):
            errors.append(f"{plugin.place(item)}: {UNMARKED}")
        elif check_of(item) not in names:
            errors.append(f"{plugin.place(item)}: {NOT_AT_THE_TOP}")
    missing = sorted(names - {*map(check_of, items)})
    if errors := errors or [f"{name}: {NOT_FOUND}" for name in missing]:
        raise CourseError(f"the hidden checks in {where} cannot be run:", errors)
    return items
