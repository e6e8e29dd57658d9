"""Draw the boards of a game side by side, each above its caption, as feedback shows it."""

from collections.abc import Sequence

from handout.canvas.board_drawing import Board
from handout.canvas.drawing import Picture, label, moved

SIDE, IN_A_ROW = 30, 5  # of a square, in pixels; how many boards stand side by side


def strip(boards: Sequence[tuple[Board, str]]) -> Picture:
    """Draw boards of one size, each with its caption."""
    pictures = [board._replace(side=SIDE).picture() for board, _ in boards]
    captions = [caption for _, caption in boards]
    wide = max(pictures[0].width, *(7 * len(caption) + 16 for caption in captions))
    high = pictures[0].height + 4
    shapes: list[str] = []
    for number, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        row, place = divmod(number, IN_A_ROW)
        middle, top = (place + 0.5) * wide, row * high
        shapes.append(moved(picture, middle - picture.width / 2, top))
        shapes.append(label(middle, top + picture.height - 6, caption))
    rows = [boards[i : i + IN_A_ROW] for i in range(0, len(boards), IN_A_ROW)]
    size = wide * len(rows[0]), high * len(rows)
    return Picture(*size, shapes, "\n\n".join(map(_row_text, rows)))


def _row_text(boards: Sequence[tuple[Board, str]]) -> str:
    """Return boards of the same height side by side, as text."""
    blocks = [[*board.text().splitlines(), caption] for board, caption in boards]
    width = max(len(line) for block in blocks for line in block) + 3
    lines = ("".join(line.ljust(width) for line in row) for row in zip(*blocks, strict=True))
    return "\n".join(line.rstrip() for line in lines)
