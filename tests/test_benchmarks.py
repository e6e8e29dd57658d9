"""Ask whether the benchmark gives each grader the same to do, on the smallest class."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs" / "benchmarks"))

import benchmark  # noqa: E402

GRADERS = ["bare `python`, one each", "stock `nbgrader autograde`", "`referee grade`"]


@pytest.mark.nightly
@pytest.mark.parametrize("grader", GRADERS)
def test_all_graders_give_a_small_notebook_the_same_marks(tmp_path: Path, grader: str) -> None:
    """Do all kinds of small notebooks get the marks that they should?"""
    students = benchmark.small_class(len(benchmark.KINDS))
    found = benchmark.grade(tmp_path, grader, students)
    assert found.right == len(students)
    assert found.cpu > 0
