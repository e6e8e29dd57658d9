"""Hidden checks of the cell MiniMax: the value, the move, and the whole tree, on trusted games."""

import pytest

from adversarial.checks.boards import (
    board_tree,
    expect_best,
    expect_best_openings,
    expect_best_unseen,
    hard_draws,
    losses,
    luring_blocks,
    oracle,
    small,
    spread,
    unseen_losses,
)
from adversarial.checks.figure import BEST, expect_best_in_tree, expect_figure_played, recorded
from adversarial.checks.pruning import ON_BOARDS, FinishedSearch, expect_proven_value
from adversarial.checks.trees import (
    call_and_look,
    corridors,
    expect_all_generated,
    expect_value,
    expect_whole_tree,
)
from adversarial.games.recorded import EndsEarly, Trace
from adversarial.games.rules import TicTacToe
from games import Fig52Game, TreeGame, after, state_from

MIRRORED = [  # each of them is its own mirror image, about another line, or its own half turn
    "X . X / O . O / . . .",
    "X O . / . . . / X O .",
    "X O . / O X . / . . .",
    ". O X / . X O / . . .",
    "X O . / . . . / . O X",
]
CORNERS = [(0, 0), (0, 2), (2, 0), (2, 2)]


@pytest.mark.check(cell="MiniMax", points=2)
def test_fig52_moves(student, alike):
    """It plays the best move in 4 states of the textbook's tree, of one like it, and in a third"""
    expect_figure_played(student.MiniMax(), lambda game: student.MiniMax(game), alike)


@pytest.mark.check(cell="MiniMax", points=3)
def test_fig52_values(student, alike):
    """`max_value` and `min_value` are right for MAX and for MIN, in 18 states of the same trees"""
    game = Trace(Fig52Game(), "A", *"BCD", "B1", "C2", "D3")
    other, _ = alike
    player, another = student.MiniMax(game), student.MiniMax(other)
    for state, value in [("A", 3), ("B1", 3), ("C2", 4), ("D3", 2)]:
        expect_value(player.max_value(state, "MAX"), value, "`max_value(state, 'MAX')`")
    for state, value in [("B", 3), ("C", 2), ("D", 2), ("D3", 2)]:
        expect_value(player.min_value(state, "MAX"), value, "`min_value(state, 'MAX')`")
    for state, value in [("B", -3), ("C", -2), ("D", -2), ("B1", -3)]:
        expect_value(player.max_value(state, "MIN"), value, "`max_value(state, 'MIN')`")
    for state, value in [("A", -3), ("D3", -2)]:
        expect_value(player.min_value(state, "MIN"), value, "`min_value(state, 'MIN')`")
    expect_value(another.max_value("A", "MAX"), other.minimax_value("A", "MAX"), "`max_value`")
    for one in "BCD":
        expect_value(another.min_value(one, "MAX"), other.minimax_value(one, "MAX"), "`min_value`")


@pytest.mark.check(cell="MiniMax", points=1)
def test_own_game(student, alike):
    """Two players, made for two games, search each in its own, in turns"""
    other, best = alike
    game = Trace(Fig52Game(), *BEST)
    players = student.MiniMax(game), student.MiniMax(other)
    for state in "ABCD":
        moves = players[0].search(state), players[1].search(state)
        assert moves == (BEST[state], best[state]), (
            "Of two players that were made for two games one returned no best move of its own."
        )


@pytest.mark.check(cell="MiniMax", points=5, needs="test_fig52_moves")
def test_whole_tree(student, trees, board_trees, chance):
    """It looks at every state of the tree once and plays a best move, on 63 trees and 22 boards"""
    for game in [Trace(Fig52Game()), *map(Trace, trees), *board_trees]:
        move = student.MiniMax()(game, game.initial)
        expect_whole_tree(game, game.initial, move, "the tree")
    drawn = chance.sample([s for s in hard_draws() if len(s.moves) == 5], 2)
    for state in [*map(state_from, MIRRORED), *drawn]:
        game = Trace(TicTacToe(), state)
        move = student.MiniMax()(game, state)
        expect_whole_tree(game, state, move, "the tree below a board")
    for state in map(state_from, MIRRORED):  # as if it were a state within a search
        game = Trace(TicTacToe(), state)
        student.MiniMax(game).max_value(state, state.to_move)
        expect_all_generated(game, state, "the tree below a board")


@pytest.mark.check(cell="MiniMax", points=3, needs="test_fig52_moves")
def test_random_trees(student, trees, chance):
    """It finds the minimax value on 64 trees, for MAX and for MIN, and a best move for MIN"""
    early = EndsEarly(sorted(chance.sample(range(100), 27)))
    lured = TreeGame([chance.random() - n % 32 for n in range(24, 56)], 2)  # MIN's best is first
    for game, state, mover in recorded([*trees, early, lured]):
        answer = student.MiniMax(game).max_value(state, mover)
        expect_value(answer, game.minimax_value(state, mover), "`max_value` on a random tree")
        if mover == "MIN" or game.terminal_test((0,)):  # MAX's moves: test_whole_tree
            expect_best_in_tree(game, state, student.MiniMax()(game, state))


@pytest.mark.check(cell="MiniMax", points=2)
def test_win_in_one(student, chance, fast_tictactoe):
    """It wins at once where it can, as X and as O, in 23 positions"""
    pool = [state for state in oracle().win_in_one() if len(state.moves) <= 6]
    states = [state_from("X O X / X . O / . . O"), *spread(chance, pool, 16)]
    expect_best(student.MiniMax(), fast_tictactoe(), states, "missed a win in one move")
    unseen = spread(chance, small(pool), 6)
    expect_best_unseen(student.MiniMax(), unseen, "missed a win in one move")


@pytest.mark.check(cell="MiniMax", points=2)
def test_block(student, chance, fast_tictactoe):
    """It blocks where the opponent would win at the next move, as X and as O, in 23 positions"""
    pool = [state for state in oracle().block() if len(state.moves) <= 6]
    states = [state_from("X . . / . . O / . X O"), *spread(chance, pool, 12)]
    states += spread(chance, luring_blocks(), 4)
    player, game = student.MiniMax(), fast_tictactoe()
    expect_best(player, game, states, "let the opponent win")
    for state in states[:5]:
        _, after_it = call_and_look(player, game, state)
        assert after_it[1] == state, "The search has changed the state that it was given."
    expect_best_unseen(player, spread(chance, luring_blocks(), 6), "let the opponent win")


@pytest.mark.check(cell="MiniMax", points=2)
def test_win_in_two(student, chance, fast_tictactoe):
    """It makes two threats at once where that wins, as X and as O, in 20 positions"""
    pool = [state for state in oracle().win_in_two() if len(state.moves) <= 6]
    states = [
        state_from("X . . / . . O / O X ."),
        state_from("X O X / O . O / X . ."),
        *spread(chance, pool, 12),
    ]
    expect_best(student.MiniMax(), fast_tictactoe(), states, "missed a win by a double threat")
    unseen = spread(chance, small(pool), 6)
    expect_best_unseen(student.MiniMax(), unseen, "missed a win by a double threat")


@pytest.mark.check(cell="MiniMax", points=1)
def test_every_move_loses(student, chance, fast_tictactoe):
    """It still plays where every move loses: a legal move in 30 positions, the best of 4 trees"""
    states = [state_from("X O X / . . . / O . X"), *chance.sample(oracle().secret(losses()), 12)]
    expect_best(student.MiniMax(), fast_tictactoe(), states, "broke down")
    unseen = [state_from("X O X / . X . / . O ."), *unseen_losses(chance)]
    expect_best_unseen(student.MiniMax(), unseen, "broke down")
    a, b, c, d = sorted(chance.sample(range(-99, -9), 4))
    for values in [a, b, c, d], [b, c, d, a], [c, d, a, b], [d, a, b, c]:
        game = Trace(corridors(values, 1))
        expect_best_in_tree(game, (), student.MiniMax()(game, ()))


@pytest.mark.check(cell="MiniMax", points=1)
def test_values_on_boards(student, chance, fast_tictactoe):
    """`max_value` and `min_value` are right on tic-tac-toe, for X and for O, in 29 positions"""
    player = student.MiniMax(fast_tictactoe())
    pool = oracle().secret(s for s in oracle().open_states() if len(s.moves) <= 6)
    wins, draws, losses = ([s for s in pool if oracle().value(s) == v] for v in (1, 0, -1))
    for part, n in ((wins, 7), (draws, 6), (losses, 7)):
        for state in chance.sample(part, n):
            mine = oracle().value(state) * (1 if state.to_move == "X" else -1)
            other = "O" if state.to_move == "X" else "X"
            expect_value(player.max_value(state, state.to_move), mine, "`max_value` on a board")
            expect_value(player.min_value(state, other), -mine, "`min_value` on a board")
        for state in chance.sample(small(part), 3):
            game = board_tree(start=state)
            answer = student.MiniMax(game).max_value(game.initial, state.to_move)
            expect_proven_value(FinishedSearch(game, game.initial, limits=ON_BOARDS), answer)


@pytest.mark.check(cell="MiniMax", points=3, needs="test_block", cpu_seconds=90)
def test_sweep(student, chance, fast_tictactoe, large_boards):
    """It plays a best move in all 2,290 positions with at most 3 free squares, and in 296 more"""
    states = [state for state in oracle().open_states() if len(state.moves) <= 3]
    early = [state for state in oracle().open_states() if len(state.moves) in (4, 5, 7)]
    kinds = oracle().one_of_each(early, chance)
    firsts = [after(TicTacToe(), [move]) for move in (chance.choice(CORNERS), (1, 1))]
    player, game = student.MiniMax(), fast_tictactoe(lazy=True)
    expect_best(player, game, states, "chose a worse move")
    expect_best(player, game, [*kinds, *firsts], "chose a worse move early in the game")
    size = 4, 4, 4
    expect_best(player, fast_tictactoe(*size), large_boards, "chose a worse move on 4x4", size)
    unseen = spread(chance, small(oracle().open_states()), 8)
    expect_best_unseen(player, unseen, "chose a worse move")
    expect_best_openings(player, fast_tictactoe, chance)
