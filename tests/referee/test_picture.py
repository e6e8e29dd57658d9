"""Boards and trees are drawn alike as text and as SVG."""

import xml.etree.ElementTree as ET

from adversarial.picture import (
    Board,
    Node,
    boards_as_svg,
    boards_as_text,
    tree_as_svg,
    tree_as_text,
)

BOARDS = [
    Board({(0, 0): "X"}, None, "O to move"),
    Board({(0, 0): "X", (1, 2): "O"}, (1, 2), "O: yours"),
]
TREE = Node(
    "A",
    "visited",
    [
        Node("B", "visited", [Node("B1", "visited"), Node("B2", "superfluous")]),
        Node("C", "missing", [Node("C1", "pruned")]),
    ],
)
SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    return [str(text.text) for text in ET.fromstring(svg).iter(f"{SVG}text")]


def test_boards_stand_side_by_side_with_the_move_in_brackets() -> None:
    """Can a position and what follows from it be read in a terminal?"""
    assert boards_as_text(BOARDS, 2, 3) == (
        " X  .  .     X  .  .\n .  .  .     .  . [O]\nO to move   O: yours"
    )


def test_a_strip_has_a_title_and_every_piece() -> None:
    """Does a screen reader get a sentence, and the eye all pieces?"""
    svg = boards_as_svg(BOARDS, 2, 3, "X & O <play>")
    assert ET.fromstring(svg).findtext(f"{SVG}title") == "X & O <play>"
    assert words(svg) == ["X", "O to move", "X", "O", "O: yours"]


def test_a_tree_tells_kinds_of_visit_without_colour() -> None:
    """Are superfluous, missing and pruned nodes told apart in black and white?"""
    assert tree_as_text(TREE) == "A\n  B\n    B1\n    B2 (!)\n  C (missing)\n    C1 (-)"
    svg = tree_as_svg(TREE, "a tree")
    assert {"A", "B", "B1", "B2", "C", "C1"} <= set(words(svg))
    assert "visited, but need not be" in words(svg)
    circles = list(ET.fromstring(svg).iter(f"{SVG}circle"))
    looks = {(c.get("stroke-width"), c.get("stroke-dasharray")) for c in circles}
    assert looks == {("1.5", None), ("3", None), ("3", "4 4"), ("1.5", "4 4")}


def test_a_tree_stays_inside_its_picture() -> None:
    """Is every node drawn within the view?"""
    root = ET.fromstring(tree_as_svg(TREE, "a tree"))
    _, _, width, height = map(float, str(root.get("viewBox")).split())
    for circle in root.iter(f"{SVG}circle"):
        x, y, r = (float(str(circle.get(name))) for name in ("cx", "cy", "r"))
        assert r <= x <= width - r
        assert r <= y <= height - r
