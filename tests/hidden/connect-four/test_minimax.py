"""Hidden checks of the cell minimax: values, moves, depth, the end of the game."""

import pytest

from adversarial.checks.connect_four import BY_HAND, drop, endgames, noise, top_count, worth
from adversarial.checks.limited import (
    RecordedEstimate,
    expect_a_move_when_lost,
    expect_asked_at,
    expect_case,
    expect_depth,
    expect_final_values,
    expect_known_board,
    expect_no_move,
    expect_solved,
    value_and_move,
)
from adversarial.checks.pruning import FinishedSearch, expect_proven
from adversarial.checks.trees import call_and_look
from adversarial.games.recorded import Trace
from games import ConnectFour, TreeGame, after


@pytest.mark.check(
    cell="minimax",
    points=4,
    hint="Your player takes the largest value, the opponent the smallest: who is to move here?",
    cpu_seconds=30,
)
def test_trees(student, cases):
    """It finds the value and a best move in 66 trees and boards, at depths 2 to 8"""
    for case in cases:
        expect_case(student.minimax, case)


@pytest.mark.check(
    cell="minimax",
    points=2,
    hint="Look at `game.terminal_test` first, then at the depth; the move is None in both cases.",
)
def test_no_move(student, chance, salt):
    """With depth 0, or when the game is over, there is a value and no move"""
    expect_no_move(student.minimax, chance, noise(salt))


@pytest.mark.check(
    cell="minimax",
    points=2,
    hint="A game that is over has the value infinity, 0 or -infinity: test that before the depth.",
)
def test_final_states(student, chance):
    """Wins and draws within its depth are worth what they are, and are never estimated"""
    expect_final_values(student.minimax, chance)


@pytest.mark.check(
    cell="minimax",
    points=2,
    hint="Begin with no move at all, and take the first one whatever it is worth.",
)
def test_every_move_loses(student, salt):
    """Where every move loses it returns a legal move, and the value -infinity"""
    expect_a_move_when_lost(student.minimax, noise(salt))


@pytest.mark.check(
    cell="minimax",
    points=4,
    hint="The state that is given is at depth 0; look at all states down to the depth, no deeper.",
    cpu_seconds=30,
)
def test_depth(student, cases, salt):
    """It looks at every state down to its depth once, estimates there only, and so finds both"""
    estimate = noise(salt)
    for depth in 1, 2, 3, 4:
        for start in (), (1,):
            asked, game = RecordedEstimate(estimate), Trace(TreeGame([0] * 64, 2), start)
            answer = student.minimax(game, start, depth, asked)
            expect_depth(game, start, depth)
            assert len(game.generated) == 2 ** (depth + 1) - 2, (
                f"With depth {depth} it does not generate every state of the tree once."
            )
            expect_asked_at(depth, asked, start)
            expect_proven(
                FinishedSearch(game, start, depth, estimate, asked.states), *value_and_move(answer)
            )
    for case in cases[::2]:
        asked = RecordedEstimate(case.estimate)
        answer = student.minimax(case.game, case.state, case.depth, asked)
        whole = case.game.minimax_generates(case.state, case.depth)
        assert len(case.game.generated) == len(whole), (
            f"In a tree of {len(whole)} states it generated {len(case.game.generated)}."
        )
        search = FinishedSearch(case.game, case.state, case.depth, case.worth, asked.states)
        expect_proven(search, *value_and_move(answer))
    for moves in (), (1,):  # X moves first, and then O
        rules = ConnectFour(3, 3, 3)
        state = after(rules, moves)
        board, asked = Trace(rules, state), RecordedEstimate(estimate)
        answer = student.minimax(board, state, 4, asked)
        whole = board.minimax_generates(state, 4)
        assert len(board.generated) == len(whole), (
            "A position that is reached in two ways must be looked at twice: plain minimax "
            "remembers nothing."
        )
        worths = worth(rules, estimate)
        expect_proven(
            FinishedSearch(board, state, 4, worths, asked.states), *value_and_move(answer)
        )


@pytest.mark.check(
    cell="minimax",
    points=2,
    hint="X drops pieces to have many on top, and O to have few: whose turn is it?",
)
def test_known_board(student):
    """On a board drawn by hand it finds the value and the best column, four plies ahead"""
    state = drop(BY_HAND)
    game, asked = Trace(ConnectFour(), state), RecordedEstimate(top_count)
    answer, after_it = call_and_look(student.minimax, game, state, 4, asked)
    assert after_it[1] == state, "The search has changed the state that it was given."
    expect_known_board(answer, 4, "Four")
    search = FinishedSearch(game, state, 4, worth(game.game, top_count), asked.states)
    expect_proven(search, *value_and_move(answer))


@pytest.mark.check(
    cell="minimax",
    points=2,
    hint="With a depth as large as the number of empty squares nothing is left to estimate.",
    cpu_seconds=60,
)
def test_endgames(student, chance, fast_connect_four):
    """Looking to the end it is right in 80 endgames with at most 7 empty squares"""
    for lazy in False, True:
        game = fast_connect_four(lazy=lazy)
        expect_solved(student.minimax, game, endgames(chance, 40, 7))
