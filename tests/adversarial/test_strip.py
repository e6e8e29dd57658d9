"""Ask whether what follows from a move can be read in a strip of boards."""

import re

from adversarial.diagnosis.strip import strip
from handout.canvas.board_drawing import Board

BOARDS = [
    (Board(2, 3, {(0, 0): "X"}), "O to move"),
    (Board(2, 3, {(0, 0): "X", (1, 2): "O"}, last=(1, 2)), "O: yours"),
]


def test_boards_stand_side_by_side_above_their_captions() -> None:
    """Can a position and what follows from it be read, in a terminal as in a page?"""
    picture = strip(BOARDS)
    assert picture.text == (
        "    0  1  2        0  1  2\n"
        " 0  X  .  .     0  X  .  .\n"
        " 1  .  .  .     1  .  . [O]\n"
        "O to move      O: yours"
    )
    (x, y), (right, same) = (
        re.findall(r' [xy]="([\d.]+)"', one) for one in picture.shapes
        if ">O to move<" in one or ">O: yours<" in one
    )  # fmt: skip
    assert float(x) < float(right)
    assert y == same


def test_a_long_strip_goes_on_below() -> None:
    """Does a long game fit into a page?"""
    one, seven = strip(BOARDS[:1]), strip(BOARDS[:1] * 7)
    assert seven.width == 5 * one.width and seven.height == 2 * one.height
    assert seven.text.count("\n\n") == 1
    board, _ = BOARDS[0]
    wide = strip([(board, "a caption that is longer than its board is wide")] * 7)
    places = re.findall(r' ([xy])1?="([\d.-]+)"', "".join(wide.shapes))
    assert len(places) > 2 * 7 * 5
    for name, place in places:
        assert 0 <= float(place) <= (wide.width if name == "x" else wide.height)
