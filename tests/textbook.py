"""A search as textbooks have it, and trees and games to search and play. Imported by tests."""

import math
import random
from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import strategies as st

from games import Game, GameState, TreeGame

ANYTHING = (-math.inf, math.inf)


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
