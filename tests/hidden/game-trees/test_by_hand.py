"""Hidden checks of what is found by hand: the cells two_ply, fig52 and my_tree."""

from fractions import Fraction
from typing import Any

import pytest

from adversarial.checks.figure import answer_in, expect_answer
from adversarial.games.recorded import Trace
from games import Fig52Game


def parts(game: Trace) -> tuple[list[float], list[float], float]:
    """Return the values for MAX of the states of a tree of 27 leaves: nine, three and the root."""
    three = [(move,) for move in range(3)]
    nine = [(*state, move) for state in three for move in range(3)]
    values = [[game.minimax_value(state, "MAX") for state in level] for level in (nine, three)]
    return values[0], values[1], game.minimax_value((), "MAX")


@pytest.mark.check(
    cell="two_ply",
    points=1,
    hint="MIN answers with the smaller leaf; MAX then takes the larger of the two values.",
)
def test_two_ply_values(student):
    """The values of both states and of the root are right, and so is the move"""
    expect_answer(student, "two_ply_values", [99, 100])
    expect_answer(student, "two_ply_value", 100)
    expect_answer(student, "two_ply_move", 1)


@pytest.mark.check(
    cell="two_ply",
    points=1,
    hint="Heads or tails: the average of two leaves is half of their sum.",
)
def test_two_ply_coin(student):
    """Against a coin the averages are right, and so is the move"""
    averages = [(99 + 1000) / 2, (100 + 101) / 2]
    expect_answer(student, "coin_values", averages)
    expect_answer(student, "coin_move", 0)


@pytest.mark.check(
    cell="fig52",
    points=1,
    hint="In B, C and D it is MIN who chooses, in A it is MAX.",
)
def test_fig52_values(student):
    """What A, B, C and D are worth to MAX is right"""
    expect_answer(student, "fig52_values", {"B": 3, "C": 2, "D": 2, "A": 3})


@pytest.mark.check(
    cell="fig52",
    points=1,
    hint="MIN loses what MAX gains. The moves that both make stay the same.",
)
def test_fig52_values_for_min(student):
    """What A, B, C and D are worth to MIN is right"""
    expected = {"B": -3, "C": -2, "D": -2, "A": -3}
    expect_answer(student, "fig52_values_for_min", expected)


@pytest.mark.check(
    cell="fig52",
    points=1,
    hint="Alpha is the best value of the states that are done, for MAX. C does not raise it.",
)
def test_fig52_alpha(student):
    """What MAX is sure of on entering C and D is right"""
    expect_answer(student, "fig52_alpha", {"C": 3, "D": 3})


@pytest.mark.check(
    cell="fig52",
    points=1,
    hint="Stop in C and in D as soon as a leaf is worth no more than MAX is already sure of.",
)
def test_fig52_leaves(student):
    """How many leaves have to be looked at is right, in both orders"""
    figure = Fig52Game()
    expect_answer(student, "fig52_leaves", len(needed(Trace(figure), "A")))
    figure.leaves = figure.leaves | {"D1": 2, "D3": 14}
    expected = len(needed(Trace(figure), "A"))
    expect_answer(student, "fig52_leaves_reversed", expected)


def needed(game: Trace, root: Any) -> list[Any]:
    """Return the leaves that alpha-beta looks at from left to right, in a tree without ties."""
    return [state for state in game.alpha_beta_generates(root) if game.game.terminal_test(state)]


@pytest.mark.check(
    cell="my_tree",
    points=2,
    hint="In the states before the leaves MAX is to move. Is the tree that of your own id?",
)
def test_my_nine(student, own_tree):
    """The values of the nine states before the leaves are right, for the student's own tree"""
    expect_answer(student, "my_nine", parts(own_tree)[0])


@pytest.mark.check(
    cell="my_tree",
    points=1,
    hint="MIN chooses among three of the nine numbers, MAX among the three that are left.",
)
def test_my_value(student, own_tree):
    """The values of MIN's three states and of the root are right"""
    _, three, value = parts(own_tree)
    expect_answer(student, "my_three", three)
    expect_answer(student, "my_value", value)


@pytest.mark.check(
    cell="my_tree",
    points=1,
    hint="The best move leads to the state that is worth most, not to the largest leaf.",
)
def test_my_move(student, own_tree):
    """The best move at the root is right"""
    _, three, value = parts(own_tree)
    expect_answer(student, "my_move", three.index(value))


@pytest.mark.check(
    cell="my_tree",
    points=2,
    hint="Keep alpha at the root, and beta at each state of MIN's, written beside the rows.",
)
def test_my_skipped(student, own_tree):
    """The leaves that alpha-beta skips are right, no one too many and none forgotten"""
    answer, leaves = answer_in(student, "my_skipped"), own_tree.game.leaves
    assert type(answer) in (list, tuple), "`my_skipped` must be a list of numbers."
    assert all(type(leaf) is not str for leaf in answer), (
        "`my_skipped` holds a text: write the numbers without quotes."
    )
    odd = [leaf for leaf in answer if type(leaf) not in (int, float, Fraction)]
    assert not odd, "`my_skipped` must be a list of numbers."
    strange = [leaf for leaf in answer if leaf not in leaves.values()]
    assert not strange, f"`my_skipped` holds {strange[0]}, which is no leaf of your tree."
    expected = {leaves[state] for state in leaves} - {leaves[s] for s in needed(own_tree, ())}
    assert set(answer) <= expected, "`my_skipped` holds a leaf that has to be looked at."
    assert set(answer) == expected, "`my_skipped` lacks a leaf that can be skipped."
