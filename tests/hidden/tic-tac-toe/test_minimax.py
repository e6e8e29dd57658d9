"""Hidden checks of the cell MiniMax: the value, the move, and the whole tree, on trusted games."""

from typing import Any

import pytest

from games import Fig52Game, TreeGame, state_from


def is_number(answer: Any) -> bool:
    return type(answer) in (int, float)


def expect_value(answer: Any, expected: float, where: str) -> None:
    assert is_number(answer), f"{where} must return a number, nothing else."
    assert answer == expected, f"{where} returns a wrong value."


@pytest.mark.check(
    cell="MiniMax",
    points=3,
    hint="MAX takes the child of the highest value, where MIN is to move the lowest counts.",
)
def test_fig52_moves(student, trace, alike):
    """It plays the best move in the 4 states of the textbook's two-ply tree, and of one like it"""
    game = trace(Fig52Game(), "A", "B", "C", "D")
    best = {"A": "a1", "B": "b1", "C": "c1", "D": "d3"}
    player = student.MiniMax()
    wrong = [state for state, move in best.items() if player(game, state) != move]
    assert not wrong, f"In {len(wrong)} of the 4 states another move is better for who is to move."
    searching = student.MiniMax(game)
    wrong = [state for state, move in best.items() if searching.search(state) != move]
    assert not wrong, "`search(state)` does not return the same best moves as calling the player."
    elsewhere = student.MiniMax(trace(TreeGame([5, 1, 7, 3], 2)))
    wrong = [state for state, move in best.items() if elsewhere(game, state) != move]
    assert not wrong, "A player made for one game does not play the other game that it is handed."
    game, best = alike
    wrong = [state for state, move in best.items() if player(game, state) != move]
    assert not wrong, "In a tree with other leaves another move is better: ask the game for them."


@pytest.mark.check(
    cell="MiniMax",
    points=3,
    hint="Both return the value of a state for the searching player: its utility in a final state.",
)
def test_fig52_values(student, trace, alike):
    """`max_value` and `min_value` are right for MAX and for MIN, in 18 states of the same trees"""
    game = trace(Fig52Game(), "A", *"BCD", "B1", "C2", "D3")
    player = student.MiniMax(game)
    for state, value in [("A", 3), ("B1", 3), ("C2", 4), ("D3", 2)]:
        expect_value(player.max_value(state, "MAX"), value, "`max_value(state, 'MAX')`")
    for state, value in [("B", 3), ("C", 2), ("D", 2), ("D3", 2)]:
        expect_value(player.min_value(state, "MAX"), value, "`min_value(state, 'MAX')`")
    for state, value in [("B", -3), ("C", -2), ("D", -2), ("B1", -3)]:
        expect_value(player.max_value(state, "MIN"), value, "`max_value(state, 'MIN')`")
    for state, value in [("A", -3), ("D3", -2)]:
        expect_value(player.min_value(state, "MIN"), value, "`min_value(state, 'MIN')`")
    game, _ = alike
    player = student.MiniMax(game)
    expect_value(player.max_value("A", "MAX"), game.minimax_value("A", "MAX"), "`max_value`")
    for state in "BCD":
        expect_value(
            player.min_value(state, "MAX"), game.minimax_value(state, "MAX"), "`min_value`"
        )


@pytest.mark.check(
    cell="MiniMax",
    points=3,
    hint="Plain minimax looks at every child of every state exactly once: no pruning, no memory.",
    needs="test_fig52_moves",
)
def test_whole_tree(student, trace, trees, board_trees, tictactoe, oracle, chance):
    """It generates every state of the tree once and no other, on 20 trees and 12 boards"""
    games = [trace(Fig52Game()), *map(trace, trees), *board_trees]
    for game in games:
        student.MiniMax()(game, game.initial)
        expected = game.minimax_generates(game.initial)
        assert set(game.generated) >= set(expected), (
            "Some states of the tree were never looked at: plain minimax does not prune."
        )
        assert len(game.generated) == len(expected), (
            f"{len(game.generated)} states were generated in a tree that has {len(expected)}."
        )
    for state in chance.sample([s for s in oracle().open_states() if len(s.moves) == 5], 2):
        game = tictactoe(3, 3, 3, state)
        student.MiniMax()(game, state)
        expected = game.minimax_generates(state)
        assert len(game.generated) == len(expected), (
            f"On a board {len(game.generated)} states were generated; plain minimax generates "
            f"{len(expected)}, since it does not remember what it has seen."
        )


@pytest.mark.check(
    cell="MiniMax",
    points=3,
    hint="Try a tree of three plies by hand: the levels of MAX and MIN must take turns.",
    needs="test_fig52_moves",
)
def test_random_trees(student, trace, trees):
    """It finds the minimax value and a best move on 19 random trees, for MAX and for MIN"""
    for tree in trees:
        game = trace(tree, (), (0,))
        for state, mover in [((), "MAX"), ((0,), "MIN")]:
            value = game.minimax_value(state, mover)
            answer = student.MiniMax(game).max_value(state, mover)
            expect_value(answer, value, "`max_value` on a random tree")
            move = student.MiniMax()(game, state)
            assert move in game.actions(state), "On a random tree the answer is no legal move."
            child = game.game.result(state, move)
            assert game.minimax_value(child, mover) == value, (
                f"On a random tree another move is better for {mover}."
            )


@pytest.mark.check(
    cell="MiniMax",
    points=3,
    hint="A win is worth +1 to the searching player, whether that is X or O.",
)
def test_win_in_one(student, oracle, spread, fast_tictactoe, expect_best):
    """It wins at once where it can, as X and as O, in 17 positions"""
    pool = [state for state in oracle().win_in_one() if len(state.moves) <= 6]
    states = [state_from("X O X / X . O / . . O"), *spread(pool, 16)]
    expect_best(student.MiniMax(), fast_tictactoe(), states, "missed a win in one move")


@pytest.mark.check(
    cell="MiniMax",
    points=3,
    hint="The opponent picks the reply that is worst for you: `min_value` must see it.",
)
def test_block(student, oracle, spread, fast_tictactoe, expect_best, call_and_look, chance):
    """It blocks where the opponent would win at the next move, as X and as O, in 17 positions"""
    pool = [state for state in oracle().block() if len(state.moves) <= 6]
    states = [state_from("X . . / . . O / . X O"), *spread(pool, 16, chance)]
    player, game = student.MiniMax(), fast_tictactoe()
    expect_best(player, game, states, "let the opponent win")
    for state in states[:5]:
        _, after_it = call_and_look(player, game, state)
        assert after_it[1] == state, "The search has changed the state that it was given."


@pytest.mark.check(
    cell="MiniMax",
    points=2,
    hint="A fork wins two plies later: the search must go on to the end of the game.",
)
def test_win_in_two(student, oracle, spread, fast_tictactoe, expect_best):
    """It makes two threats at once where that wins, as X and as O, in 14 positions"""
    pool = [state for state in oracle().win_in_two() if len(state.moves) <= 6]
    states = [
        state_from("X . . / . . O / O X ."),
        state_from("X O X / O . O / X . ."),
        *spread(pool, 12),
    ]
    expect_best(student.MiniMax(), fast_tictactoe(), states, "missed a win by a double threat")


@pytest.mark.check(
    cell="MiniMax",
    points=1,
    hint="When every move loses, one of them must be played all the same: start from -infinity.",
)
def test_every_move_loses(student, oracle, chance, fast_tictactoe, expect_best):
    """It still plays a legal move where every move loses, in 13 positions"""
    lost = [
        state
        for state in oracle().open_states()
        if 2 <= len(state.moves) <= 6 and set(oracle().values(state).values()) == {-1}
    ]
    states = [state_from("X O X / . . . / O . X"), *chance.sample(oracle().secret(lost), 12)]
    expect_best(student.MiniMax(), fast_tictactoe(), states, "broke down")


@pytest.mark.check(
    cell="MiniMax",
    points=1,
    hint="The value is seen by the player named in the call, not by the one to move in the state.",
)
def test_values_on_boards(student, oracle, chance, fast_tictactoe):
    """`max_value` and `min_value` are right on tic-tac-toe, for X and for O, in 20 positions"""
    player = student.MiniMax(fast_tictactoe())
    pool = oracle().secret(s for s in oracle().open_states() if len(s.moves) <= 6)
    wins, draws, losses = ([s for s in pool if oracle().value(s) == v] for v in (1, 0, -1))
    for part, n in ((wins, 7), (draws, 6), (losses, 7)):
        for state in chance.sample(part, n):
            value = oracle().value(state)
            mine = value if state.to_move == "X" else -value
            other = "O" if state.to_move == "X" else "X"
            expect_value(player.max_value(state, state.to_move), mine, "`max_value` on a board")
            expect_value(player.min_value(state, other), -mine, "`min_value` on a board")


@pytest.mark.check(
    cell="MiniMax",
    points=3,
    hint="Most moves are right. Is a value remembered, or a reply left out, that should not be?",
    needs="test_block",
    cpu_seconds=60,
)
def test_sweep(student, oracle, fast_tictactoe, expect_best, large_boards):
    """It plays a best move in all 4,186 positions with at most five free squares, and 10 of 4x4"""
    states = [state for state in oracle().open_states() if len(state.moves) <= 5]
    player = student.MiniMax()
    expect_best(player, fast_tictactoe(lazy=True), states, "chose a worse move")
    size = 4, 4, 4
    expect_best(player, fast_tictactoe(*size), large_boards, "chose a worse move on 4x4", size)
