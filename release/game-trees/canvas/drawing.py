"""Draw boards and trees, as shapes that become SVG, and as text.

A `Picture` is a list of shapes with words for those who cannot see it. `page` paints the same
list in a page. Notebooks, feedback and lessons draw with this. No rules of a game and no search
are in here. It needs only Python itself.

Sizes are pixels; x grows to the right and y downwards. Nothing is told by colour alone, and the
colours are those of Okabe and Ito, which colour-blind people can tell apart. A picture brings a
light panel of its own, so that it looks the same on a dark page.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from itertools import product
from typing import Any, NamedTuple, TypeAlias, TypeVar

Square: TypeAlias = tuple[int, int]  # (row, column)
Key = TypeVar("Key")

INK, QUIET, FAINT, PANEL = "#22262b", "#6b7480", "#c9d0d8", "#fbfaf7"
BLUE, ORANGE, GREEN, YELLOW = "#0072b2", "#d55e00", "#009e73", "#f0e442"
PALE_BLUE, PALE_ORANGE, PALE_YELLOW = "#b9d8ea", "#f5cfb3", "#fdf3b0"
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
    """The content of a board of squares; row 0 is at the top, or at the bottom."""

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
    """The position of a board's squares in a picture, in pixels."""

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
    shapes = [*edge_numbers(places), *board_shapes(board, places)]
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


def board_shapes(board: Board, places: Grid) -> list[Shape]:
    """Draw a board without numbers, and a line through the pieces that have won."""
    shapes = (_rack if board.from_bottom else _squares)(board, places)
    if board.line:
        (x1, y1), (x2, y2) = (places.centre(end(board.line)) for end in (min, max))
        shapes.append(Line(x1, y1, x2, y2, INK, max(3, places.side / 24)))
    return shapes


def edge_numbers(places: Grid) -> list[Shape]:
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
        shapes.append(rectangle(*places.corner(square), side, side, PALE_YELLOW))
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


# --- trees -----------------------------------------------------------------------------------
#
# A triangle that points up is a state in which the player moves for whom the values are, one that
# points down is the opponent's, a square is a leaf. What is not visited is dashed or grey.

LEFT, TOP, LEVEL = 52, 30, 84  # room for the names of the players; height of a ply
LARGEST, SMALLEST = 17, 1.2  # half the width of a node
READABLE = 10.5  # half the width of a node that has room for a number
LETTER = 8  # the width of a letter, at most
PLAIN, LEAST = 13, 10  # the size of a number, and the smallest that can be read
DIGIT = 0.6  # the width of a digit, as a part of its size
FOR_NOTES = 34  # the room that notes take
NARROWEST, WIDEST = 460, 846  # a tree
BOARD, BOARD_LEVEL = 33, 136  # half the width of a small board in the place of a node; its ply


class Visit(StrEnum):
    """Whether a search has visited a state, and whether it had to."""

    VISITED = "looked at"
    SUPERFLUOUS = "looked at, but need not be"
    MISSING = "not looked at, but must be"
    PRUNED = "pruned"
    AHEAD = "not looked at"


SEEN = (Visit.VISITED, Visit.SUPERFLUOUS)
WRONG = (Visit.SUPERFLUOUS, Visit.MISSING)  # these have thick lines
DASHED = (Visit.MISSING, Visit.PRUNED)
BOUNDS = ("≤", "≥")  # before a value that is not exact


@dataclass(eq=False)
class Node:
    """A state in a tree, as it is drawn; what is empty is left out."""

    name: str = ""
    mover: str = ""  # who is to move, or "" if the game is over
    value: str = ""
    children: Sequence["Node"] = ()
    visit: Visit = Visit.VISITED
    move: str = ""  # beside the line that leads here
    chosen: bool = False
    current: bool = False
    notes: Sequence[str] = ()  # at its side: alpha and beta
    below: int = 0  # how many states are below it that are not drawn
    board: Board | None = None  # to be drawn in the place of a triangle
    stands_for: Any = None

    def here_and_below(self) -> Iterator["Node"]:
        """Yield the node and all below it, parents before children, from left to right."""
        yield self
        for child in self.children:
            yield from child.here_and_below()


class Place(NamedTuple):
    """The position of a node, half its width, and the room around it, in pixels."""

    x: float
    y: float
    radius: float
    gap: float  # to the closest neighbour


def tree_picture(root: Node, width: float = 0, player: str = "", legend: bool = False) -> Picture:
    """Draw a tree as `player` sees it, by default who moves at the root, in a width that fits.

    A legend says how the kinds of visit look that occur.
    """
    width = width or tree_width(root)
    places = layout(root, width)
    player = player or root.mover
    edges: list[Shape] = []
    nodes: list[Shape] = []
    for node, place in places.items():
        for child in node.children:
            edges += _edge(child, place, places[child], _foot(node, place))
        nodes += _board_node(node, place) if node.board else _node(node, place, player, root)
    kinds = [kind for kind in Visit if any(node.visit is kind for node in places)]
    height = max(place.y for place in places.values()) + _room_below(places)
    for kind in kinds if legend else ():
        nodes += _node(Node(visit=kind), Place(20, height, 7, 0), player, root)
        nodes.append(Words(36, height + 4, kind, 12, INK, anchor="start"))
        height += 20
    shapes = [*_players(places), *edges, *nodes]
    return Picture(width, height, shapes, tree_text(root))


def tree_width(root: Node) -> float:
    """Return a width in which a tree can be read, if a page has it."""
    ends = [node for node in root.here_and_below() if not node.children]
    longest = max(len(node.value) for node in ends)
    slot = 82 if any(node.board for node in ends) else max(29, DIGIT * LEAST * longest + 12)
    return min(WIDEST, max(NARROWEST, LEFT + 12 + slot * len(ends)))


def layout(root: Node, width: float) -> dict[Node, Place]:
    """Give each node its place: leaves side by side, parents above their children."""
    depth = {root: 0}
    nodes = list(root.here_and_below())
    for node in nodes:
        depth |= dict.fromkeys(node.children, depth[node] + 1)
    ends = [node for node in nodes if not node.children]
    slot = (width - LEFT - 12) / len(ends)
    x = {node: LEFT + (number + 0.5) * slot for number, node in enumerate(ends)}
    for node in reversed(nodes):
        if node.children:
            x[node] = (x[node.children[0]] + x[node.children[-1]]) / 2
    closest = _closest(depth, x)
    boards = any(node.board for node in nodes)
    top, level = (BOARD + 6, BOARD_LEVEL) if boards else (TOP, LEVEL)
    return {
        node: Place(
            x[node],
            top + level * depth[node],
            BOARD if boards else max(SMALLEST, min(LARGEST, 0.44 * closest[depth[node]])),
            closest[depth[node]],
        )
        for node in nodes
    }


def tree_text(root: Node, depth: int = 0) -> str:
    """Return a tree as a list, children below their parents and further in."""
    below = (tree_text(child, depth + 1) for child in root.children)
    return "\n".join(["  " * depth + (_said(root) or "root"), *below])


def numbers_said(
    tree: Any,
    said: Mapping[tuple[int, ...], float],
    current: tuple[int, ...],
    cut: Mapping[tuple[int, ...], str] = {},
) -> Node:
    """Return a tree of nested lists with the value of each state, and one state marked.

    `cut` says which values are bounds, "≤" or "≥", and what was "pruned".
    """

    def node(here: Any, path: tuple[int, ...]) -> Node:
        below, mark = here if isinstance(here, list) else [], cut.get(path, "")
        mover = ("MAX", "MIN")[len(path) % 2] if below else ""
        value = number(said[path]) if path in said else "" if below else number(here)
        children = [node(child, (*path, i)) for i, child in enumerate(below)]
        name = "".join(map(str, path))
        visit = Visit.PRUNED if mark == Visit.PRUNED else Visit.VISITED
        if value and mark in BOUNDS:
            value = f"{mark} {value}"
        return Node(name, mover, value, children, visit, current=path == current)

    return node(tree, ())


def number(value: float) -> str:
    """Return a number as people write it: 3, -0.5, 0.3333, ∞."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{round(value, 4):.12g}"


def _said(node: Node) -> str:
    board, value = node.board, node.value
    rows = [] if board is None else [
        " ".join(board.pieces.get((row, column), ".") for column in range(board.columns))
        for row in range(board.rows)
    ]  # fmt: skip
    said = [f"{node.move}:" if node.move else "", " / ".join(rows), node.name]
    said += [f"({node.mover})" if node.mover else ""]
    said += [value if not value or value[0] in BOUNDS else f"= {value}"]
    said += ["" if node.visit is Visit.VISITED else node.visit, "<- chosen" if node.chosen else ""]
    return " ".join(filter(None, said))


def _closest(depth: Mapping[Node, int], x: Mapping[Node, float]) -> dict[int, float]:
    """Return the least distance between neighbours at each depth."""
    least: dict[int, float] = {}
    before: dict[int, float] = {}
    for node, ply in depth.items():  # at each depth from left to right
        gap = x[node] - before.get(ply, -math.inf)
        least[ply] = min(gap, least.get(ply, math.inf))
        before[ply] = x[node]
    return least


def _room_below(places: Mapping[Node, Place]) -> float:
    """Return the height that the last ply takes, with the names below it."""
    if any(node.board for node in places):
        return BOARD + 34
    return 52 if min(place.radius for place in places.values()) > READABLE else 30


def _players(places: dict[Node, Place]) -> list[Shape]:
    """Name the player to move beside each ply."""
    names = {place.y: node.mover for node, place in reversed(places.items()) if node.mover}
    return [
        Words(8, y + 5, name, 12, QUIET, bold=True, anchor="start") for y, name in names.items()
    ]


def _foot(node: Node, place: Place) -> float:
    """Return the height at which the lines from a node to its children begin."""
    if node.board is None:
        return place.y + 0.8 * place.radius
    return place.y + place.radius + (24 if node.name or node.value else 4)


def _edge(node: Node, above: Place, place: Place, start: float) -> list[Shape]:
    """Draw the line to a node, and the move beside it, on its outer side."""
    ends = above.x, start, place.x, place.y - place.radius
    small = place.radius <= 4
    if node.chosen:
        line = Line(*ends, GREEN, 4)
    elif node.visit in WRONG:
        line = Line(*ends, INK, 3, node.visit in DASHED)
    elif node.visit is Visit.PRUNED:
        line = Line(*ends, QUIET, 1.2, dashed=True)
    elif node.visit is Visit.VISITED:
        line = Line(*ends, INK, 0.5 if small else 1.5)
    else:
        line = Line(*ends, FAINT, 0.5 if small else 1)
    if not node.move:
        return [line]
    x, y = (line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2
    side, anchor = (-8, "end") if line.x2 < line.x1 else (8, "start")
    return [line, Words(x + side, y, node.move, 13, QUIET, anchor=anchor)]


def _node(node: Node, place: Place, player: str, root: Node) -> list[Shape]:
    """Draw a triangle or a square with its value, its name and its notes."""
    x, y, radius, gap = place
    seen, wrong, up = node.visit in SEEN, node.visit in WRONG, node.mover == player
    if not (seen or wrong):
        colour = FAINT
    elif node.mover:
        colour = BLUE if up else ORANGE
    else:
        colour = INK
    if node.current or wrong:
        fill = YELLOW if node.current else PALE_YELLOW
    else:
        fill = PANEL if radius > 3 or not seen else colour
    width = (4 if wrong else 2) if radius > 6 else 1
    dashed = node.visit in DASHED and radius > 6
    size = min(PLAIN, max(LEAST, 2 * radius / max(2, len(node.value))))
    takes = DIGIT * size * len(node.value)
    wide = min(0.48 * gap, takes / 2 + 4)
    outline = _triangle(place, up, wide) if node.mover else _leaf_outline(place, wide)
    shapes: list[Shape] = [Polygon(outline, fill, colour, width, dashed)]
    if radius < READABLE:
        return shapes
    if node.value and takes < gap:  # or nobody could read it
        low = (9 if up else 1) if node.mover else 5
        shapes.append(Words(x, y + low, node.value, size, INK if seen else QUIET, bold=seen))
    shapes += _names(node, place, root)
    if node.notes and gap > _room(node, place) + FOR_NOTES:
        for note, down in zip(node.notes, (-4, 10), strict=False):
            shapes.append(Words(x + radius + 4, y + down, note, 11, INK, anchor="start"))
    return shapes


def _names(node: Node, place: Place, root: Node) -> list[Shape]:
    """Write the name of a state, and how many states there are below that are not drawn."""
    x, y, radius, gap = place
    small = min(12, max(LEAST, 3.4 * radius / max(2, len(node.name))))
    ink = QUIET if node.visit in (*SEEN, *WRONG) else "#9aa3ad"
    last = node is not root and not node.children
    if last and DIGIT * small * len(node.name) < gap:
        at, anchor = (x, y + radius + 15), "middle"
    elif not last and gap > _room(node, place):
        at, anchor = (x - 1.15 * radius - 4, y - radius + 9), "end"
    else:
        return []
    shapes: list[Shape] = [Words(*at, node.name, small, ink, node.visit in WRONG, anchor)]
    more = f"+{node.below:,}"
    if node.below and (last or gap > 2.3 * radius + LETTER * (len(more) - 1)):
        shapes.append(Words(at[0], at[1] + 14, more, min(11, small), QUIET, anchor=anchor))
    return shapes


def _room(node: Node, place: Place) -> float:
    """Return the width of a node with its name."""
    return 2.3 * place.radius + LETTER * len(node.name) + 4


def _board_node(node: Node, place: Place) -> list[Shape]:
    """Draw a small board as a node, its name and its value below."""
    if node.board is None:
        return []
    x, y, radius, _ = place
    board, words = node.board, f"{node.name} {node.value}".strip()
    side = 2 * radius / max(board.rows, board.columns)
    left, top = x - side * board.columns / 2, y - side * board.rows / 2
    places = Grid(board.rows, board.columns, side, left, top, board.from_bottom)
    return [*board_shapes(board, places), Words(x, y + radius + 18, words, 13, INK, bold=True)]


def _triangle(place: Place, up: bool, wide: float) -> list[tuple[float, float]]:
    x, y, radius, _ = place
    tip, side = (-radius if up else radius), max(1.15 * radius, wide)
    return [(x, y + tip), (x + side, y - tip), (x - side, y - tip)]


def _leaf_outline(place: Place, wide: float) -> list[tuple[float, float]]:
    x, y, high, side = place.x, place.y, 0.86 * place.radius, max(0.86 * place.radius, wide)
    return [(x - side, y - high), (x + side, y - high), (x + side, y + high), (x - side, y + high)]
