"""Checks of which one waits for another, and is called like its file."""

import pytest


@pytest.mark.check(cell="needs", points=1, hint="Count.")
def test_first(student):
    """It comes first"""
    assert student.right(1) == 0


@pytest.mark.check(cell="needs", points=1, hint="Count.")
def test_blank(student):
    """It comes second"""
    student.unwritten()


@pytest.mark.check(cell="needs", points=1, hint="Count.", needs="test_blank")
def test_namesake(student):
    """It is called like its file"""
    assert student.right(1) == 3


@pytest.mark.check(cell="needs", points=1, hint="Count.")
@pytest.mark.parametrize("picture", ["X O / . .", "X . / . ."])
def test_pictures(student, picture):
    """It is asked for two boards"""
    assert student.right(1) == 3
