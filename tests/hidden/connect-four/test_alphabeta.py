"""Hidden checks of the cell alphabeta: values and moves as minimax, and what is pruned."""

from itertools import product
from typing import Any

import pytest

from adversarial.checks.connect_four import (
    BY_HAND,
    crossing,
    drop,
    endgames,
    noise,
    played,
    top_count,
    worth,
)
from adversarial.checks.figure import TURNED
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
from adversarial.checks.pruning import (
    FinishedSearch,
    expect_proven,
    expect_pruned,
    expect_pruned_figure,
)
from adversarial.checks.trees import call_and_look
from adversarial.games.drop_rules import FastConnectFour
from adversarial.games.recorded import Trace, Worth
from games import ConnectFour, GameState, TreeGame

SMALL = FastConnectFour(5, 4, 4)


@pytest.mark.check(
    cell="alphabeta",
    points=3,
    hint="Your player takes the largest value, the opponent the smallest: who is to move here?",
    cpu_seconds=30,
)
def test_trees(student, cases):
    """It finds the value and a best move in 66 trees and boards, at depths 2 to 8"""
    for case in cases:
        expect_case(student.alphabeta, case)


@pytest.mark.check(
    cell="alphabeta",
    points=1,
    hint="Look at `game.terminal_test` first, then at the depth; the move is None in both cases.",
)
def test_no_move(student, chance, salt):
    """With depth 0, or when the game is over, there is a value and no move"""
    expect_no_move(student.alphabeta, chance, noise(salt))


@pytest.mark.check(
    cell="alphabeta",
    points=2,
    hint="A game that is over has the value infinity, 0 or -infinity: test that before the depth.",
)
def test_final_states(student, chance):
    """Wins and draws within its depth are worth what they are, and are never estimated"""
    expect_final_values(student.alphabeta, chance)


@pytest.mark.check(
    cell="alphabeta",
    points=2,
    hint="Begin with no move at all, and take the first one whatever it is worth.",
)
def test_every_move_loses(student, salt):
    """Where every move loses it returns a legal move, and the value -infinity"""
    expect_a_move_when_lost(student.alphabeta, noise(salt))


@pytest.mark.check(
    cell="alphabeta",
    points=2,
    hint="The state that is given is at depth 0; look no deeper than the depth that is given.",
)
def test_depth(student, salt):
    """It looks as many plies ahead as its depth says, with 1 to 5, and sees what it answers"""
    whole, below, above = range(-99_999, 100_000), range(-99_999, 0), range(1, 100_000)
    for numbers in whole, below, above:  # hardly two alike: ties are asked elsewhere
        estimate = noise(salt, numbers)
        for depth in 1, 2, 3, 4, 5:
            for start in (), (1,):
                asked, game = RecordedEstimate(estimate), Trace(TreeGame([0] * 128, 2), start)
                answer = student.alphabeta(game, start, depth, asked)
                expect_depth(game, start, depth)
                expect_asked_at(depth, asked, start)
                search = FinishedSearch(game, start, depth, estimate, asked.states)
                expect_proven(search, *value_and_move(answer))


@pytest.mark.check(
    cell="alphabeta",
    points=3,
    hint="After the first child of the second state enough is known. Is alpha passed down?",
    needs="test_trees",
)
def test_figure(student):
    """In the textbook's tree it sees what proves its answer and no more, for MAX and for MIN"""
    paths = [(i, j) for i in range(3) for j in range(3)]
    for turned, (start, sign) in product(TURNED, [((), 1), ((0,), -1)]):
        leaves = dict(zip(paths, turned, strict=True))

        def estimate(state: Any, player: Any, *, leaves: Any = leaves, sign: int = sign) -> float:
            number = sign * leaves[state[-2:]]
            return number if player == "MAX" else -number

        game, asked = Trace(TreeGame([0] * 81), start), RecordedEstimate(estimate)
        answer = student.alphabeta(game, start, 2, asked)
        search = FinishedSearch(game, start, 2, estimate, asked.states)
        expect_proven(search, *value_and_move(answer))
        expect_pruned_figure(search)


@pytest.mark.check(
    cell="alphabeta",
    points=5,
    hint="Prune in both branches: where your player is to move, and where the opponent is.",
    cpu_seconds=30,
    needs="test_trees",
)
def test_pruning(student, cases):
    """In 66 trees and boards it sees what proves its answer, no more than textbook alpha-beta"""
    for game, state, depth, estimate in cases:
        asked = RecordedEstimate(estimate)
        answer = student.alphabeta(game, state, depth, asked)
        search = FinishedSearch(game, state, depth, worth(game.game, estimate), asked.states)
        expect_proven(search, *value_and_move(answer))
        expect_pruned(search)


@pytest.mark.check(
    cell="alphabeta",
    points=2,
    hint="Pass alpha and beta down to every depth, and prune in both branches.",
    needs="test_trees",
    cpu_seconds=30,
)
def test_known_board(student):
    """On a board drawn by hand it looks six plies ahead, with no more work than it takes"""
    state = drop(BY_HAND)
    game, asked = Trace(ConnectFour(), state), RecordedEstimate(top_count)
    answer, after_it = call_and_look(student.alphabeta, game, state, 6, asked)
    assert after_it[1] == state, "The search has changed the state that it was given."
    expect_known_board(answer, 6, "Six")
    search = FinishedSearch(game, state, 6, worth(game.game, top_count), asked.states)
    expect_proven(search, *value_and_move(answer))
    allowed = search.allowed()
    assert len(game.generated) <= len(allowed), (
        f"It generated {len(game.generated):,} states; alpha-beta needs no more than "
        f"{len(allowed):,} when the moves come in that order."
    )


def exact(state: GameState, depth: int, worth: Worth, values: dict[Any, float]) -> float:
    """Return the minimax value of a state of the 5x4 game for X, `depth` plies ahead."""
    key = frozenset(state.board.items())
    if key not in values:
        if depth == 0 or not state.moves:
            values[key] = worth(state, "X")
        else:
            pick = max if state.to_move == "X" else min
            children = [SMALL.result(state, move) for move in state.moves]
            values[key] = pick(exact(child, depth - 1, worth, values) for child in children)
    return values[key]


@pytest.mark.check(
    cell="alphabeta",
    points=1,
    hint="What comes out of a pruned branch is a bound: it is no value to be remembered.",
    cpu_seconds=30,
)
def test_crossing_paths(student, chance, salt, fast_connect_four):
    """It finds the value in 28 positions in which many paths lead to the same board"""
    game, estimate = fast_connect_four(5, 4, 4), noise(salt)
    for number in range(20):
        state = played(chance, 3 + number % 2, 5, 4, 4)
        value, _ = value_and_move(student.alphabeta(game, state, 6, estimate))
        right = exact(state, 6, worth(SMALL, estimate), {})
        assert value == (right if state.to_move == "X" else -right), (
            "On a board with 5 rows and 4 columns, six plies ahead, the value is wrong."
        )
    expect_solved(student.alphabeta, fast_connect_four(), crossing())


@pytest.mark.check(
    cell="alphabeta",
    points=3,
    hint="A value from a pruned branch is only a bound: a move that ties with it may be worse.",
    cpu_seconds=60,
)
def test_endgames(student, chance, fast_connect_four, zugzwang):
    """Looking to the end it is right in 314 endgames, with at most 12 empty squares"""
    game, lazy = fast_connect_four(), fast_connect_four(lazy=True)
    expect_solved(student.alphabeta, game, endgames(chance, 200, 7))
    expect_solved(student.alphabeta, lazy, endgames(chance, 100, 12))
    expect_solved(student.alphabeta, game, [*zugzwang, *crossing()])
