"""Ask whether a pytest that is kept ready begins each run as a new one would.

`referee.judging.pytest_once` leans on names of pytest's that are not public. If a new pytest makes
a test here fail, put `pytest.main` in the place of `pytest_once.run`, or find the new name.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from referee.judging import pytest_once
from referee.judging.session import PYTEST_OPTIONS

Runner = Callable[[Sequence[str], Path, object], int]

CONFTEST = """
import pytest

KEY = pytest.StashKey()
seen = []

@pytest.fixture(scope="session")
def of_the_session(): return []

@pytest.fixture(autouse=True)
def nothing_left(request):
    assert not hasattr(request.config, "note") and not hasattr(request.config.option, "note")
    assert KEY not in request.config.stash and "note" not in request.session.keywords
    assert "note: left by a run" not in request.config.getini("markers")

@pytest.fixture
def leaves_all(request, tmp_path_factory):
    yield
    request.config.note = request.config.option.note = request.config.stash[KEY] = "a note"
    request.session.keywords["note"] = True
    request.config.addinivalue_line("markers", "note: left by a run")
    request.config.pluginmanager.register(type("Note", (), {})(), "note")
"""
CHECKS = """
import pytest
from hidden import conftest

seen = []

@pytest.fixture(scope="module")
def of_the_module(): return []

def test_first(of_the_module, of_the_session, tmp_path, request):
    for place in (seen, conftest.seen, of_the_module, of_the_session):
        assert place == []
        place.append("something")
    assert request.config.pluginmanager.get_plugin("note") is None

def test_last(leaves_all, of_the_module, of_the_session, monkeypatch):
    assert seen == conftest.seen == of_the_module == of_the_session == ["something"]
"""


class Outcomes:
    """Notes what becomes of each test, and why one has failed."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.found: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that has run, or an error."""
        if report.when == "call" or report.failed:
            self.found.append(f"{report.nodeid.rpartition('::')[2]} {report.longreprtext}".strip())

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note what could not be read."""
        if report.failed:
            self.found.append(report.longreprtext)


def cold(options: Sequence[str], folder: Path, plugin: object) -> int:
    """Do the same with a new pytest."""
    pytest_once._forget(folder)
    return pytest.main([*options, str(folder)], plugins=[plugin])


def run(root: Path, run: Runner = pytest_once.run) -> tuple[int, str]:
    """Run the tests of a folder; return the exit code and what has become of them."""
    outcomes = Outcomes()
    places = (f"--rootdir={root}", "--config-file=/dev/null", f"--confcutdir={root / 'hidden'}")
    code = run((*PYTEST_OPTIONS, *places), root / "hidden", outcomes)
    return code, "\n".join(outcomes.found)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give a folder with tests that fail when anything is left of another run."""
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "conftest.py").write_text(CONFTEST)
    (tmp_path / "hidden" / "test_all.py").write_text(CHECKS)
    return tmp_path


@pytest.fixture(autouse=True)
def modules() -> Iterator[None]:
    """Forget what the runs have imported."""
    before = dict(sys.modules)
    yield
    sys.modules.clear()
    sys.modules.update(before)


def test_nothing_of_a_run_is_there_in_the_next(root: Path) -> None:
    """Are globals, fixtures, options, stash, markers and plugins those of a first run?"""
    for _ in range(3):
        code, found = run(root)
        assert (code, found) == (0, "test_first\ntest_last")


@pytest.mark.parametrize("judged", [pytest_once.run, cold], ids=["warm", "cold"])
def test_a_run_sees_the_folder_as_it_is(root: Path, judged: Runner) -> None:
    """Are changed checks, a conftest that comes, changes and goes, read again each time?"""
    file, conftest = root / "hidden" / "test_all.py", root / "hidden" / "conftest.py"
    given = "import pytest\n@pytest.fixture\ndef number(): return {}\n"
    for number in 1, 2:
        file.write_text(f"def test_it(number): assert number == {number}")
        conftest.write_text(given.format(number))
        assert run(root, run=judged) == (0, "test_it")
    conftest.unlink()
    code, found = run(root, run=judged)
    assert code == 1 and "fixture 'number' not found" in found
    file.write_text("def test_it(): pass")
    assert run(root, run=judged) == (0, "test_it")


@pytest.mark.parametrize("judged", [pytest_once.run, cold], ids=["warm", "cold"])
def test_what_goes_wrong_is_told_and_is_gone_afterwards(root: Path, judged: Runner) -> None:
    """Do errors in a check, a conftest and a plugin end as they do for `pytest.main`?"""
    file, conftest = root / "hidden" / "test_all.py", root / "hidden" / "conftest.py"
    conftest.write_text("")
    for text, code, told in [
        ("def test_it(): assert False", 1, "AssertionError"),
        ("def test_it(:", 2, "SyntaxError"),
        ("import nowhere", 2, "No module named 'nowhere'"),
        ("", 5, ""),
        ("def test_it(): raise KeyboardInterrupt", 2, ""),
        ("def test_it(): pass", 0, "test_it"),
    ]:
        file.write_text(text)
        done, found = run(root, run=judged)
        assert done == code and told in found
    for text, code in [("1 / 0", 2), ("", 0)]:
        conftest.write_text(text)
        done, found = run(root, run=judged)
        assert bool(done) == bool(code)


def test_a_conftest_with_hooks_is_known_when_pytest_starts(root: Path) -> None:
    """Does an option that a conftest adds, or a plugin that it names, work as for `pytest.main`?"""
    (root / "hidden" / "conftest.py").write_text(
        "pytest_plugins = ['pytester']\n"
        "def pytest_addoption(parser): parser.addoption('--note', default='a note')\n"
    )
    file = root / "hidden" / "test_all.py"
    file.write_text("def test_it(request): assert request.config.getoption('note') == 'a note'")
    for _ in range(2):
        assert run(root) == (0, "test_it")
