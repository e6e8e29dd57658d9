"""Hidden checks of the cell minmax_decision: the move, and the whole tree."""

import pytest

from adversarial.checks.boards import expect_best_on_boards
from adversarial.checks.figure import expect_best_in_trees, expect_figure
from adversarial.checks.trees import expect_whole_tree
from adversarial.games.recorded import Trace
from games import Fig52Game


@pytest.mark.check(
    cell="minmax_decision",
    points=1,
    hint="The player to move takes the child of the highest value, the other answers the lowest.",
)
def test_minmax_fig52(student, alike):
    """It finds the best move in the 4 states of the textbook's tree, and of one like it"""
    expect_figure(student.minmax_decision, alike)


@pytest.mark.check(
    cell="minmax_decision",
    points=1,
    hint="Plain minimax looks at every child of every state exactly once: no pruning, no memory.",
    needs="test_minmax_fig52",
)
def test_minmax_whole_tree(student, trees, board_trees):
    """It looks at every state of the tree once and finds a best move, in 46 trees and 6 boards"""
    for game in [Trace(Fig52Game()), *map(Trace, trees), *board_trees]:
        move = student.minmax_decision(game.initial, game)
        expect_whole_tree(game, game.initial, move, "a tree")


@pytest.mark.check(
    cell="minmax_decision",
    points=2,
    hint="Try a tree of three plies by hand: the levels of MAX and MIN must take turns.",
    needs="test_minmax_fig52",
)
def test_minmax_random_trees(student, trees):
    """It finds a best move in 45 trees, for MAX and for MIN"""
    expect_best_in_trees(student.minmax_decision, trees)


@pytest.mark.check(
    cell="minmax_decision",
    points=2,
    hint="Here the players are X and O, paths are not equally long, moves come one by one.",
)
def test_minmax_boards(student, chance, fast_tictactoe):
    """It finds a best move in 60 positions of tic-tac-toe, for X and for O, also in lost ones"""
    expect_best_on_boards(student.minmax_decision, fast_tictactoe(lazy=True), chance)
