"""Ask what a test cell knows of the test cells before it."""

import json
from pathlib import Path

from notebooks import cell, notebook

from referee.course import Assignment, Course
from referee.intake import testcells

GIVEN = "names = ['Ann']"
WRITTEN = "def mean(numbers):\n    return sum(numbers) / len(numbers)\n\nEDGE = 1"
FIRST = """import math
### BEGIN HIDDEN TESTS
EDGE, TINY = 0, 0
TINY = -1e-9
seen = []
def near(x, y):
    return distance(x, y) > TINY
def distance(x, y):
    return abs(x - y)
def mean(numbers):
    return 0
class Unused:
    pass
assert near(mean([1]), 1)
### END HIDDEN TESTS"""


def before(root: Path, source: str) -> str:
    """Return what is defined before a second test cell is run."""
    cells = [
        cell("given", GIVEN, solution=False), cell("mean", WRITTEN),
        cell("test_mean", FIRST, 1), cell("test_more", source, 1),
    ]  # fmt: skip
    (root / "nbgrader_config.py").write_text("c = get_config()\nc.Course.asserts = True\n")
    file = root / "source" / "week" / "week.ipynb"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(notebook(*cells)))
    return testcells.tests(Assignment("week", Course(root)))["test_more"].before


def test_a_test_finds_what_earlier_tests_define(tmp_path: Path) -> None:
    """Are functions there, with those that they call and their constants, and nothing unasked?"""
    found = before(tmp_path, "assert near(mean([2]), 2)")
    assert testcells.defined(found) >= {"near", "distance", "TINY"}
    assert "Unused" not in found and "def mean" not in found
    assert before(tmp_path, "assert mean([2]) == 2") == ""


def test_what_a_student_writes_or_changes_is_not_put_back(tmp_path: Path) -> None:
    """Do the names of solution cells, and lists, stay what they are in the student's process?"""
    assert before(tmp_path, "assert mean([EDGE]) == 1 and seen == []") == ""
    assert before(tmp_path, "def near(x, y):\n    return True\nassert near(1, 2)") == ""
