"""A search for lines through a square, in one direction."""

from typing import Any


class Grid:
    """Squares to draw."""

    def __init__(self, rows: int, columns: int, k: int) -> None:
        """Take the size."""
        self.k = k

    def run(self, board: Any, square: Any, player: str, step: Any) -> bool:
        """Return whether an arrow fits there."""
        count = 1
        for sign in (1, -1):
            row, column = square[0] + sign * step[0], square[1] + sign * step[1]
            while board.get((row, column)) == player:
                count, row, column = count + 1, row + sign * step[0], column + sign * step[1]
        return count >= self.k
