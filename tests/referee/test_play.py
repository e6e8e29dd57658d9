"""Ask whether a person can play against the computer in a terminal: `referee play`."""

import re
import sys
from itertools import cycle
from pathlib import Path

import pexpect
import pytest

from games import after
from referee import opponent
from referee.play import drawn, understood

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from terminal import rest, terminal  # noqa: E402

ASKED = r"Your move, [XO] \(q leaves\): "
BYE = "The game ends here, unfinished. Goodbye!"
RESULT = r"(You win!|The computer wins\.|A draw\.)\s*$"


@pytest.mark.parametrize(
    ("game", "options", "answers", "reasons"),
    [
        (
            "tic-tac-toe", ["--level", "5", "--first"], ["middle", "3 3", "", *"012345678"],
            ["'middle' is no move: type a row", "row 3, column 3 is not on", "is not free any"],
        ),
        ("tic-tac-toe", ["--level", "2"], ["-1", *"012345678"], ["'-1' is no move"]),
        (
            "connect-four", ["--level", "3", "--first"], ["7", "1 2", *"0123456"],
            ["column 7 is not on the board", "'1 2' is no move: type the number of a column, 0 to"],
        ),
    ],
)  # fmt: skip
def test_a_whole_game_with_bad_input(
    game: str, options: list[str], answers: list[str], reasons: list[str]
) -> None:
    """Is every bad answer asked for again with its reason, and the game played to its end?"""
    printed, keys = "", cycle(answers)
    with terminal(ROOT, "referee", "play", game, *options) as child:
        while child.expect([ASKED, pexpect.EOF]) == 0:
            printed += child.before
            child.sendline(next(keys))
        printed += child.before
        child.wait()
    found = re.search(RESULT, printed)
    assert found and not (found[1] == "You win!" and "5" in options)
    for reason in reasons:
        assert reason in " ".join(printed.split())
    assert "Traceback" not in printed and child.exitstatus == 0


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four"])
def test_the_end_of_the_input_ends_the_game(game: str) -> None:
    """Are Ctrl-D and q a goodbye, and exit code 0?"""
    for leave in ("d", "q"):
        with terminal(ROOT, "referee", "play", game) as child:
            child.expect(ASKED)
            child.sendeof() if leave == "d" else child.sendline("q")
            assert rest(child).strip().splitlines()[-1] == BYE
        assert child.exitstatus == 0


def test_control_c_ends_the_game() -> None:
    """Is Ctrl-C a goodbye, and exit code 130?"""
    with terminal(ROOT, "referee", "play", "connect-four", "--first") as child:
        child.expect(ASKED)
        child.sendintr()
        assert rest(child).strip().splitlines()[-1] == BYE
    assert child.exitstatus == 130


@pytest.mark.parametrize("wrong", [["chess"], ["tic-tac-toe", "--level", "6"]], ids=str)
def test_what_cannot_be_played_is_refused(wrong: list[str]) -> None:
    """Is an unknown game or level a sentence, and exit code 2?"""
    with terminal(ROOT, "referee", "play", *wrong) as child:
        assert "Invalid value" in rest(child)
    assert child.exitstatus == 2


def test_boards_are_drawn_with_their_numbers() -> None:
    """Does a picture show the pieces, where the last one is, and how squares are called?"""
    four = opponent.connect_four()
    lines = drawn(four, after(four.game, [3, 3, 0]), 0).plain.strip("\n").splitlines()
    assert lines[-3:] == ["   · · · O · · ·", "   X · · X · · ·", "   0 1 2 3 4 5 6"]
    assert len(lines) == 7
    three = opponent.tic_tac_toe()
    picture = drawn(three, after(three.game, [(0, 1), (2, 2)]), (2, 2))
    assert picture.plain.strip("\n").splitlines() == [
        "  0  · X ·", "  1  · · ·", "  2  · · O", "     0 1 2"
    ]  # fmt: skip
    marked = [span for span in picture.spans if "underline" in str(span.style)]
    assert [picture.plain[span.start : span.end] for span in marked] == ["O"]


@pytest.mark.parametrize("text", ["1 2", "1,2", "(1, 2)", " 5 ", "1 , 2"])
def test_a_square_may_be_typed_in_many_ways(text: str) -> None:
    """Is a row and a column read as one likes to write them, and a number row by row?"""
    assert understood(opponent.tic_tac_toe(), text) == (1, 2)


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "1 2 3", "9999", "٣", "[bold]"])
def test_everything_else_is_refused_with_the_reason(text: str) -> None:
    """Does the reason say what to type?"""
    with pytest.raises(ValueError, match="is no move: type the number of a column, 0 to 6"):
        understood(opponent.connect_four(), text)
