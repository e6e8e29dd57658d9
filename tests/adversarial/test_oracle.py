"""Ask whether the oracle is right: by numbers of other origin, by definition, by brute force."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import chain

import pytest

from adversarial.solvers.tictactoe import Oracle, shown
from games import GameState

Square = tuple[int, int]
Size = tuple[int, int, int]
Board = frozenset[tuple[Square, str]]


@pytest.fixture(scope="module")
def usual() -> Oracle:
    """Give the oracle of the 3x3 board."""
    return Oracle()


# --- an independent answer: plain minimax over boards that are dictionaries --------------------


def holder_of_a_line(board: dict[Square, str], size: Size) -> str | None:
    """Return who has k in a row, found by walking from every square in every direction."""
    for (row, column), player in board.items():
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = (board.get((row + i * down, column + i * right)) for i in range(size[2]))
            if all(square == player for square in run):
                return player
    return None


@cache
def brute_value(stones: Board, size: Size) -> int:
    """Return X's value of a board by the definition: no bitboards, no negamax."""
    board = dict(stones)
    winner = holder_of_a_line(board, size)
    if winner is not None:
        return 1 if winner == "X" else -1
    children = [frozenset(child.items()) for child in following(board, size)]
    if not children:
        return 0
    values = [brute_value(child, size) for child in children]
    return max(values) if len(board) % 2 == 0 else min(values)


def following(board: dict[Square, str], size: Size) -> Iterator[dict[Square, str]]:
    """Yield the boards that one more stone makes."""
    player = "X" if len(board) % 2 == 0 else "O"
    for row in range(size[0]):
        for column in range(size[1]):
            if (row, column) not in board:
                yield {**board, (row, column): player}


def brute_boards(size: Size) -> set[Board]:
    """Return every board that play can reach."""
    found: set[Board] = set()
    fresh: set[Board] = {frozenset()}
    while fresh:
        found |= fresh
        fresh = {
            frozenset(child.items())
            for stones in fresh
            if holder_of_a_line(dict(stones), size) is None
            for child in following(dict(stones), size)
        }
    return found


SMALL_SIZES = [
    (1, 1, 1), (1, 1, 2), (2, 2, 1), (1, 3, 3), (1, 4, 2), (2, 2, 2), (2, 2, 3), (2, 3, 2),
    (3, 2, 2), (2, 4, 3), (3, 3, 2),
]  # fmt: skip


@pytest.mark.parametrize("size", SMALL_SIZES, ids=str)
def test_values_are_those_of_brute_force(size: Size) -> None:
    """Does every state that play can reach have its minimax value, on boards of many shapes?"""
    oracle = Oracle(*size)
    states = oracle.states()
    assert {frozenset(state.board.items()) for state in states} == brute_boards(size)
    for state in states:
        assert oracle.value(state) == brute_value(frozenset(state.board.items()), size)


def test_late_positions_of_a_large_board_are_solved_alone() -> None:
    """Are positions with four free squares valued where nobody could solve the whole board?"""
    size, chance = (4, 4, 4), random.Random(5)
    for _ in range(20):
        state = GameState("X", 0, {}, [(row, column) for row in range(4) for column in range(4)])
        while len(state.moves) > 4:
            state = after(state, chance.choice(state.moves), size)
        assert Oracle(*size).value(state) == brute_value(frozenset(state.board.items()), size)


# --- the definition ---------------------------------------------------------------------------


def after(state: GameState, move: Square, size: Size) -> GameState:
    """Return the state that a move leads to."""
    board = {**state.board, move: state.to_move}
    winner = holder_of_a_line(board, size)
    moves = [] if winner else [square for square in state.moves if square != move]
    utility = {"X": 1, "O": -1, None: 0}[winner]
    return GameState("O" if state.to_move == "X" else "X", utility, board, moves)


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


def test_a_final_state_has_no_best_move(usual: Oracle) -> None:
    """Are won, lost and full boards without moves and values of moves?"""
    final = [state for state in usual.states() if not state.moves]
    assert {state.utility for state in final} == {1, 0, -1}
    for state in final:
        assert usual.best_moves(state) == set()
        assert usual.values(state) == {}


def test_states_are_what_the_rules_make_of_them(usual: Oracle) -> None:
    """Do `to_move`, `utility` and `moves` (row by row) of each state agree with its board?"""
    for state in usual.states():
        stones = list(state.board.values())
        assert state.to_move == ("X" if stones.count("X") == stones.count("O") else "O")
        winner = holder_of_a_line(state.board, (3, 3, 3))
        assert state.utility == {"X": 1, "O": -1, None: 0}[winner]
        free = [(r, c) for r in range(3) for c in range(3) if (r, c) not in state.board]
        assert state.moves == ([] if winner else free)


# --- numbers of other origin -------------------------------------------------------------------


def test_the_usual_board_has_as_many_states_as_is_known(usual: Oracle) -> None:
    """Are there 5,478 states, 4,520 to move in, and 2,114 of them with several best moves?"""
    states, open_states = usual.states(), usual.open_states()
    assert (len(states), len(open_states)) == (5478, 4520)
    assert len({frozenset(state.board.items()) for state in states}) == 5478
    assert [state for state in states if state.moves] == open_states
    assert sum(len(usual.best_moves(state)) > 1 for state in open_states) == 2114


def test_of_states_that_are_alike_one_is_drawn(usual: Oracle) -> None:
    """Are there 627 kinds of states to move in, 16 with seven or more free squares?"""
    chance, states = random.Random(7), usual.open_states()
    drawn = usual.one_of_each(states, chance)
    assert len(drawn) == 627
    assert sum(len(state.moves) >= 7 for state in drawn) == 16
    assert drawn != usual.one_of_each(states, chance)
    assert usual.one_of_each(drawn, chance) == drawn


def test_the_pools_have_their_known_sizes(usual: Oracle) -> None:
    """Are there 1,188 states to win at once, 820 to block in, 124 to win in two?"""
    pools = usual.win_in_one, usual.block, usual.win_in_two
    assert tuple(map(len, pools)) == (1188, 820, 124)


def wins(state: GameState, move: Square) -> bool:
    """Return whether a move wins at once."""
    return bool(after(state, move, (3, 3, 3)).utility)


def threats(state: GameState, player: str) -> list[Square]:
    """Return the squares where `player` would win if it were to move."""
    return [move for move in state.moves if wins(state._replace(to_move=player), move)]


def test_each_state_of_a_pool_is_what_its_name_says(usual: Oracle) -> None:
    """Does the only best move, among several moves, win, block or make two threats?"""
    pools = usual.win_in_one, usual.block, usual.win_in_two
    for state in chain(*pools):
        assert len(usual.best_moves(state)) == 1
        assert len(state.moves) > 1
    for state in usual.win_in_one:
        assert threats(state, state.to_move) == list(usual.best_moves(state))
    for state in usual.block:
        other = "O" if state.to_move == "X" else "X"
        assert threats(state, state.to_move) == []
        assert set(threats(state, other)) == usual.best_moves(state)
    for state in usual.win_in_two:
        (move,) = usual.best_moves(state)
        assert threats(state, "X") == threats(state, "O") == []
        assert len(threats(after(state, move, (3, 3, 3)), state.to_move)) == 2
        assert usual.values(state)[move] == 1


def worth(state: GameState, plies: int) -> int:
    """Return what a state is worth to who is to move and looks so many plies ahead."""
    if state.utility or not state.moves:
        return state.utility * (1 if state.to_move == "X" else -1)
    if plies == 0:
        return 0
    return max(-worth(after(state, move, (3, 3, 3)), plies - 1) for move in state.moves)


@pytest.mark.parametrize("plies", [1, 2, 3, 9])
def test_who_looks_not_far_enough_may_take_a_worse_move(usual: Oracle, plies: int) -> None:
    """Are those the states where a worse move looks best, and is there none for who sees all?"""
    late = [state for state in usual.open_states() if 2 <= len(state.moves) <= 4]
    hurried = []
    for state in late:
        hopes = {move: -worth(after(state, move, (3, 3, 3)), plies - 1) for move in state.moves}
        looks_best = {move for move, hope in hopes.items() if hope == max(hopes.values())}
        if not looks_best <= usual.best_moves(state):
            hurried.append(state)
    assert [state for state in usual.hurried(plies) if 2 <= len(state.moves) <= 4] == hurried
    assert bool(hurried) == (plies < 4)
