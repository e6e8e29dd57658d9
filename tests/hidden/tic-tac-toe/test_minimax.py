"""Hidden checks of the cell MiniMax: the value, the move, and the whole tree, on trusted games."""

import pytest

from adversarial.checks.boards import (
    board_tree,
    expect_some_move_when_lost,
    expect_sweep,
    expect_tactics,
    oracle,
    small,
)
from adversarial.checks.figure import (
    expect_figure_played,
    expect_figure_values,
    expect_values_in_trees,
    figure,
)
from adversarial.checks.limited import NEGATIVE, POSITIVE
from adversarial.checks.pruning import ON_BOARDS, FinishedSearch, expect_proven_value
from adversarial.checks.trees import (
    expect_all_generated,
    expect_best_in_tree,
    expect_by_sign,
    expect_value,
    random_tree,
)
from adversarial.games.recorded import EndsEarly, Trace
from adversarial.games.rules import TicTacToe
from games import Fig52Game, TreeGame, state_from

MIRRORED = [  # each of them is its own mirror image, about another line, or its own half turn
    "X . X / O X O / . . .",
    "X O . / . X . / X O .",
    "X O X / O . . / X . .",
    "X O X / . . O / . . X",
    "X O . / . . . / . O X",
]


@pytest.mark.check(cell="MiniMax", points=2)
def test_fig52_moves(student, alike):
    """It plays the best move in 4 states of the textbook's tree, of one like it, and in a third
    Needed for wrong/minimax_always_x and wrong/minimax_returns_the_value."""
    expect_figure_played(student.MiniMax(), student.MiniMax, alike)


@pytest.mark.check(cell="MiniMax", points=3)
def test_fig52_values(student, alike):
    """`max_value` and `min_value` are right for MAX and for MIN, in states of the same trees
    Needed for wrong/minimax_keeps_who_it_is and wrong/minimax_pair_for_a_number."""
    expect_figure_values(student.MiniMax, alike)


@pytest.mark.check(cell="MiniMax", points=1)
def test_own_game(student, alike):
    """Two players, made for two games, search each in its own, in turns
    Needed for wrong/minimax_game_in_the_class."""
    games = figure(), alike
    alone = [[student.MiniMax(game).search(state) for state in "ABCD"] for game in games]
    assert alone[0] != alone[1], "In two games with other leaves it plays the same moves."
    players = [student.MiniMax(game) for game in games]
    together = [[player.search(state) for player in players] for state in "ABCD"]
    assert together == [list(moves) for moves in zip(*alone, strict=True)], (
        "Of two players that were made for two games one does not play as it does alone."
    )


@pytest.mark.check(cell="MiniMax", points=5, needs="test_fig52_moves")
def test_whole_tree(student, trees, board_trees, chance):
    """It looks at every state of the tree once, on trees and 11 boards, and its moves are best
    Needed for wrong/minimax_prunes and wrong/minimax_looks_twice."""

    def search_each(tree):
        expect_best_in_tree(game := Trace(tree), (), student.MiniMax()(game, ()))
        expect_all_generated(game, (), "the tree")

    signs = POSITIVE, NEGATIVE  # who compares nothing has looked for nothing
    shapes = [(3, 3), (4, 2), (2, 4)] * 3
    expect_by_sign(search_each, *([random_tree(chance, *one, n) for one in shapes] for n in signs))
    for game in [Trace(Fig52Game()), *map(Trace, trees[::2]), *board_trees]:
        student.MiniMax()(game, game.initial)
        expect_all_generated(game, game.initial, "the tree")
    for state in map(state_from, MIRRORED):
        game = Trace(TicTacToe(), state)
        student.MiniMax()(game, state)
        expect_all_generated(game, state, "the tree below a board")
        game = Trace(TicTacToe(), state)  # as if it were a state within a search
        student.MiniMax(game).max_value(state, state.to_move)
        expect_all_generated(game, state, "the tree below a board")


@pytest.mark.check(cell="MiniMax", points=3, needs="test_fig52_moves")
def test_random_trees(student, trees, chance):
    """It finds the minimax value on 64 trees, for MAX and for MIN, and a best move for MIN
    Needed for wrong/minimax_zero_is_none and wrong/minimax_infinity_is_a_thousand."""
    early = EndsEarly(sorted(chance.sample(range(100), 27)))
    lure = TreeGame([chance.random() - n % 32 for n in range(24, 56)], 2)  # MIN's best is first
    expect_values_in_trees(student.MiniMax, [*trees, early, lure])


@pytest.mark.check(cell="MiniMax", points=6)
def test_tactics(student, chance, fast_tictactoe):
    """It wins at once, blocks, and makes two threats where that wins, as X and as O
    Needed for wrong/minimax_greedy and wrong/minimax_both_help."""
    expect_tactics(student.MiniMax(), fast_tictactoe(), chance, most=6)


@pytest.mark.check(cell="MiniMax", points=1)
def test_every_move_loses(student, chance, fast_tictactoe):
    """It still plays where every move loses: a legal move on boards, the best of 4 trees
    Needed for wrong/minimax_no_move_when_lost and wrong/minimax_compares_nothing."""
    expect_some_move_when_lost(student.MiniMax, fast_tictactoe(), chance)


@pytest.mark.check(cell="MiniMax", points=1)
def test_values_on_boards(student, chance, fast_tictactoe):
    """`max_value` and `min_value` are right on tic-tac-toe, for X and for O, in 29 positions
    Needed for wrong/minimax_draw_is_a_loss and wrong/minimax_best_starts_at_zero."""
    player = student.MiniMax(fast_tictactoe())
    pool = oracle().secret(s for s in oracle().open_states() if len(s.moves) <= 6)
    wins, draws, losses = ([s for s in pool if oracle().value(s) == v] for v in (1, 0, -1))
    for part, n in ((wins, 7), (draws, 6), (losses, 7)):
        for state in chance.sample(part, n):
            value = oracle().value(state) * (1 if state.to_move == "X" else -1)
            other = "O" if state.to_move == "X" else "X"
            expect_value(player.max_value(state, state.to_move), value, "`max_value` on a board")
            expect_value(player.min_value(state, other), -value, "`min_value` on a board")
        for state in chance.sample(small(part), 3):
            game = board_tree(start=state)
            answer = student.MiniMax(game).max_value(game.initial, state.to_move)
            expect_proven_value(FinishedSearch(game, game.initial, limits=ON_BOARDS), answer)


@pytest.mark.check(cell="MiniMax", points=3, needs="test_tactics", cpu_factor=4.5)
def test_sweep(student, chance, fast_tictactoe, large_boards):
    """It plays a best move in all 2,290 positions with at most 3 free squares, and in 306 more
    Needed for wrong/minimax_counts_the_moves and wrong/minimax_opening_book."""
    player = student.MiniMax()
    expect_sweep(player, fast_tictactoe, large_boards, chance, every=(1, 2, 3), some=(4, 5))
