"""Say which test has failed when it happens, and give the tests of pages a browser."""

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee import course

if TYPE_CHECKING:
    from playwright.sync_api import Browser


ROOT = Path(__file__).parents[1]
collect_ignore = ["adversarial/unseen"]  # cells of notebooks
NAMES = "names of failed tests"  # which the engine's suite gives as well


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Name each failure, in a run that prints dots."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or hasattr(config, "workerinput") or terminal.verbosity >= 1:
        return
    if not config.pluginmanager.has_plugin(NAMES):
        config.pluginmanager.register(_Names(terminal), NAMES)


def pytest_sessionstart() -> None:
    """Give each assignment its secret now: made by a test, it would change the others' verdicts."""
    for file in ROOT.glob("source/*/*.ipynb"):
        course.draw_seed(course.find_assignment(ROOT, file.stem))


def pytest_collection_finish() -> None:
    """Look for what could be freed less often, and not among all tests: a tenth of the time."""
    gc.freeze()
    gc.set_threshold(50_000)


@pytest.fixture(scope="module")
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator["Browser"]:
    """A real browser without a window, one at a time: Chromium, unless a test is `in_both`."""
    import browsing  # which takes its time, and only the tests of pages need it

    start = getattr(request, "param", browsing.chromium)
    with start(tmp_path_factory.mktemp("home")) as started:
        yield started


class _Names:
    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._terminal.write_line(f"\nFAILED {report.nodeid}", red=True)
