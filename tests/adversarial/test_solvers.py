"""Ask whether the solvers are right: by brute force, other solvers, numbers of other origin."""

import random
from collections import Counter
from collections.abc import Iterator

import bitbully
import pytest
from textbook import searched

from adversarial.games.recorded import Trace
from adversarial.games.rules import TicTacToe
from adversarial.solvers.connect_four import Solver
from adversarial.solvers.tictactoe import Oracle, shown
from games import ConnectFour, GameState, after

Size = tuple[int, int, int]
Known = dict[tuple[frozenset[tuple[tuple[int, int], str]], str], int]


# --- an independent answer: plain negamax over the rules, without bitboards ---------------------


def brute_value(game: ConnectFour, state: GameState, known: Known) -> int:
    """Return +1 where the player to move wins, 0 for a draw, and -1 for a loss."""
    key = frozenset(state.board.items()), state.to_move
    if key not in known:
        won = -abs(state.utility)  # by the other, who has moved
        known[key] = max(brute_values(game, state, known).values(), default=won)
    return known[key]


def brute_values(game: ConnectFour, state: GameState, known: Known) -> dict[int, int]:
    """Return the value of each legal column."""
    return {column: -brute_value(game, game.result(state, column), known) for column in state.moves}


def reachable(game: ConnectFour) -> Iterator[GameState]:
    """Yield every state that play can reach, each once."""
    layer = {frozenset[tuple[tuple[int, int], str]](): game.initial}
    while layer:
        yield from layer.values()
        following = [game.result(state, move) for state in layer.values() for move in state.moves]
        layer = {frozenset(state.board.items()): state for state in following}


def played(game: ConnectFour, plies: int, chance: random.Random) -> list[int]:
    """Return random moves, as many as were asked for, after which the game is not over."""
    while True:
        state, moves = game.initial, []
        while state.moves and len(moves) < plies:
            moves.append(chance.choice(state.moves))
            state = game.result(state, moves[-1])
        if state.moves:
            return moves


SMALL_SIZES = [
    (1, 1, 1), (1, 1, 2), (1, 5, 2), (2, 2, 1), (4, 1, 3), (2, 3, 2), (3, 2, 2), (3, 3, 3),
    (3, 4, 3), (4, 3, 3), (2, 5, 3), (5, 2, 3), (3, 3, 4), (2, 5, 4), (3, 4, 4),
]  # fmt: skip
LARGER = [(4, 4, 4), (4, 5, 4), (5, 4, 4), (5, 5, 4)]


@pytest.mark.proof
@pytest.mark.parametrize("size", [*SMALL_SIZES, *LARGER], ids=str)
def test_states_are_solved_as_by_brute_force(size: Size) -> None:
    """Are values and best moves right in all states of a small board, final ones included?

    And on a larger one in endings in which nobody can win at once, so that zugzwang decides?
    """
    game, solver, known = ConnectFour(*size), Solver(*size), Known()
    endings = solver.endgames(random.Random(f"careful {size}"), 60, 10) if size in LARGER else []
    for state in endings or reachable(game):
        values = brute_values(game, state, known)
        assert solver.values(state) == values
        best = {column for column, one in values.items() if one == max(values.values())}
        assert solver.best_moves(state) == best


# --- another solver ----------------------------------------------------------------------------


# plies played, and how many: would a mistake that spoils everything be seen before the long proof?
POSITIONS = [
    (22, 15),
    (28, 15),
    *(pytest.param(*one, marks=pytest.mark.proof) for one in [(22, 400), (26, 500), (30, 500)]),
    pytest.param(20, 400, marks=[pytest.mark.proof, pytest.mark.nightly]),
]


@pytest.mark.parametrize(("plies", "count"), POSITIONS)
def test_all_columns_are_valued_as_bitbully_does(plies: int, count: int) -> None:
    """Are positions of the usual board valued as by a solver in C++ of other authors?"""
    game, solver = ConnectFour(), Solver()
    other = bitbully.BitBully(opening_book=None)
    chance = random.Random(f"bitbully {plies}")
    for _ in range(count):
        moves = played(game, plies, chance)
        scores = other.score_all_moves(bitbully.Board(moves))
        signs = {column: (score > 0) - (score < 0) for column, score in scores.items()}
        assert solver.values(after(game, moves)) == signs, moves


# --- states ------------------------------------------------------------------------------------


def test_a_state_is_read_by_its_board_and_player_alone() -> None:
    """Does it keep its values without its moves and utility, and in mirror image?"""
    solver, game = Solver(4, 5, 3), ConnectFour(4, 5, 3)
    for seed in range(50):
        state = after(game, played(game, seed % 8, random.Random(seed)))
        bare = GameState(state.to_move, 0, dict(reversed(state.board.items())), ())
        assert solver.values(bare) == solver.values(state)
        image = state._replace(board={(r, 4 - c): who for (r, c), who in state.board.items()})
        assert solver.values(image) == {4 - c: s for c, s in solver.values(state).items()}


# --- states that are drawn ---------------------------------------------------------------------


def test_what_is_drawn_are_different_states_with_a_real_choice() -> None:
    """Are they wanted, the same for a seed, with unequal moves, best ones in all columns?

    Does a board where every move is as good as any other end the drawing with a sentence?
    """
    solver = Solver()
    states = solver.endgames(random.Random(1), 21, 12, lambda state: len(state.moves) > 2)
    few = solver.endgames(random.Random(2), 3, 12)
    assert few == Solver().endgames(random.Random(2), 3, 12) != states[:3]
    assert len({frozenset(state.board.items()) for state in states}) == 21
    best: Counter[int] = Counter()
    for state in states:
        assert len(state.moves) > 2 and 42 - len(state.board) <= 12
        assert len(set(solver.values(state).values())) > 1
        assert state.utility == 0 and state.moves == list(solver.values(state))
        stones = Counter(state.board.values())
        assert state.to_move == ("X" if stones["X"] == stones["O"] else "O")
        assert all(row == 0 or (row - 1, column) in state.board for row, column in state.board)
        best.update(solver.best_moves(state))
    assert set(best) == set(range(7)) and min(best.values()) >= 3
    with pytest.raises(ValueError, match="only 0 of 2 states"):
        Solver(2, 2, 3).endgames(random.Random(1), 2, 4)


# --- tic-tac-toe -------------------------------------------------------------------------------

RULES = TicTacToe()


@pytest.fixture(scope="module")
def usual() -> Oracle:
    """Give the oracle of the 3x3 board."""
    return Oracle()


@pytest.mark.parametrize("size", [(4, 4, 4), (3, 3, 2), (2, 4, 3), (1, 5, 2), (1, 1, 2)], ids=str)
def test_positions_have_the_values_of_a_textbooks_search(size: Size) -> None:
    """Have those with four free squares, also where nobody could solve the whole board?"""
    game, oracle, chance = TicTacToe(*size), Oracle(*size), random.Random(5)
    for _ in range(20):
        state = game.initial
        while len(state.moves) > 4:
            state = game.result(state, chance.choice(state.moves))
        sign = 1 if state.to_move == "X" else -1
        assert oracle.value(state) == sign * searched(game, state, 0)[0]


def test_secret_states_are_those_that_are_not_shown(usual: Oracle) -> None:
    """Are the pools split in two halves of some size, always the same, whatever is to move?"""
    states = usual.open_states()
    secret = usual.secret(states)
    assert secret == [state for state in states if not shown(state)]
    assert 0.4 < len(secret) / len(states) < 0.6
    for state in states:
        copy = GameState(state.to_move, 9, dict(reversed(state.board.items())), ())
        assert shown(copy) is shown(state)
    for pool in (usual.win_in_one, usual.block, usual.win_in_two):
        assert len(set.union(*map(usual.best_moves, usual.secret(pool)))) == 9


# --- numbers of other origin -------------------------------------------------------------------


def test_the_usual_board_has_as_many_states_as_is_known(usual: Oracle) -> None:
    """Are there 5,478 states, 4,520 to move in, and 2,114 of them with several best moves?

    Of these 1,188 to win at once, 820 to block in, 124 to win in two; and 627 that are not alike,
    16 with seven or more free squares?
    """
    states, open_states = usual.states(), usual.open_states()
    assert (len(states), len(open_states)) == (5478, 4520)
    assert len({frozenset(state.board.items()) for state in states}) == 5478
    assert [state for state in states if state.moves] == open_states
    assert sum(len(usual.best_moves(state)) > 1 for state in open_states) == 2114
    pools = usual.win_in_one, usual.block, usual.win_in_two
    assert tuple(map(len, pools)) == (1188, 820, 124)
    chance = random.Random(7)
    drawn = usual.one_of_each(open_states, chance)
    assert len(drawn) == 627
    assert sum(len(state.moves) >= 7 for state in drawn) == 16
    assert drawn != usual.one_of_each(open_states, chance)
    assert usual.one_of_each(drawn, chance) == drawn


@pytest.mark.parametrize("plies", [1, 2, 3, 9])
def test_who_looks_not_far_enough_may_take_a_worse_move(usual: Oracle, plies: int) -> None:
    """Are those the states where a worse move looks best, and is there none for who sees all?"""
    late = [state for state in usual.open_states() if 2 <= len(state.moves) <= 4]
    hurried = []
    for state in late:
        hopes = Trace(RULES, state).values(state, plies, RULES.utility)
        looks_best = {move for move, hope in hopes.items() if hope == max(hopes.values())}
        if not looks_best <= usual.best_moves(state):
            hurried.append(state)
    assert usual.hurried(late, plies) == hurried
    assert bool(hurried) == (plies < 4)
