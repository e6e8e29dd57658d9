"""Draw boards with their pieces, as SVG and as text. No rules of a game are in here."""

from collections.abc import Collection, Mapping
from itertools import product
from typing import NamedTuple, TypeAlias

from .drawing import BLUE, INK, ORANGE, PANEL, QUIET, Picture, label, shape

Square: TypeAlias = tuple[int, int]  # (row, column)

PIECES = {"X": BLUE, "O": ORANGE}
NEW = "#fdf3b0"  # a square that is marked
MARGIN = 26  # around a board, for the numbers of rows and columns


class Board(NamedTuple):
    """A board of squares; row 0 is at the top, or at the bottom where pieces drop."""

    rows: int
    columns: int
    pieces: Mapping[Square, str]  # 'X' or 'O'
    last: Square | None = None  # the square of the last move
    line: Collection[Square] = ()  # the pieces that have won
    from_bottom: bool = False
    side: float = 46  # of a square, in pixels

    def centre(self, square: Square) -> tuple[float, float]:
        """Return the point in the middle of a square, in pixels."""
        row = self.rows - 1 - square[0] if self.from_bottom else square[0]
        return MARGIN + (square[1] + 0.5) * self.side, MARGIN + (row + 0.5) * self.side

    def is_new(self, square: Square) -> bool:
        """Return whether a square is to be marked: the last move, and the pieces that have won."""
        return square == self.last or square in self.line

    def text(self) -> str:
        """Return the board as text: [X] is the last move, *X* has won, numbers at the edges."""
        lines = ["    " + "  ".join(map(str, range(self.columns)))]
        for row in sorted(range(self.rows), reverse=self.from_bottom):
            line = f"{row:>2} "
            for square in ((row, column) for column in range(self.columns)):
                left, right = "**" if square in self.line else "[]" if square == self.last else "  "
                line += f"{left}{self.pieces.get(square, '.')}{right}"
            lines.append(line.rstrip())
        return "\n".join(lines)

    def picture(self) -> Picture:
        """Draw the board with its numbers, and a line through the pieces that have won."""
        side, height = self.side, self.side * self.rows + 2 * MARGIN
        shapes = []
        for square in sorted(product(range(self.rows), range(self.columns)), key=self.is_new):
            (x, y), piece = self.centre(square), self.pieces.get(square, "")
            fill, edge, thick = (NEW, INK, 3) if self.is_new(square) else (PANEL, QUIET, 1)
            shapes.append(
                shape(
                    "rect", x=x - side / 2, y=y - side / 2, width=side, height=side,
                    fill=fill, stroke=edge, stroke_width=thick,
                )
            )  # fmt: skip
            if piece:
                shapes.append(label(x, y + side / 4, piece, 0.7 * side, PIECES[piece], bold=True))
        for row in range(self.rows):
            shapes.append(label(MARGIN / 2, self.centre((row, 0))[1] + 4, str(row), 12, QUIET))
        for column in range(self.columns):
            y = height - 8 if self.from_bottom else MARGIN - 9
            shapes.append(label(self.centre((0, column))[0], y, str(column), 12, QUIET))
        if self.line:
            (x1, y1), (x2, y2) = self.centre(min(self.line)), self.centre(max(self.line))
            shapes.append(shape("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=INK, stroke_width=3))
        return Picture(side * self.columns + 2 * MARGIN, height, shapes, self.text())
