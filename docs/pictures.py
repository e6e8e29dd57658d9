"""Draw the pictures of the lessons, each by a function that returns what stands on the page.

Searches are watched and boards drawn as in the notebooks, by `canvas`; here is which ones, and as
far as the story of a lesson has come. What a number needs to be true is worked out by the course's
own oracles. Used by the site only.
"""

from typing import Any

from adversarial.checks.connect_four import by_segments
from adversarial.checks.limited import worth
from adversarial.games.recorded import Trace
from adversarial.search import edited
from games import ConnectFour, Fig52Game, Game, NestedTree, Square, after, infinity, state_from
from handout.canvas import Canvas_alpha_beta
from handout.canvas.boards import Board
from handout.canvas.drawing import Node, label, steps, svg, tree_picture
from handout.canvas.search import watch

# --- the lessons' trees ----------------------------------------------------------------------


def _tree_after(game: Game, title: str, until: str = "") -> str:
    """Draw a tree as alpha-beta knows it when it comes back from a state, or else at the end.

    `{}` in the title becomes the number of leaves that have been looked at.
    """
    record = watch(game, edited(()))
    for node, event, _ in record.replay():
        if event == "value" and node.name == until:
            break
    leaves = sum(one.seen and not one.mover for one in record.root.here_and_below())

    def make(name: str, *fields: Any) -> Node:
        """Leave out which state is the current one, alpha and beta, and a path as a name."""
        node = Node(name if isinstance(game, Fig52Game) else "", *fields[:-2])
        is_open = node.unseen == "not looked at" and not node.mover
        return node._replace(value="?") if is_open else node

    return svg(tree_picture(record.drawn(make)), title.format(leaves))


def two_ply() -> str:
    """The tree in which a large leaf does not count."""
    tree = NestedTree([[99, 1000, 1000], [101, 100, 102]])
    return _tree_after(tree, "Two plies")


def fig52_b() -> str:
    """B is done."""
    return _tree_after(Fig52Game(), "Figure 5.2 after {} leaves", "B")


def fig52_c() -> str:
    """C is cut off."""
    return _tree_after(Fig52Game(), "Figure 5.2 after {} leaves", "C")


def fig52_d() -> str:
    """All is known that has to be."""
    return _tree_after(Fig52Game(), "Figure 5.2 after {} leaves", "A")


def fig52_steps() -> str:
    """The same story with alpha and beta, to step through."""
    return Canvas_alpha_beta("Figure 5.2", Fig52Game(), edited(())).html()


def best_first() -> str:
    """The same leaves, the best moves first."""
    tree = NestedTree([[3, 8, 12], [2, 4, 6], [2, 5, 14]])
    return _tree_after(tree, "Best first: {} leaves of 9")


def witness() -> str:
    """The smallest tree in which a search is wrong whose `max_value` forgets its last move."""
    return _tree_after(NestedTree([0, [[-1, 1], 1]]), "Four leaves")


def heap() -> str:
    """A heap of five stones and the moves in it."""
    children = [
        Node(str(5 - take), "MIN", move=str(take), children=[
            Node(str(5 - take - more), "MAX", move=str(more))
            for more in (1, 2, 3) if more <= 5 - take
        ])
        for take in (1, 2, 3)
    ]  # fmt: skip
    return svg(tree_picture(Node("5", "MAX", children=children)), "Two plies from a heap of five")


# --- boards ----------------------------------------------------------------------------------


def _tic_tac_toe(picture: str, title: str, **more: Any) -> str:
    return svg(Board(3, 3, state_from(picture).board, **more).picture(), title)


def must_choose() -> str:
    """O chooses between a defeat and a draw."""
    line = [(0, 2), (1, 2), (2, 2)]
    return (
        _tic_tac_toe("X O X / O O X / . X .", "O to move")
        + _tic_tac_toe("X O X / O O X / O X X", "X has won: +1", marked=line)
        + _tic_tac_toe("X O X / O O X / X X O", "a draw: 0", marked=[(2, 0)])
    )


def game_tree() -> str:
    """The first state of tic-tac-toe and the moves from it, up to symmetry."""
    firsts = ["X . . / . . . / . . .", ". X . / . . . / . . .", ". . . / . X . / . . ."]
    start = _tic_tac_toe(". . . / . . . / . . .", "X to move")
    return start + "".join(_tic_tac_toe(first, "O to move") for first in firsts)


ENTRANCE = "X . . / . . O / . X O"


def entrance() -> str:
    """A board in the middle of a game, for the first page."""
    return _tic_tac_toe(ENTRANCE, "X to move", side=82)


def segments() -> str:
    """One segment of each direction on an empty board."""
    pieces: dict[Square, str] = {}
    for name, row, column, up, right in (
        ("A", 0, 0, 0, 1), ("B", 1, 6, 1, 0), ("C", 1, 0, 1, 1), ("D", 5, 2, -1, 1)
    ):  # fmt: skip
        pieces |= {(row + step * up, column + step * right): name for step in range(4)}
    return svg(Board(6, 7, pieces, from_bottom=True).picture(), "Segments of four squares")


def horizon() -> str:
    """O threatens, and a short look does not see it."""
    pieces = {(0, 0): "X", (0, 1): "O", (0, 2): "O", (0, 3): "O", (1, 1): "X", (1, 2): "X"}
    board = Board(6, 7, pieces, from_bottom=True)
    return svg(board.picture(), "X to move", "Column 4 must be blocked now.")


DEPTHS = [4, 3, 5, 2, 4, 6, 1, 4, 5, 3, 3, 0, 3, 4]  # moves that lead to a board for four depths
REASONS = (
    "That makes three in its column.",
    "In column 5 O would answer above it and win: see the line that rises from column 2.",
    "X has the last word here, so that everything looks better than it is.",
    "O's second answer spoils column 4. Column 3 is the only one that wins, though much later.",
)


def depths() -> str:
    """What X plays on one board when it looks one to four plies ahead, to step through."""
    game = ConnectFour()
    state = after(game, DEPTHS)
    drawings, words = list[str](), list[str]()
    for depth, why in enumerate(REASONS, 1):
        values = Trace(game, state).values(state, depth, worth(game, by_segments))
        best = max(values, key=lambda column: values[column])
        row = sum(column == best for _, column in state.board)
        board = Board(6, 7, {**state.board, (row, best): "X"}, [(row, best)], from_bottom=True)
        picture = board.picture()
        shapes, text = list(picture.shapes), picture.text
        for column, value in values.items():
            note = "O wins" if value == -infinity else str(value).replace("-", "−")
            shapes.append(label(board.centre((5, column))[0], 18, note, bold=column == best))
            text += f"\ncolumn {column}: {note}"
        picture = picture._replace(shapes=shapes, text=text)
        drawings.append(svg(picture, f"Looking {depth} {'ply' if depth == 1 else 'plies'} ahead"))
        words.append(f"X plays column {best}, which looks best. {why}")
    return steps(drawings[-1], drawings, words)
