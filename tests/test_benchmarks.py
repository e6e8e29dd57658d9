"""Ask whether the benchmark gives each grader the same to do, on the smallest class."""

import sys
from pathlib import Path

import pytest
from shares import sampled

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs" / "benchmarks"))

import benchmark  # noqa: E402

GRADERS = ["bare `python`, one each", "stock `nbgrader autograde`", "`referee grade`"]


@pytest.mark.parametrize("grader", sampled(GRADERS, GRADERS[-1]))
def test_all_graders_give_a_small_notebook_the_same_marks(tmp_path: Path, grader: str) -> None:
    """Do all kinds of small notebooks get the marks that they should?"""
    students = benchmark.small_class(len(benchmark.KINDS))
    found = benchmark.grade(tmp_path, grader, "small", students)
    assert found.right == len(students)
    assert found.cpu > 0


def test_no_two_notebooks_are_the_same() -> None:
    """Would no result be found that belongs to another student?"""
    students = [*benchmark.small_class(9), *benchmark.real_class(29)]
    texts = [one.text for one in students if "rex" not in one.student]  # who lost half a file
    assert len(set(texts)) == len(texts) == 36
    assert len({one.student for one in benchmark.real_class(29)}) == 29
