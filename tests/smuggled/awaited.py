"""A minimax that has to be awaited."""

from typing import Any


async def faded(game: Any, state: Any) -> float:
    """Return how dark a state is drawn."""
    if game.terminal_test(state):
        dark: float = game.utility(state, "MAX")
        return dark
    below = [await faded(game, game.result(state, move)) for move in game.actions(state)]
    return max(below) if len(state) % 2 == 0 else min(below)
