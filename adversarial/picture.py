"""Draw boards and trees, as text and as SVG.

Standard library only, one drawing for both media; an SVG has a `<title>` for screen readers and
tells nothing by colour alone.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

Square = tuple[int, int]

INK, QUIET, GOOD, BAD = "#24292f", "#8c959f", "#0550ae", "#bc4c00"
CELL, GAP, CAPTION = 26, 26, 34
NODE_STEP, LEVEL_STEP, RADIUS = 52, 62, 15


class Board(NamedTuple):
    """One board of a strip: its pieces, the square to mark, and a line below it."""

    pieces: Mapping[Square, str]
    marked: Square | None
    caption: str


class Node(NamedTuple):
    """A node of a tree: its name, what kind of visit it had, and its children."""

    name: str
    visit: str  # "visited", "superfluous", "missing" or "pruned"
    children: Sequence["Node"] = ()


VISITS = {
    "visited": (GOOD, "visited"),
    "superfluous": (BAD, "visited, but need not be"),
    "missing": (BAD, "not visited, but must be"),
    "pruned": (QUIET, "rightly not visited"),
}
MARKS = {"visited": "", "superfluous": " (!)", "missing": " (missing)", "pruned": " (-)"}


def boards_as_text(boards: Sequence[Board], rows: int, columns: int) -> str:
    """Return the boards side by side; the marked piece stands in brackets."""
    width = max(3 * columns, *(len(board.caption) for board in boards)) + 3
    lines = []
    for row in range(rows):
        parts = []
        for board in boards:
            squares = [_square_text(board, (row, column)) for column in range(columns)]
            parts.append("".join(squares).ljust(width))
        lines.append("".join(parts).rstrip())
    lines.append("".join(board.caption.ljust(width) for board in boards).rstrip())
    return "\n".join(lines)


def boards_as_svg(boards: Sequence[Board], rows: int, columns: int, title: str) -> str:
    """Return the boards as a strip."""
    longest = max(len(board.caption) for board in boards)
    step = max(columns * CELL, 7 * longest) + GAP
    parts = []
    for number, board in enumerate(boards):
        parts.append(_board_svg(board, rows, columns, number * step + GAP / 2))
    return _svg("".join(parts), len(boards) * step, rows * CELL + CAPTION + 8, title)


def tree_as_text(root: Node) -> str:
    """Return the tree as an indented list."""

    def lines(node: Node, depth: int) -> list[str]:
        own = "  " * depth + node.name + MARKS[node.visit]
        return [own, *(line for child in node.children for line in lines(child, depth + 1))]

    return "\n".join(lines(root, 0))


def tree_as_svg(root: Node, title: str) -> str:
    """Return the tree, with a legend of the kinds of visit that occur in it."""
    places: list[tuple[Node, float, float]] = []
    parts: list[str] = []

    def place(node: Node, depth: int, left: float) -> tuple[float, float]:
        """Place a subtree from `left` on; return the node's x and the right edge."""
        y = depth * LEVEL_STEP + RADIUS + 6
        xs, right = [], left
        for child in node.children:
            x, right = place(child, depth + 1, right)
            xs.append(x)
        if not xs:
            xs, right = [left + NODE_STEP / 2], left + NODE_STEP
        x = (xs[0] + xs[-1]) / 2
        for child, child_x in zip(node.children, xs, strict=False):
            parts.append(_edge(x, y + RADIUS, child_x, y + LEVEL_STEP - RADIUS, child.visit))
        places.append((node, x, y))
        return x, right

    _, width = place(root, 0, 0)
    parts += [_node_svg(node, x, y) for node, x, y in places]
    below = max(y for _, _, y in places) + RADIUS
    kinds = dict.fromkeys(node.visit for node, _, _ in reversed(places))
    for number, kind in enumerate(kinds):
        y = below + 24 + 20 * number
        parts.append(_node_svg(Node("", kind), 14, y - 4, radius=7))
        parts.append(_text(28, y, VISITS[kind][1], anchor="start"))
    return _svg("".join(parts), max(width, 260), below + 20 * len(kinds) + 16, title)


def _square_text(board: Board, square: Square) -> str:
    piece = board.pieces.get(square, ".")
    return f"[{piece}]" if square == board.marked else f" {piece} "


def _board_svg(board: Board, rows: int, columns: int, left: float) -> str:
    parts = []
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * CELL, row * CELL + 4
            marked = (row, column) == board.marked
            look = (
                f'fill="#fff8c5" stroke="{BAD}" stroke-width="2"'
                if marked
                else (f'fill="none" stroke="{QUIET}"')
            )
            parts.append(f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" {look}/>')
            if piece := board.pieces.get((row, column)):
                middle = x + CELL / 2
                parts.append(_text(middle, y + CELL - 7, piece, size=18, weight="bold"))
    below = rows * CELL + 24
    parts.append(_text(left + columns * CELL / 2, below, board.caption))
    return "".join(parts)


def _edge(x1: float, y1: float, x2: float, y2: float, visit: str) -> str:
    dashes = "" if visit in ("visited", "superfluous") else ' stroke-dasharray="4 4"'
    colour = VISITS[visit][0]
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}"{dashes}/>'


def _node_svg(node: Node, x: float, y: float, radius: float = RADIUS) -> str:
    colour = VISITS[node.visit][0]
    dashes = "" if node.visit in ("visited", "superfluous") else ' stroke-dasharray="4 4"'
    width = 3 if node.visit in ("superfluous", "missing") else 1.5
    circle = (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="white" stroke="{colour}" '
        f'stroke-width="{width}"{dashes}/>'
    )
    return circle + (_text(x, y + 4, node.name) if node.name else "")


def _text(
    x: float, y: float, words: str, size: int = 12, weight: str = "normal", anchor: str = "middle"
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="sans-serif" font-size="{size}" '
        f'font-weight="{weight}" fill="{INK}" text-anchor="{anchor}">{escape(words)}</text>'
    )


def _svg(body: str, width: float, height: float, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:g}" '
        f'height="{height:g}" viewBox="0 0 {width:g} {height:g}"><title>{escape(title)}</title>'
        f'<rect width="100%" height="100%" fill="white"/>{body}</svg>'
    )
