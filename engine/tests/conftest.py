"""Fixtures that the engine's tests share: real processes, real submissions, a real browser.

Names each test that has failed when it happens, in a run that prints dots.
"""

import contextlib
import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from referee.course import subject
from referee.model import Cell, Limits
from referee.sandbox.outside.student import Student
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import Zygote

if TYPE_CHECKING:
    from playwright.sync_api import Browser

collect_ignore = ["courses"]  # which tests copy, and the referee judges
NIM = Path(__file__).parent / "courses" / "nim"
NAMES = "names of failed tests"  # a suite around this one may have it as well
MEMORY_BYTES = 768 * 1024**2
SMALL = Limits(
    cell_cpu_seconds=1,
    cell_wall_seconds=60,
    check_cpu_seconds=1,
    check_wall_seconds=60,
    check_calls=2000,
    memory_bytes=MEMORY_BYTES,
)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Name each failure, in a run that prints dots."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or hasattr(config, "workerinput") or terminal.verbosity >= 1:
        return
    if not config.pluginmanager.has_plugin(NAMES):
        config.pluginmanager.register(_Names(terminal), NAMES)


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


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """Give the one warm process that all submissions of the tests are forked from."""
    with Zygote(Limits(memory_bytes=MEMORY_BYTES), subject(NIM)) as zygote:
        yield zygote


@pytest.fixture(scope="session")
def support() -> Mapping[str, bytes]:
    """Give what stands next to a student's notebook."""
    return {
        "piles.py": (NIM / "piles.py").read_bytes(),
        "notes.txt": b"a file of the release\n",
        "tools/__init__.py": b"from tools.deep import word\n",
        "tools/deep.py": b"word = 'a file of a folder'\n",
    }


@pytest.fixture(scope="session")
def submit(zygote: Zygote, support: Mapping[str, bytes]) -> Callable[..., Submission]:
    """Give `submit(*sources, **limits)`: cells at work; "cell 1" is the label of the first."""

    def start(*sources: str, **limits: Any) -> Submission:
        cells = [Cell(source, f"cell {n}") for n, source in enumerate(sources, start=1)]
        return Submission(zygote, cells, support, msgspec.structs.replace(SMALL, **limits))

    return start


@pytest.fixture(scope="session")
def asked(submit: Callable[..., Submission]) -> Callable[..., AbstractContextManager[Student]]:
    """Give `asked(*sources, **limits)`: what a check gets to ask about these cells."""

    @contextlib.contextmanager
    def ask(*sources: str, **limits: Any) -> Iterator[Student]:
        with submit(*sources, **limits) as submission, submission.student() as student:
            yield student

    return ask


class _Names:
    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._terminal.write_line(f"\nFAILED {report.nodeid}", red=True)
