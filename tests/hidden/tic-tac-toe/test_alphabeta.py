"""Hidden checks of the cell AlphaBeta: the values it finds, and the moves it plays."""

import pytest

from adversarial.checks.boards import (
    expect_best,
    expect_best_openings,
    expect_best_unseen,
    losses,
    luring_blocks,
    oracle,
    small,
    spread,
    unseen_losses,
)
from adversarial.checks.figure import expect_best_in_tree, expect_figure_played, recorded
from adversarial.checks.trees import call_and_look, corridors, expect_value
from adversarial.games.recorded import EndsEarly, Trace
from games import Fig52Game, NestedTree, infinity, state_from

DEEP = 9  # plies: the whole 3x3 game


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_fig52_moves(student, alike):
    """It plays the best move in 4 states of the textbook's tree, of one like it, and in a third"""
    expect_figure_played(student.AlphaBeta(), lambda game: student.AlphaBeta(4, game), alike)


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_fig52_values(student, alike):
    """`max_value` and `min_value` are right for MAX and for MIN, in 16 states of the same trees"""
    game = Trace(Fig52Game(), "A", *"BCD", "B1", "C2", "D3")
    other, _ = alike
    player = student.AlphaBeta(d=4, game=game)
    window = -infinity, infinity
    for state, value, depth in [("A", 3, 0), ("B1", 3, 2), ("C2", 4, 2)]:
        expect_value(player.max_value(state, "MAX", *window, depth), value, "`max_value` for MAX")
    for state, value, depth in [("B", 3, 1), ("C", 2, 1), ("D", 2, 1), ("D3", 2, 2)]:
        expect_value(player.min_value(state, "MAX", *window, depth), value, "`min_value` for MAX")
    for state, value in [("B", -3), ("C", -2), ("D", -2)]:
        expect_value(player.max_value(state, "MIN", *window, 0), value, "`max_value` for MIN")
    for state, value, depth in [("A", -3, 0), ("D3", -2, 2)]:
        expect_value(player.min_value(state, "MIN", *window, depth), value, "`min_value` for MIN")
    for state in "ABCD":  # each by a player of its own: nothing is left of the search before
        fresh, depth = student.AlphaBeta(d=4, game=other), int(state != "A")
        search, name = (fresh.min_value, "min") if depth else (fresh.max_value, "max")
        value = other.minimax_value(state, "MAX")
        expect_value(search(state, "MAX", *window, depth), value, f"`{name}_value` for MAX")


@pytest.mark.check(cell="AlphaBeta", points=2, needs="test_fig52_moves")
def test_random_trees(student, trees, chance):
    """It finds the minimax value on 63 trees, for MAX and for MIN, and a best move for MIN"""
    early = EndsEarly(sorted(chance.sample(range(100), 27)))
    for game, state, mover in recorded([*trees, early]):
        player = student.AlphaBeta(d=chance.randrange(14, 31), game=game)
        answer = player.max_value(state, mover, -infinity, infinity, 0)
        expect_value(answer, game.minimax_value(state, mover), "`max_value` on a random tree")
        if mover == "MIN" or game.terminal_test((0,)):  # MAX's moves: test_tree_pruning
            expect_best_in_tree(game, state, player(game, state))


@pytest.mark.check(cell="AlphaBeta", points=1)
def test_win_in_one(student, chance, fast_tictactoe):
    """It wins at once where it can, as X and as O, in 33 positions, and looking one ply ahead"""
    states = [state_from("X O X / X . O / . . O"), *spread(chance, oracle().win_in_one(), 16)]
    # Where the win is the last of some moves, a bound that is wrong may stand in its way.
    some = [state for state in oracle().win_in_one() if len(state.moves) > 3]
    late = [state for state in some if state.moves[-1] in oracle().best_moves(state)]
    states += chance.sample(oracle().secret(late), 10)
    game = fast_tictactoe()
    expect_best(student.AlphaBeta(d=DEEP), game, states, "missed a win in one move")
    shallow = student.AlphaBeta(d=1, eval_fn=lambda state: 0)
    expect_best(shallow, game, states, "missed a win in one move when it looks one ply ahead")
    unseen = spread(chance, small(oracle().win_in_one()), 6)
    expect_best_unseen(student.AlphaBeta(d=DEEP), unseen, "missed a win in one move")


@pytest.mark.check(cell="AlphaBeta", points=2)
def test_block(student, chance, fast_tictactoe):
    """It blocks where the opponent would win at the next move, as X and as O, in 40 positions"""
    states = [state_from("X . . / . . O / . X O"), *spread(chance, oracle().block(), 12)]
    states += spread(chance, luring_blocks(), 4)
    large = [state for state in oracle().block() if len(state.moves) == 6]
    states += chance.sample(oracle().secret(large), 8)  # where a bound that is wrong shows
    player, game = student.AlphaBeta(d=DEEP), fast_tictactoe()
    expect_best(player, game, states, "let the opponent win")
    for state in states[:5]:
        _, after_it = call_and_look(player, game, state)
        assert after_it[1] == state, "The search has changed the state that it was given."
    unseen = [state_from("X O . / X . O / . X ."), *spread(chance, luring_blocks(), 14)]
    expect_best_unseen(player, unseen, "let the opponent win")


@pytest.mark.check(cell="AlphaBeta", points=1)
def test_win_in_two(student, chance, fast_tictactoe):
    """It makes two threats at once where that wins, as X and as O, in 63 positions"""
    states = [
        state_from("X . . / . . O / O X ."),
        state_from("X O X / O . O / X . ."),
        *oracle().secret(oracle().win_in_two()),
    ]
    game = fast_tictactoe()
    expect_best(student.AlphaBeta(d=DEEP), game, states, "missed a win by a double threat")
    unseen = spread(chance, small(oracle().win_in_two()), 6)
    expect_best_unseen(student.AlphaBeta(d=DEEP), unseen, "missed a win by a double threat")


@pytest.mark.check(cell="AlphaBeta", points=2, needs="test_block", cpu_seconds=120)
def test_sweep(student, chance, fast_tictactoe, large_boards):
    """It plays a best move in 4,454 positions, looking to the end, and in 21 others"""
    states = [state for state in oracle().open_states() if len(state.moves) <= 6]
    early = [state for state in oracle().open_states() if len(state.moves) > 6]
    player, game = student.AlphaBeta(d=DEEP), fast_tictactoe(lazy=True)
    states += oracle().one_of_each(early, chance)
    expect_best(player, game, states, "chose a worse move")
    size = 4, 4, 4
    expect_best(player, fast_tictactoe(*size), large_boards, "chose a worse move on 4x4", size)
    expect_best_unseen(player, spread(chance, small(states), 8), "chose a worse move")
    expect_best_openings(player, fast_tictactoe, chance)


@pytest.mark.check(cell="AlphaBeta", points=1)
def test_every_move_loses(student, chance, fast_tictactoe):
    """It still plays where every move loses: a legal move in 33 positions, the best of 4 trees"""
    states = [state_from("X O X / . . . / O . X"), *chance.sample(oracle().secret(losses()), 16)]
    expect_best(student.AlphaBeta(d=DEEP), fast_tictactoe(), states, "broke down")
    expect_best_unseen(student.AlphaBeta(d=DEEP), unseen_losses(chance), "broke down")
    a, b, c, d = sorted(chance.sample(range(-99, -9), 4))
    trees = [corridors(values, 1) for values in ([a, b, c, d], [b, c, d, a], [c, d, a, b])]
    for game in map(Trace, [*trees, NestedTree([[d, 3 * a], [c, b]])]):  # last: a window from 0
        expect_best_in_tree(game, (), student.AlphaBeta(d=DEEP)(game, ()))
