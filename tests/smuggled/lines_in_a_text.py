"""A search for lines in the text of a board."""

from typing import Any


def is_striped(board: dict[Any, str], piece: str, k: int) -> bool:
    """Return whether a drawing has a stripe."""
    wide = 1 + max(column for _, column in board)
    squares = range(-1, 1 + max(row for row, _ in board)), range(wide + 1)
    text = "".join(board.get((row, column), ".") for row in squares[0] for column in squares[1])
    steps = 1, wide, wide + 1, wide + 2
    return any(piece * k in text[start::step] for step in steps for start in range(step))
