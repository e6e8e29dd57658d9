"""Hidden checks of the student's own search, and of the trees that hold it up."""

import pytest

from adversarial.checks.figure import expect_best_in_tree
from adversarial.checks.own_trees import expect_killed
from adversarial.checks.pruning import FinishedSearch, expect_proven_move, expect_pruned


@pytest.mark.check(
    cell="my_search",
    points=2,
    hint="It is the search of game-trees: does it pass the checks there?",
)
def test_my_search(student, trees):
    """`alpha_beta_search` finds a best move in 20 trees"""
    for tree in trees:
        expect_best_in_tree(tree, (), student.alpha_beta_search((), tree))


@pytest.mark.check(
    cell="my_search",
    points=2,
    hint="It is the search of game-trees: does it pass the checks there?",
)
def test_my_search_prunes(student, trees):
    """It sees what proves its move, and no more than alpha-beta, in 20 trees"""
    for tree in trees:
        search = FinishedSearch(tree, ())
        expect_proven_move(search, student.alpha_beta_search((), tree))
        expect_pruned(search)


@pytest.mark.check(
    cell="my_trees", points=2, hint="Take a line that is alive: in which tree would it matter?"
)
def test_my_trees_most(killed):
    """Nine of ten mutants of your own search are killed by your trees"""
    expect_killed(killed(), 0.9, prunes=False)


@pytest.mark.check(
    cell="my_trees", points=4, hint="Take a line that is alive: in which tree would it matter?"
)
def test_my_trees_nearly_all(killed):
    """Of the mutants of your own search one is alive, or at most one in twenty"""
    expect_killed(killed(), 0.95, spare=1)


@pytest.mark.check(
    cell="my_trees", points=4, hint="Take a line that is alive: in which tree would it matter?"
)
def test_my_trees_all(killed):
    """No mutant of your own search that our trees kill is alive"""
    expect_killed(killed(), 1)
