"""Hidden checks of the cells minimax and alphabeta: values, moves, depth, and what is pruned."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import factorial, prod
from typing import Any

import pytest

from adversarial.checks.connect_four import (
    BY_HAND,
    crossing,
    drop,
    drop_tree,
    expect_a_move_when_lost,
    expect_final_values,
    expect_no_move,
    expect_solved,
    noise,
    random_state,
    top_count,
)
from adversarial.checks.figure import TURNED
from adversarial.checks.limited import (
    Case,
    RecordedEstimate,
    Search,
    expect_best_move,
    expect_depth,
    expect_pair,
    expect_sound,
    expect_value,
    worth,
)
from adversarial.checks.pruning import (
    FinishedSearch,
    expect_cuts,
    expect_pruned,
    expect_some_cut,
)
from adversarial.games.recorded import Trace, Worth
from adversarial.solvers.connect_four import four_oracle
from games import ConnectFour, GameState, TreeGame, after


def sound(search: Search, case: Case) -> FinishedSearch:
    """Let a search look; expect that what it sees proves its value or its move."""
    recorder = RecordedEstimate(case.estimate)
    answer = search(case.game, case.state, case.depth, recorder)
    finished_search = case.as_deep_as_seen().finished_search(recorder.states)
    expect_sound(finished_search, *answer)
    return finished_search


def expect_each(
    expect: Callable[[Search, Case], None], search: Search, cases: Iterable[Case]
) -> None:
    """Expect a value, or a move, in each case."""
    for case in cases:
        expect(search, case)


def expect_some_cut_in(cases: Iterable[Case]) -> None:
    """Expect that something was left out in one of the trees that were searched."""
    expect_some_cut(case.as_deep_as_seen().finished_search([]) for case in cases)


def expect_depths(
    search: Search, deepest: int, starts: Sequence[Any], estimate: Worth
) -> list[Case]:
    """Expect that a search looks as far as it is told, 1 to so many plies, and no further.

    Its answer must follow from the estimates there. Returns the searches.
    """
    cases = list[Case]()
    for depth, start in product(range(1, deepest + 1), starts):
        recorder, game = RecordedEstimate(estimate), Trace(TreeGame([0] * 1024, 2), start)
        answer = search(game, start, depth, recorder)
        expect_depth(game, start, depth, recorder)
        cases.append(Case(game, start, depth, estimate))
        expect_sound(cases[-1].finished_search(recorder.states), *answer)
    return cases


# --- minimax ---------------------------------------------------------------------------------


@pytest.mark.check(cell="minimax", points=1)
def test_minimax_pair(minimax):
    """It returns a pair, the value first and then the move, which may be a text
    Needed for wrong/minimax_move_first."""
    expect_pair(minimax)


@pytest.mark.check(cell="minimax", points=3)
def test_minimax_values(minimax, cases, decided):
    """It finds the value in 57 trees, for the player to move, MAX, MIN or O
    Needed for wrong/minimax_both_help and wrong/minimax_asks_the_board."""
    expect_each(expect_value, minimax, [*cases, *decided])


@pytest.mark.check(cell="minimax", points=2)
def test_minimax_moves(minimax, ties):
    """It finds a best move in 31 trees with many equal values, for MAX and for MIN
    Needed for wrong/minimax_always_first and wrong/minimax_values_by_sorted_moves."""
    expect_each(expect_best_move, minimax, ties)


@pytest.mark.check(cell="minimax", points=1)
def test_minimax_no_move(minimax, chance):
    """With depth 0, or when the game is over, there is a value and no move
    Needed for wrong/minimax_draw_times_infinity."""
    expect_no_move(minimax, chance, noise(chance.random()))


@pytest.mark.check(cell="minimax", points=3)
def test_minimax_final_states(minimax, chance, endings):
    """Wins and draws within its depth are worth what they are, and are never estimated
    Needed for wrong/minimax_win_is_one and wrong/minimax_estimates_the_end."""
    expect_final_values(minimax, chance)
    expect_each(expect_value, minimax, endings)


@pytest.mark.check(cell="minimax", points=1)
def test_minimax_every_move_loses(minimax, chance):
    """Where every move loses it returns a legal move, and the value -infinity
    Needed for wrong/minimax_no_move_when_lost."""
    expect_a_move_when_lost(minimax, noise(chance.random()))


@pytest.mark.check(cell="minimax", points=2)
def test_minimax_depth(minimax, chance):
    """It looks 1 to 4 plies ahead, as its depth says, estimates there only, and uses it
    Needed for wrong/minimax_one_ply_more and wrong/minimax_one_ply_short."""
    # So long that no two searches estimate the same state, so many that none is right by luck
    starts = (), *((a, b, 0, 0, 0) for a in (0, 1) for b in (0, 1))
    expect_depths(minimax, 4, starts, noise(chance.random()))


@pytest.mark.check(cell="minimax", points=4, cpu_factor=1.5)
def test_minimax_every_state(minimax, cases, chance):
    """It looks at each state down to its depth, once for each way there, and answers by these
    Needed for wrong/minimax_prunes and wrong/minimax_stops_at_a_win."""
    usual, small = ConnectFour(), ConnectFour(3, 3, 3)
    boards = [
        (usual, drop(BY_HAND), 3, top_count),
        (small, small.initial, 4, noise(chance.random())),
    ]
    boards += [(usual, after(usual, [1, 0] * 3), 3, top_count)]  # both players can win at once
    boards = [Case(Trace(game, state), state, *how) for game, state, *how in boards]
    for case in [*cases[:10], *boards]:
        recorder = RecordedEstimate(case.estimate)
        answer = minimax(case.game, case.state, case.depth, recorder)
        case = case.as_deep_as_seen()
        whole = case.game.minimax_generates(case.state, case.depth)
        assert len(case.game.generated) == len(whole), (
            f"Below a state there are {len(whole)} others, on {case.depth} plies, and it looked at "
            f"{len(case.game.generated)}. Plain minimax prunes nothing and remembers nothing."
        )
        # Where a tie hides nothing, nor whom the estimates are for.
        if getattr(case.game.game, "branching", 0) == 2 and case.depth % 2 == 0:
            expect_sound(case.finished_search(recorder.states), *answer)


@pytest.mark.check(cell="minimax", points=1, cpu_factor=3)
def test_minimax_endgames(minimax, chance, fast_connect_four):
    """Looking to the end it is right in 40 endgames with at most 7 empty squares
    Needed for wrong/minimax_walks_twice and wrong/minimax_always_for_x."""
    for lazy in False, True:
        states = four_oracle().endgames(chance, 20, 7)
        expect_solved(minimax, fast_connect_four(lazy=lazy), states)


# --- alphabeta -------------------------------------------------------------------------------


@pytest.mark.check(cell="alphabeta", points=1)
def test_alphabeta_pair(alphabeta):
    """It returns a pair, the value first and then the move, which may be a text
    Needed for wrong/alphabeta_move_first."""
    expect_pair(alphabeta)


@pytest.mark.check(cell="alphabeta", points=3)
def test_alphabeta_values(alphabeta, cases, decided):
    """It finds the value in 57 trees, for the player to move, MAX, MIN or O
    Needed for wrong/nothing_done and wrong/bounds_swapped."""
    expect_each(expect_value, alphabeta, [*cases, *decided])
    expect_some_cut_in(cases)


@pytest.mark.check(cell="alphabeta", points=2)
def test_alphabeta_moves(alphabeta, ties):
    """It finds a best move in 31 trees with many equal values, for MAX and for MIN
    Needed for wrong/last_of_equals."""
    expect_each(expect_best_move, alphabeta, ties)
    expect_some_cut_in(ties)


@pytest.mark.check(cell="alphabeta", points=1)
def test_alphabeta_no_move(alphabeta, chance):
    """With depth 0, or when the game is over, there is a value and no move
    Needed for wrong/alphabeta_always_moves."""
    expect_no_move(alphabeta, chance, noise(chance.random()))


@pytest.mark.check(cell="alphabeta", points=1)
def test_alphabeta_final_states(alphabeta, chance, endings):
    """Wins and draws within its depth are worth what they are, and are never estimated
    Needed for wrong/a_thousand_is_infinite and wrong/alphabeta_estimates_the_end."""
    expect_final_values(alphabeta, chance)
    expect_each(expect_value, alphabeta, endings)
    expect_some_cut_in(endings)


@pytest.mark.check(cell="alphabeta", points=1)
def test_alphabeta_every_move_loses(alphabeta, chance):
    """Where every move loses it returns a legal move, and the value -infinity
    Needed for wrong/alphabeta_no_move_when_lost."""
    expect_a_move_when_lost(alphabeta, noise(chance.random()))


@pytest.mark.check(cell="alphabeta", points=2)
def test_alphabeta_depth(alphabeta, chance):
    """It looks 1 to 5 plies ahead, as its depth says, estimates there only, and uses it
    Needed for wrong/alphabeta_one_ply_more and wrong/alphabeta_one_ply_short."""
    whole, below, above = range(-99_999, 100_000), range(-99_999, 0), range(1, 100_000)
    salt = chance.random()
    for numbers in whole, below, above:  # hardly two alike: ties are asked elsewhere
        cases = expect_depths(alphabeta, 5, ((), (1,)), noise(salt, numbers))
        expect_some_cut_in(cases)


@pytest.mark.check(cell="alphabeta", points=1)
def test_figure(alphabeta, chance):
    """In the textbook's tree, with its leaves and drawn ones, it sees no more than alpha-beta
    Needed for wrong/all_children_first and wrong/alphabeta_is_minimax."""
    paths, rows = [(i, j) for i in range(3) for j in range(3)], list[list[int]]()
    while len(rows) < 3:
        leaves = chance.sample(range(2, 99), 9)
        rows += [leaves] * (leaves[3] < min(leaves[:3]))
    for numbers, (start, sign) in product([*TURNED, *rows], [((), 1), ((0,), -1)]):
        leaves = dict(zip(paths, numbers, strict=True))

        def estimate(state: Any, player: Any, *, leaves: Any = leaves, sign: int = sign) -> float:
            number = sign * leaves[state[-2:]]
            return number if player == "MAX" else -number

        case = Case(Trace(TreeGame([0] * 81), start), start, 2, estimate)
        expect_pruned(sound(alphabeta, case))


@pytest.mark.check(cell="alphabeta", points=2)
def test_cuts_of_the_opponent(alphabeta, ties):
    """In 31 trees it cuts where the opponent is to move, as far as textbook alpha-beta
    Needed for wrong/never_cuts and wrong/cuts_for_itself_only."""
    for case in ties:
        expect_cuts(sound(alphabeta, case), own=False)


@pytest.mark.check(cell="alphabeta", points=3)
def test_cuts_of_its_own(alphabeta, cases):
    """In 33 trees it cuts where the player whom it helps is to move, as textbook alpha-beta
    Needed for wrong/window_is_not_passed_down and wrong/cuts_for_the_opponent_only."""
    for case in cases:
        expect_cuts(sound(alphabeta, case), own=True)


@pytest.mark.check(cell="alphabeta", points=2, cpu_factor=3)
def test_known_board(alphabeta):
    """In the tree below a board drawn by hand, six plies ahead, it sees no more than it must
    Needed for wrong/alphabeta_prunes_near_the_root."""
    tops = {0: -1, 1: 1, 2: -1, 3: -1}  # what is on top of the columns: 1 is X, who is to move

    def estimate(path: Any, player: Any) -> float:
        number = sum((tops | {move: (-1) ** ply for ply, move in enumerate(path)}).values())
        return number if player == "X" else -number

    expect_pruned(sound(alphabeta, Case(drop_tree(drop(BY_HAND)), (), 6, estimate)))


@pytest.mark.check(cell="alphabeta", points=3, cpu_factor=1.5)
def test_crossing_paths(alphabeta, chance, fast_connect_four):
    """It finds the value in 10 positions in which many paths lead to the same board
    Needed for wrong/bounds_remembered_as_values and wrong/alphabeta_known_board_by_heart."""
    game, estimate = fast_connect_four(5, 4, 4), noise(chance.random())
    for number in 1, 3:
        state = random_state(chance, 3 + number, 5, 4, 4)
        value, _ = alphabeta(game, state, 6, estimate)
        small = Trace(ConnectFour(5, 4, 4), state)
        right = small.minimax_value(state, state.to_move, 6, worth(small.game, estimate))
        assert value == right, (
            "On a board with 5 rows and 4 columns, six plies ahead, the value is wrong."
        )
    expect_solved(alphabeta, fast_connect_four(), crossing())


def fills_soon(state: GameState) -> bool:
    """Return whether the free squares can be filled in at most 10,000 orders."""
    columns = Counter(column for _, column in state.board)
    free = [6 - columns[column] for column in range(7)]
    return factorial(sum(free)) <= 10_000 * prod(map(factorial, free))


@pytest.mark.check(cell="alphabeta", points=2, cpu_factor=3)
def test_alphabeta_endgames(alphabeta, chance, fast_connect_four):
    """Looking to the end it is right in 128 endgames, with at most 9 empty squares
    Needed for wrong/alphabeta_empties_the_state."""
    few, more = (four_oracle().endgames(chance, *how) for how in [(80, 7), (40, 9, fills_soon)])
    expect_solved(alphabeta, fast_connect_four(), [*few, *crossing()])
    expect_solved(alphabeta, fast_connect_four(lazy=True), more)
