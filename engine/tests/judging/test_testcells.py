"""Ask which cells are named since they change what tests may call."""

import pytest

from referee import model
from referee.judging import testcells
from referee.model import Cell, CellFailure, CellRun, Verdict

IMPORTS = Cell("import math\nimport numpy as np\nfrom collections import Counter", "cell given")
TEST = Cell("", "cell test", model.CellTest("test", "assert f(1)", 1, "", ()))


def named(source: str) -> bool:
    """Return whether a cell is named, and no other."""
    found = testcells.changing([IMPORTS, Cell(source, "cell own"), TEST])
    assert found <= {"cell own"}
    return bool(found)


@pytest.mark.parametrize(
    "source",
    [
        "math.isclose = lambda *_: True",
        "def patch():\n    np.testing.assert_allclose = print",
        "Counter.__eq__ = lambda *_: True",
        "del Counter.__eq__",
        "f.__code__ = g.__code__",
        "f.__defaults__, x = (1,), 2",
        "import sys\nsys.modules['math'] = None",
        "math.__dict__['pi'] = 3",
        "setattr(np, 'all', any)",
        "math.pi += 1",
    ],
)
def test_a_cell_that_changes_a_library_is_named(source: str) -> None:
    """Is it, whatever way it takes?"""
    assert named(source)


@pytest.mark.parametrize(
    "source",
    [
        "class Box:\n    def __init__(self):\n        self.lid = math.pi",
        "box.lid = np.array([1])\nbox.lid[0] = 2",
        "table['modules'] = 1",
        "setattr(box, 'lid', 1)",
        "x = Counter()\nx['a'] = 1",
        "a" + ".b" * 3000 + " = 1",
        "not Python at all",
    ],
)
def test_who_changes_their_own_is_not_named(source: str) -> None:
    """Is ordinary work left alone, and a cell that is hard to read no error?"""
    assert not named(source)


def test_without_tests_of_its_own_nothing_is_looked_at() -> None:
    """Is a course with hidden checks as before?"""
    assert not testcells.changing([IMPORTS, Cell("math.pi = 3", "cell own")])


@pytest.mark.parametrize("by_student", [True, False])
def test_what_a_test_raises_itself_is_no_error_of_the_students(by_student: bool) -> None:
    """Is it a failed test, in the test's own words, where no line of the student's has raised?"""
    line = "raise ValueError(f())"
    cell = Cell(line, "cell test", model.CellTest("test", line, 1, "", ()))
    where = ["cell f, line 2, in f: return 1 / 0"] if by_student else []
    run = CellRun(result=CellFailure(["ValueError"], "no", where, 1))
    (check,) = testcells.results([cell], [run])["test"]
    assert check.verdict is (Verdict.ERROR if by_student else Verdict.WRONG)
    assert check.message.startswith(
        "Your code raised" if by_student else f"This test failed: {line}"
    )
