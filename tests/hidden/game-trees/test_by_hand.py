"""Hidden checks of what is found by hand: the cells two_ply, fig52 and my_tree."""

from typing import Any

import pytest

from adversarial.checks.figure import answer_in, expect_answer, expect_numbers
from adversarial.checks.trees import is_number
from adversarial.games.recorded import Trace
from games import Fig52Game


def parts(game: Trace) -> tuple[list[float], list[float], float]:
    """Return the values for MAX of the states of a tree of 27 leaves: nine, three and the root."""
    three = [(move,) for move in range(3)]
    nine = [(*state, move) for state in three for move in range(3)]
    values = [[game.minimax_value(state, "MAX") for state in level] for level in (nine, three)]
    return values[0], values[1], game.minimax_value((), "MAX")


def own_or_right(answer: Any, right: list[float]) -> list[float]:
    """Return the student's numbers if at most one is wrong: what follows is asked from there."""
    if type(answer) not in (list, tuple) or len(answer) != len(right):
        return right
    wrong = [number for number, other in zip(answer, right, strict=True) if number != other]
    return list(answer) if all(map(is_number, answer)) and len(wrong) <= 1 else right


def own_figure(student: Any) -> list[float]:
    """Return what B, C and D are worth by the student, if at most one is wrong; else the right."""
    values = answer_in(student, "fig52_values")
    three = [values.get(state) for state in "BCD"] if type(values) is dict else []
    return own_or_right(three, [3, 2, 2])


def expect_following(student: Any, name: str, right: Any, following: Any) -> None:
    """Expect a right answer, or what follows from an earlier one in which one number is wrong."""
    expect_answer(student, name, following if answer_in(student, name) == following else right)


@pytest.mark.check(
    cell="two_ply", points=0.75, hint="MIN takes the smaller leaf, MAX the larger of both values."
)
def test_two_ply_values(student):
    """The values of both states and of the root are right
    Needed for wrong/two_ply_hopes and wrong/two_ply_texts."""
    expect_answer(student, "two_ply_values", [99, 100])
    expect_answer(student, "two_ply_value", 100)


@pytest.mark.check(
    cell="two_ply", points=0.75, hint="The average of two leaves is half of their sum."
)
def test_two_ply_coin(student):
    """The averages against a coin are right
    Needed for wrong/two_ply_texts and wrong/two_ply_coin_is_a_min."""
    expect_answer(student, "coin_values", [(99 + 1000) / 2, (100 + 101) / 2])


@pytest.mark.check(
    cell="two_ply", points=0.5, hint="Take the move to the larger value. Moves count from 0."
)
def test_two_ply_moves(student):
    """The best moves at the root are right, against MIN and against a coin
    Needed for wrong/two_ply_both_from_one and wrong/two_ply_counts_from_one."""
    expect_answer(student, "two_ply_move", 1)
    expect_answer(student, "coin_move", 0)


@pytest.mark.check(
    cell="fig52", points=1, hint="In B, C and D it is MIN who chooses, in A it is MAX."
)
def test_fig52_values(student):
    """What A, B, C and D are worth to MAX is right
    Needed for wrong/fig52_root_is_a_min and wrong/fig52_one_state_misread."""
    expect_answer(student, "fig52_values", {"B": 3, "C": 2, "D": 2, "A": 3})


@pytest.mark.check(
    cell="fig52", points=1, hint="MIN loses what MAX gains; the moves of both stay the same."
)
def test_fig52_values_for_min(student):
    """What A, B, C and D are worth to MIN is right, or follows from one wrong value for MAX
    Needed for wrong/fig52_min_dreams and wrong/fig52_min_gets_the_same."""
    three = own_figure(student)
    following = dict(zip("BCDA", [*(-value for value in three), -max(three)], strict=True))
    right = {"B": -3, "C": -2, "D": -2, "A": -3}
    expect_following(student, "fig52_values_for_min", right, following)


@pytest.mark.check(
    cell="fig52", points=1, hint="Alpha is the best value so far, for MAX. C does not raise it."
)
def test_fig52_alpha(student):
    """What MAX is sure of on entering C and D is right, or follows from one wrong value
    Needed for wrong/fig52_alpha_is_a_leaf and wrong/fig52_alpha_is_the_last."""
    first, second, _ = own_figure(student)
    following = {"C": first, "D": max(first, second)}
    expect_following(student, "fig52_alpha", {"C": 3, "D": 3}, following)


@pytest.mark.check(
    cell="fig52", points=1, hint="Stop where a leaf is worth no more than MAX is sure of."
)
def test_fig52_leaves(student):
    """How many leaves have to be looked at is right, in both orders
    Needed for wrong/fig52_all_leaves and wrong/fig52_counts_the_skipped."""
    figure = Fig52Game()
    expect_answer(student, "fig52_leaves", len(needed_leaves(Trace(figure), "A")))
    figure.leaves = figure.leaves | {"D1": 2, "D3": 14}
    count = len(needed_leaves(Trace(figure), "A"))
    expect_answer(student, "fig52_leaves_reversed", count)


def needed_leaves(game: Trace, root: Any) -> list[Any]:
    """Return the leaves that alpha-beta looks at from left to right, in a tree without ties."""
    return [state for state in game.alpha_beta_generates(root) if game.game.terminal_test(state)]


@pytest.mark.check(
    cell="my_tree", points=1, hint="Before the leaves MAX moves. Is the tree that of your own id?"
)
def test_my_nine(student, own_tree):
    """The values of the nine states before the leaves are right, for the student's own tree
    Needed for wrong/my_tree_one_row_misread and wrong/my_tree_levels_swapped."""
    expect_answer(student, "my_nine", parts(own_tree)[0])


@pytest.mark.check(
    cell="my_tree", points=2, hint="MIN chooses among three of the nine, MAX of what is left."
)
def test_my_value(student, own_tree):
    """The values of MIN's three states and the root are right, or follow from one wrong of nine
    Needed for wrong/my_tree_min_forgotten and crash/my_tree_takes_a_list_for_a_number."""
    nine, right, value = parts(own_tree)
    own_nine = own_or_right(answer_in(student, "my_nine"), nine)
    three = [min(own_nine[first : first + 3]) for first in (0, 3, 6)]
    expect_following(student, "my_three", right, three)
    expect_following(student, "my_value", value, max(three))


@pytest.mark.check(
    cell="my_tree", points=1, hint="The best move leads to the state that is worth most."
)
def test_my_move(student, own_tree):
    """The best move at the root is right, or the best if one of the three values is wrong
    Needed for wrong/my_tree_counts_from_one and wrong/my_tree_greedy."""
    _, three, value = parts(own_tree)
    own_three = own_or_right(answer_in(student, "my_three"), three)
    expect_following(student, "my_move", three.index(value), own_three.index(max(own_three)))


@pytest.mark.check(
    cell="my_tree", points=2, hint="Keep alpha at the root, and beta at each state of MIN's."
)
def test_my_skipped(student, own_tree):
    """The leaves that alpha-beta skips are right, no one too many and none forgotten
    Needed for wrong/my_tree_places and wrong/my_tree_how_many."""
    answer, leaves = answer_in(student, "my_skipped"), own_tree.game.leaves
    numbers = [*answer] if type(answer) in (list, tuple) else []
    expect_numbers(answer, numbers, "my_skipped")
    strange = [leaf for leaf in answer if leaf not in leaves.values()]
    assert not strange, f"`my_skipped` holds {strange[0]}, which is no leaf of your tree."
    assert len(set(answer)) == len(answer), "`my_skipped` holds a leaf twice."
    right = {leaves[state] for state in leaves} - {leaves[s] for s in needed_leaves(own_tree, ())}
    assert set(answer) <= right, "`my_skipped` holds a leaf that has to be looked at."
    assert set(answer) == right, "`my_skipped` lacks a leaf that can be skipped."
