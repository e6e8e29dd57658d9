"""Describe pictures, and give them as SVG and as text; here are the pictures of boards, too.

A `Picture` is a list of shapes with words for those who cannot see it. `page` paints the same
list in a page. No rules of a game and no search are in here. It needs only Python itself.

Sizes are pixels; x grows to the right and y downwards. Nothing is told by colour alone, and the
colours are those of Okabe and Ito, which colour-blind people can tell apart. A picture brings a
light panel of its own, so that it looks the same on a dark page.
"""

from collections.abc import Collection, Mapping, Sequence
from html import escape
from itertools import product
from typing import NamedTuple, TypeAlias

Square: TypeAlias = tuple[int, int]  # (row, column)

INK, QUIET, FAINT, PANEL = "#22262b", "#6b7480", "#c9d0d8", "#fbfaf7"
BLUE, ORANGE, GREEN, YELLOW = "#0072b2", "#d55e00", "#009e73", "#f0e442"
PALE_BLUE, PALE_ORANGE = "#b9d8ea", "#f5cfb3"
PIECES = {"X": BLUE, "O": ORANGE}
GHOSTS = {"X": PALE_BLUE, "O": PALE_ORANGE}
FONT = "system-ui, 'DejaVu Sans', Arial, sans-serif"
MARGIN = 26  # around a board, for the numbers of rows and columns
HEADING, CAPTION = 34, 34  # the height of a line of words above or below a picture
DASHES = (5, 4)


class Line(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str = INK
    width: float = 1
    dashed: bool = False


class Circle(NamedTuple):
    """A circle about (x, y), filled, outlined, or both."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    width: float = 1


class Polygon(NamedTuple):
    """A closed shape with straight sides, filled, outlined, or both."""

    points: Sequence[tuple[float, float]]
    fill: str | None = None
    stroke: str | None = None
    width: float = 1
    dashed: bool = False


class Words(NamedTuple):
    """A line of words on the base line y; x is its "start", its "middle" or its "end"."""

    x: float
    y: float
    words: str
    size: float = 13
    fill: str = INK
    bold: bool = False
    anchor: str = "middle"


Shape: TypeAlias = Line | Circle | Polygon | Words


class Picture(NamedTuple):
    """Shapes, from the lowest to the topmost, and the same as text."""

    width: float
    height: float
    shapes: Sequence[Shape]
    text: str


class Board(NamedTuple):
    """What is to be seen on a board of squares; row 0 is at the top, or at the bottom."""

    rows: int
    columns: int
    pieces: Mapping[Square, str]  # 'X' or 'O'
    last: Square | None = None  # the square of the last move
    line: Collection[Square] = ()  # the pieces that have won
    ghost: Mapping[Square, str] = {}  # where a piece would go if one clicked now
    from_bottom: bool = False


def rectangle(x: float, y: float, width: float, height: float, fill: str) -> Polygon:
    """Return a filled rectangle whose top left corner is (x, y)."""
    return Polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill)


# --- as SVG ----------------------------------------------------------------------------------


def svg(picture: Picture, title: str, caption: str = "") -> str:
    """Return a picture as SVG, below its title and above a caption, with words for screen readers.

    Words that a reader hears are the title and, as the description, the picture as text.
    """
    width = max(picture.width, 8 * len(caption) + 24, 9 * len(title) + 24)
    height = HEADING + picture.height + (CAPTION if caption else 0)
    left = (width - picture.width) / 2
    words = [Words(width / 2, 23, title, 15, bold=True)]
    if caption:
        words.append(Words(width / 2, height - 13, caption))
    shapes = "".join(map(_svg_shape, picture.shapes))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:g}" '
        f'height="{height:g}" viewBox="0 0 {width:g} {height:g}" font-family="{FONT}">'
        f"<title>{escape(title)}</title><desc>{escape(picture.text)}\n{escape(caption)}</desc>"
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{PANEL}"/>'
        f'<g transform="translate({left:g} {HEADING})">{shapes}</g>'
        f"{''.join(map(_svg_shape, words))}</svg>"
    )


def _svg_shape(shape: Shape) -> str:
    if isinstance(shape, Words):
        weight = ' font-weight="bold"' if shape.bold else ""
        return (
            f'<text x="{shape.x:.1f}" y="{shape.y:.1f}" '
            f'font-size="{shape.size:g}"{weight} fill="{shape.fill}" text-anchor="{shape.anchor}">'
            f"{escape(shape.words)}</text>"
        )
    if isinstance(shape, Line):
        ends = f'x1="{shape.x1:.1f}" y1="{shape.y1:.1f}" x2="{shape.x2:.1f}" y2="{shape.y2:.1f}"'
        return f"<line {ends}{_look(None, shape.stroke, shape.width, shape.dashed)}/>"
    if isinstance(shape, Circle):
        where = f'cx="{shape.x:.1f}" cy="{shape.y:.1f}" r="{shape.radius:.1f}"'
        return f"<circle {where}{_look(shape.fill, shape.stroke, shape.width)}/>"
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
    look = _look(shape.fill, shape.stroke, shape.width, shape.dashed)
    return f'<polygon points="{points}"{look}/>'


def _look(fill: str | None, stroke: str | None, width: float, dashed: bool = False) -> str:
    look = f' fill="{fill or "none"}"'
    if stroke:
        look += f' stroke="{stroke}" stroke-width="{width:g}"'
    return look + (f' stroke-dasharray="{DASHES[0]} {DASHES[1]}"' if dashed else "")


# --- boards ----------------------------------------------------------------------------------


class Grid(NamedTuple):
    """Where the squares of a board lie in a picture."""

    rows: int
    columns: int
    side: float
    left: float
    top: float
    from_bottom: bool

    def corner(self, square: Square) -> tuple[float, float]:
        """Return the top left corner of a square."""
        row = self.rows - 1 - square[0] if self.from_bottom else square[0]
        return self.left + square[1] * self.side, self.top + row * self.side

    def centre(self, square: Square) -> tuple[float, float]:
        """Return the point in the middle of a square."""
        x, y = self.corner(square)
        return x + self.side / 2, y + self.side / 2

    def square(self, x: float, y: float) -> Square | None:
        """Return the square at a point, or None beside the board."""
        row, column = int((y - self.top) // self.side), int((x - self.left) // self.side)
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        return (self.rows - 1 - row if self.from_bottom else row), column


def grid(rows: int, columns: int, width: float, height: float, from_bottom: bool = False) -> Grid:
    """Return the largest grid of squares that fits into a picture, in its middle."""
    side = min((width - 2 * MARGIN) / columns, (height - 2 * MARGIN) / rows)
    left, top = (width - side * columns) / 2, (height - side * rows) / 2
    return Grid(rows, columns, side, left, top, from_bottom)


def board_picture(board: Board, width: float, height: float) -> Picture:
    """Draw a board: lines between squares, or, with row 0 at the bottom, a rack with holes."""
    places = grid(board.rows, board.columns, width, height, board.from_bottom)
    paint = _rack if board.from_bottom else _squares
    shapes = [*_numbers(places), *paint(board, places)]
    if board.line:
        (x1, y1), (x2, y2) = (places.centre(end(board.line)) for end in (min, max))
        shapes.append(Line(x1, y1, x2, y2, INK, max(3, places.side / 24)))
    return Picture(width, height, shapes, board_text(board))


def board_text(board: Board) -> str:
    """Return a board as text: [X] is the last move, *X* has won, the edges hold the numbers."""
    rows = range(board.rows)
    numbers = "  ".join(str(column) for column in range(board.columns))
    lines = ["    " + numbers]
    for row in reversed(rows) if board.from_bottom else rows:
        squares = [_square_text(board, (row, column)) for column in range(board.columns)]
        lines.append(f"{row:>2} " + "".join(squares))
    return "\n".join(line.rstrip() for line in lines)


def _square_text(board: Board, square: Square) -> str:
    piece = board.pieces.get(square, ".")
    if square in board.line:
        return f"*{piece}*"
    return f"[{piece}]" if square == board.last else f" {piece} "


def _numbers(places: Grid) -> list[Shape]:
    """Number the rows on the left; number the columns above, or below a rack."""
    shapes: list[Shape] = []
    for row in range(places.rows):
        y = places.centre((row, 0))[1] + 4
        shapes.append(Words(places.left - 13, y, str(row), 12, QUIET))
    bottom = places.top + places.rows * places.side + 18
    for column in range(places.columns):
        x = places.centre((0, column))[0]
        y = bottom if places.from_bottom else places.top - 9
        shapes.append(Words(x, y, str(column), 12, QUIET))
    return shapes


def _squares(board: Board, places: Grid) -> list[Shape]:
    """Draw the lines between the squares, and crosses and noughts."""
    side, shapes = places.side, list[Shape]()
    for square in board.line or ([board.last] if board.last else []):
        shapes.append(rectangle(*places.corner(square), side, side, "#fdf3b0"))
    right, bottom = places.left + side * board.columns, places.top + side * board.rows
    for row in range(1, board.rows):
        y = places.top + row * side
        shapes.append(Line(places.left, y, right, y, QUIET, 2))
    for column in range(1, board.columns):
        x = places.left + column * side
        shapes.append(Line(x, places.top, x, bottom, QUIET, 2))
    for pieces, colours in (board.ghost, GHOSTS), (board.pieces, PIECES):
        for square, piece in pieces.items():
            shapes += _mark(piece, *places.centre(square), side, colours)
    return shapes


def _mark(piece: str, x: float, y: float, side: float, colours: Mapping[str, str]) -> list[Shape]:
    reach, width, colour = 0.27 * side, max(2, 0.09 * side), colours.get(piece, INK)
    if piece == "O":
        return [Circle(x, y, 1.1 * reach, None, colour, width)]
    if piece == "X":
        return [
            Line(x - reach, y - reach, x + reach, y + reach, colour, width),
            Line(x - reach, y + reach, x + reach, y - reach, colour, width),
        ]
    return [Words(x, y + 0.17 * side, piece, 0.5 * side, colour, bold=True)]


def _rack(board: Board, places: Grid) -> list[Shape]:
    """Draw a rack with a hole for each square, and round pieces with their letters in them."""
    side, radius = places.side, 0.41 * places.side
    size = side * board.columns, side * board.rows
    shapes: list[Shape] = [rectangle(places.left, places.top, *size, "#d5dde7")]
    for column in {column for _, column in board.ghost}:
        shapes.append(rectangle(places.left + column * side, places.top, side, size[1], "#bac8d8"))
    for square in product(range(board.rows), range(board.columns)):
        x, y = places.centre(square)
        piece = board.pieces.get(square, "")
        ghost = board.ghost.get(square, "")
        colour = PIECES.get(piece) or GHOSTS.get(ghost) or PANEL
        shapes.append(Circle(x, y, radius, colour))
        if piece:
            shapes.append(Words(x, y + 0.13 * side, piece, 0.36 * side, PANEL, bold=True))
        if piece and (square == board.last or square in board.line):
            shapes.append(Circle(x, y, radius, None, INK, max(2, side / 18)))
    return shapes
