"""Hidden checks of the cell AlphaBeta: it looks at what proves its answer, and at no more."""

from itertools import product
from typing import Any

import pytest

from adversarial.checks.depth import Estimate
from adversarial.checks.figure import TURNED, recorded
from adversarial.checks.pruning import (
    ON_BOARDS,
    FinishedSearch,
    expect_proven_move,
    expect_proven_value,
    expect_pruned,
    expect_pruned_figure,
)
from adversarial.games.recorded import Trace
from games import Fig52Game, Game, TreeGame, infinity


@pytest.mark.check(
    cell="AlphaBeta",
    points=4,
    hint="After the first child of the second state MAX knows enough. Do you pass alpha down?",
)
def test_fig52_pruning(student):
    """It sees what proves its move in the textbook's tree, and no leaf that cannot matter"""
    for given in False, True:
        game = Trace(Fig52Game())
        player = student.AlphaBeta(game=game) if given else student.AlphaBeta()
        move = player.search("A") if given else player(game, "A")
        search = FinishedSearch(game, "A")
        expect_proven_move(search, move)
        expect_pruned_figure(search)
    for leaves in TURNED:  # whatever its order is, it can prune in one of them
        search = FinishedSearch(Trace(TreeGame(leaves)), ())
        expect_proven_move(search, student.AlphaBeta()(search.game, ()))
        expect_pruned_figure(search)


@pytest.mark.check(
    cell="AlphaBeta",
    points=3,
    hint="Both functions must cut, at every level: alpha and beta go down with each call.",
    needs="test_fig52_pruning",
)
def test_tree_pruning(student, trees, board_trees, chance):
    """It sees what proves its answer and no more than textbook alpha-beta, in 128 searches"""
    searches = [FinishedSearch(Trace(game.game, root), root) for game, root, _ in recorded(trees)]
    searches += [FinishedSearch(game, (), limits=ON_BOARDS) for game in board_trees]
    for number, search in enumerate(searches):
        expect_frugal(student, search, way=number % 5)
    for tree, root, mover in recorded(trees[:6]):
        expect_frugal_in_windows(student, tree.game, root, mover)
    for d in (2, 3) * 3:
        worth = {path: chance.randrange(-99, 100) for path in product(range(3), repeat=d)}
        game, estimate = Trace(TreeGame([0] * 3**5)), Estimate(worth.__getitem__)
        move = student.AlphaBeta(d=d, eval_fn=estimate)(game, ())
        search = FinishedSearch(game, (), d, estimate.for_anybody, estimate.states)
        expect_proven_move(search, move)
        expect_pruned(search)


def expect_frugal(student: Any, search: FinishedSearch, way: int) -> None:
    """Expect a proof, and no state too many, however the search is called."""
    game, root = search.game, search.root
    if way == 4:  # asked for the value, not for a move
        player, mover = student.AlphaBeta(d=10, game=game), game.to_move(root)
        answer = player.max_value(root, mover, -infinity, infinity, 0)
        expect_proven_value(search, answer)
    else:
        ways = (
            lambda: student.AlphaBeta(d=10)(game, root),
            lambda: student.AlphaBeta(d=10, game=game).search(root),
            lambda: student.AlphaBeta(20, eval_fn=lambda state: 0)(game, root),
            lambda: student.AlphaBeta(d=10, game=game)(game, root),
        )
        expect_proven_move(search, ways[way]())
    expect_pruned(search)


def expect_frugal_in_windows(student: Any, tree: Game, root: Any, mover: str) -> None:
    """Expect the same where the value lies in a window that is given, below it, and above."""
    value = Trace(tree).minimax_value(root, mover)
    for alpha, beta in [(value - 9, value + 9), (value + 9, value + 30), (value - 30, value - 9)]:
        game = Trace(tree, root)
        answer = student.AlphaBeta(d=10, game=game).max_value(root, mover, alpha, beta, 0)
        search = FinishedSearch(game, root, window=(alpha, beta))
        expect_proven_value(search, answer)
        expect_pruned(search)
