"""A player: an object that is called."""

from typing import Any


class Arrow:
    """Point at a child."""

    def __init__(self) -> None:
        """Begin at the top."""
        self.deepest = 0

    def __call__(self, game: Any, state: Any) -> Any:
        """Return where to point."""
        heights = {
            move: self.height(game, game.result(state, move), False) for move in game.actions(state)
        }
        return max(heights, key=lambda move: heights[move])

    def height(self, game: Any, state: Any, up: bool) -> float:
        """Return how high a state is drawn."""
        if game.terminal_test(state):
            height: float = game.utility(state, "MAX")
            return height
        heights = [
            self.height(game, game.result(state, move), not up) for move in game.actions(state)
        ]
        return max(heights) if up else min(heights)
