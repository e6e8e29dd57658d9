"""Draw the pictures of the lessons, each by a function that returns SVG.

The drawing is that of `canvas.drawing`, as in the notebooks and in feedback; here is what to draw,
as far as the story of a lesson has come. What a number needs to be true is worked out by the
course's own oracles. Used by the site only.
"""

from adversarial.checks.connect_four import by_segments
from adversarial.checks.limited import worth
from adversarial.games.recorded import Trace
from games import ConnectFour, Fig52Game, after, infinity, state_from
from handout.canvas.boards import Board
from handout.canvas.drawing import (
    BLUE,
    INK,
    ORANGE,
    QUIET,
    Node,
    Picture,
    Visit,
    label,
    moved,
    shape,
    svg,
    tree_picture,
)

MAX, MIN = "MAX", "MIN"

# --- the lessons' trees ----------------------------------------------------------------------


def _leaf(value: object, name: str = "", chosen: bool = False, seen: bool = True) -> Node:
    visit = Visit.VISITED if seen else Visit.AHEAD
    return Node(name, value=str(value), chosen=chosen, visit=visit)


def two_ply() -> str:
    """The tree in which a large leaf does not count."""
    left, right = [99, 1000, 1000], [101, 100, 102]
    below = []
    for leaves, to in (left, "left"), (right, "right"):
        least = min(leaves)
        children = [_leaf(leaf, chosen=leaf == least) for leaf in leaves]
        below.append(Node("", MIN, str(least), children, move=to, chosen=leaves is right))
    return svg(tree_picture(Node("", MAX, str(min(right)), below)), "Two plies")


def _fig52(
    values: dict[str, str], looked_at: int, skipped: str = "", windows: dict[str, str] | None = None
) -> str:
    """Return figure 5.2 after so many leaves, with what is known of its inner states.

    `windows` holds alpha and beta of some states.
    """
    notes = {state: window.split(", ") for state, window in (windows or {}).items()}
    game = Fig52Game()
    left = iter(range(9))
    children = []
    for move, state in game.children["A"].items():
        leaves = []
        for leaf in game.children[state].values():
            if leaf in skipped.split():
                leaves.append(Node(leaf, visit=Visit.PRUNED))
            else:
                seen = next(left) < looked_at
                leaves.append(_leaf(game.leaves[leaf] if seen else "?", leaf, seen=seen))
        begun = any(leaf.visit is Visit.VISITED for leaf in leaves)
        visit = Visit.VISITED if begun else Visit.AHEAD
        children.append(
            Node(state, MIN, values.get(state, ""), leaves, visit, move, notes=notes.get(state, ()))
        )
    root = Node("A", MAX, values.get("A", ""), children, notes=notes.get("A", ()))
    return svg(tree_picture(root, 40), f"Figure 5.2 after {looked_at} leaves")


def fig52_b() -> str:
    """B is done."""
    return _fig52({"B": "3", "A": "≥ 3"}, 3)


def fig52_c() -> str:
    """C is cut off."""
    return _fig52({"B": "3", "C": "≤ 2", "A": "≥ 3"}, 4, "C2 C3")


def fig52_d() -> str:
    """All is known that has to be."""
    return _fig52({"B": "3", "C": "≤ 2", "D": "2", "A": "3"}, 7, "C2 C3")


def fig52_windows() -> list[tuple[str, str]]:
    """The same story with alpha and beta: a picture of each step, and words for it."""
    open_, at_3 = {"A": "α -∞, β ∞"}, {"A": "α 3, β ∞"}
    b = {"B": "3", "A": "≥ 3"}
    c = {**b, "C": "≤ 2"}
    return [
        (_fig52({}, 0, windows=open_), "MAX is sure of nothing yet: the window is open wide."),
        (
            _fig52({"B": "≤ 3"}, 1, windows={**open_, "B": "α -∞, β 3"}),
            "B1 is a 3. MIN can hold MAX down to 3 here: beta is 3.",
        ),
        (
            _fig52({"B": "≤ 3"}, 2, windows={**open_, "B": "α -∞, β 3"}),
            "B2 is a 12. MIN would not take it.",
        ),
        (
            _fig52(b, 3, windows={**at_3, "B": "α -∞, β 3"}),
            "B3 is an 8. B is worth 3, and at A alpha becomes 3.",
        ),
        (
            _fig52(c, 4, "C2 C3", {**at_3, "C": "α 3, β 2"}),
            "C1 is a 2: at C nothing is left between alpha and beta. C2 and C3 are skipped.",
        ),
        (
            _fig52({**c, "D": "≤ 14"}, 5, "C2 C3", {**at_3, "D": "α 3, β 14"}),
            "D1 is a 14. Between 3 and 14 there is room: go on.",
        ),
        (
            _fig52({**c, "D": "≤ 5"}, 6, "C2 C3", {**at_3, "D": "α 3, β 5"}),
            "D2 is a 5. Between 3 and 5 there is still room.",
        ),
        (
            _fig52({"B": "3", "C": "≤ 2", "D": "2", "A": "3"}, 7, "C2 C3", {"D": "α 3, β 2"}),
            "D3 is a 2. D is worth 2, A is worth 3, and MAX goes to B.",
        ),
    ]


def best_first() -> str:
    """The same leaves, the best moves first."""
    first = Node("B", MIN, "3", [_leaf(leaf) for leaf in (3, 8, 12)], chosen=True)
    pruned = [Node(visit=Visit.PRUNED) for _ in range(4)]
    rest = [
        Node("C", MIN, "≤ 2", [_leaf(2), *pruned[:2]]),
        Node("D", MIN, "≤ 2", [_leaf(2), *pruned[2:]]),
    ]
    root = Node("A", MAX, "3", [first, *rest])
    return svg(tree_picture(root), "Best first: five leaves of nine")


def witness() -> str:
    """The smallest tree in which a search is wrong whose `max_value` forgets its last move."""
    inner = Node("", MAX, "1", [_leaf(-1), _leaf(1, chosen=True)])
    right = Node("", MIN, "1", [inner, _leaf(1, chosen=True)], move="right", chosen=True)
    return svg(
        tree_picture(Node("", MAX, "1", [Node(value="0", move="left"), right])), "Four leaves"
    )


def heap() -> str:
    """A heap of five stones and the moves in it."""
    children = [
        Node(str(5 - take), MIN, move=str(take), children=[
            Node(str(5 - take - more), MAX, move=str(more))
            for more in (1, 2, 3) if more <= 5 - take
        ])
        for take in (1, 2, 3)
    ]  # fmt: skip
    return svg(tree_picture(Node("5", MAX, children=children)), "Two plies from a heap of five")


def _tic_tac_toe(picture: str, **more: object) -> Board:
    return Board(3, 3, state_from(picture).board, **more)  # type: ignore[arg-type]


def _in_a_row(boards: list[tuple[Board, str]]) -> Picture:
    """Draw boards of one size side by side, each above its caption."""
    pictures = [board._replace(side=30).picture() for board, _ in boards]
    wide = max(pictures[0].width, *(7 * len(caption) + 16 for _, caption in boards))
    high, shapes = pictures[0].height, list[str]()
    for number, (picture, (_, caption)) in enumerate(zip(pictures, boards, strict=True)):
        middle = (number + 0.5) * wide
        shapes.append(moved(picture, middle - picture.width / 2, 0))
        shapes.append(label(middle, high - 6, caption))
    text = "\n\n".join(f"{one.text}\n{boards[i][1]}" for i, one in enumerate(pictures))
    return Picture(wide * len(boards), high + 4, shapes, text)


def must_choose() -> str:
    """O chooses between a defeat and a draw."""
    won = [(0, 2), (1, 2), (2, 2)]
    boards = [
        (_tic_tac_toe("X O X / O O X / . X ."), "O to move"),
        (_tic_tac_toe("X O X / O O X / O X X", last=(2, 2), line=won), "X has won: +1"),
        (_tic_tac_toe("X O X / O O X / X X O", last=(2, 0)), "a draw: 0"),
    ]
    return svg(_in_a_row(boards), "O must choose")


def game_tree() -> str:
    """The first state of tic-tac-toe and the moves from it, up to symmetry."""
    firsts = ["X . . / . . . / . . .", ". X . / . . . / . . .", ". . . / . X . / . . ."]
    start = _tic_tac_toe(". . . / . . . / . . ."), "X to move"
    first = [(_tic_tac_toe(one), "O to move") for one in firsts]
    return svg(_in_a_row([start, *first]), "The beginning of a game tree")


ENTRANCE = "X . . / . . O / . X O"


def entrance() -> str:
    """A board in the middle of a game, for the first page."""
    return svg(_tic_tac_toe(ENTRANCE, side=82).picture(), "X to move")


# --- Connect Four ----------------------------------------------------------------------------


def growth() -> str:
    """How many states there are at each depth of Connect Four."""
    left, longest, row = 74, 250, 30
    shapes: list[str] = []
    for depth in range(7):
        count = 7**depth  # no column is full, and nobody can have won, before the seventh move
        y, long = 6 + depth * row, max(1.0, longest * count / 7**6)
        shapes.append(label(left - 10, y + 15, f"depth {depth}", 13, QUIET, anchor="end"))
        shapes.append(shape("rect", x=left, y=y, width=long, height=row - 9, fill=BLUE))
        shapes.append(label(left + long + 8, y + 15, f"{count:,}", 13, INK, anchor="start"))
    text = ", ".join(f"depth {depth}: {7**depth:,}" for depth in range(7))
    return svg(Picture(400, 7 * row + 10, shapes, text), "States at each depth")


def segments() -> str:
    """One segment of each direction on an empty board."""
    board = Board(6, 7, {}, from_bottom=True)
    picture = board.picture()
    lines = [((0, 0), (0, 3)), ((1, 6), (4, 6)), ((1, 1), (4, 4)), ((5, 0), (2, 3))]
    shapes = list(picture.shapes)
    for ends in lines:
        (x1, y1), (x2, y2) = map(board.centre, ends)
        shapes.append(shape("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=INK, stroke_width=7))
        for x, y in (x1, y1), (x2, y2):
            dot = {"fill": ORANGE, "stroke": INK}
            shapes.append(shape("circle", cx=x, cy=y, r=8, stroke_width=2, **dot))
    text = "One segment in the bottom row, one in the last column, one rising, one falling."
    return svg(picture._replace(shapes=shapes, text=text), "Segments of four squares")


def horizon() -> str:
    """O threatens, and a short look does not see it."""
    pieces = {(0, 0): "X", (0, 1): "O", (0, 2): "O", (0, 3): "O", (1, 1): "X", (1, 2): "X"}
    board = Board(6, 7, pieces, from_bottom=True)
    return svg(board.picture(), "X to move", "Column 4 must be blocked now.")


DEPTHS = [4, 3, 5, 2, 4, 6, 1, 4, 5, 3, 3, 0, 3, 4]  # moves that lead to a board for four depths


def depths() -> list[tuple[str, str]]:
    """What X plays on one board when it looks one to four plies ahead: pictures, and words."""
    game = ConnectFour()
    state = after(game, DEPTHS)
    shown = []
    for depth, why in enumerate((
        "That makes three in its column.",
        "In column 5 O would answer above it and win: see the line that rises from column 2.",
        "X has the last word here, so that everything looks better than it is.",
        "O's second answer spoils column 4. Column 3 is the only one that wins, though much later.",
    ), 1):  # fmt: skip
        values = Trace(game, state).values(state, depth, worth(game, by_segments))
        best = max(values, key=lambda column: values[column])
        row = sum(column == best for _, column in state.board)
        pieces = {**state.board, (row, best): "X"}
        board = Board(6, 7, pieces, last=(row, best), from_bottom=True)
        drawn = board.picture()
        shapes = list(drawn.shapes)
        for column, value in values.items():
            text = "O wins" if value == -infinity else str(value).replace("-", "−")
            x, y = board.centre((5, column))
            shapes.append(label(x, y - board.side / 2 - 8, text, 13, INK, bold=column == best))
        words = f"X plays column {best}, which looks best. {why}"
        told = ", ".join(f"column {column}: {value}" for column, value in values.items())
        picture = drawn._replace(shapes=shapes, text=f"{drawn.text}\n\n{told}")
        plies = "ply" if depth == 1 else "plies"
        shown.append((svg(picture, f"Looking {depth} {plies} ahead"), words))
    return shown
