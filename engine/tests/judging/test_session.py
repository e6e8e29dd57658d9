"""Ask whether checks that are collected once begin each run as new ones would."""

from pathlib import Path

import pytest
import small_course as small

from referee import course
from referee.course import Assignment
from referee.judging import session
from referee.judging.plugin import Host

MARK = "@pytest.mark.check(cell='double', points=1, hint='')\n"
CONFTEST = """
import pytest

@pytest.fixture(scope="session")
def of_the_session(): return []

@pytest.fixture(autouse=True)
def torn_down(request):
    kept = []
    yield kept
    assert request.node.name in kept
"""
CHECKS = f"""
import os, pytest, sys

@pytest.fixture(scope="module")
def of_the_module(): return []

{MARK}def test_first(of_the_module, of_the_session, tmp_path, torn_down, request):
    torn_down.append(request.node.name)
    for place in (of_the_module, of_the_session, list(tmp_path.iterdir())):
        assert place == []
        place.append("something")
    (tmp_path / "left").touch()
    os.chdir(tmp_path)

{MARK}def test_last(of_the_module, of_the_session, torn_down, request):
    torn_down.append(request.node.name)
    assert of_the_module == of_the_session == ["something"]
"""


@pytest.fixture
def assignment(tmp_path: Path, imports: None) -> Assignment:
    """Give an assignment without checks; what they import is forgotten afterwards."""
    root = small.make(tmp_path / "course")
    for file in (root / "tests" / "hidden" / small.NAME).iterdir():
        file.unlink()
    return course.Course(root).find(small.NAME)


def run(assignment: Assignment, checks: str, conftest: str = "import pytest\n") -> str:
    """Write and run checks; return their verdicts, or what is said of them."""
    (assignment.hidden / "conftest.py").write_text(conftest)
    (assignment.hidden / "test_all.py").write_text(f"import pytest\n{checks}")
    try:
        results = session.run_checks(assignment, Host())
    except course.CourseError as error:
        return str(error)
    return ", ".join(f"{one.id.partition('::')[2]} {one.verdict}" for one in results)


def test_nothing_of_a_run_is_there_in_the_next(assignment: Assignment) -> None:
    """Are fixtures of all scopes made and torn down in each run, and is the folder as it was?"""
    for _ in range(3):
        here = Path.cwd()
        assert run(assignment, CHECKS, CONFTEST) == "test_first pass, test_last pass"
        assert Path.cwd() == here


def test_checks_are_read_once_and_again_when_they_change(assignment: Assignment) -> None:
    """Does a second run spare the reading, and see what has come, changed and gone?"""
    once = f"read = []\n{MARK}def test_it(): read.append(1); assert len(read) == {{}}"
    assert run(assignment, once.format(1)) == "test_it pass"
    assert run(assignment, once.format(1)) == "test_it wrong"
    assert run(assignment, once.format("1 or 0")) == "test_it pass"
    given = "import pytest\n@pytest.fixture\ndef number(): return {}\n"
    for number in 1, 2:
        checks = f"{MARK}def test_it(number): assert number == {number}"
        assert run(assignment, checks, given.format(number)) == "test_it pass"
    assert run(assignment, checks) == "test_it referee-error"
    assert run(assignment, f"{MARK}def test_other(): pass") == "test_other pass"


FINE = f"{MARK}def test_it(): pass"
UNASKED = "test_all.py::test_it: pytest does not ask it: the file or its conftest.py takes its name"
OVERLOOKED = "a check is a function at the top of a file test_*.py"
WRONG = {  # checks, and what is said of them
    f"{MARK}def test_it(): assert False": "test_it wrong",
    f"{MARK}def test_it(): raise SystemExit": "test_it referee-error",
    f"{MARK}def test_it(): return 3": "test_it referee-error",
    f"{MARK}def test_it(): yield 3": "yield",
    f"{MARK}def test_it(:": "test_all.py:3: SyntaxError",
    "\0": "test_all.py:1: SyntaxError",
    f"import nowhere\n{FINE}": "No module named 'nowhere'",
    f"1 / 0\n{FINE}": "ZeroDivisionError",
    f"{FINE}\ndel test_it": UNASKED,
    f"{FINE}\ntest_it.__test__ = False": UNASKED,
    f"{FINE}\npytest.skip('later', allow_module_level=True)": UNASKED,
    f"class TestIt:\n    {MARK}    def test_it(self): pass": OVERLOOKED,
    f"if True:\n    {MARK}    def test_it(): pass": OVERLOOKED,
    f"{FINE}\ntest_again = test_it": OVERLOOKED,
}


def test_what_goes_wrong_is_told_and_is_gone_afterwards(assignment: Assignment) -> None:
    """Do errors in a check, its file and a conftest end in a sentence, or in a verdict?

    Nothing is judged by good checks beside them.
    """
    (assignment.hidden / "test_good.py").write_text(f"import pytest\n{MARK}def test_good(): pass")
    for checks, told in WRONG.items():
        said = run(assignment, checks)
        assert told in said
        assert ("test_good pass" in said) == ("test_it " in told)
        assert "test_it pass" in run(assignment, FINE)
    for conftest, told in [
        ("1 / 0", "division by zero"),
        ("def pytest_collection_modifyitems(): 1 / 0", "division by zero"),
        ("def pytest_collection_modifyitems(items): del items[0]", UNASKED),
    ]:
        said = run(assignment, FINE, conftest)
        assert told in said and str(assignment.hidden.relative_to(assignment.root)) in said
    assert "test_it pass" in run(assignment, FINE)


@pytest.mark.parametrize("stop", ["raise KeyboardInterrupt", "pytest.exit('stop')"])
def test_an_interruption_ends_the_run_and_leaves_nothing(
    assignment: Assignment, tmp_path: Path, stop: str
) -> None:
    """Are fixtures that were not torn down gone in the next run of the same checks?"""
    (tmp_path / "now").touch()
    checks = f"{CHECKS}\n    if os.path.exists({str(tmp_path / 'now')!r}): {stop}"
    with pytest.raises(KeyboardInterrupt):
        run(assignment, checks, CONFTEST)
    (tmp_path / "now").unlink()
    assert run(assignment, checks, CONFTEST) == "test_first pass, test_last pass"


def test_a_conftest_with_hooks_is_known_when_pytest_starts(assignment: Assignment) -> None:
    """Does an option that a conftest adds, or a plugin that it names, work as for `pytest.main`?"""
    conftest = (
        "pytest_plugins = ['pytester']\n"
        "def pytest_addoption(parser): parser.addoption('--note', default='a note')\n"
    )
    checks = f"{MARK}def test_it(request): assert request.config.getoption('note') == 'a note'"
    for _ in range(2):
        assert run(assignment, checks, conftest) == "test_it pass"
