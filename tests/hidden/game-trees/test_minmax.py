"""Hidden checks of the cell minmax_decision: the move, and the whole tree."""

import pytest

from adversarial.checks.boards import expect_best_on_boards
from adversarial.checks.figure import expect_best_in_tree, expect_best_in_trees, expect_figure
from adversarial.checks.trees import expect_all_generated, expect_by_sign
from adversarial.games.recorded import Trace
from games import Fig52Game


@pytest.mark.check(cell="minmax_decision", points=1.25)
def test_minmax_above_zero(student, alike, two_moves):
    """It finds MAX's best move in the textbook's tree, one like it, and 20 with two moves each"""
    expect_figure(student.minmax_decision, alike, "A")
    for tree in two_moves[0]:
        expect_best_in_tree(game := Trace(tree), (), student.minmax_decision((), game))


@pytest.mark.check(cell="minmax_decision", points=1.25)
def test_minmax_below_zero(student, two_moves):
    """It finds MAX's best move in 20 trees with two moves in each state and leaves below zero"""
    for tree in two_moves[1]:
        expect_best_in_tree(game := Trace(tree), (), student.minmax_decision((), game))


@pytest.mark.check(cell="minmax_decision", points=0.5)
def test_minmax_random_trees(student, alike, trees):
    """It finds a best move in 51 trees, for MAX and for MIN: large leaves, halves, zeros, ties"""
    expect_figure(student.minmax_decision, alike, "BCD")
    expect_best_in_trees(student.minmax_decision, trees)


@pytest.mark.check(cell="minmax_decision", points=1.25)
def test_minmax_boards(student, chance, fast_tictactoe):
    """It finds a best move in 60 positions of tic-tac-toe, for X and for O, also in lost ones"""
    expect_best_on_boards(student.minmax_decision, fast_tictactoe(lazy=True), chance)


@pytest.mark.check(cell="minmax_decision", points=1.75)
def test_minmax_whole_tree(student, two_moves, trees, board_trees):
    """It looks at every state once, in 50 trees and 6 boards, and its moves are best there"""

    def search_each(tree):
        expect_best_in_tree(game := Trace(tree), (), student.minmax_decision((), game))
        expect_all_generated(game, (), "a tree")

    expect_by_sign(search_each, *two_moves)  # who compares nothing has looked for nothing
    for game in [Trace(Fig52Game()), *map(Trace, trees), *board_trees]:
        student.minmax_decision(game.initial, game)
        expect_all_generated(game, game.initial, "a tree")
