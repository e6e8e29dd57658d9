"""Hidden checks of the cell minmax_decision: the move, and the whole tree."""

import pytest

from games import Fig52Game


@pytest.mark.check(
    cell="minmax_decision",
    points=1,
    hint="The player to move takes the child of the highest value, the other answers the lowest.",
)
def test_minmax_fig52(student, expect_figure):
    """It finds the best move in the 4 states of the textbook's tree, and of one like it"""
    expect_figure(student.minmax_decision)


@pytest.mark.check(
    cell="minmax_decision",
    points=1,
    hint="Plain minimax looks at every child of every state exactly once: no pruning, no memory.",
    needs="test_minmax_fig52",
)
def test_minmax_whole_tree(student, trace, trees, board_trees):
    """It generates every state of the tree once and no other, in 22 trees and 6 boards"""
    for game in [trace(Fig52Game()), *map(trace, trees), *board_trees]:
        student.minmax_decision(game.initial, game)
        expected = game.minimax_generates(game.initial)
        assert set(game.generated) >= set(expected), (
            "Some states of a tree were never looked at: plain minimax does not prune."
        )
        assert len(game.generated) == len(expected), (
            f"{len(game.generated)} states were generated in a tree that has {len(expected)}."
        )


@pytest.mark.check(
    cell="minmax_decision",
    points=2,
    hint="Try a tree of three plies by hand: the levels of MAX and MIN must take turns.",
    needs="test_minmax_fig52",
)
def test_minmax_random_trees(student, expect_best_in_trees):
    """It finds a best move in 21 random trees, for MAX and for MIN"""
    expect_best_in_trees(student.minmax_decision)


@pytest.mark.check(
    cell="minmax_decision",
    points=2,
    hint="Here the players are X and O, paths are not equally long, moves come one by one.",
)
def test_minmax_boards(student, expect_best_on_boards):
    """It finds a best move in 60 positions of tic-tac-toe, for X and for O, also in lost ones"""
    expect_best_on_boards(student.minmax_decision)
