"""A minimax that must be given the game by its name."""

from typing import Any


def room(state: Any, *, game: Any) -> float:
    """Return how much room there is below a state."""
    if game.terminal_test(state):
        space: float = game.utility(state, "MAX")
        return space
    below = [room(game.result(state, move), game=game) for move in game.actions(state)]
    return max(below) if len(state) % 2 == 0 else min(below)
