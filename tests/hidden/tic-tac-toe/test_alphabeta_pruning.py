"""Hidden checks of the cell AlphaBeta: it looks at what proves its answer, and at no more."""

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from adversarial.checks.figure import recorded
from adversarial.checks.limited import NEGATIVE, POSITIVE, RecordedEstimate
from adversarial.checks.pruning import (
    ON_BOARDS,
    FinishedSearch,
    expect_proven_move,
    expect_proven_value,
    expect_pruned,
)
from adversarial.checks.trees import expect_by_sign, random_tree
from adversarial.games.recorded import Trace
from games import Fig52Game, TreeGame


def drawn_figures(chance: random.Random, less: int = 0) -> Iterator[Trace]:
    """Yield the textbook's tree with leaves drawn by lot, its best child in each of three places.

    From each leaf `less` is taken away.

    Whatever its order is, a search can prune in one of the three. Where the best comes first, what
    comes last is better than the second: who takes the last value for a bound prunes less.
    """
    high, low = chance.sample(range(60, 100), 3), sorted(chance.sample(range(1, 60), 6))
    for n in 0, 3, 6:
        leaves = dict(zip(Fig52Game.leaves, [*low[:n], *high, *low[n:]], strict=True))
        leaves = {state: leaf - less for state, leaf in leaves.items()}
        yield Trace(type("Figure", (Fig52Game,), {"leaves": leaves})())


@pytest.mark.check(cell="AlphaBeta", points=6)
def test_fig52_pruning(student, chance):
    """It sees what proves its move in the textbook's tree and others, and nothing more
    Needed for wrong/never_cuts and wrong/alphabeta_cuts_one_too_late."""

    def search_both_ways(games: Iterable[Trace]) -> None:
        for number, game in enumerate(games):
            search = FinishedSearch(game, game.initial)
            expect_frugal(student, search, chance.randrange(3, 300), number % 2 == 0)

    def games(leaves: range, less: int) -> list[Trace]:
        shapes = [(3, 3), (4, 3), (6, 2), (5, 3)] * 2
        trees = [Trace(random_tree(chance, *shape, leaves)) for shape in shapes]
        return [*drawn_figures(chance, less), *drawn_figures(chance, less), *trees]

    above = [Trace(Fig52Game()), *games(POSITIVE, 0)]
    expect_by_sign(search_both_ways, [above], [games(NEGATIVE, 100)])


def expect_frugal(student: Any, search: FinishedSearch, d: int, called: bool) -> None:
    """Expect a proof, and no state too many, of a player called with a game or made for it."""
    if called:
        move = student.AlphaBeta(d=d)(search.game, search.root)
    else:
        move = student.AlphaBeta(d=d, game=search.game).search(search.root)
    expect_proven_move(search, move)
    expect_pruned(search)


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_tree_pruning(student, trees, board_trees, chance):
    """It sees what proves its answer and no more than textbook alpha-beta, in 126 searches
    Needed for wrong/alphabeta_zero_is_no_bound and wrong/alphabeta_shallow_cuts_only."""
    every = recorded([*trees, random_tree(chance, 2, 9, range(-999, 1000))])
    searches = [FinishedSearch(Trace(game.game, root), root) for game, root, _ in every]
    searches += [FinishedSearch(game, (), limits=ON_BOARDS) for game in board_trees]
    for number, search in enumerate(searches):
        expect_frugal(student, search, chance.randrange(14, 31), number % 2 == 0)
    for d in (2, 3) * 3:
        worth = {path: chance.randrange(-99, 100) for path in product(range(3), repeat=d)}
        game, estimate = Trace(TreeGame([0] * 3**5)), RecordedEstimate(worth.__getitem__)
        move = student.AlphaBeta(d=d, eval_fn=estimate)(game, ())
        search = FinishedSearch(
            game, (), d, lambda state, _, worth=worth: worth[state], estimate.states
        )
        expect_proven_move(search, move)
        expect_pruned(search)


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_windows(student, chance):
    """Told a window, `max_value` and `min_value` see what they must and no more, in 24 calls
    Needed for wrong/alphabeta_window_given_ignored and wrong/alphabeta_never_cuts_backwards."""
    for _, near in product(range(4), [(-58, 58), (10, 30), (-30, -10)]):
        tree = random_tree(chance, 3, 3, range(-99, 100, 4))  # no leaf or bound is 0
        for mover in "MAX", "MIN":  # MIN's window is that of MAX seen from the other side
            game, sign = Trace(tree), 1 if mover == "MAX" else -1
            value = game.minimax_value((), "MAX")
            window = value + near[0], value + near[1]
            player = student.AlphaBeta(d=chance.randrange(14, 31), game=game)
            if mover == "MAX":
                answer = player.max_value((), "MAX", *window, 0)
            else:
                answer = player.min_value((), "MIN", -window[1], -window[0], 0)
            assert type(answer) in (int, float, Fraction), "A value must be a number."
            search = FinishedSearch(game, (), window=window)
            expect_proven_value(search, sign * answer)
            expect_pruned(search)
