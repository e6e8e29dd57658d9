"""A search for lines that breaks down where there is none."""

from typing import Any


def first_arrow(pieces: set[Any], k: int) -> Any:
    """Return where an arrow begins."""
    steps = (0, 1), (1, 0), (1, 1), (1, -1)
    return next(
        (row, column, step)
        for row, column in sorted(pieces)
        for step in steps
        if all((row + i * step[0], column + i * step[1]) in pieces for i in range(k))
    )
