"""A search as textbooks have it, and trees and games to search and play. Imported by tests."""

import copy
import math
import random
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import strategies as st

from adversarial.search import Edits
from games import Game, GameState, IllegalMove, Square, TreeGame

ANYTHING = (-math.inf, math.inf)
NEGAMAX: Edits = (  # of alpha-beta as text: values are for whoever moves
    ("root: = min_value", "= -min_value"), ("max_value: min_value", "-min_value"),
    ("min_value: return ", "return -"),
)  # fmt: skip


def ordered(order: int, state: Any, moves: Iterable[Any]) -> list[Any]:
    """Return the moves of a state in an order that a number draws, the same at each visit."""
    listed = list(moves)
    return random.Random(f"{order} {state}").sample(listed, len(listed))


def searched(
    game: Game,
    root: Any,
    order: int,
    *,
    cuts: str = "never",
    window: tuple[float, float] = ANYTHING,
) -> tuple[Any, Any]:
    """Return the value and a best move for who moves at the root.

    It cuts never, where alpha is `above` beta, or where they are `equal` as well.
    """
    player = game.to_move(root)

    def value(state: Any, alpha: float, beta: float) -> tuple[float, Any]:
        if game.terminal_test(state):
            return game.utility(state, player), None
        high = game.to_move(state) == player
        best, chosen = (-math.inf if high else math.inf), None
        for move in ordered(order, state, game.actions(state)):
            below, _ = value(game.result(state, move), alpha, beta)
            if chosen is None or (below > best if high else below < best):
                best, chosen = below, move
            if cuts != "never":
                alpha, beta = (max(alpha, best), beta) if high else (alpha, min(beta, best))
            if alpha > beta or (alpha == beta and cuts == "equal"):
                break
        return best, chosen

    return value(root, *window)


@st.composite
def trees(draw: st.DrawFn) -> TreeGame:
    """Draw a full tree whose leaves are often alike, so that equal values meet."""
    shapes = [(2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (4, 2)]
    branching, plies = draw(st.sampled_from(shapes))
    leaf = draw(st.sampled_from([st.integers(0, 2), st.integers(-9, 9), st.floats(-1, 1)]))
    size = branching**plies
    return TreeGame(draw(st.lists(leaf, min_size=size, max_size=size)), branching)


Playout = tuple[Any, list[GameState], list[Any]]


@st.composite
def playouts(draw: st.DrawFn, make: Callable[..., Game], *most: int) -> Playout:
    """Play on a board of some size at random to the end: the game, its states, its moves."""
    game = make(*(draw(st.integers(1, size)) for size in most))
    states, moves = [game.initial], []
    rng = random.Random(draw(st.integers(0, 2**32)))
    while legal := list(game.actions(states[-1])):
        moves.append(rng.choice(legal))
        states.append(game.result(states[-1], moves[-1]))
    return game, states, moves


def expect_by_the_rules(
    playout: Playout, k: int, others: list[Any], legal: Callable[[dict[Square, str]], list[Any]],
    place: Callable[[dict[Square, str], Any], Square],
) -> None:  # fmt: skip
    """Expect each state of a game to be what the rules make it, until k in a row or no move.

    `legal` tells the moves on a board, and `place` where a piece goes. Who has won is found by
    walking from every piece in every direction. No question changes a state, and any other move,
    `others` among them, is refused.
    """
    game, states, moves = playout
    before, board = copy.deepcopy(states), dict[Square, str]()
    for number, state in enumerate(states):
        assert state.to_move == game.to_move(state) == "XO"[number % 2]
        assert state.board == board
        won = {
            player
            for (row, column), player in board.items()
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            if all(board.get((row + i * down, column + i * right)) == player for i in range(k))
        }
        assert won == {player for player in "XO" if game.utility(state, player) == 1}
        assert state.utility == game.utility(state, "X") == -game.utility(state, "O")
        assert state.utility in (0, 1, -1)
        free = [] if won else legal(board)
        assert game.actions(state) == list(state.moves) == free
        game.actions(state).clear()  # type: ignore[attr-defined]
        assert game.terminal_test(state) is (not free) is (number == len(moves))
        for move in [one for one in others if one not in free]:
            with pytest.raises(
                IllegalMove, match=f"^{re.escape(repr(move))}.* is not a legal move"
            ):
                game.result(state, move)
        if free:
            board[place(board, moves[number])] = state.to_move
    assert states == before
