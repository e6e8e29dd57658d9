"""Hidden checks of the cell minimax: values, moves, depth, the end of the game."""

import pytest

from adversarial.checks.connect_four import BY_HAND, drop, endgames, noise, top_count
from adversarial.checks.limited import (
    Case,
    RecordedEstimate,
    expect_a_move_when_lost,
    expect_asked_at,
    expect_best_move,
    expect_depth,
    expect_final_values,
    expect_no_move,
    expect_pair,
    expect_solved,
    expect_sound,
    expect_value,
)
from adversarial.games.recorded import Trace
from games import ConnectFour, TreeGame, after


@pytest.mark.check(cell="minimax", points=1)
def test_pair(minimax):
    """It returns a pair, the value first and then the move, which may be a text"""
    expect_pair(minimax)


@pytest.mark.check(cell="minimax", points=3)
def test_values(minimax, cases, decided):
    """It finds the value in 56 trees, for the player to move, MAX or MIN"""
    for case in [*cases, *decided]:
        expect_value(minimax, case)


@pytest.mark.check(cell="minimax", points=2)
def test_moves(minimax, ties):
    """It finds a best move in 31 trees with many equal values, for MAX and for MIN"""
    for case in ties:
        expect_best_move(minimax, case)


@pytest.mark.check(cell="minimax", points=1)
def test_no_move(minimax, chance, salt):
    """With depth 0, or when the game is over, there is a value and no move"""
    expect_no_move(minimax, chance, noise(salt))


@pytest.mark.check(cell="minimax", points=3)
def test_final_states(minimax, chance, endings):
    """Wins and draws within its depth are worth what they are, and are never estimated"""
    expect_final_values(minimax, chance)
    for case in endings:
        expect_value(minimax, case)


@pytest.mark.check(cell="minimax", points=1)
def test_every_move_loses(minimax, salt):
    """Where every move loses it returns a legal move, and the value -infinity"""
    expect_a_move_when_lost(minimax, noise(salt))


@pytest.mark.check(cell="minimax", points=2)
def test_depth(minimax, salt):
    """It looks 1 to 4 plies ahead, as its depth says, estimates there only, and uses it"""
    # So long that no two searches estimate the same state, so many that none is right by luck
    starts = (), *((a, b, 0, 0, 0) for a in (0, 1) for b in (0, 1))
    for depth in 1, 2, 3, 4:
        for start in starts:
            game, asked = Trace(TreeGame([0] * 1024, 2), start), RecordedEstimate(noise(salt))
            answer = minimax(game, start, depth, asked)
            expect_depth(game, start, depth)
            expect_asked_at(depth, asked, start)
            expect_sound(Case(game, start, depth, noise(salt)).finished(asked.states), *answer)


@pytest.mark.check(cell="minimax", points=4, cpu_seconds=30)
def test_every_state(minimax, cases, salt):
    """It looks at each state down to its depth, once for each way there, and answers by these"""
    usual, small = ConnectFour(), ConnectFour(3, 3, 3)
    boards = [(usual, drop(BY_HAND), 4, top_count), (small, small.initial, 4, noise(salt))]
    boards += [(usual, after(usual, [1, 0] * 3), 3, top_count)]  # both players can win at once
    boards = [Case(Trace(game, state), state, *how) for game, state, *how in boards]
    for case in [*cases[:24], *boards]:
        asked = RecordedEstimate(case.estimate)
        answer = minimax(case.game, case.state, case.depth, asked)
        case = case.as_deep_as_seen()
        whole = case.game.minimax_generates(case.state, case.depth)
        assert len(case.game.generated) == len(whole), (
            f"Below a state there are {len(whole)} others, on {case.depth} plies, and it looked at "
            f"{len(case.game.generated)}. Plain minimax prunes nothing and remembers nothing."
        )
        if getattr(case.game.game, "branching", 0) == 2:  # where a tie or a slip hides nothing
            expect_sound(case.finished(asked.states), *answer)


@pytest.mark.check(cell="minimax", points=1, cpu_seconds=60)
def test_endgames(minimax, chance, fast_connect_four):
    """Looking to the end it is right in 80 endgames with at most 7 empty squares"""
    for lazy in False, True:
        game = fast_connect_four(lazy=lazy)
        expect_solved(minimax, game, endgames(chance, 40, 7))
