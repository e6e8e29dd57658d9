"""Hidden checks of the trees that hold alpha-beta up: random ones kill 28 mutants at most."""

import pytest

from adversarial.checks.break_it import expect_killed, expect_small_trees
from adversarial.checks.figure import answer_in

HINT = "Take a line that is alive: in which tree would it matter?"


def trees(student, suspects):
    return expect_small_trees(answer_in(student, "my_trees"), suspects.numbers)


@pytest.mark.check(cell="my_trees", points=3, hint=HINT)
def test_trees_30(student, suspects):
    """The trees kill 30 of the 40 mutants
    Needed for wrong/trees_none and wrong/trees_of_games."""
    expect_killed(trees(student, suspects), 30)


@pytest.mark.check(cell="my_trees", points=3, hint=HINT)
def test_trees_33(student, suspects):
    """They kill 33
    Needed for wrong/trees_large_and_small."""
    expect_killed(trees(student, suspects), 33)


@pytest.mark.check(cell="my_trees", points=4, hint=HINT)
def test_trees_36(student, suspects):
    """They kill 36
    Needed for wrong/trees_two."""
    expect_killed(trees(student, suspects), 36)


@pytest.mark.check(cell="my_trees", points=4, hint=HINT)
def test_trees_39(student, suspects):
    """They kill 39
    Needed for wrong/trees_few_alive."""
    expect_killed(trees(student, suspects), 39)
