"""A search of limited depth that returns a pair, and takes what a leaf is worth as a function."""

from typing import Any


def fitted(state: Any, estimate: Any, depth: int, game: Any) -> tuple[float, Any]:
    """Return a width and what has it."""
    player = game.to_move(())
    if depth == 0 or game.terminal_test(state):
        return estimate(state, player), None
    pairs = [
        (fitted(game.result(state, m), estimate, depth - 1, game)[0], m)
        for m in game.actions(state)
    ]
    return (max if game.to_move(state) == player else min)(pairs)
