"""Hidden checks of the cell AlphaBeta: the values it finds, and the moves it plays."""

import functools

import pytest

from adversarial.checks.boards import (
    expect_some_move_when_lost,
    expect_sweep,
    expect_tactics,
)
from adversarial.checks.figure import (
    expect_figure_played,
    expect_figure_values,
    expect_values_in_trees,
)
from adversarial.checks.pruning import expect_some_cut
from adversarial.games.recorded import EndsEarly
from games import infinity

DEEP = 9  # plies: the whole 3x3 game
OPEN = -infinity, infinity  # a window


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_fig52_moves(student, alike):
    """It plays the best move in 4 states of the textbook's tree, of one like it, and in a third
    Needed for wrong/alphabeta_alpha_is_kept and wrong/alphabeta_window_in_self."""
    expect_figure_played(student.AlphaBeta(), functools.partial(student.AlphaBeta, 4), alike)


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_fig52_values(student, alike):
    """`max_value` and `min_value` are right for MAX and for MIN, in states of the same trees
    Needed for wrong/alphabeta_pair_for_a_number and wrong/alphabeta_best_starts_at_zero."""
    expect_figure_values(functools.partial(student.AlphaBeta, 4), alike, OPEN)


@pytest.mark.check(cell="AlphaBeta", points=2, needs="test_fig52_moves")
def test_random_trees(student, trees, chance):
    """It finds the minimax value on 63 trees, for MAX and for MIN, and a best move for MIN
    Needed for wrong/alphabeta_cuts_above_alpha and wrong/alphabeta_window_upside_down."""
    early = EndsEarly(sorted(chance.sample(range(100), 27)))
    deep = functools.partial(student.AlphaBeta, chance.randrange(14, 31))
    expect_some_cut(expect_values_in_trees(deep, [*trees, early], OPEN))


@pytest.mark.check(cell="AlphaBeta", points=4)
def test_tactics(student, chance, fast_tictactoe):
    """It wins at once, blocks, and makes two threats where that wins, as X and as O
    Needed for wrong/alphabeta_both_help and wrong/alphabeta_always_for_who_began."""
    expect_some_cut(expect_tactics(student.AlphaBeta(d=DEEP), fast_tictactoe(), chance, most=8))


@pytest.mark.check(cell="AlphaBeta", points=2, needs="test_tactics", cpu_factor=6)
def test_sweep(student, chance, fast_tictactoe, large_boards):
    """It plays a best move in all 1,008 positions with 5 or 6 free squares, and in 526 more
    Needed for wrong/alphabeta_bounds_remembered_as_values."""
    deep, some = student.AlphaBeta(d=DEEP), (1, 2, 3, 4, 7, 8, 9)
    searches = expect_sweep(deep, fast_tictactoe, large_boards, chance, every=(5, 6), some=some)
    expect_some_cut(searches)


@pytest.mark.check(cell="AlphaBeta", points=1)
def test_every_move_loses(student, chance, fast_tictactoe):
    """It still plays where every move loses: a legal move on boards, the best of 4 trees
    Needed for wrong/alphabeta_no_move_when_lost and wrong/alphabeta_by_heart."""
    deep = functools.partial(student.AlphaBeta, DEEP)
    expect_some_cut(expect_some_move_when_lost(deep, fast_tictactoe(), chance))
