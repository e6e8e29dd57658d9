"""Draw the boards of a game side by side, each above its caption, as feedback shows it."""

from collections.abc import Sequence

from handout.canvas.drawing import (
    MARGIN,
    Board,
    Grid,
    Picture,
    Shape,
    Words,
    board_shapes,
    board_text,
    edge_numbers,
)

SIDE, IN_A_ROW = 30, 5  # of a square, in pixels; how many boards stand side by side


def strip(boards: Sequence[tuple[Board, str]]) -> Picture:
    """Draw boards of one size, each with its caption."""
    wide = max(max(SIDE * one.columns + 2 * MARGIN, 7 * len(words) + 16) for one, words in boards)
    high = max(SIDE * one.rows + 2 * MARGIN for one, _ in boards) + 4
    shapes: list[Shape] = []
    for number, (board, caption) in enumerate(boards):
        row, place = divmod(number, IN_A_ROW)
        middle, top = (place + 0.5) * wide, row * high + MARGIN
        left = middle - SIDE * board.columns / 2
        places = Grid(board.rows, board.columns, SIDE, left, top, board.from_bottom)
        words = Words(middle, top + SIDE * board.rows + 20, caption)
        shapes += [*edge_numbers(places), *board_shapes(board, places), words]
    rows = [boards[i : i + IN_A_ROW] for i in range(0, len(boards), IN_A_ROW)]
    size = wide * len(rows[0]), high * len(rows)
    return Picture(*size, shapes, "\n\n".join(map(_row_text, rows)))


def _row_text(boards: Sequence[tuple[Board, str]]) -> str:
    """Return boards of the same height side by side, as text."""
    blocks = [[*board_text(board).splitlines(), caption] for board, caption in boards]
    width = max(len(line) for block in blocks for line in block) + 3
    lines = ("".join(line.ljust(width) for line in row) for row in zip(*blocks, strict=True))
    return "\n".join(line.rstrip() for line in lines)
