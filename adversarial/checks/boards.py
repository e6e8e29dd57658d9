"""Boards of tic-tac-toe for hidden checks, their exact values, and expectations of a search.

Plain functions; a function `expect_...` raises an AssertionError with a sentence that students
read.
"""

import functools
import random
from collections.abc import Callable, Sequence
from typing import Any

from adversarial.checks.pruning import ON_BOARDS, FinishedSearch, expect_proven_move
from adversarial.checks.trees import ask_each
from adversarial.games import rules
from adversarial.games.recorded import Trace, Unfolded
from adversarial.solvers.tictactoe import Oracle
from games import GameState
from referee.sandbox.outside.student import Proxy

USUAL = 3, 3, 3
_GAME = rules.TicTacToe(*USUAL)

_oracle = functools.cache(Oracle)


def oracle(h: int = 3, v: int = 3, k: int = 3) -> Oracle:
    """Return the exact values on a board of `h` x `v`, `k` in a row winning."""
    return _oracle(h, v, k)


def board_tree(h: int = 3, v: int = 3, k: int = 3, start: GameState | None = None) -> Trace:
    """Return a board game unfolded into a tree, recorded: states are the paths from `start`."""
    game = rules.TicTacToe(h, v, k)
    return Trace(Unfolded(game, game.initial if start is None else start))


# --- positions --------------------------------------------------------------------------------


def spread(chance: random.Random, pool: Sequence[GameState], count: int) -> list[GameState]:
    """Draw secret states of a pool, evenly over their best moves.

    So a constant answer is right in few of them.
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
    """Return small states to block in, where averaging over replies may give a wrong move."""
    luring = oracle().luring()
    return [state for state in small(oracle().block()) if state in luring]


@functools.cache
def hard_draws() -> list[GameState]:
    """Return the states of value 0 in which the first and the last move lose."""

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

    def falls(state: GameState) -> bool:
        after = [_GAME.result(state, move) for move in state.moves]
        return any(_GAME.result(one, reply).utility for one in after for reply in one.moves)

    return [state for state in small(losses()) if not falls(state)]


def unseen_losses(chance: random.Random) -> list[GameState]:
    """Draw seven small lost states, one of them a slow one, and nine with five free squares.

    Each of the five kinds of these, which are equal by turning or reflecting the board, is there.
    """
    drawn = chance.sample(oracle().secret(small(losses())), 6)
    drawn += chance.sample(oracle().secret(slow_losses()), 1)
    five = [state for state in losses() if len(state.moves) == 5]
    kinds = oracle().one_of_each(five, chance)
    return [*drawn, *kinds, *chance.sample([state for state in five if state not in kinds], 4)]


# --- what a search returns ---------------------------------------------------------------------


def expect_best(
    player: Proxy,
    game: Any,
    states: Sequence[GameState],
    fault: str,
    size: tuple[int, int, int] = USUAL,
) -> None:
    """Expect a best move in every state of a board; `fault` is the message otherwise."""
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


def expect_best_openings(player: Proxy, board: Callable[..., Any], chance: random.Random) -> None:
    """Expect a win at once on three empty boards on which squares win, other ones on each."""
    squares = chance.sample(oracle().squares, 9)
    for n in 0, 3, 6:
        winning = squares[:n] + squares[n + 3 :]
        move = player(board(winning=winning), _GAME.initial)
        assert move in winning, (
            "On an empty board of another game, in which single squares win, it did not win at "
            "once: ask the game, also at the beginning."
        )


def expect_best_on_boards(search: Proxy, game: Proxy, chance: random.Random) -> None:
    """Expect a best move of a function `search(state, game)` in 60 positions of tic-tac-toe.

    In a third of them a win takes two moves, in 8 every move loses. The last three follow others:
    who has kept the values found there, for the other player, misjudges them.
    """
    states = [state for some, number in _late_boards() for state in chance.sample(some, number)]
    states += [_open_after(state)[0] for state in states[:3]]
    moves = ask_each(search, [(state, game) for state in states])
    pairs = list(zip(states, moves, strict=True))
    illegal = sum(move not in state.moves for state, move in pairs)
    assert not illegal, f"In {illegal} of 60 positions of tic-tac-toe it gave no legal move."
    worse = sum(move not in oracle().best_moves(state) for state, move in pairs)
    assert not worse, f"In {worse} of 60 positions of tic-tac-toe another move is better."


def _open_after(state: GameState) -> list[GameState]:
    """Return the states after a move in which the opponent's moves are not worth the same."""
    after = (_GAME.result(state, move) for move in state.moves)
    return [one for one in after if len({*oracle().values(one).values()}) > 1]


@functools.cache
def _late_boards() -> list[tuple[list[GameState], int]]:
    """Return kinds of boards with two to five free squares, and how many of each are asked."""
    board = oracle()
    pools = [filter(_open_after, board.open_states()), board.luring(), board.win_in_two()]
    pools += [board.hurried(2), board.hurried(3), losses()]
    late = [[s for s in board.secret(pool) if 2 <= len(s.moves) <= 5] for pool in pools]
    return list(zip(late, (6, 11, 20, 7, 5, 8), strict=True))


def expect_best_unseen(player: Proxy, states: Sequence[GameState], fault: str) -> None:
    """Expect a best move in states of tic-tac-toe that a search knows only by asking the game.

    They are recorded trees, in which a state is a path: a table of positions is of no use, and the
    states seen must prove the move. `fault` is the message otherwise.
    """
    for start in states:
        game = board_tree(start=start)
        move = player(game, game.initial)
        assert move in start.moves, "The answer on a board is no legal move."
        assert move in oracle().best_moves(start), (
            f"Where a state is a list of moves, and no board, your player {fault}."
        )
        expect_proven_move(FinishedSearch(game, game.initial, limits=ON_BOARDS), move)
