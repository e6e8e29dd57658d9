"""Hidden checks of the cells find_best_move and nodes: the player, and the table of counts."""

from typing import Any, TypeAlias

import pytest

from adversarial.checks.connect_four import (
    BY_HAND,
    by_segments,
    drop,
    lost_states,
    random_state,
    top_count,
)
from adversarial.checks.limited import Search, worth
from adversarial.games.recorded import Trace, key_of
from adversarial.solvers.connect_four import Solver, four_oracle
from games import ConnectFour, GameState, infinity

RULES = ConnectFour()


@pytest.mark.check(cell="find_best_move", points=2.5, cpu_factor=1.5)
def test_estimates(find_best_move, chance, fast_connect_four):
    """It plays a move that is best by the estimate, looking 1, 2 and 3 plies ahead
    Needed for wrong/find_for_x and wrong/find_returns_the_pair."""
    for depth in 1, 2, 3:
        others, states, best = [plies for plies in (1, 2, 3) if plies != depth], [], {}
        for moves in range(3, 10, depth):
            other = others.pop() if others else 0
            good = other_best = set[int]()
            while not good or good & other_best:
                state = random_state(chance, moves, over=False)
                good = best_columns(state, depth)
                other_best = best_columns(state, other) if other else set()
            states.append(state)
            best[key_of(state)] = good
        calls = [(fast_connect_four(), state, depth) for state in states]
        answers = find_best_move(lambda state, best=best: min(best[key_of(state)]), calls)
        for move, state in zip(answers, states, strict=True):
            assert type(move) is int and move in state.moves, (
                "It returns a legal move, a column, and nothing else."
            )
            assert move in best[key_of(state)], (
                f"Looking {depth} plies ahead, another column is better by the estimate."
            )


def best_columns(state: GameState, plies: int) -> set[int]:
    """Return the columns that are best by the estimate, so many plies ahead; none if all lose."""
    values = Trace(RULES).values(state, plies, worth(RULES, by_segments))
    most = max(values.values())
    return {move for move, value in values.items() if value == most > -infinity}


@pytest.mark.check(cell="find_best_move", points=1.5, cpu_factor=1.5)
def test_tactics(find_best_move, chance, fast_connect_four):
    """It wins at once, blocks and makes double threats, in 32 positions
    Needed for wrong/find_none_when_lost and wrong/find_worst."""
    game, board = fast_connect_four(), four_oracle()
    for plies, count, what in [
        (1, 12, "missed a win"),
        (2, 12, "let the opponent win at once"),
        (3, 24, "missed a win by a double threat"),
    ]:
        states = board.endgames(chance, count, 14, lambda s, plies=plies: plies_to_see(s) == plies)
        states = hurried(states) if plies == 3 else states
        calls = [(game, state, plies + 1) for state in states]  # so it sees a ply more than it must
        answers = find_best_move(lambda state: min(board.best_moves(state)), calls)
        wrong = sum(
            not good(board, state, move, plies) for move, state in zip(answers, states, strict=True)
        )
        assert not wrong, f"In {wrong} of {len(states)} positions it {what}."
    for rules, state, depth in lost_states():
        (answer,) = find_best_move(lambda state: state.moves[0], [(rules, state, depth + 1)])
        move = only_move(answer)
        assert type(move) is int and move in state.moves, (
            "Where every move loses it still returns a legal move."
        )


def plies_to_see(state: GameState) -> int:
    """Return how far to look ahead: 1 to win, 2 to block, 3 for a double threat; 0 for nothing."""
    if wins(state) or wins(turned(state)):
        return 1 if wins(state) else 2
    forks = (wins(turned(one)) and all(map(wins, following(one))) for one in following(state))
    return 3 if any(forks) else 0


def wins(state: GameState) -> bool:
    """Return whether the player to move wins at once."""
    return any(one.utility for one in following(state))


def following(state: GameState) -> list[GameState]:
    """Return the states after each move."""
    return [RULES.result(state, move) for move in state.moves]


def turned(state: GameState) -> GameState:
    """Return the state with the other player to move."""
    return state._replace(to_move="XO"[state.to_move == "X"])


def hurried(states: list[GameState]) -> list[GameState]:
    """Return eight won states; in some, two plies ahead a move looks best that does not win."""

    def misleads(state: GameState) -> bool:
        return not best_columns(state, 2) & four_oracle().best_moves(state)

    return sorted(states, key=misleads, reverse=True)[:8]


def only_move(answer: Any) -> Any:
    """Return the move; a pair with the value, which costs its points elsewhere, has one, too."""
    return answer[1] if type(answer) in (tuple, list) and len(answer) == 2 else answer


def good(board: Solver, state: GameState, move: Any, plies: int) -> bool:
    """Return whether a column is best as far as a player sees who looks `plies` ahead."""
    move = only_move(move)
    if type(move) is not int or move not in state.moves:
        return False
    if plies != 2:
        return move in board.best_moves(state)
    return not wins(RULES.result(state, move))


@pytest.mark.check(cell="find_best_move", points=1)
def test_to_the_end(find_best_move, chance, fast_connect_four):
    """On the usual board and on six of other sizes it plays a best column, looking to the end
    Needed for wrong/find_tries_seven_columns and wrong/find_opens_in_column_three."""
    sizes = (6, 7, 4), (4, 5, 4), (5, 4, 3), (4, 4, 3), (4, 6, 5), (7, 4, 4)
    endgames = [(size, four_oracle(*size).endgames(chance, 24, 6)) for size in sizes]
    endgames += [((3, 3, 3), [ConnectFour(3, 3, 3).initial])]
    for size, states in endgames:
        board = four_oracle(*size)
        calls = [(fast_connect_four(*size), s, size[0] * size[1]) for s in states]
        answers = find_best_move(lambda state, board=board: min(board.best_moves(state)), calls)
        wrong = sum(
            not good(board, state, move, 6) for move, state in zip(answers, states, strict=True)
        )
        assert not wrong, (
            f"In {wrong} of {len(states)} positions on {size[0]}x{size[1]} squares it erred."
        )


Counts: TypeAlias = dict[int, tuple[int, int]]


def table(student: Any) -> Counts:
    """Return the counts of minimax and of alpha-beta for each depth that is there.

    Where they are swapped everywhere, or the first state is left out, which costs its points once,
    they are put right.
    """
    nodes = student.nodes
    assert type(nodes) is dict and set(nodes) >= {1, 2, 3, 4}, (
        "`nodes` must be a dictionary with the depths 1 to 6 as keys."
    )
    pairs = list(nodes.values())
    for pair in pairs:
        assert type(pair) in (tuple, list) and [type(count) for count in pair] == [int, int], (
            "Each entry of `nodes` must be a pair of whole numbers."
        )
    order = -1 if nodes[2][0] < 56 <= nodes[2][1] <= 57 else 1
    more = 1 if list(nodes[1]) == [7, 7] else 0
    return {depth: tuple(n + more for n in nodes[depth][::order]) for depth in sorted(nodes)}


def expect_counted(counts: dict[int, int], search: Search, deepest: int) -> None:
    """Expect the numbers that a search comes to when it is counted again; lots change them."""
    start = drop(BY_HAND)
    for depth, count in counts.items():
        sizes = set[int]()
        for _ in range(4 if depth <= deepest else 0):
            game = Trace(RULES, start)
            search(game, start, depth, top_count)
            sizes.add(1 + len(game.generated))
            if count in sizes or len(sizes) > 1:  # a search that draws lots counts anew
                break
        assert not sizes or count in sizes or len(sizes) > 1, (
            f"With depth {depth} your search looks at another number of states than `nodes` says."
        )


@pytest.mark.check(
    cell="nodes", points=1, hint="Depths 1 to 6: minimax first, and the first state counts."
)
def test_pairs(student):
    """It has the depths 1 to 6, the count of minimax first, and the first state is counted
    Needed for wrong/nodes_swapped and wrong/nodes_up_to_five."""
    nodes = student.nodes
    counts = table(student)
    assert set(counts) == {1, 2, 3, 4, 5, 6}, "The depths are 1 to 6."
    first = all(tuple(nodes[depth]) == counts[depth] for depth in counts)
    assert first, "With depth 1 both look at 8 states; from depth 2 on the first number is larger."


@pytest.mark.check(cell="nodes", points=2)
def test_minimax_counts(student, minimax):
    """Its counts of minimax are those of your `minimax`, and more with each depth
    Needed for wrong/nodes_never_reset and wrong/nodes_of_the_empty_board."""
    counts = {depth: plain for depth, (plain, _) in table(student).items()}
    expect_counted(counts, minimax, 3)
    assert sorted(set(counts.values())) == list(counts.values()), "With each depth there are more."
    whole = [8, 57, 400, 2_800, 19_569, 134_825]
    assert [*counts.values()][:3] != whole[:3] or [*counts.values()] == whole[: len(counts)], (
        "With one of the depths 4 to 6 minimax looks at another number of states."
    )


@pytest.mark.check(cell="nodes", points=2, cpu_factor=1.5)
def test_alphabeta_counts(student, alphabeta):
    """Its counts of alpha-beta are those of your `alphabeta`, no more than those of minimax
    Needed for wrong/nodes_of_minimax_only and wrong/nodes_counter_runs_on_between."""
    counts = table(student)
    expect_counted({depth: pruned for depth, (_, pruned) in counts.items()}, alphabeta, 4)
    pruned = [pair[1] for pair in counts.values()]
    assert pruned == sorted(set(pruned)), "With each depth there are more states to look at."
    assert all(plain >= pruned for plain, pruned in counts.values()), (
        "Alpha-beta looks at no more states than minimax."
    )
    # The start, seven states, and below one of them all replies, below the others one (Knuth and
    # Moore, An Analysis of Alpha-Beta Pruning, 1975).
    assert pruned[1] >= 21, "With depth 2 no search is sure of its move after so few states."
