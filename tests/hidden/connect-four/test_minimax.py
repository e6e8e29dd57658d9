"""Hidden checks of the cell minimax: values, moves, depth, the end of the game."""

from typing import Any

import pytest

from games import ConnectFour, TreeGame


@pytest.mark.check(
    cell="minimax",
    points=4,
    hint="Your player takes the largest value, the opponent the smallest: who is to move here?",
    cpu_seconds=30,
)
def test_trees(student, cases, expect_case):
    """It finds the value and a best move in 40 trees and boards, at depths 2 to 5"""
    for case in cases:
        expect_case(student.minimax, case)


@pytest.mark.check(
    cell="minimax",
    points=2,
    hint="Look at `game.terminal_test` first, then at the depth; the move is None in both cases.",
)
def test_no_move(student, expect_no_move):
    """With depth 0, or when the game is over, there is a value and no move"""
    expect_no_move(student.minimax)


@pytest.mark.check(
    cell="minimax",
    points=2,
    hint="A game that is over has the value infinity, 0 or -infinity: test that before the depth.",
)
def test_final_states(student, expect_final_values):
    """Wins and draws within its depth are worth what they are, and are never estimated"""
    expect_final_values(student.minimax)


@pytest.mark.check(
    cell="minimax",
    points=2,
    hint="Begin with no move at all, and take the first one whatever it is worth.",
)
def test_every_move_loses(student, expect_a_move_when_lost):
    """Where every move loses it returns a legal move, and the value -infinity"""
    expect_a_move_when_lost(student.minimax)


@pytest.mark.check(
    cell="minimax",
    points=4,
    hint="The state that is given is at depth 0; look at all states down to the depth, no deeper.",
    cpu_seconds=30,
)
def test_depth(student, trace, cases, noise):
    """It generates every state down to its depth once, and asks for estimates there only"""
    estimate = noise()
    for depth in 1, 2, 3, 4:
        for start in (), (1,):
            asked: list[Any] = []

            def told(state: Any, player: Any, asked: list[Any] = asked) -> float:
                asked.append(state)
                return estimate(state, player)

            game = trace(TreeGame([0] * 64, 2), start)
            student.minimax(game, start, depth, told)
            deepest = max((len(state) - len(start) for state in game.generated), default=0)
            assert deepest == depth, f"With depth {depth} it looks {deepest} plies ahead."
            assert len(game.generated) == 2 ** (depth + 1) - 2, (
                f"With depth {depth} it does not generate every state of the tree once."
            )
            assert {len(state) - len(start) for state in asked} == {depth}, (
                "It asks for estimates where it could look further ahead."
            )
    for case in cases[::2]:
        student.minimax(case.game, case.state, case.depth, case.estimate)
        whole = case.game.minimax_generates(case.state, case.depth)
        assert len(case.game.generated) == len(whole), (
            f"In a tree of {len(whole)} states it generated {len(case.game.generated)}."
        )
    board = trace(ConnectFour(3, 3, 3))
    student.minimax(board, board.initial, 4, estimate)
    whole = board.minimax_generates(board.initial, 4)
    assert len(board.generated) == len(whole), (
        "A position that is reached in two ways must be looked at twice: plain minimax remembers "
        "nothing."
    )


@pytest.mark.check(
    cell="minimax",
    points=2,
    hint="X drops pieces to have many on top, and O to have few: whose turn is it?",
)
def test_known_board(
    student, answered, call_and_look, drop, trace, worth, fast_connect_four, top_count
):
    """On a board drawn by hand it finds the value and the best column, four plies ahead"""
    state = drop("X3 X2 X3 O3 O1 O4")
    game = fast_connect_four()
    answer, after_it = call_and_look(student.minimax, game, state, 4, top_count)
    assert after_it[1] == state, "The search has changed the state that it was given."
    value, move = answered(answer)
    assert value == -2, f"Four plies ahead X can have 2 columns less than O; found {value}."
    recorded = trace(ConnectFour(), state)
    best = worth(recorded.game, top_count)
    assert move == 0 or (
        move in state.moves
        and recorded.minimax_value(recorded.game.result(state, move), "X", 3, best) == value
    ), "Four plies ahead another column is better: column 0, for example."


@pytest.mark.check(
    cell="minimax",
    points=2,
    hint="With a depth as large as the number of empty squares nothing is left to estimate.",
    cpu_seconds=60,
)
def test_endgames(student, fast_connect_four, endgames, expect_solved, top_count):
    """Looking to the end it is right in 80 endgames with at most 7 empty squares"""
    for lazy in False, True:
        game = fast_connect_four(lazy=lazy)
        expect_solved(student.minimax, game, endgames(40, 7), top_count)
