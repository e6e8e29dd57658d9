"""Sums."""

import pytest
from arithmetic import boards

LARGEST = 10


def check(points, **more):
    return pytest.mark.check(cell="sums", points=points, hint="Count.", **more)


@check(1)
def test_one(student):
    """One and one."""
    assert student.add(1, 1) == 2  # easy


@check(1, needs="test_one")
def test_two(student):
    """It needs the first."""
    assert student.add(2, 2) == 4


@check(2, needs="test_two")
def test_three(student):
    """It needs what needs the first."""
    assert student.add(3, 3) == 6


@check(1)
@pytest.mark.parametrize("n", [1, 2])
def test_alone(student, n):
    """It needs none."""
    assert helper(student, n) < LARGEST


def helper(student, n):
    return student.add(n, n)
