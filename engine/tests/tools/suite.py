"""What both suites begin with: a browser, a graded class, and a line on what is due."""

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from shares import SHARE, TODAY

if TYPE_CHECKING:
    from classes import Class
    from playwright.sync_api import Browser

__all__ = [  # what a conftest.py takes from here
    "browser", "graded", "pytest_collection_finish", "pytest_report_header", "two",
]  # fmt: skip


def pytest_report_header() -> str:
    """Say with which settings the same part of the banks is judged again."""
    return f"the part of the banks that is due: SHARE={SHARE} TODAY={TODAY}"


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
def graded(tmp_path_factory: pytest.TempPathFactory) -> "Class":
    """A class of two that was graded, to be read: ada is right; bob's square was marked by hand."""
    from classes import Class

    made = Class.made(tmp_path_factory.mktemp("graded") / "course", "ada")
    made.hand_in("bob", square="def square(n):\n    return n * 3")
    made.grade()
    made.save("bob", "test_square", score="3")
    return made


@pytest.fixture
def two(graded: "Class", tmp_path: Path) -> "Class":
    """The same class, to be changed."""
    return graded.copy(tmp_path / "course")
