"""Hidden checks of the cell alphabeta: values and moves as minimax, and what is pruned."""

from itertools import product
from typing import Any

import pytest

from adversarial.checks.connect_four import (
    BY_HAND,
    crossing,
    drop,
    drop_tree,
    endgames,
    noise,
    played,
    worth,
)
from adversarial.checks.figure import TURNED
from adversarial.checks.limited import (
    Case,
    RecordedEstimate,
    Search,
    expect_a_move_when_lost,
    expect_asked_at,
    expect_best_move,
    expect_cuts,
    expect_depth,
    expect_final_values,
    expect_no_move,
    expect_pair,
    expect_solved,
    expect_sound,
    expect_value,
)
from adversarial.checks.pruning import FinishedSearch, expect_pruned, expect_pruned_figure
from adversarial.games.recorded import Trace, Worth
from games import ConnectFour, GameState, TreeGame

SMALL = ConnectFour(5, 4, 4)


def sound(search: Search, case: Case) -> FinishedSearch:
    """Let a search look; expect that what it sees proves its value or its move."""
    asked = RecordedEstimate(case.estimate)
    answer = search(case.game, case.state, case.depth, asked)
    finished = case.as_deep_as_seen().finished(asked.states)
    expect_sound(finished, *answer)
    return finished


@pytest.mark.check(cell="alphabeta", points=1)
def test_pair(alphabeta):
    """It returns a pair, the value first and then the move, which may be a text"""
    expect_pair(alphabeta)


@pytest.mark.check(cell="alphabeta", points=3)
def test_values(alphabeta, cases, decided):
    """It finds the value in 56 trees, for the player to move, MAX or MIN"""
    for case in [*cases, *decided]:
        expect_value(alphabeta, case)


@pytest.mark.check(cell="alphabeta", points=2)
def test_moves(alphabeta, ties):
    """It finds a best move in 31 trees with many equal values, for MAX and for MIN"""
    for case in ties:
        expect_best_move(alphabeta, case)


@pytest.mark.check(cell="alphabeta", points=1)
def test_no_move(alphabeta, chance, salt):
    """With depth 0, or when the game is over, there is a value and no move"""
    expect_no_move(alphabeta, chance, noise(salt))


@pytest.mark.check(cell="alphabeta", points=1)
def test_final_states(alphabeta, chance, endings):
    """Wins and draws within its depth are worth what they are, and are never estimated"""
    expect_final_values(alphabeta, chance)
    for case in endings:
        expect_value(alphabeta, case)


@pytest.mark.check(cell="alphabeta", points=1)
def test_every_move_loses(alphabeta, salt):
    """Where every move loses it returns a legal move, and the value -infinity"""
    expect_a_move_when_lost(alphabeta, noise(salt))


@pytest.mark.check(cell="alphabeta", points=2)
def test_depth(alphabeta, salt):
    """It looks 1 to 5 plies ahead, as its depth says, estimates there only, and uses it"""
    whole, below, above = range(-99_999, 100_000), range(-99_999, 0), range(1, 100_000)
    for numbers in whole, below, above:  # hardly two alike: ties are asked elsewhere
        estimate = noise(salt, numbers)
        for depth in 1, 2, 3, 4, 5:
            for start in (), (1,):
                asked, game = RecordedEstimate(estimate), Trace(TreeGame([0] * 128, 2), start)
                answer = alphabeta(game, start, depth, asked)
                expect_depth(game, start, depth)
                expect_asked_at(depth, asked, start)
                expect_sound(Case(game, start, depth, estimate).finished(asked.states), *answer)


@pytest.mark.check(cell="alphabeta", points=1)
def test_figure(alphabeta, chance):
    """In the textbook's tree, with its leaves and drawn ones, it sees no more than alpha-beta"""
    paths, drawn = [(i, j) for i in range(3) for j in range(3)], list[list[int]]()
    while len(drawn) < 3:
        leaves = chance.sample(range(2, 99), 9)
        drawn += [leaves] * (leaves[3] < min(leaves[:3]))
    for numbers, (start, sign) in product([*TURNED, *drawn], [((), 1), ((0,), -1)]):
        leaves = dict(zip(paths, numbers, strict=True))

        def estimate(state: Any, player: Any, *, leaves: Any = leaves, sign: int = sign) -> float:
            number = sign * leaves[state[-2:]]
            return number if player == "MAX" else -number

        case = Case(Trace(TreeGame([0] * 81), start), start, 2, estimate)
        expect_pruned_figure(sound(alphabeta, case))


@pytest.mark.check(cell="alphabeta", points=2)
def test_cuts_of_the_opponent(alphabeta, ties):
    """In 31 trees it cuts where the opponent is to move, as far as textbook alpha-beta"""
    for case in ties:
        expect_cuts(sound(alphabeta, case), own=False)


@pytest.mark.check(cell="alphabeta", points=3)
def test_cuts_of_its_own(alphabeta, cases):
    """In 32 trees it cuts where the player whom it helps is to move, as textbook alpha-beta"""
    for case in cases:
        expect_cuts(sound(alphabeta, case), own=True)


@pytest.mark.check(cell="alphabeta", points=2)
def test_known_board(alphabeta):
    """In the tree below a board drawn by hand, six plies ahead, it sees no more than it must"""
    tops = {0: -1, 1: 1, 2: -1, 3: -1}  # what is on top of the columns: 1 is X, who is to move

    def estimate(path: Any, player: Any) -> float:
        number = sum((tops | {move: (-1) ** ply for ply, move in enumerate(path)}).values())
        return number if player == "X" else -number

    expect_pruned(sound(alphabeta, Case(drop_tree(drop(BY_HAND)), (), 6, estimate)))


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


@pytest.mark.check(cell="alphabeta", points=3, cpu_seconds=30)
def test_crossing_paths(alphabeta, chance, salt, fast_connect_four):
    """It finds the value in 12 positions in which many paths lead to the same board"""
    game, estimate = fast_connect_four(5, 4, 4), noise(salt)
    for number in range(4):
        state = played(chance, 3 + number, 5, 4, 4)
        value, _ = alphabeta(game, state, 6, estimate)
        right = exact(state, 6, worth(SMALL, estimate), {})
        assert value == (right if state.to_move == "X" else -right), (
            "On a board with 5 rows and 4 columns, six plies ahead, the value is wrong."
        )
    expect_solved(alphabeta, fast_connect_four(), crossing())


@pytest.mark.check(cell="alphabeta", points=2, cpu_seconds=60)
def test_endgames(alphabeta, chance, fast_connect_four, zugzwang):
    """Looking to the end it is right in 314 endgames, with at most 12 empty squares"""
    game, lazy = fast_connect_four(), fast_connect_four(lazy=True)
    expect_solved(alphabeta, game, endgames(chance, 200, 7))
    expect_solved(alphabeta, lazy, endgames(chance, 100, 12))
    expect_solved(alphabeta, game, [*zugzwang, *crossing()])
