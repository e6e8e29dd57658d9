"""Hidden checks of the cell AlphaBeta: it looks at what proves its answer, and at no more."""

import random
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import pytest

from adversarial.checks.figure import figure, searches_of
from adversarial.checks.limited import NEGATIVE, POSITIVE, RecordedEstimate, drawn_tree
from adversarial.checks.pruning import (
    ON_BOARDS,
    FinishedSearch,
    expect_cuts,
    expect_nothing_in_vain,
    expect_proven_move,
    expect_proven_value,
    expect_pruned,
)
from adversarial.checks.trees import expect_by_sign, is_number, random_tree
from adversarial.games.recorded import Trace
from games import TreeGame, infinity


def drawn_figures(chance: random.Random, less: int = 0) -> Iterator[Trace]:
    """Yield the textbook's tree with leaves drawn by lot, its best child in each of three places.

    From each leaf a number is taken away.

    Whatever its order is, a search can prune in one of the three. Where the best comes first, what
    comes last is better than the second: who takes the last value for a bound prunes less.
    """
    high, low = chance.sample(range(60, 100), 3), sorted(chance.sample(range(1, 60), 6))
    for n in 0, 3, 6:
        yield figure([leaf - less for leaf in (*low[:n], *high, *low[n:])])


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_fig52_pruning(student, chance):
    """It sees what proves its move in the textbook's tree and 6 of its shape, and nothing more
    Needed for wrong/never_cuts and wrong/alphabeta_cuts_one_too_late."""

    def search_both_ways(games: Iterable[Trace]) -> None:
        for number, game in enumerate(games):
            player = student.AlphaBeta(game=game) if number % 2 else student.AlphaBeta()
            move = player.search("A") if number % 2 else player(game, "A")
            expect_nothing_in_vain(FinishedSearch(game, "A"), move)

    above = [figure(), *drawn_figures(chance), *drawn_figures(chance)]
    below = [*drawn_figures(chance, 100), *drawn_figures(chance, 100)]
    expect_by_sign(search_both_ways, [above], [below])


def expect_cuts_in_trees(student: Any, chance: random.Random, cutting: bool) -> None:
    """Expect cuts where the searching player chooses, if it is the one who is `cutting`, or other.

    Where estimates stand for the end cuts are the same.
    """
    shapes = [(3, 3, ()), (4, 3, ()), (6, 2, ()), (5, 3, ()), (5, 3, (0,))] * 2

    def search_each(utilities: range) -> None:
        for branching, limit, root in shapes:
            game = Trace(drawn_tree(chance, branching, limit, root, utilities), root)
            search = FinishedSearch(game, root)
            expect_proven_move(search, student.AlphaBeta(d=chance.randrange(200, 300))(game, root))
            expect_cuts(search, cutting)

    expect_by_sign(search_each, [POSITIVE], [NEGATIVE])


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_cuts_for_max(student, chance):
    """Where the searching player chooses, it skips what the opponent will not let happen
    Needed for wrong/alphabeta_cuts_for_min_only and wrong/alphabeta_cuts_when_bounds_meet."""
    expect_cuts_in_trees(student, chance, cutting=True)


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_cuts_for_min(student, chance):
    """Where the opponent chooses, it skips what the searching player will not go into
    Needed for wrong/alphabeta_cuts_for_max_only and wrong/alphabeta_cuts_when_bounds_meet."""
    expect_cuts_in_trees(student, chance, cutting=False)


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_tree_pruning(student, trees, board_trees, chance):
    """It sees what proves its answer and no more than textbook alpha-beta, in 134 searches
    Needed for wrong/alphabeta_zero_is_no_bound and wrong/alphabeta_shallow_cuts_only."""
    searches = [*searches_of([*trees, random_tree(chance, 2, 9, range(-999, 1000))])]
    searches += [FinishedSearch(game, (), limits=ON_BOARDS) for game in board_trees]
    for number, search in enumerate(searches):
        (game, root, *_), d = search, chance.randrange(14, 31)
        player = student.AlphaBeta(d=d, game=game)
        if number % 5 == 4:  # asked for the value, not for a move
            value = player.max_value(root, game.to_move(root), -infinity, infinity, 0)
            expect_proven_value(search, value)
            expect_pruned(search)
            continue
        if number % 5 == 1:
            move = player.search(root)
        elif number % 5 == 3:
            move = player(game, root)
        else:
            settings = {"eval_fn": lambda state: 0} if number % 5 else {}
            move = student.AlphaBeta(d, **settings)(game, root)
        expect_nothing_in_vain(search, move)
    for d in (2, 3) * 3:
        worth = {path: chance.randrange(-99, 100) for path in product(range(3), repeat=d)}
        game, estimate = Trace(TreeGame([0] * 3**5)), RecordedEstimate(worth.__getitem__)
        move = student.AlphaBeta(d=d, eval_fn=estimate)(game, ())
        search = FinishedSearch(
            game, (), d, lambda state, _, worth=worth: worth[state], estimate.states
        )
        expect_nothing_in_vain(search, move)


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
            assert is_number(answer), "A value must be a number."
            search = FinishedSearch(game, (), window=window)
            expect_proven_value(search, sign * answer)
            expect_pruned(search)
