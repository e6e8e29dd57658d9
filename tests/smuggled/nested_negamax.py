"""A negamax in a function that another one returns."""

from typing import Any


def numbering(game: Any) -> Any:
    """Return how the states of a game are numbered."""

    def number(state: Any) -> float:
        if game.terminal_test(state):
            value: float = game.utility(state, game.to_move(state))
            return value
        return max(-number(game.result(state, move)) for move in game.actions(state))

    return number
