"""Checks that write down that they were asked."""

from pathlib import Path

import pytest

from piles import Letters

ROOT = Path(__file__).parents[3]


def check(cell, **more):
    return pytest.mark.check(cell=cell, points=1, hint="Count.", **more)


def note(name):
    with (ROOT / "asked.txt").open("a") as file:
        file.write(f"{(ROOT / 'job.txt').read_text()} {name}\n")


@check("luck")
def test_first(student):
    """It comes first"""
    note("first")
    student.unwritten()


@check("luck")
@pytest.mark.parametrize("n", [1, 2])
def test_each(student, n):
    """It is asked for two numbers"""
    note(f"each {n}")
    assert student.right(n) == 2 * n + 1


@check("luck", needs="test_first")
def test_waiting(student):
    """It waits for the first"""
    note("waiting")
    assert student.right(1) == 3


@check("needs")
def test_busy(student):
    """It counts the calls of a game"""
    note("busy")
    student.busy(Letters())
