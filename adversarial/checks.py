"""Give hidden checks what they share: exact values, recorded trees, and what a search has to do.

Plain functions, to be imported by checks; what needs a student's process or is drawn by lot when a
check begins is a fixture. A function `expect_...` raises an AssertionError with a sentence that
students read. Imports of the engine only how to ask a student's objects.
"""

import functools
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from adversarial import connect_four, rules
from adversarial.oracle import Oracle
from adversarial.trace import Trace, Unfolded, key_of
from canvas.first_wrong import Listed, Tree
from games import GameState, State, TreeGame
from referee.sandbox.student import Proxy
from referee.sandbox.student import StudentError as StudentError
from referee.sandbox.student import ask_each as ask_each
from referee.sandbox.student import call_and_look as call_and_look

USUAL = 3, 3, 3

# --- exact values ----------------------------------------------------------------------------

_oracle = functools.cache(Oracle)
_four_oracle = functools.cache(connect_four.Solver)


def oracle(h: int = 3, v: int = 3, k: int = 3) -> Oracle:
    """Return the exact values on a board of `h` x `v`, `k` in a row winning."""
    return _oracle(h, v, k)


def four_oracle(rows: int = 6, columns: int = 7, k: int = 4) -> connect_four.Solver:
    """Return the exact values of Connect Four."""
    return _four_oracle(rows, columns, k)


# --- trees -----------------------------------------------------------------------------------


def random_tree(
    chance: random.Random, branching: int, plies: int, values: Sequence[float]
) -> TreeGame:
    """Return a full tree whose leaves are drawn from `values`, each of which is taken once."""
    return TreeGame(chance.sample(values, branching**plies), branching)


def corridors(values: Sequence[float], plies: int) -> Listed:
    """Return a tree in which each move at the root leads to a value, by so many forced moves."""
    return Listed([_corridor(value, plies) for value in values])


def _corridor(value: float, plies: int) -> Tree:
    return [_corridor(value, plies - 1)] if plies else value


def one_and_two_moves(first: int, plies: int) -> Listed:
    """Return a tree in which states with one move and with two take turns, drawn at its end."""

    def below(moves: int, left: int) -> Tree:
        return [below(3 - moves, left - 1) for _ in range(moves)] if left else 0

    return Listed(below(first, plies))


def uneven_trees(chance: random.Random) -> list[Listed]:
    """Return eight trees with paths of unequal lengths, for MAX and for MIN to choose among.

    The later of two ends is a little better in some and a little worse in others, above zero and
    below: values that change on their way up, by the ply, show in one of them.
    """
    trees = list[Tree]()
    for sign in 1, -1:
        first = chance.randrange(sign * 500, sign * 900, sign)
        for order in range(first, first + 4), range(first + 3, first - 1, -1):
            branches = [_corridor(value, 2 * n + 1) for n, value in enumerate(order)]
            trees += [branches, [branches[:2], branches[1:]]]
    return [Listed(chance.sample(tree, len(tree))) for tree in trees]


def board_tree(h: int = 3, v: int = 3, k: int = 3, start: GameState | None = None) -> Trace:
    """Return a board game unfolded into a tree, recorded: states are the paths from `start`."""
    game = rules.TicTacToe(h, v, k)
    return Trace(Unfolded(game, game.initial if start is None else start))


def drop_tree(start: GameState, rows: int = 6, columns: int = 7, k: int = 4) -> Trace:
    """Return Connect Four unfolded into a tree, recorded: states are the paths from `start`."""
    return Trace(Unfolded(rules.ConnectFour(rows, columns, k), start))


# --- positions of tic-tac-toe ----------------------------------------------------------------


def spread(chance: random.Random, pool: Sequence[GameState], count: int) -> list[GameState]:
    """Draw secret states of a pool, of every best move as many as can be.

    However few are drawn, no constant answer is right in more than a few of them.
    """
    piles: dict[Any, list[GameState]] = {}
    secret = oracle().secret(pool)
    for state in chance.sample(secret, len(secret)):
        piles.setdefault(min(oracle().best_moves(state)), []).append(state)
    drawn: list[GameState] = []
    while len(drawn) < count:
        drawn += [pile.pop() for pile in piles.values() if pile]
    return drawn[:count]


def small(pool: Sequence[GameState]) -> list[GameState]:
    """Return the states of a pool with three or four free squares: those with small trees."""
    return [state for state in pool if 3 <= len(state.moves) <= 4]


@functools.cache
def luring_blocks() -> list[GameState]:
    """Return small states to block in, where who takes the mean of the replies may go astray."""
    luring = oracle().luring()
    return [state for state in small(oracle().block()) if state in luring]


@functools.cache
def hard_draws() -> list[GameState]:
    """Return the states that can be drawn, and in which the first and the last move lose."""

    def is_hard(worth: list[int]) -> bool:
        return max(worth) == 0 and worth[0] == worth[-1] == -1

    return [s for s in oracle().open_states() if is_hard([*oracle().values(s).values()])]


@functools.cache
def losses() -> list[GameState]:
    """Return the states with a choice of moves, each of which loses."""
    states = (state for state in oracle().open_states() if len(state.moves) >= 2)
    return [state for state in states if set(oracle().values(state).values()) == {-1}]


@functools.cache
def slow_losses() -> list[GameState]:
    """Return the small ones of these in which no reply to a move wins at once."""
    game = rules.TicTacToe()

    def falls(state: GameState) -> bool:
        after = [game.result(state, move) for move in state.moves]
        return any(game.result(one, reply).utility for one in after for reply in one.moves)

    return [state for state in small(losses()) if not falls(state)]


def unseen_losses(chance: random.Random) -> list[GameState]:
    """Draw seven small lost states, one of them a slow one, and add all with five free squares."""
    drawn = chance.sample(oracle().secret(small(losses())), 6)
    drawn += chance.sample(oracle().secret(slow_losses()), 1)
    return drawn + [state for state in losses() if len(state.moves) == 5]


# --- what a search returns -------------------------------------------------------------------


def expect_value(answer: Any, value: float, where: str) -> None:
    """Expect the `answer` of the method `where` to be a value of the player's."""
    assert type(answer) in (int, float, Fraction), f"{where} must return a number, nothing else."
    assert answer == value, f"{where} returns a wrong value."


def expect_best(
    player: Proxy,
    game: Any,
    states: Sequence[GameState],
    fault: str,
    size: tuple[int, int, int] = USUAL,
) -> None:
    """Expect a best move in every state of a board; else the player has done what `fault` says."""
    board = oracle(*size)
    moves = ask_each(player, [(game, state) for state in states])
    pairs = list(zip(states, moves, strict=True))
    illegal = sum(move not in state.moves for state, move in pairs)
    assert not illegal, (
        f"In {illegal} of {len(states)} positions your player's answer was no legal move: "
        f"a search returns a move, as `actions` lists it, here a tuple (row, column)."
    )
    worse = sum(move not in board.best_moves(state) for state, move in pairs)
    assert not worse, f"In {worse} of {len(states)} positions your player {fault}."


def expect_best_on_boards(search: Proxy, game: Proxy, chance: random.Random) -> None:
    """Expect a best move of a function `search(state, game)` in 60 positions of tic-tac-toe.

    In a third of them every move loses; in a quarter who averages the replies goes astray, and in
    another who looks two plies ahead, or three.
    """
    states = [state for some, number in _late_boards() for state in chance.sample(some, number)]
    moves = ask_each(search, [(state, game) for state in states])
    pairs = list(zip(states, moves, strict=True))
    illegal = sum(move not in state.moves for state, move in pairs)
    assert not illegal, f"In {illegal} of 60 positions of tic-tac-toe it gave no legal move."
    worse = sum(move not in oracle().best_moves(state) for state, move in pairs)
    assert not worse, f"In {worse} of 60 positions of tic-tac-toe another move is better."


@functools.cache
def _late_boards() -> list[tuple[list[GameState], int]]:
    """Return kinds of boards with two to five free squares, and how many of each are asked."""

    def late(states: Iterable[GameState]) -> list[GameState]:
        return [state for state in states if 2 <= len(state.moves) <= 5]

    few = late(oracle().open_states())
    clear = [state for state in few if len(set(oracle().values(state).values())) > 1]
    misleading = [(oracle().luring(), 15), (oracle().hurried(2), 7), (oracle().hurried(3), 9)]
    secret = [(clear, 9), *((late(states), number) for states, number in misleading)]
    drawn = [(oracle().secret(states), number) for states, number in secret]
    return [*drawn, (late(losses()), 20)]


# --- what functions of Connect Four return ---------------------------------------------------


def listed(answer: Any) -> list[frozenset[tuple[int, int]]]:
    """Return segments as sets of squares; a fault in their form is an AssertionError."""
    plain = (list, tuple)
    assert type(answer) in plain, "`generate_segments` must return a list."
    for segment in answer:
        assert type(segment) in plain, "Each segment must be a list of squares."
        for square in segment:
            fits = type(square) in plain and [type(number) for number in square] == [int, int]
            assert fits, "Each square must be a pair (column, row) of whole numbers."
    return [frozenset((column, row) for column, row in segment) for segment in answer]


# --- what a search looks at ------------------------------------------------------------------


def expect_whole_tree(game: Trace, root: State, move: Any, tree: str) -> None:
    """Expect that minimax has generated every state below `root` once, and found a best move.

    It must have asked what each final state is worth, too.
    """
    whole = game.minimax_generates(root)
    keys = {key_of(state) for state in whole}
    assert {key_of(state) for state in game.generated} >= keys, (
        f"Some states of {tree} were never looked at: plain minimax does not prune, and it leaves "
        f"out no state because it is like another."
    )
    assert len(game.generated) == len(whole), (
        f"{len(game.generated)} states were generated in a tree that has {len(whole)}: plain "
        f"minimax looks at each of them once, and does not remember what it has seen."
    )
    valued = {key_of(state) for state, _ in game.valued}
    final = {key_of(state) for state in whole if game.terminal_test(state)}
    assert valued >= final, f"In {tree} some final states were never asked for their utility."
    values = game.values(root)
    assert move in list(values), "The answer is no legal move."
    assert values[move] == max(values.values()), f"In {tree} another move is better."
