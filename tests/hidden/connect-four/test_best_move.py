"""Hidden checks of the cells find_best_move and nodes: the player, and the table of counts."""

from typing import Any

import pytest

from adversarial.checks.connect_four import BY_HAND, by_segments, drop, lost, played, worth
from adversarial.checks.trees import ask_each
from adversarial.games.recorded import Trace, key_of
from adversarial.solvers.connect_four import Solver, four_oracle
from games import ConnectFour, GameState, infinity


@pytest.mark.check(
    cell="find_best_move",
    points=2,
    hint="Call your `alphabeta` with your `evaluate` and the depth that is given; return its move.",
    cpu_seconds=30,
)
def test_estimates(find_best_move, chance, fast_connect_four):
    """It plays a move that is best by the estimate, looking 1, 2 and 3 plies ahead"""
    for depth in 1, 2, 3:
        others, states, best = [plies for plies in (1, 2, 3) if plies != depth], [], {}
        for moves in range(3, 13, depth):
            other = others.pop() if others else 0
            good = misled = set[int]()
            while not good or good & misled:
                state = played(chance, moves, over=False)
                good = best_columns(state, depth)
                misled = best_columns(state, other) if other else set()
            states.append(state)
            best[key_of(state)] = good
        calls = [(fast_connect_four(), state, depth) for state in states]
        right = find_best_move(lambda state, best=best: min(best[key_of(state)]), calls)
        answers = ask_each(right, calls)
        for move, state in zip(answers, states, strict=True):
            assert type(move) is int and move in state.moves, (
                "It returns a legal move, a column, and nothing else."
            )
            assert move in best[key_of(state)], (
                f"Looking {depth} plies ahead, another column is better by the estimate."
            )


def best_columns(state: GameState, plies: int) -> set[int]:
    """Return the columns that are best by the estimate, so many plies ahead; none if all lose."""
    rules = ConnectFour()
    values = Trace(rules).values(state, plies, worth(rules, by_segments))
    most = max(values.values())
    return {move for move, value in values.items() if value == most > -infinity}


@pytest.mark.check(
    cell="find_best_move",
    points=2,
    hint="Win if you can, block if you must; and where every move loses, still move.",
    cpu_seconds=30,
)
def test_tactics(find_best_move, chance, zugzwang, fast_connect_four):
    """It wins at once, blocks, makes double threats and puts into zugzwang, in 40 positions"""
    game, board = fast_connect_four(), four_oracle()
    for states, seen, what in [
        (board.win_now(chance, 12, 14), 1, "missed a win"),
        (board.block_now(chance, 12, 14), 2, "let the opponent win at once"),
        (hurried(board.double_threat(chance, 40, 14)), 3, "missed a win by a double threat"),
        (zugzwang, 9, "missed a win for which the opponent must run out of moves"),
    ]:
        calls = [(game, state, seen) for state in states]
        best = find_best_move(lambda state: min(board.best_moves(state)), calls)
        answers = ask_each(best, calls)
        wrong = sum(
            not good(board, state, move, seen) for move, state in zip(answers, states, strict=True)
        )
        assert not wrong, f"In {wrong} of {len(states)} positions it {what}."
    for rules, state, depth in lost():
        player = find_best_move(lambda state: state.moves[0], [(rules, state, depth)])
        move = player(rules, state, depth)
        assert type(move) is int and move in state.moves, (
            "Where every move loses it still returns a legal move."
        )


def hurried(states: list[GameState]) -> list[GameState]:
    """Return ten won states; in some, who looks two plies ahead takes a move that does not win."""
    rules, value, board = Trace(ConnectFour()), worth(ConnectFour(), by_segments), four_oracle()

    def misleads(state: GameState) -> bool:
        values = rules.values(state, 2, value)
        return all(values[move] < max(values.values()) for move in board.best_moves(state))

    return sorted(states, key=misleads, reverse=True)[:10]


def good(board: Solver, state: GameState, move: Any, seen: int) -> bool:
    """Return whether a column is best as far as a player sees who looks `seen` plies ahead."""
    if type(move) is not int or move not in state.moves:
        return False
    if seen != 2:
        return move in board.best_moves(state)
    following = ConnectFour().result(state, move)
    return not any(ConnectFour().result(following, reply).utility for reply in following.moves)


@pytest.mark.check(
    cell="find_best_move",
    points=1,
    hint="The game knows its rows, columns and lines: ask it for moves, results and the end.",
)
def test_other_boards(find_best_move, chance, fast_connect_four):
    """On five boards of other sizes it plays a best column when it looks to the end"""
    for size in [(4, 5, 4), (5, 4, 3), (4, 4, 3), (4, 6, 5), (7, 4, 4)]:
        board = four_oracle(*size)
        states = board.endgames(chance, 24, 6)
        calls = [(fast_connect_four(*size), s, size[0] * size[1] - len(s.board)) for s in states]
        best = find_best_move(lambda state, board=board: min(board.best_moves(state)), calls)
        answers = ask_each(best, calls)
        wrong = sum(
            move not in board.best_moves(state) for move, state in zip(answers, states, strict=True)
        )
        assert not wrong, f"In {wrong} of 24 positions of a board of another size it erred."


def table(student: Any) -> dict[int, tuple[int, int]]:
    """Return `nodes`, which must be pairs of counts for the depths 1 to 6."""
    nodes = student.nodes
    assert type(nodes) is dict and set(nodes) == {1, 2, 3, 4, 5, 6}, (
        "`nodes` must be a dictionary with the depths 1 to 6 as keys."
    )
    for pair in nodes.values():
        assert type(pair) in (tuple, list) and [type(count) for count in pair] == [int, int], (
            "Each entry of `nodes` must be a pair of whole numbers."
        )
    return {depth: (pair[0], pair[1]) for depth, pair in nodes.items()}


@pytest.mark.check(
    cell="nodes",
    points=3,
    hint="Count the states that `minimax` looks at, the first included; from zero for each depth.",
)
def test_minimax_counts(student):
    """The counts of minimax are the numbers of states down to each depth"""
    start = drop(BY_HAND)
    game = Trace(ConnectFour(), start)
    counts = {depth: 1 + len(game.minimax_generates(start, depth)) for depth in (1, 2, 3, 4)}
    counts[6] = 134_825
    nodes = table(student)
    for depth, count in counts.items():
        assert nodes[depth][0] == count, (
            f"With depth {depth} minimax looks at another number of states."
        )


@pytest.mark.check(
    cell="nodes",
    points=2,
    hint="Count for each depth anew; with depth 1 nothing can be pruned, from depth 2 on it can.",
    needs="test_minimax_counts",
)
def test_alphabeta_counts(student):
    """The counts of alpha-beta are possible ones: fewer than minimax, and more with each depth"""
    nodes = table(student)
    counts = [nodes[depth][1] for depth in range(1, 7)]
    assert counts[0] == 8, "With depth 1 alpha-beta looks at the start and at seven states."
    assert counts == sorted(set(counts)), "With each depth there are more states to look at."
    for depth in range(3, 7):
        plain, pruned = nodes[depth]
        assert pruned < plain, f"With depth {depth} alpha-beta prunes nothing."
    # The start, seven states, and below one of them all replies, below the others one (Knuth and
    # Moore, An Analysis of Alpha-Beta Pruning, 1975).
    assert counts[1] >= 21, "With depth 2 no search is sure of its move after so few states."
