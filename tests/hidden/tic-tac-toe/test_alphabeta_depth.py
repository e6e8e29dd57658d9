"""Hidden checks of the cell AlphaBeta: how far ahead it looks, and what it does where it stops."""

import random
from itertools import product
from typing import Any

import pytest

from adversarial.checks.figure import searches_of
from adversarial.checks.limited import (
    POSITIVE,
    RecordedEstimate,
    drawn_tree,
    expect_best_where_it_stops,
    expect_depth,
    plies_seen,
    random_worth,
)
from adversarial.checks.pruning import FinishedSearch, expect_some_cut
from adversarial.checks.trees import expect_best_in_tree, expect_value, is_number, random_tree
from adversarial.games.recorded import Trace
from games import ConnectFour, Fig52Game, State, TreeGame, infinity

ROOTS = (), (0,)  # of a search: MAX moves in the first, MIN in the second


@pytest.mark.check(cell="AlphaBeta", points=1)
def test_depth(student, chance):
    """For d = 1 to 5 it evaluates states d plies ahead exactly, and for 1 to 4 plays by them
    Needed for wrong/alphabeta_always_four and wrong/alphabeta_counts_rounds."""
    searches = []
    for d, root in product((1, 2, 5) + (3, 4) * 5, ((), (1,))):
        tree = drawn_tree(chance, 2, 7, root)
        worth = random_worth(chance, tree, POSITIVE)
        game, estimate = Trace(tree, root), RecordedEstimate(worth.__getitem__)
        move = student.AlphaBeta(d=d, eval_fn=estimate)(game, root)
        expect_depth(game, root, d, estimate, plies=7)
        limit = len(root) + d
        if d < 5:  # deeper, a cut too many shows, which costs points elsewhere
            expect_best_where_it_stops(game, root, lambda s, n=limit: len(s) == n, worth, move)
        searches.append(FinishedSearch(game, root, d))
    expect_some_cut(searches)


@pytest.mark.check(cell="AlphaBeta", points=1)
def test_own_settings(student, chance):
    """Each of six players keeps its own d, game, cutoff test and estimate; without a d it is 4
    Needed for wrong/alphabeta_depth_is_global and wrong/alphabeta_game_in_the_class."""
    game = Trace(random_tree(chance, 2, 6, range(100)))
    student.AlphaBeta(eval_fn=RecordedEstimate())(game, ())
    assert plies_seen(game) == 4, "Without a `d` the search must look 4 plies ahead."
    players = []
    for n, limit in enumerate((3, 1, 4, 2, 3, 1)):
        game, estimate = Trace(TreeGame([0] * 32, 2)), RecordedEstimate()
        stop = {"d": limit} if n % 3 else {"cutoff_test": lambda s, depth, *, n=limit: len(s) >= n}
        player = student.AlphaBeta(game=game, eval_fn=estimate, **stop)
        players.append((player, game, limit, estimate))
    for player, game, limit, estimate in players + players[::-1]:
        game.generated.clear()
        estimate.states.clear()
        player.search(())
        assert plies_seen(game) == limit, (
            f"Beside players with other settings, one that is to look {limit} plies ahead in its "
            f"own game has looked at states {plies_seen(game)} plies away."
        )
        assert estimate.states, "Beside players with other estimates, one has not asked its own."


@pytest.mark.check(cell="AlphaBeta", points=1)
def test_own_estimate(student, chance):
    """Without an `eval_fn` it plays in five trees, and its own estimate is a number
    Needed for wrong/alphabeta_estimate_is_a_letter."""
    for tree, d in product((Fig52Game(), TreeGame([0] * 27)), (1, 2)):
        player, start = student.AlphaBeta(d=d, game=Trace(tree)), tree.initial
        assert player.search(start) in tree.actions(start), "By its own estimate: no legal move."
        value = player.max_value(start, tree.to_move(start), -infinity, infinity, d)
        assert is_number(value), "Its own estimate must be a number."
    for game, root, *_ in searches_of(random_tree(chance, 3, 3, range(-99, 100)) for _ in range(3)):
        move = student.AlphaBeta(d=9, eval_fn=RecordedEstimate())(game, root)
        assert student.AlphaBeta(d=9)(game, root) == move, (
            "Where every game ends in sight, it plays otherwise without an estimate than with one."
        )


@pytest.mark.check(cell="AlphaBeta", points=1, needs="test_depth")
def test_evaluation(student, chance):
    """Where it stops, a state has the value of the evaluation given, in 50 searches
    Needed for wrong/alphabeta_estimate_is_for_x and wrong/alphabeta_turns_the_estimate."""
    player = student.AlphaBeta(d=2, game=Trace(ConnectFour()), eval_fn=lambda s: 8 - len(s.board))
    for depth in 1, 2:  # for O, whose estimate is not one for X that has to be turned round
        answer = player.min_value(ConnectFour().initial, "O", -infinity, infinity, depth)
        expect_value(answer, 6 + depth, "`min_value` for O, where all estimates are alike,")
    # No cut that a window from zero makes shows here: what counts is the estimate.
    for d, lowest in [(1, -80), (2, 1)] * 12:
        tree = TreeGame([0] * 4**4, 4)
        worth = random_worth(chance, tree, [n / 8 for n in range(lowest, lowest + 65)])
        game = Trace(tree, (2,))
        for root in (), (2,):
            move = student.AlphaBeta(d=d, eval_fn=worth.__getitem__)(game, root)
            limit = len(root) + d
            expect_best_where_it_stops(game, root, lambda s, n=limit: len(s) == n, worth, move)


def expect_cut_off_there(
    student: Any, chance: random.Random, root: State, shape: tuple[bool, int, int, int], early: int
) -> None:
    """Expect that a search stops where a given test says so.

    A shape is whether parameters are named, where the test stops, branching and plies; it stops at
    so many other states, too.
    """
    by_name, limit, branching, plies = shape
    tree = drawn_tree(chance, branching, plies, root)
    worth, game = random_worth(chance, tree, POSITIVE), Trace(tree, (0,))
    above = [state for state in worth if len(root) < len(state) < len(root) + limit]
    soon, depths = chance.sample(above, early), list[int]()

    def stops(state: Any) -> bool:
        return state in soon or len(state) - len(root) >= limit

    def cutoff(state: Any, depth: Any) -> bool:
        assert type(depth) is int and type(state) is tuple, (
            "`cutoff_test` must be called with a state and its depth, in this order."
        )
        depths.append(depth - len(state) + len(root))
        return stops(state)

    estimate = RecordedEstimate(worth.__getitem__)
    if by_name:
        player = student.AlphaBeta(d=2, cutoff_test=cutoff, eval_fn=estimate)
    else:
        player = student.AlphaBeta(2, game, cutoff, estimate)
    move = player(game, root)
    assert depths, "The given `cutoff_test` was never called."
    assert set(depths) == {0}, "`cutoff_test` was told a wrong depth: the root is at depth 0."
    far, most = estimate.states, max(limit, 1)
    stopped = all(stops(state) and len(state) - len(root) <= most for state in far)
    assert stopped, "The search was not cut off where `cutoff_test` said."
    assert far or most >= plies - len(root), "`eval_fn` was not called after a cutoff."
    expect_best_where_it_stops(game, root, stops, worth, move)


@pytest.mark.check(cell="AlphaBeta", points=1)
def test_cutoff(student, chance):
    """A given `cutoff_test` replaces d, and is told the state and its depth, in 36 searches
    Needed for wrong/alphabeta_cutoff_and_d and wrong/alphabeta_ignores_cutoff_test."""
    shapes = [(1, 2, 4), (2, 5, 3), *[(3, 2, 4)] * 3]
    for by_name, shape, root in product((True, False), shapes, ROOTS):
        expect_cut_off_there(student, chance, root, (by_name, *shape), 0)
    for early, root in product((1, 2, 3, 4) * 2, ROOTS):  # it depends on the state as well
        expect_cut_off_there(student, chance, root, (bool(early % 2), 3, 2, 4), early)


@pytest.mark.check(cell="AlphaBeta", points=1)
def test_root_is_not_cut_off(student, chance):
    """The state in which the search begins is not cut off, whatever `cutoff_test` says
    Needed for wrong/alphabeta_root_can_be_cut_off."""
    for by_name, root in product((True, False) * 2, ROOTS):
        expect_cut_off_there(student, chance, root, (by_name, 0, 3, 3), 0)


@pytest.mark.check(cell="AlphaBeta", points=1)
def test_final_states(student, chance):
    """A final state has its utility, at the depth limit too, whatever `cutoff_test` says of it
    Needed for wrong/alphabeta_trusts_cutoff_test and wrong/alphabeta_cuts_off_before_the_end."""
    # No cut that a window from zero makes shows here: what counts is the utility.
    losses, wins = range(-99, 0), range(1, 100)
    shapes = [(3, 1, losses), (9, 1, losses)] * 4 + [(3, 2, wins), (5, 2, wins)] * 12
    for branching, plies, utilities in shapes:
        tree = random_tree(chance, branching, plies, utilities)
        zeros = dict.fromkeys([(), *Trace(tree).minimax_generates(())], 0)
        stops = (
            {"d": tree.plies},
            {"d": 1, "cutoff_test": lambda state, depth: False},
            {"d": 1, "cutoff_test": lambda state, depth, plies=tree.plies: len(state) == plies},
        )
        for stop in stops:
            game, estimate = Trace(tree), RecordedEstimate(zeros.__getitem__)
            move = student.AlphaBeta(**stop, eval_fn=estimate)(game, ())
            final = [state for state in estimate.states if tree.terminal_test(state)]
            assert not final, "`eval_fn` was asked about a final state."
            expect_best_in_tree(game, (), move)
