"""Draw the pictures of the lessons, each by a function that returns SVG.

Shapes, colours and boards are those of `canvas.drawing`; here are trees with values, whose nodes a
lesson shows as far as its story has come. Nothing is searched. Used by the site only.
"""

from collections.abc import Sequence
from typing import NamedTuple

from canvas.drawing import (
    BLUE,
    FAINT,
    INK,
    ORANGE,
    PALE_BLUE,
    PALE_ORANGE,
    PANEL,
    QUIET,
    Board,
    Circle,
    Line,
    Picture,
    Polygon,
    Shape,
    Words,
    board_picture,
    rectangle,
    svg,
)
from games import Fig52Game, state_from

LEVEL, TOP, SIZE = 88, 34, 17  # between plies; above the root; half the width of a triangle
MAX, MIN, LEAF = "MAX", "MIN", ""


class Node(NamedTuple):
    """A node of a drawn tree: whose turn it is, its name, and the value as far as it is known."""

    mover: str
    name: str
    value: str = ""
    children: Sequence["Node"] = ()
    move: str = ""  # that leads to it
    chosen: bool = False
    skipped: bool = False
    board: Board | None = None


# --- trees -----------------------------------------------------------------------------------


def tree(root: Node, title: str, step: float = 50, level: float = LEVEL) -> str:
    """Return a tree as SVG, its leaves `step` pixels apart."""
    places: list[tuple[Node, float, float]] = []
    lines: list[Shape] = []
    leaves = 0

    def place(node: Node, depth: int) -> float:
        """Place what is below a node, then the node above its children; return its x."""
        nonlocal leaves
        y = TOP + depth * level
        if not node.children:
            leaves += 1
            x = (leaves - 0.5) * step
        else:
            below = [(child, place(child, depth + 1)) for child in node.children]
            x = sum(at for _, at in below) / len(below)
            for child, at in below:
                lines.extend(_edge(child, x, y, at, y + level))
        places.append((node, x, y))
        return x

    place(root, 0)
    shapes = lines + [shape for node, x, y in places for shape in _node(node, x, y)]
    bottom = max(y + (node.board is not None) * 34 for node, _, y in places)
    text = "\n".join(_outline(root, 0))
    return svg(Picture(leaves * step, bottom + 34, shapes, text), title)


def _edge(child: Node, x: float, y: float, at: float, below: float) -> list[Shape]:
    """Draw the move to a child; thick when it is chosen, dashed when it is skipped."""
    colour = FAINT if child.skipped else INK if child.chosen else QUIET
    edge: list[Shape] = [Line(x, y, at, below, colour, 4 if child.chosen else 1.5, child.skipped)]
    if child.move:
        # Beside the middle of the line, on its outer side.
        side = -1 if at < x else 1
        edge.append(Words((x + at) / 2 + side * 14, (y + below) / 2, child.move, 13, QUIET))
    return edge


def _node(node: Node, x: float, y: float) -> list[Shape]:
    """Draw a triangle for a player, a small board, or the number of a leaf."""
    if node.board is not None:
        return _small_board(node, x, y)
    ink = QUIET if node.skipped else INK
    if node.mover == LEAF:
        name = [Words(x, y + 24, node.name, 12, QUIET)] if node.name else []
        return [
            rectangle(x - SIZE - 3, y - 14, 2 * SIZE + 6, 28, PANEL),
            Words(x, y + 5, node.value, 15, ink, bold=not node.skipped),
            *name,
        ]
    up = -1 if node.mover == MAX else 1
    points = [(x, y + up * SIZE), (x - SIZE, y - up * 13), (x + SIZE, y - up * 13)]
    fill, stroke = (PALE_BLUE, BLUE) if node.mover == MAX else (PALE_ORANGE, ORANGE)
    shapes: list[Shape] = [Polygon(points, fill, stroke, 2)]
    if node.name:
        shapes.append(Words(x, y - up * 4 + 4, node.name, 12, INK, bold=True))
    if node.value:
        shapes.append(Words(x + SIZE + 5, y + 5, node.value, 15, INK, bold=True, anchor="start"))
    return shapes


def _small_board(node: Node, x: float, y: float) -> list[Shape]:
    """Draw a board as a node, its value below."""
    if node.board is None:
        return []
    picture = board_picture(node.board, 118, 118)  # 26 of them on each side are for numbers
    shapes: list[Shape] = [rectangle(x - 36, y - 36, 72, 72, PANEL)]
    shapes += [_moved(s, x - 59, y - 59) for s in picture.shapes if not _is_number(s)]
    words = f"{node.name}  {node.value}".strip()
    if words:
        shapes.append(rectangle(x - 4 * len(words), y + 38, 8 * len(words), 18, PANEL))
        shapes.append(Words(x, y + 52, words, 13, INK, bold=True))
    return shapes


def _is_number(shape: Shape) -> bool:
    return isinstance(shape, Words) and shape.words.isdigit()


def _moved(shape: Shape, dx: float, dy: float) -> Shape:
    """Return a shape elsewhere."""
    if isinstance(shape, Line):
        return shape._replace(
            x1=shape.x1 + dx, y1=shape.y1 + dy, x2=shape.x2 + dx, y2=shape.y2 + dy
        )
    if isinstance(shape, Polygon):
        return shape._replace(points=[(x + dx, y + dy) for x, y in shape.points])
    return shape._replace(x=shape.x + dx, y=shape.y + dy)


def _outline(node: Node, depth: int) -> list[str]:
    """Return a tree as an indented list, for those who cannot see it."""
    said = [node.move and f"by {node.move} to", node.mover, node.name, node.value]
    said += ["(chosen)" if node.chosen else "", "(not looked at)" if node.skipped else ""]
    if node.board is not None:
        rows, columns = range(node.board.rows), range(node.board.columns)
        said.insert(0, " / ".join(
            " ".join(node.board.pieces.get((r, c), ".") for c in columns) for r in rows
        ))  # fmt: skip
    own = "  " * depth + " ".join(filter(None, said))
    return [own, *(line for child in node.children for line in _outline(child, depth + 1))]


# --- the lessons' trees ----------------------------------------------------------------------


def _leaf(value: object, name: str = "", chosen: bool = False, skipped: bool = False) -> Node:
    return Node(LEAF, name, str(value), chosen=chosen, skipped=skipped)


def two_ply() -> str:
    """The tree in which a large leaf does not count."""
    left, right = [99, 1000, 1000], [101, 100, 102]
    below = [
        Node(MIN, "", str(min(leaves)), [_leaf(x, chosen=x == min(leaves)) for x in leaves])
        for leaves in (left, right)
    ]
    children = [below[0]._replace(move="left"), below[1]._replace(move="right", chosen=True)]
    return tree(Node(MAX, "", str(max(min(left), min(right))), children), "Two plies", 64)


def _fig52(values: dict[str, str], looked_at: int, skipped: str = "", alpha: str = "") -> str:
    """Return figure 5.2 after so many leaves, with what is known of its inner states."""
    game = Fig52Game()
    left = iter(range(9))
    children = []
    for move, state in game.children["A"].items():
        leaves = []
        for leaf in game.children[state].values():
            known = leaf not in skipped.split() and next(left) < looked_at
            gone = leaf in skipped.split()
            value = game.leaves[leaf] if known else ""
            leaves.append(_leaf(value if known else "?", leaf, skipped=gone or not known))
        children.append(Node(MIN, state, values.get(state, ""), leaves, move))
    root = Node(MAX, "A", values.get("A", ""), children)
    return tree(root, f"Figure 5.2 after {looked_at} leaves{alpha}")


def fig52_b() -> str:
    """B is done."""
    return _fig52({"B": "= 3", "A": "≥ 3"}, 3)


def fig52_c() -> str:
    """C is cut off."""
    return _fig52({"B": "= 3", "C": "≤ 2", "A": "≥ 3"}, 4, "C2 C3")


def fig52_d() -> str:
    """All is known that has to be."""
    return _fig52({"B": "= 3", "C": "≤ 2", "D": "= 2", "A": "= 3"}, 7, "C2 C3")


def best_first() -> str:
    """The same leaves, the best moves first."""
    rows = {"B": [3, 8, 12], "C": [2, 4, 6], "D": [2, 5, 14]}
    children = []
    for state, leaves in rows.items():
        seen = 3 if state == "B" else 1
        below = [_leaf(x if i < seen else "?", skipped=i >= seen) for i, x in enumerate(leaves)]
        children.append(Node(MIN, state, "= 3" if state == "B" else "≤ 2", below))
    children[0] = children[0]._replace(chosen=True)
    return tree(Node(MAX, "A", "= 3", children), "Best first: five leaves of nine")


def heap() -> str:
    """A heap of five stones and the moves in it."""
    children = [
        Node(MIN, str(5 - take), "", [Node(MAX, str(5 - take - more), move=str(more))
                                      for more in (1, 2, 3) if more <= 5 - take],
             str(take))
        for take in (1, 2, 3)
    ]  # fmt: skip
    return tree(Node(MAX, "5", "", children), "Two plies from a heap of five", 54)


def _tic_tac_toe(picture: str, **more: object) -> Board:
    return Board(3, 3, state_from(picture).board, **more)  # type: ignore[arg-type]


def must_choose() -> str:
    """O chooses between a defeat and a draw."""
    lost = Node(LEAF, "X has won:", "+1", board=_tic_tac_toe(
        "X O X / O O X / O X X", last=(2, 2), line=[(0, 2), (1, 2), (2, 2)]))  # fmt: skip
    drawn = Node(LEAF, "a draw:", "0", board=_tic_tac_toe("X O X / O O X / X X O", last=(2, 0)))
    left = Node(MAX, "worth", "+1", [lost], board=_tic_tac_toe(
        "X O X / O O X / O X .", last=(2, 0)))  # fmt: skip
    right = Node(MAX, "worth", "0", [drawn], board=_tic_tac_toe(
        "X O X / O O X / . X O", last=(2, 2)), chosen=True)  # fmt: skip
    root = Node(MIN, "O to move, worth", "0", [left, right], board=_tic_tac_toe(
        "X O X / O O X / . X ."))  # fmt: skip
    return tree(root, "O must choose", 190, 136)


def game_tree() -> str:
    """The first plies of tic-tac-toe, up to symmetry."""
    replies = ["X O . / . . . / . . .", "X . O / . . . / . . .", "X . . / . O . / . . .",
               "X . . / . . O / . . .", "X . . / . . . / . . O"]  # fmt: skip
    below = [Node(LEAF, "", board=_tic_tac_toe(reply)) for reply in replies]
    firsts = [
        Node(MIN, "", "", below, board=_tic_tac_toe("X . . / . . . / . . .")),
        Node(MIN, "", "", board=_tic_tac_toe(". X . / . . . / . . .")),
        Node(MIN, "", "", board=_tic_tac_toe(". . . / . X . / . . .")),
    ]
    root = Node(MAX, "", "", firsts, board=_tic_tac_toe(". . . / . . . / . . ."))
    return tree(root, "The beginning of a game tree", 82, 110)


def entrance() -> str:
    """A board in the middle of a game, for the first page."""
    board = _tic_tac_toe("X . . / . . O / . X O")
    return svg(board_picture(board, 300, 300), "X to move")


# --- Connect Four ----------------------------------------------------------------------------


def growth() -> str:
    """How many states there are at each depth of Connect Four."""
    left, longest, row = 74, 250, 30
    shapes: list[Shape] = []
    for depth in range(7):
        count = 7**depth  # no column is full, and nobody can have won, before the seventh move
        y, long = 6 + depth * row, max(1.0, longest * count / 7**6)
        shapes.append(Words(left - 10, y + 15, f"depth {depth}", 13, QUIET, anchor="end"))
        shapes.append(rectangle(left, y, long, row - 9, BLUE))
        shapes.append(Words(left + long + 8, y + 15, f"{count:,}", 13, INK, anchor="start"))
    text = ", ".join(f"depth {depth}: {7**depth:,}" for depth in range(7))
    return svg(Picture(400, 7 * row + 10, shapes, text), "States at each depth")


def segments() -> str:
    """One segment of each direction on an empty board."""
    picture = board_picture(Board(6, 7, {}, from_bottom=True), 380, 340)
    lines = [((0, 0), (0, 3)), ((1, 6), (4, 6)), ((1, 1), (4, 4)), ((5, 0), (2, 3))]
    side = min((380 - 52) / 7, (340 - 52) / 6)
    left, top = (380 - 7 * side) / 2, (340 - 6 * side) / 2
    shapes = list(picture.shapes)
    for ends in lines:
        (x1, y1), (x2, y2) = (
            (left + (column + 0.5) * side, top + (5.5 - row) * side) for row, column in ends
        )
        shapes.append(Line(x1, y1, x2, y2, INK, 7))
        shapes += [Circle(x, y, 8, ORANGE, INK, 2) for x, y in ((x1, y1), (x2, y2))]
    text = "One segment in the bottom row, one in the last column, one rising, one falling."
    return svg(Picture(380, 340, shapes, text), "Segments of four squares")


def horizon() -> str:
    """O threatens, and a short look does not see it."""
    pieces = {(0, 0): "X", (0, 1): "O", (0, 2): "O", (0, 3): "O", (1, 1): "X", (1, 2): "X"}
    board = Board(6, 7, pieces, from_bottom=True)
    return svg(board_picture(board, 380, 340), "X to move", "Column 4 must be blocked now.")
