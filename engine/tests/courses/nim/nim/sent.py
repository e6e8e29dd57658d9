"""A game that runs inside the player, told as data all that there is to know of it."""

from collections.abc import Mapping
from typing import Any

from piles import Game, IllegalMoveError


class Sent(Game):
    """A game of states that are numbers: which moves lead where, and what an end is worth."""

    def __init__(self, moves: Mapping[int, Mapping[str, int]], ends: Mapping[int, float]) -> None:
        """Begin in state 0; whoever moves there sees the ends as they are given."""
        self.initial = 0
        self._moves, self._ends = moves, ends

    def actions(self, state: int) -> list[str]:
        """Return the moves of the table."""
        return list(self._moves.get(state, ()))

    def result(self, state: int, move: str) -> int:
        """Return where the table leads."""
        if move not in self.actions(state):
            raise IllegalMoveError(f"{move!r} is not a legal move here")
        return self._moves[state][move]

    def utility(self, state: int, player: str) -> float:
        """Return what an end is worth."""
        return self._ends[state] if player == "MAX" else -self._ends[state]

    def to_move(self, state: Any) -> str:
        """Return MAX in state 0, and MIN after it."""
        return "MAX" if state == 0 else "MIN"
