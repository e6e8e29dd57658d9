"""Hidden checks of a notebook in which nothing takes time: those of `small.ipynb`, one by one.

They ask what the hidden tests of the notebook ask, so that a grader of either kind has the same to
do and gives the same marks.
"""

import pytest

from adversarial.games.recorded import Trace
from games import Fig52Game, TreeGame


@pytest.mark.check(cell="opponent", points=1, hint="There are two players.")
def test_opponent(student):
    """`opponent` names the other player"""
    assert student.opponent("MAX") == "MIN", "MAX plays against another one."
    assert student.opponent("MIN") == "MAX", "MIN plays against another one."


@pytest.mark.check(cell="leaves", points=1, hint="A final state is one end, the others add up.")
def test_leaves_of_the_textbook(student):
    """`leaves` counts the ends of the textbook's tree"""
    game = Trace(Fig52Game(), *"ABCD", "D3")
    found = [student.leaves(game, state) for state in ["A", "B", "C", "D", "D3"]]
    assert found == [9, 3, 3, 3, 1], "A number is wrong."


@pytest.mark.check(cell="leaves", points=1, hint="A final state is one end, the others add up.")
def test_leaves_of_another_tree(student):
    """`leaves` counts the ends of another tree"""
    states = [(), (0,), (1,), (1, 0)]
    game = Trace(TreeGame([5, 1, 7, 3], 2), *states)
    found = [student.leaves(game, state) for state in states]
    assert found == [4, 2, 2, 1], "A number is wrong."


@pytest.mark.check(cell="hope", points=1, hint="Nobody stands in the way of the player.")
def test_hope_in_the_textbook(student):
    """`hope` is the best end of the textbook's tree"""
    game = Trace(Fig52Game(), *"ABCD", "D3")
    found = [student.hope(game, state, "MAX") for state in ["A", "B", "C", "D", "D3"]]
    assert found == [14, 12, 6, 14, 2], "A value is wrong."


@pytest.mark.check(cell="hope", points=1, hint="Nobody stands in the way of the player.")
def test_hope_in_another_tree(student):
    """`hope` is the best end of another tree, for the other player"""
    states = [(), (0,), (1,), (1, 0)]
    game = Trace(TreeGame([5, 1, 7, 3], 2), *states)
    found = [student.hope(game, state, "MIN") for state in states]
    assert found == [-1, -1, -3, -7], "A value is wrong."
