"""Hidden checks of the cells minmax_decision and alpha_beta_search."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from adversarial.checks.boards import expect_best_on_boards
from adversarial.checks.figure import ORDER, figure, searches_of
from adversarial.checks.pruning import (
    ON_BOARDS,
    FinishedSearch,
    expect_nothing_in_vain,
    expect_some_cut,
)
from adversarial.checks.trees import (
    expect_all_generated,
    expect_best_in_tree,
    expect_by_sign,
    random_tree,
)
from adversarial.games.recorded import LastFirst, Trace
from games import Fig52Game, Game

Search = Callable[..., Any]


def expect_best(search: Search, searches: Iterable[FinishedSearch]) -> None:
    """Expect one of the best moves in each."""
    for game, root, *_ in searches:
        expect_best_in_tree(game, root, search(root, game))


def expect_best_in_figures(search: Search, alike: Trace, states: str) -> None:
    """Expect the best move in states of the textbook's tree, and of one with other leaves."""
    for game, where in (figure(), "In the textbook's tree"), (alike, "In a tree with other leaves"):
        for state in states:
            expect_best_in_tree(game, state, search(state, game), where)


def for_max(trees: Iterable[Game]) -> list[FinishedSearch]:
    """Return the searches of some trees for MAX."""
    return [FinishedSearch(Trace(tree), ()) for tree in trees]


@pytest.mark.check(cell="minmax_decision", points=1)
def test_minmax_above_zero(student, alike, two_moves):
    """It finds MAX's best move in the textbook's tree, one like it, and 20 with two moves each
    Needed for wrong/nothing_done and wrong/minmax_both_help."""
    expect_best_in_figures(student.minmax_decision, alike, "A")
    expect_best(student.minmax_decision, for_max(two_moves[0]))


@pytest.mark.check(cell="minmax_decision", points=1)
def test_minmax_below_zero(student, two_moves):
    """It finds MAX's best move in 20 trees with two moves in each state and leaves below zero
    Needed for wrong/minmax_best_starts_at_zero."""
    expect_best(student.minmax_decision, for_max(two_moves[1]))


@pytest.mark.check(cell="minmax_decision", points=1)
def test_minmax_random_trees(student, alike, more_trees):
    """It finds a best move in 78 trees, for MAX and for MIN: large leaves, halves, zeros, ties
    Needed for wrong/minmax_from_the_beginning and wrong/minmax_infinity_is_a_thousand."""
    expect_best_in_figures(student.minmax_decision, alike, "BCD")
    expect_best(student.minmax_decision, [*searches_of(more_trees)])


@pytest.mark.check(cell="minmax_decision", points=1)
def test_minmax_boards(student, chance, fast_tictactoe):
    """It finds a best move in 60 positions of tic-tac-toe, for X and for O, also in lost ones
    Needed for wrong/minmax_wants_a_list and wrong/minmax_names_of_a_tree."""
    expect_best_on_boards(student.minmax_decision, fast_tictactoe(lazy=True), chance)


@pytest.mark.check(cell="minmax_decision", points=2)
def test_minmax_whole_tree(student, two_moves, trees, board_trees):
    """It looks at every state once, in trees and on 6 boards, and its moves are best there
    Needed for wrong/minmax_prunes and wrong/minmax_looks_twice."""

    def search_each(tree):
        expect_best(student.minmax_decision, [FinishedSearch(game := Trace(tree), ())])
        expect_all_generated(game, (), "a tree")

    expect_by_sign(search_each, *two_moves)  # who compares nothing has looked for nothing
    for game in [Trace(Fig52Game()), *map(Trace, trees[::3]), *board_trees]:
        student.minmax_decision(game.initial, game)
        expect_all_generated(game, game.initial, "a tree")


@pytest.mark.check(cell="alpha_beta_search", points=1.25)
def test_alpha_beta_above_zero(student, alike, two_moves):
    """It finds MAX's best move in the textbook's tree, one like it, and 20 with two moves each
    Needed for wrong/alpha_beta_cuts_too_soon and wrong/alpha_beta_reads_the_state."""
    expect_best_in_figures(student.alpha_beta_search, alike, "A")
    expect_best(student.alpha_beta_search, searches := for_max(two_moves[0]))
    expect_some_cut(searches)


@pytest.mark.check(cell="alpha_beta_search", points=1.25)
def test_alpha_beta_below_zero(student, two_moves):
    """It finds MAX's best move in 20 trees with two moves in each state and leaves below zero
    Needed for wrong/alpha_beta_alpha_starts_at_zero."""
    expect_best(student.alpha_beta_search, searches := for_max(two_moves[1]))
    expect_some_cut(searches)


@pytest.mark.check(cell="alpha_beta_search", points=0.75)
def test_alpha_beta_random_trees(student, alike, more_trees):
    """It finds a best move in 78 trees, for MAX and for MIN: large leaves, halves, zeros, ties
    Needed for wrong/alpha_beta_shared_beta and wrong/alpha_beta_beta_is_kept."""
    expect_best_in_figures(student.alpha_beta_search, alike, "BCD")
    expect_best(student.alpha_beta_search, searches := [*searches_of(more_trees)])
    expect_some_cut(searches)


@pytest.mark.check(cell="alpha_beta_search", points=0.75)
def test_alpha_beta_boards(student, chance, fast_tictactoe):
    """It finds a best move in 60 positions of tic-tac-toe, for X and for O, also in lost ones
    Needed for wrong/alpha_beta_wants_a_list and wrong/alpha_beta_no_move_when_lost."""
    expect_best_on_boards(student.alpha_beta_search, fast_tictactoe(lazy=True), chance)


@pytest.mark.check(cell="alpha_beta_search", points=1)
def test_alpha_beta_cuts_for_min(student, two_plies):
    """In the textbook's tree and 16 like it, it generates what alpha-beta does, in that order
    Needed for wrong/alpha_beta_all_children_first and wrong/alpha_beta_root_shares_nothing."""

    def search_each(tree):
        move = student.alpha_beta_search(tree.initial, game := Trace(tree))
        expect_nothing_in_vain(FinishedSearch(game, tree.initial), move)
        assert game.generated == Trace(tree).alpha_beta_generates(tree.initial), (
            "In a tree it does not take the moves in the order in which `actions` lists them, or "
            "it generates states before it is about to look at them."
        )

    expect_by_sign(search_each, *two_plies)


@pytest.mark.check(cell="alpha_beta_search", points=0.75)
def test_alpha_beta_cuts_for_max(student, max_below):
    """It prunes where MAX moves, in 12 trees of three plies in which alpha prunes nothing
    Needed for wrong/alpha_beta_bounds_never_move and wrong/alpha_beta_never_cuts."""

    def search_each(tree):
        search = FinishedSearch(game := Trace(tree), ())
        expect_nothing_in_vain(search, student.alpha_beta_search((), game))

    expect_by_sign(search_each, *max_below)


@pytest.mark.check(cell="alpha_beta_search", points=1.25)
def test_alpha_beta_tree_pruning(student, trees, board_trees, chance):
    """It sees what proves its move and no more than textbook alpha-beta, in 130 searches
    Needed for wrong/alpha_beta_shallow_cuts_only and wrong/alpha_beta_prunes_near_the_root."""
    searches = [FinishedSearch(game, (), limits=ON_BOARDS) for game in board_trees]
    deep = random_tree(chance, 2, 9, range(-999, 1000))
    for search in [*searches_of([*trees, LastFirst(ORDER), deep]), *searches]:
        expect_nothing_in_vain(search, student.alpha_beta_search(search.root, search.game))


@pytest.mark.check(cell="alpha_beta_search", points=1)
def test_alpha_beta_player(student, two_moves):
    """`alpha_beta_player` moves as `alpha_beta_search` does, in each state of eight games
    Needed for wrong/alpha_beta_player_passes_on and wrong/alpha_beta_player_asks_minimax."""
    player, search = student.alpha_beta_player, student.alpha_beta_search

    def play_once(tree):
        expect_best_in_tree(game := Trace(tree), (), player(game, ()))

    expect_by_sign(play_once, *two_moves)
    # Whether the search is right is asked elsewhere.
    for tree in (*two_moves[0][:4], *two_moves[1][:4]):
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
