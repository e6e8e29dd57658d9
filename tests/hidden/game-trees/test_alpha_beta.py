"""Hidden checks of the cell alpha_beta_search: move, pruning and player."""

from itertools import cycle
from typing import Any

import pytest

from adversarial.checks.boards import expect_best_on_boards
from adversarial.checks.figure import TURNED, expect_best_in_trees, expect_figure, recorded
from adversarial.checks.pruning import (
    ON_BOARDS,
    FinishedSearch,
    expect_proven_move,
    expect_pruned,
    expect_pruned_figure,
)
from adversarial.checks.trees import StudentError
from adversarial.games.recorded import Trace
from games import Fig52Game, TreeGame


@pytest.mark.check(
    cell="alpha_beta_search",
    points=1,
    hint="Pruning must not change the move: compare with your minmax_decision, move by move.",
)
def test_alpha_beta_fig52(student, alike):
    """It finds the best move in the 4 states of the textbook's tree, and of one like it"""
    expect_figure(student.alpha_beta_search, alike)


@pytest.mark.check(
    cell="alpha_beta_search",
    points=1,
    hint="After the first child of C MAX knows enough. Do you hand alpha down from the root?",
    needs="test_alpha_beta_fig52",
)
def test_alpha_beta_fig52_pruning(student):
    """It sees what proves its move in the textbook's tree, and no leaf that cannot matter"""
    search = FinishedSearch(Trace(Fig52Game()), "A")
    expect_proven_move(search, student.alpha_beta_search("A", search.game))
    expect_pruned_figure(search)
    for leaves in TURNED:  # whatever its order is, it can prune in one of them
        search = FinishedSearch(Trace(TreeGame(leaves)), ())
        expect_proven_move(search, student.alpha_beta_search((), search.game))
        expect_pruned_figure(search)


@pytest.mark.check(
    cell="alpha_beta_search",
    points=2,
    hint="Cut only where the value cannot matter any more: a cut too many gives a wrong value.",
    needs="test_alpha_beta_fig52",
)
def test_alpha_beta_random_trees(student, trees):
    """It finds a best move in 45 trees, for MAX and for MIN"""
    expect_best_in_trees(student.alpha_beta_search, trees)


@pytest.mark.check(
    cell="alpha_beta_search",
    points=2,
    hint="Both helpers must cut, at every level: alpha and beta go down with each call.",
    needs="test_alpha_beta_fig52_pruning",
)
def test_alpha_beta_tree_pruning(student, trees, board_trees):
    """It sees what proves its move and no more than textbook alpha-beta, in 95 searches"""
    searches = [FinishedSearch(Trace(game.game, root), root) for game, root, _ in recorded(trees)]
    searches += [FinishedSearch(game, (), limits=ON_BOARDS) for game in board_trees]
    for search in searches:
        expect_proven_move(search, student.alpha_beta_search(search.root, search.game))
        expect_pruned(search)


@pytest.mark.check(
    cell="alpha_beta_search",
    points=1,
    hint="Here the players are X and O, paths are not equally long, moves come one by one.",
)
def test_alpha_beta_boards(student, chance, fast_tictactoe):
    """It finds a best move in 60 positions of tic-tac-toe, for X and for O, also in lost ones"""
    expect_best_on_boards(student.alpha_beta_search, fast_tictactoe(lazy=True), chance)


def play(game: Any, *players: Any) -> float:
    """Let players take turns from the initial state to the end; return MAX's utility."""
    state, turns = game.initial, cycle(players)
    while not game.terminal_test(state):
        move = next(turns)(game, state)
        assert move in game.actions(state), "The player's answer in a game is no legal move."
        state = game.result(state, move)
    return float(game.utility(state, "MAX"))


def ending(game: Any, player: Any) -> float | type[Exception]:
    """Return how a game of a player against itself ends, or what kind of fault breaks it off."""
    try:
        return play(game, player, player)
    except (AssertionError, StudentError) as fault:
        return type(fault)


@pytest.mark.check(
    cell="alpha_beta_search",
    points=1,
    hint="A player is called with the game first and then the state, and returns a move.",
)
def test_alpha_beta_player(student, alike, trees):
    """`alpha_beta_player` plays games as MAX and as MIN, against itself and against others"""
    player = student.alpha_beta_player
    wrong = "A game in the textbook's tree did not end as it should with your player as"
    assert play(Trace(Fig52Game()), player, player) == 3, f"{wrong} MAX and as MIN."
    for move, worth in [("b1", 3), ("b2", 12), ("b3", 8)]:
        end = play(Trace(Fig52Game()), player, lambda game, state, move=move: move)
        assert end == worth, f"{wrong} MAX."
    for move, worth in [("a1", 3), ("a2", 2), ("a3", 2)]:
        end = play(Trace(Fig52Game()), lambda game, state, move=move: move, player)
        assert end == worth, f"{wrong} MIN."

    other, _ = alike
    assert play(other, player, player) == other.minimax_value("A", "MAX"), (
        "In a tree with other leaves a game of your player against itself ends otherwise."
    )

    def search(game: Any, state: Any) -> Any:
        return student.alpha_beta_search(state, game)

    for tree in trees:  # whether the search is right is asked elsewhere
        game = Trace(tree)
        assert ending(game, player) == ending(game, search), (
            "A game of your player against itself, in another tree, does not end as it does when "
            "your `alpha_beta_search` chooses the moves."
        )
