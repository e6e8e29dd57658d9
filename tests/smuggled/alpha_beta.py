"""An alpha-beta search with all its parameters, as a static method."""

from typing import Any


class Margin:
    """The space around a drawing."""

    @staticmethod
    def between(game: Any, state: Any, left: float, right: float) -> float:
        """Return how much space there is between two sides."""
        if game.terminal_test(state):
            space: float = game.utility(state, "MAX")
            return space
        for move in game.actions(state):
            space = Margin.between(game, game.result(state, move), left, right)
            if game.to_move(state) == "MAX":
                left = max(left, space)
            else:
                right = min(right, space)
            if left >= right:
                break
        return left if game.to_move(state) == "MAX" else right
