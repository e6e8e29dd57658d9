"""Ask whether what is wrong in one respect is still judged in the others."""

import pytest

from adversarial.checks import connect_four, limited, pruning
from adversarial.diagnosis import slips
from adversarial.games.recorded import Trace
from games import ConnectFour, TreeGame

minimax = slips.searches((), whole=True)[0]


def backwards(*question):
    """Return the move first."""
    return minimax(*question)[::-1]


def deeper(game, state, depth, estimate):
    """Look one ply further than told."""
    return minimax(game, state, depth + 1, estimate)


def case():
    """Return a search of a tree that goes on below its depth."""
    return limited.Case(Trace(TreeGame([0] * 81)), (), 2, connect_four.noise(0.5))


@pytest.mark.parametrize("search", [minimax, backwards, deeper])
def test_a_pair_the_other_way_round_and_a_ply_too_many_hide_no_value(search):
    """Are values and moves right for the plies that were seen, whatever comes first?"""
    limited.expect_value(limited.Search(search), case())
    limited.expect_best_move(limited.Search(search), case())


def test_the_pair_is_asked_by_itself():
    """Does the check of the pair alone see that the move comes first?"""
    limited.expect_pair(limited.Search(minimax))
    with pytest.raises(AssertionError, match="not \\(value, move\\)"):
        limited.expect_pair(limited.Search(backwards))


def test_who_compares_nothing_is_found_out():
    """Is neither the value nor the move of the first line what follows from the whole tree?"""

    def first(game, state, depth, estimate):
        minimax(game, state, depth, estimate)
        return -1_000, list(game.actions(state))[-1]

    one = limited.Case(Trace(TreeGame([0] * 81)), (), 1, lambda state, player: -state[0])
    asked = limited.RecordedEstimate(one.estimate)
    answer = limited.Search(first)(one.game, one.state, one.depth, asked)
    with pytest.raises(AssertionError, match="Neither its value nor its move"):
        limited.expect_sound(one.finished(asked.states), *answer)


def test_a_cut_that_is_missing_is_put_down_to_whose_move_it_is():
    """Does plain minimax, which cuts nowhere, lack both kinds of cuts in a tree of three plies?"""
    one = limited.Case(Trace(TreeGame([0] * 81)), (), 3, connect_four.noise(0.5))
    asked = limited.RecordedEstimate(one.estimate)
    minimax(one.game, one.state, one.depth, asked)
    for own, who in ((True, "the player whom it helps"), (False, "the opponent")):
        with pytest.raises(AssertionError, match=f"Where {who} is to move"):
            pruning.expect_cuts(one.finished(asked.states), own)


def test_what_prunes_nothing_is_told_so():
    """Is plain minimax refused as alpha-beta, and a search that leaves out one state not?"""
    one = limited.Case(Trace(TreeGame([0] * 81)), (), 2, connect_four.noise(0.5))
    minimax(one.game, one.state, one.depth, one.estimate)
    with pytest.raises(AssertionError, match="minimax, not alpha-beta"):
        pruning.expect_some_cut([one.finished([])])
    again = Trace(TreeGame([0] * 81))
    for move in 0, 1:
        again.result((), move)
    pruning.expect_some_cut([one.finished([]), one._replace(game=again).finished([])])


def test_scores_of_ones_own_are_found_if_one_of_them_is_right():
    """Is one wrong digit told, and is who knows no score held to those of the assignment?"""
    scores = [0, 0, 1, 10, 1_000_000]

    def evaluate(state, player):
        table = {piece: [n if piece == player else -n for n in scores] for piece in "XO"}
        return connect_four.by_segments(state, player, table)

    own = connect_four.own_scores(evaluate, "O")
    assert own == {"O": scores, "X": [-n for n in scores]}
    nothing = connect_four.own_scores(lambda state, player: 0, "X")
    assert nothing["X"] == [*connect_four.SCORES]
    assert connect_four.by_segments(ConnectFour().initial, "X") == 0
