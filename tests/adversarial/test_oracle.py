"""Ask whether the oracle is right: by numbers of other origin, and by a textbook's search."""

import random

import pytest
from textbook import searched

from adversarial.games.recorded import Trace
from adversarial.games.rules import TicTacToe
from adversarial.solvers.tictactoe import Oracle, shown
from games import GameState

Size = tuple[int, int, int]
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


def test_a_final_state_has_no_best_move(usual: Oracle) -> None:
    """Are won, lost and full boards without moves and values of moves?"""
    final = [state for state in usual.states() if not state.moves]
    assert {state.utility for state in final} == {1, 0, -1}
    for state in final:
        assert usual.best_moves(state) == set()
        assert usual.values(state) == {}


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
    assert [state for state in usual.hurried(plies) if 2 <= len(state.moves) <= 4] == hurried
    assert bool(hurried) == (plies < 4)
