"""Ask whether pictures of boards show what is on the board, in every medium."""

import re
from itertools import product
from xml.etree import ElementTree

import pytest

from canvas import drawing
from canvas.boards import Board
from canvas.drawing import Node, Picture, svg, tree_picture
from referee.marks import sanitise

SVG = "{http://www.w3.org/2000/svg}"
HEARD = (f"{SVG}title", f"{SVG}desc")  # and not seen
WON = Board(
    3, 3, {(0, 0): "X", (0, 1): "O", (1, 1): "X", (0, 2): "O", (2, 2): "X"},
    marked=[(0, 0), (1, 1), (2, 2)],
)  # fmt: skip
TREE = Node("A", "MAX", "≥ 3", [
    Node("B", "MIN", "3", [Node("B1", value="3"), Node("B2", "", "9")]),
    Node("C", "MIN", unseen="not looked at", move="left", children=[
        Node("C1", value="5", unseen="pruned"), Node("C2", unseen="not looked at")]),
])  # fmt: skip
RACK = Board(2, 3, {(0, 0): "X", (0, 2): "O", (1, 0): "X"}, marked=[(1, 0)], from_bottom=True)


def shown(svg_text: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg_text)


def shapes_of(kind: str, picture: Picture) -> list[ElementTree.Element]:
    """Return the shapes of a kind, such as "line", from the lowest to the topmost."""
    return shown(svg(picture, "")).findall(f"{SVG}g/{SVG}{kind}")


def at(shape: ElementTree.Element, *names: str) -> list[float]:
    return [float(shape.attrib[name]) for name in names]


def test_a_board_as_text() -> None:
    """Is each piece in its place, and the last move or the winning line in brackets?

    Does a board that pieces drop into stand on its row 0?
    """
    assert WON.picture().text == (
        "    0  1  2\n"
        " 0 [X] O  O\n"
        " 1  . [X] .\n"
        " 2  .  . [X]"
    )  # fmt: skip
    assert RACK.picture().text == "    0  1  2\n 1 [X] .  .\n 0  X  .  O"


@pytest.mark.parametrize("board", [WON, RACK])
def test_pieces_lie_in_their_squares(board: Board) -> None:
    """Is each piece, as a letter, in the middle of its square, and is there nothing else?

    Have the marked squares, and no other, a thick edge?
    """
    squares = shapes_of("rect", board.picture())
    thick = [at(one, "x", "y", "width") for one in squares if one.get("stroke-width") == "3"]
    centres = {(x + width / 2, y + width / 2) for x, y, width in thick}
    assert centres == {board.centre(square) for square in board.marked}
    letters = [one for one in shapes_of("text", board.picture()) if one.get("font-weight")]
    found = {(*at(one, "x"), str(one.text)) for one in letters}
    assert found == {(board.centre(square)[0], piece) for square, piece in board.pieces.items()}
    for one in letters:
        (y,), (size,) = at(one, "y"), at(one, "font-size")
        assert any(abs(y - size / 3 - board.centre(square)[1]) < 2 for square in board.pieces)


PICTURES = [WON.picture(), RACK.picture(), tree_picture(TREE)]


@pytest.mark.parametrize("picture", PICTURES)
def test_the_picture_survives_what_makes_feedback_safe(picture: Picture) -> None:
    """Does feedback show every shape with its place and colours, though it drops what may run?

    Are there title and text to hear, for who cannot see it?
    """
    drawn = shown(svg(picture, "Noughts <&> crosses", "X has won"))
    assert drawn.findtext(f"{SVG}title") == "Noughts <&> crosses"
    assert drawn.findtext(f"{SVG}desc") == f"{picture.text}\nX has won"
    assert drawn.attrib["role"] == "img"
    safe = sanitise.svg(svg(picture, "Noughts <&> crosses", "X has won"))
    assert safe is not None
    before = [(e.tag, dict(e.attrib)) for e in drawn.iter() if e.tag not in HEARD]
    before[0][1].pop("role")
    assert [(e.tag, dict(e.attrib)) for e in shown(safe).iter()] == before


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb, as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_what_must_be_read_stands_out() -> None:
    """Have words and pieces the contrast to the panel, which is lighter, that WCAG 2 asks?"""
    for colour, least in (
        (drawing.INK, 7), (drawing.QUIET, 4.5), (drawing.BLUE, 4.5), (drawing.ORANGE, 3),
    ):  # fmt: skip
        high, low = luminance(drawing.PANEL), luminance(colour)
        assert (high + 0.05) / (low + 0.05) >= least


BOARDS = [
    Board(rows, columns, {(0, 0): "X"}, marked=[(0, 0)], from_bottom=rows > columns).picture()
    for rows, columns in product((1, 3, 8), repeat=2)
]


def test_no_shape_leaves_the_picture() -> None:
    """Does no shape or beginning of a line of words lie beside it, on boards of all shapes?"""
    for picture in [*BOARDS, *PICTURES]:
        root = shown(svg(picture, ""))
        panel = root.find(f"{SVG}rect")
        assert panel is not None
        assert panel.get("fill") == drawing.PANEL  # the page may be dark
        assert (panel.get("width"), panel.get("height")) == (root.get("width"), root.get("height"))
        corners = " ".join(e.get("points", "") for e in root.iter())
        points = re.findall(r"([\d.-]+),([\d.-]+)", corners)
        for names, most in (("x", "x1", "x2"), picture.width), (("y", "y1", "y2"), picture.height):
            places = [float(e.get(name, 0)) for e in root.iter() for name in names]
            places += [float(point["xy".index(names[0])]) for point in points]
            assert min(places) >= 0 and max(places) <= most


def test_a_tree_tells_kinds_of_visit_without_colour() -> None:
    """Are visited, pruned and later states told apart in words, and what was pruned by dashes?"""
    picture = tree_picture(TREE)
    assert picture.text == (
        "A (MAX) ≥ 3\n"
        "  B (MIN) = 3\n"
        "    B1 = 3\n"
        "    B2 = 9\n"
        "  left: C (MIN) not looked at\n"
        "    C1 = 5 pruned\n"
        "    C2 not looked at"
    )
    words = {word.text for word in shapes_of("text", picture)}
    assert {"MAX", "MIN", "A", "B1", "≥ 3", "left"} <= words
    corners = [one.attrib["points"].split() for one in shapes_of("polygon", picture)]
    places = [[tuple(map(float, place.split(","))) for place in one] for one in corners]
    triangles = [one for one in places if len(one) == 3]  # of MAX, who searches, and twice of MIN
    assert [tip[1] < left[1] == right[1] for tip, left, right in triangles] == [True, False, False]
    for kind in "line", "polygon":
        shapes = shapes_of(kind, picture)
        assert [bool(one.get("stroke-dasharray")) for one in shapes].count(True) == 1
