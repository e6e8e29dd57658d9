"""Play tic-tac-toe of any size: the trusted rules that searches are checked on.

For the referee's side, where a check counts every call. `TicTacToe` solves a cell, so it never goes
into a player: `sent_boards.SentBoard` does, with the `tables` of one size.
"""

from typing import Any

from adversarial.games.sent_boards import SentBoard, Square
from games import GameState


class TicTacToe(SentBoard):
    """X and O take turns on an `h` x `v` board; `k` in a row, column or diagonal win."""

    def __init__(self, h: int = 3, v: int = 3, k: int = 3) -> None:
        """Lay out `h` rows and `v` columns."""
        super().__init__(*tables(h, v, k))
        self.h, self.v, self.k = h, v, k


def tables(h: int, v: int, k: int) -> tuple[Any, ...]:
    """Return the arguments of `sent_boards.SentBoard` for one size of board."""
    squares = [(row, column) for row in range(h) for column in range(v)]
    rests: dict[Square, tuple[tuple[Square, ...], ...]] = dict.fromkeys(squares, ())
    for line in lines(h, v, k):
        for square in line:
            rests[square] += (tuple(other for other in line if other != square),)
    initial = GameState("X", 0, {}, squares)
    return initial, rests, {"X": ("O", 1), "O": ("X", -1)}, {"X": 1, "O": -1}


def lines(rows: int, columns: int, k: int) -> list[list[Square]]:
    """Return all lines of `k` squares along rows, columns and both diagonals, each once."""
    all_lines = []
    for row in range(rows):
        for column in range(columns):
            for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)][: 1 if k == 1 else 4]:
                line = [(row + i * down, column + i * right) for i in range(k)]
                if line[-1][0] < rows and 0 <= line[-1][1] < columns:
                    all_lines.append(line)
    return all_lines
