"""Hidden checks of the cell alpha_beta_search: move, pruning and player."""

import pytest

from adversarial.checks.boards import expect_best_on_boards
from adversarial.checks.figure import (
    expect_best_in_tree,
    expect_best_in_trees,
    expect_figure,
    recorded,
)
from adversarial.checks.pruning import (
    ON_BOARDS,
    FinishedSearch,
    expect_proven_move,
    expect_pruned,
    expect_textbook_order,
)
from adversarial.checks.trees import expect_by_sign
from adversarial.games.recorded import Trace


@pytest.mark.check(cell="alpha_beta_search", points=1.25)
def test_alpha_beta_above_zero(student, alike, two_moves):
    """It finds MAX's best move in the textbook's tree, one like it, and 20 with two moves each"""
    expect_figure(student.alpha_beta_search, alike, "A")
    for tree in two_moves[0]:
        expect_best_in_tree(game := Trace(tree), (), student.alpha_beta_search((), game))


@pytest.mark.check(cell="alpha_beta_search", points=1.25)
def test_alpha_beta_below_zero(student, two_moves):
    """It finds MAX's best move in 20 trees with two moves in each state and leaves below zero"""
    for tree in two_moves[1]:
        expect_best_in_tree(game := Trace(tree), (), student.alpha_beta_search((), game))


@pytest.mark.check(cell="alpha_beta_search", points=0.75)
def test_alpha_beta_random_trees(student, alike, trees):
    """It finds a best move in 51 trees, for MAX and for MIN: large leaves, halves, zeros, ties"""
    expect_figure(student.alpha_beta_search, alike, "BCD")
    expect_best_in_trees(student.alpha_beta_search, trees)


@pytest.mark.check(cell="alpha_beta_search", points=0.75)
def test_alpha_beta_boards(student, chance, fast_tictactoe):
    """It finds a best move in 60 positions of tic-tac-toe, for X and for O, also in lost ones"""
    expect_best_on_boards(student.alpha_beta_search, fast_tictactoe(lazy=True), chance)


@pytest.mark.check(cell="alpha_beta_search", points=1)
def test_alpha_beta_cuts_for_min(student, two_plies):
    """In the textbook's tree and 12 like it, it generates what alpha-beta does, in that order"""
    expect_by_sign(lambda tree: expect_textbook_order(tree, student.alpha_beta_search), *two_plies)


@pytest.mark.check(cell="alpha_beta_search", points=0.75)
def test_alpha_beta_cuts_for_max(student, max_below):
    """It prunes where MAX moves, in 12 trees of three plies in which alpha prunes nothing"""

    def search_each(tree):
        search = FinishedSearch(Trace(tree), ())
        expect_proven_move(search, student.alpha_beta_search((), search.game))
        expect_pruned(search)

    expect_by_sign(search_each, *max_below)


@pytest.mark.check(cell="alpha_beta_search", points=1.25)
def test_alpha_beta_tree_pruning(student, trees, board_trees):
    """It sees what proves its move and no more than textbook alpha-beta, in 103 searches"""
    searches = [FinishedSearch(Trace(game.game, root), root) for game, root, _ in recorded(trees)]
    searches += [FinishedSearch(game, (), limits=ON_BOARDS) for game in board_trees]
    for search in searches:
        expect_proven_move(search, student.alpha_beta_search(search.root, search.game))
        expect_pruned(search)


@pytest.mark.check(cell="alpha_beta_search", points=1)
def test_alpha_beta_player(student, two_moves):
    """`alpha_beta_player` moves as `alpha_beta_search` does, in each state of eight games"""
    player, search = student.alpha_beta_player, student.alpha_beta_search

    def play_once(tree):
        expect_best_in_tree(game := Trace(tree), (), player(game, ()))

    expect_by_sign(play_once, *two_moves)
    for tree in (
        *two_moves[0][:4],
        *two_moves[1][:4],
    ):  # whether the search is right is asked elsewhere
        playing, searching, state = Trace(tree), Trace(tree), tree.initial
        while not tree.terminal_test(state):
            move = player(playing, state)
            assert move == search(state, searching), (
                f"As {tree.to_move(state)} it does not move as your `alpha_beta_search` does."
            )
            assert playing.generated == searching.generated, (
                "It does not look at the states that your `alpha_beta_search` looks at."
            )
            playing.result(state, move)
            state = searching.result(state, move)
