"""Hidden checks of the cell AlphaBeta: how far ahead it looks, and what it does where it stops."""

from fractions import Fraction
from itertools import count, product

import pytest

from adversarial.checks.depth import (
    CutoffTest,
    Estimate,
    expect_best_by_estimate,
    expect_best_by_utilities,
    expect_cut_off,
    expect_depth,
    expect_legal,
    expect_own_depth,
    plies_seen,
    random_worth,
)
from adversarial.checks.trees import expect_value, random_tree
from adversarial.games.recorded import Trace
from games import Fig52Game, TreeGame, infinity


@pytest.mark.check(
    cell="AlphaBeta",
    points=1,
    hint="The root is at depth 0; stop at depth d exactly, or at a final state before it.",
)
def test_depth(student, chance):
    """With depth d it evaluates states d plies ahead exactly, for d = 1 to 5"""
    for d, root in product((1, 2, 3, 4, 5), ((), (1,))):
        game, estimate = Trace(random_tree(chance, 2, 5, range(100)), root), Estimate()
        move = student.AlphaBeta(d=d, eval_fn=estimate)(game, root)
        assert move in (0, 1), "The answer is no legal move."
        expect_depth(game, root, d, estimate, plies=5)


@pytest.mark.check(
    cell="AlphaBeta",
    points=1,
    hint="Keep `d`, or the cutoff test that looks at it, in `self`: `d` is 4 unless it is given.",
    needs="test_depth",
)
def test_own_depth(student, chance):
    """It looks 4 plies ahead where no `d` is given, and each player as far as its own `d` says"""
    game = Trace(random_tree(chance, 2, 6, range(100)))
    student.AlphaBeta(eval_fn=Estimate())(game, ())
    assert plies_seen(game) == 4, "Without a `d` the search must look 4 plies ahead."
    players = {d: student.AlphaBeta(d=d) for d in (3, 1, 4, 2)}
    for d, player in players.items():
        game = Trace(random_tree(chance, 2, 5, range(100)))
        player(game, ())
        expect_own_depth(game, d)


@pytest.mark.check(
    cell="AlphaBeta",
    points=1,
    hint="Where it is cut off, the value is `eval_fn(state)` as it is, or your estimate, a number.",
    needs="test_depth",
)
def test_evaluation(student, chance):
    """Where it stops, a state has the value of the evaluation given, in 49 searches, or its own"""
    for tree, d in product((Fig52Game(), TreeGame([0] * 27)), (1, 2)):  # without an `eval_fn`
        player, start = student.AlphaBeta(d=d, game=Trace(tree)), tree.initial
        assert player.search(start) in tree.actions(start), "By its own estimate: no legal move."
        own = player.max_value(start, tree.to_move(start), -infinity, infinity, d)
        assert type(own) in (int, float, Fraction), "Its own estimate must be a number."
    game = Trace(random_tree(chance, 2, 5, range(100)), (1,))
    player = student.AlphaBeta(d=2, game=game, eval_fn=lambda state: 8 - len(state))
    answer = player.min_value((1,), "MAX", -infinity, infinity, 2)
    expect_value(answer, 7, "`min_value` at depth d, where the estimate is 7,")
    # No cut that a window from zero makes shows here: what counts is the estimate.
    for d, lowest in [(1, -60), (2, 1)] * 12:
        tree = TreeGame([0] * 3**5)
        worth = random_worth(chance, tree, [n / 8 for n in range(lowest, lowest + 49)])
        final = worth | dict.fromkeys(tree.leaves, 0)  # where utilities count
        game = Trace(tree, (2,))
        for root in (), (2,):
            move = student.AlphaBeta(d=d, eval_fn=worth.__getitem__)(game, root)
            expect_best_by_estimate(game, root, d, final.__getitem__, move)


@pytest.mark.check(
    cell="AlphaBeta",
    points=2,
    hint="Call the given `cutoff_test(state, depth)` in place of the one that looks at d.",
    needs="test_depth",
)
def test_cutoff(student, chance):
    """A given `cutoff_test` replaces d, and is told the state and its depth, in 12 searches"""
    shapes = [(True, 1, 2, 4), (True, 2, 2, 4), (True, 3, 2, 4)]
    shapes += [(False, 1, 2, 4), (False, 2, 5, 3), (False, 3, 2, 4)]
    for by_name, limit, branching, plies in shapes:
        game = Trace(random_tree(chance, branching, plies, range(200)), (0,))
        for root in (), (0,):
            # Each estimate is above the one before, or below it: then all but one can be cut.
            estimates = count(1, 1) if limit == 1 else count(-1, -1)
            cutoff = CutoffTest(limit, root)
            estimate = Estimate(lambda state, numbers=estimates: next(numbers))
            if by_name:
                player = student.AlphaBeta(d=2, cutoff_test=cutoff, eval_fn=estimate)
            else:
                player = student.AlphaBeta(2, game, cutoff, estimate)
            move = player(game, root)
            expect_cut_off(cutoff, estimate, plies)
            expect_legal(game, root, move)
            assert limit > 1 or estimate.states[-1] == (*root, move), (
                "Cut off after one ply it must play the move of the highest estimate."
            )


@pytest.mark.check(
    cell="AlphaBeta",
    points=1,
    hint="Ask `game.terminal_test` before anything else, and then use `game.utility`.",
    needs="test_depth",
)
def test_final_states(student, chance):
    """A final state has its utility, at the depth limit too, whatever `cutoff_test` says of it"""
    # No cut that a window from zero makes shows here: what counts is the utility.
    lost, won = range(-99, 0), range(1, 100)
    shapes = [(3, 1, lost), (9, 1, lost)] * 4 + [(3, 2, won), (5, 2, won)] * 12
    for branching, plies, utilities in shapes:
        tree = random_tree(chance, branching, plies, utilities)
        stops = (
            {"d": tree.plies},
            {"d": 1, "cutoff_test": lambda state, depth: False},
            {"d": 1, "cutoff_test": lambda state, depth, plies=tree.plies: len(state) == plies},
        )
        for stop in stops:
            game, estimate = Trace(tree), Estimate()
            move = student.AlphaBeta(**stop, eval_fn=estimate)(game, ())
            final = [state for state in estimate.states if tree.terminal_test(state)]
            assert not final, "`eval_fn` was asked about a final state."
            expect_best_by_utilities(game, move)
