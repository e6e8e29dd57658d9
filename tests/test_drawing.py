"""Ask whether pictures of boards show what is on the board, in every medium."""

import re
from collections import Counter
from itertools import pairwise, product
from typing import TypeVar
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from canvas import drawing
from canvas.drawing import (
    Board,
    Circle,
    Line,
    Node,
    Picture,
    Polygon,
    Visit,
    Words,
    board_picture,
    grid,
    svg,
    tree_picture,
)
from referee.marks import sanitise

Kind = TypeVar("Kind")
LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # no clock in a law
SVG = "{http://www.w3.org/2000/svg}"
HEARD = (f"{SVG}title", f"{SVG}desc")  # and not seen
WON = Board(
    3, 3, {(0, 0): "X", (0, 1): "O", (1, 1): "X", (0, 2): "O", (2, 2): "X"},
    last=(2, 2), line=[(0, 0), (1, 1), (2, 2)],
)  # fmt: skip
TREE = Node("A", "MAX", "≥ 3", [
    Node("B", "MIN", "3", [Node("B1", value="3"), Node("B2", "", "9", visit=Visit.SUPERFLUOUS)]),
    Node("C", "MIN", visit=Visit.MISSING, move="left", children=[
        Node("C1", value="5", visit=Visit.PRUNED), Node("C2", visit=Visit.AHEAD)]),
])  # fmt: skip
RACK = Board(2, 3, {(0, 0): "X", (0, 2): "O", (1, 0): "X"}, last=(1, 0), from_bottom=True)


def shown(svg_text: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg_text)


def shapes_of(kind: type[Kind], picture: Picture) -> list[Kind]:
    return [shape for shape in picture.shapes if isinstance(shape, kind)]


def test_a_board_as_text() -> None:
    """Is each piece in its place, the last move in brackets, the winning line in stars?"""
    assert board_picture(WON, 300, 300).text == (
        "    0  1  2\n"
        " 0 *X* O  O\n"
        " 1  . *X* .\n"
        " 2  .  . *X*"
    )  # fmt: skip


def test_a_rack_as_text_has_row_0_at_the_bottom() -> None:
    """Does a board that pieces drop into stand on its row 0?"""
    text = board_picture(RACK, 300, 300).text
    assert text == "    0  1  2\n 1 [X] .  .\n 0  X  .  O"


@LAW
@given(
    st.integers(1, 9), st.integers(1, 9), st.booleans(),
    st.floats(150, 900), st.floats(150, 900), st.data(),
)  # fmt: skip
def test_a_click_into_a_square_finds_that_square(
    rows: int, columns: int, from_bottom: bool, width: float, height: float, data: st.DataObject
) -> None:
    """Is the square at any point of a square the one that was drawn there, on any board?"""
    places = grid(rows, columns, width, height, from_bottom)
    square = data.draw(st.sampled_from(list(product(range(rows), range(columns)))))
    x, y = places.corner(square)
    inside = st.floats(0.01, 0.99)
    dx, dy = data.draw(inside) * places.side, data.draw(inside) * places.side
    assert places.square(x + dx, y + dy) == square
    assert 0 <= x < width and 0 <= y < height
    assert max(x, y) + places.side <= max(width, height)


def test_a_click_beside_the_board_finds_no_square() -> None:
    """Do the margins, where the numbers stand, belong to no square?"""
    places = grid(3, 4, 400, 300)
    for x, y in (1, 150), (399, 150), (200, 1), (200, 299):
        assert places.square(x, y) is None


def test_crosses_and_noughts_lie_in_their_squares() -> None:
    """Has every X two strokes through the middle of its square, every O a circle about it?"""
    places = grid(3, 3, 300, 300)
    board = WON._replace(line=(), last=None)
    picture = board_picture(board, 300, 300)
    slanted = [s for s in shapes_of(Line, picture) if s.x1 != s.x2 and s.y1 != s.y2]
    middles = Counter(
        (round((line.x1 + line.x2) / 2), round((line.y1 + line.y2) / 2)) for line in slanted
    )
    for square, piece in board.pieces.items():
        x, y = map(round, places.centre(square))
        circles = [s for s in shapes_of(Circle, picture) if (round(s.x), round(s.y)) == (x, y)]
        assert (middles[x, y], len(circles)) == ((2, 0) if piece == "X" else (0, 1))
    assert sum(middles.values()) == 6


@pytest.mark.parametrize(
    ("board", "ends"),
    [
        (WON, [(0, 0), (2, 2)]),
        (WON._replace(line=[(1, 1), (0, 2), (2, 0)]), [(0, 2), (2, 0)]),
        (WON._replace(line=[(2, 1), (2, 0), (2, 2)]), [(2, 0), (2, 2)]),
        (RACK._replace(line={(1, 0), (0, 0)}), [(0, 0), (1, 0)]),
    ],
)  # fmt: skip
def test_the_winning_line_goes_through_the_winning_pieces(
    board: Board, ends: list[drawing.Square]
) -> None:
    """Does the topmost line join the first and the last piece of the line, however it lies?"""
    picture = board_picture(board, 320, 300)
    line = picture.shapes[-1]
    assert isinstance(line, Line)
    places = grid(board.rows, board.columns, 320, 300, board.from_bottom)
    drawn = {(line.x1, line.y1), (line.x2, line.y2)}
    assert drawn == {places.centre(square) for square in ends}


@pytest.mark.parametrize("board", [WON, RACK, RACK._replace(ghost={(0, 1): "O"})])
def test_svg_has_each_shape_once_and_words_to_hear(board: Board) -> None:
    """Are all shapes in the SVG, with a title, and the board as text for who cannot see it?"""
    picture = board_picture(board, 300, 280)
    root = shown(svg(picture, "Noughts <&> crosses", "X has won"))
    group = root.find(f"{SVG}g")
    assert group is not None
    kinds = {Line: "line", Circle: "circle", Polygon: "polygon", Words: "text"}
    assert [child.tag for child in group] == [SVG + kinds[type(s)] for s in picture.shapes]
    assert root.findtext(f"{SVG}title") == "Noughts <&> crosses"
    assert root.findtext(f"{SVG}desc") == f"{picture.text}\nX has won"
    assert root.get("role") == "img"


PICTURES = [
    board_picture(WON, 300, 300), board_picture(RACK, 300, 300),
    tree_picture(TREE, legend=True),
]  # fmt: skip


@pytest.mark.parametrize("picture", PICTURES)
def test_the_picture_survives_what_makes_feedback_safe(picture: Picture) -> None:
    """Does feedback show every shape with its place and colours, though it drops what may run?"""
    drawn = svg(picture, "A game", "X has won")
    kept = sanitise.svg(drawn)
    assert kept is not None
    before = [(e.tag, dict(e.attrib)) for e in shown(drawn).iter() if e.tag not in HEARD]
    after = [(e.tag, dict(e.attrib)) for e in shown(kept).iter()]
    before[0][1].pop("role")
    assert after == before


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb, as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours after WCAG 2, from 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("colour", "least"),
    [(drawing.INK, 7), (drawing.QUIET, 4.5), (drawing.BLUE, 4.5), (drawing.ORANGE, 3)],
)
def test_what_must_be_read_stands_out(colour: str, least: float) -> None:
    """Have words and pieces the contrast to the panel that WCAG 2 asks of them?"""
    assert contrast(colour, drawing.PANEL) >= least


def test_the_panel_is_opaque() -> None:
    """Does a picture cover the page behind it, which may be dark?"""
    root = shown(svg(board_picture(RACK, 300, 300), "", ""))
    panel = root.find(f"{SVG}rect")
    assert panel is not None
    assert (panel.get("width"), panel.get("height")) == (root.get("width"), root.get("height"))
    assert panel.get("fill") == drawing.PANEL


def expect_inside(picture: Picture) -> None:
    """Fail if a shape or the beginning of a line of words lies beside the picture."""
    root = shown(svg(picture, "", ""))
    corners = " ".join(e.get("points", "") for e in root.iter())
    points = re.findall(r"([\d.-]+),([\d.-]+)", corners)
    for names, most in (("x", "x1", "x2", "cx"), picture.width), (("y", "cy"), picture.height):
        places = [float(e.get(name, 0)) for e in root.iter() for name in names]
        places += [float(point[names[0] == "y"]) for point in points]
        assert all(0 <= place <= most for place in places)


def test_no_shape_leaves_the_picture() -> None:
    """Do boards of all shapes fit into the size that was asked for, and all trees?"""
    for rows, columns in product((1, 3, 8), repeat=2):
        board = Board(rows, columns, {(0, 0): "X"}, last=(0, 0), from_bottom=rows > columns)
        expect_inside(board_picture(board, 300, 300))
        children = [Node("leaf", board=board), Node("leaf", board=board)]
        expect_inside(tree_picture(Node("root", "X", "0", children, board=board)))
    for picture in PICTURES:
        expect_inside(picture)


def test_pieces_differ_by_more_than_colour() -> None:
    """Does a rack write X and O on its pieces, and ring the last one?"""
    picture = board_picture(RACK, 300, 300)
    assert sorted(word.words for word in shapes_of(Words, picture) if word.bold) == ["O", "X", "X"]
    rings = [circle for circle in shapes_of(Circle, picture) if circle.stroke]
    assert len(rings) == 1


def test_a_tree_tells_kinds_of_visit_without_colour() -> None:
    """Are superfluous, missing, pruned and later states told apart in black and white?"""
    picture = tree_picture(TREE, legend=True)
    assert picture.text == (
        "A (MAX) ≥ 3\n"
        "  B (MIN) = 3\n"
        "    B1 = 3\n"
        "    B2 = 9 looked at, but need not be\n"
        "  left: C (MIN) not looked at, but must be\n"
        "    C1 = 5 pruned\n"
        "    C2 not looked at"
    )
    words = [word.words for word in shapes_of(Words, picture)]
    assert {"MAX", "MIN", "A", "B1", "≥ 3", "left", *Visit} <= set(words)
    legend = shapes_of(Polygon, picture)[-len(Visit) :]
    assert len({(one.width, one.dashed, one.stroke) for one in legend}) == len(Visit)
    assert len({(one.width, one.dashed) for one in legend[:4]}) == 4


VALUES = ["7", "-0.01", "0.3333", "-7500.5", "100000", "≤ -12.5", "∞"]


@LAW
@given(st.lists(st.lists(st.sampled_from(VALUES), min_size=1, max_size=12), min_size=1, max_size=6))
def test_numbers_in_trees_can_be_read(rows: list[list[str]]) -> None:
    """Is no letter smaller than ten pixels, and no number wider than the room that it has?"""
    children = [
        Node(f"a{i}", "MIN", row[0], [Node(f"a{i} b{j}", value=v) for j, v in enumerate(row)])
        for i, row in enumerate(rows)
    ]
    picture = tree_picture(Node("root", "MAX", rows[0][0], children))
    words = shapes_of(Words, picture)
    assert min(word.size for word in words) >= 10
    spans = sorted((w.y, w.x - 0.3 * w.size * len(w.words), w.x + 0.3 * w.size * len(w.words))
                   for w in words if w.words in VALUES)  # fmt: skip
    assert all(one[0] != two[0] or one[2] <= two[1] + 0.1 for one, two in pairwise(spans))
    if sum(map(len, rows)) <= 9:
        assert sum(word.words in VALUES for word in words) == 1 + sum(len(row) + 1 for row in rows)


def test_a_legend_names_only_what_occurs() -> None:
    """Is nothing explained that is not there?"""
    leaves = [Node("a", value="1"), Node("b", visit=Visit.PRUNED)]
    words = [
        word.words for word in shapes_of(Words, tree_picture(Node(children=leaves), legend=True))
    ]
    assert [word for word in words if word in list(Visit)] == ["looked at", "pruned"]


def test_a_tree_has_its_boards_as_nodes() -> None:
    """Is each board of a tree drawn once, and said in words?"""
    won = WON._replace(line=(), last=None)
    picture = tree_picture(Node("worth", "O", "1", [Node("X has won:", value="1", board=won)],
                                board=won))  # fmt: skip
    assert len(shapes_of(Circle, picture)) == 4
    assert "X O O / . X . / . . X X has won: = 1" in picture.text
