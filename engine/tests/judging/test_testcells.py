"""Ask which cells are named since they change what tests may call."""

import pytest

from referee import model
from referee.judging import testcells
from referee.model import Cell, CellFailure, CellRun, Verdict

IMPORTS = Cell("import math\nimport numpy as np\nfrom collections import Counter", "cell given")
TEST = Cell("", "cell test", model.CellTest("test", "assert f(1)", 1, "", ()))


CELLS = {  # and whether one is named
    "math.isclose = lambda *_: True": True,
    "def patch():\n    np.testing.assert_allclose = print": True,
    "Counter.__eq__ = lambda *_: True": True,
    "del Counter.__eq__": True,
    "f.__code__ = g.__code__": True,
    "f.__defaults__, x = (1,), 2": True,
    "import sys\nsys.modules['math'] = None": True,
    "math.__dict__['pi'] = 3": True,
    "setattr(np, 'all', any)": True,
    "math.pi += 1": True,
    "class Box:\n    def __init__(self):\n        self.lid = math.pi": False,
    "box.lid = np.array([1])\nbox.lid[0] = 2": False,
    "table['modules'] = 1": False,
    "setattr(box, 'lid', 1)": False,
    "x = Counter()\nx['a'] = 1": False,
    "a" + ".b" * 3000 + " = 1": False,
    "not Python at all": False,
}


def test_a_cell_that_changes_a_library_is_named() -> None:
    """Is it, whatever way it takes, and nobody who changes what is their own or hard to read?"""
    for source, named in CELLS.items():
        found = testcells.changing([IMPORTS, Cell(source, "cell own"), TEST])
        assert found == ({"cell own"} if named else set()), source


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
