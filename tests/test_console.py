"""Ask whether a person can play in a terminal: `python play.py`, with keys that go wrong, too."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from solution import sources
from terminal import rest, terminal

import check

ROOT = Path(__file__).parents[1]
BYE = "The game ends here, unfinished. Goodbye!"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A student's folder, without a notebook."""
    for file in (ROOT / "games.py", check.__file__, ROOT / "handout/play.py"):
        shutil.copy(file, tmp_path)
    return tmp_path


def write_notebook(folder: Path, source: str) -> None:
    """Write a notebook with one code cell."""
    cell = {"cell_type": "code", "metadata": {}, "source": source, "outputs": []}
    (folder / "mine.ipynb").write_text(json.dumps({"cells": [cell]}))


def answer(child: Any, text: str) -> str:
    """Wait for the question, answer it, and return what was printed before it."""
    child.expect(r"Move for [XO]: ")
    child.sendline(text)
    return str(child.before).replace("\r\n", "\n")


def test_a_whole_game_of_connect_four_with_bad_input(folder: Path) -> None:
    """Is every bad answer given back with its reason, and the game played to its end?"""
    with terminal(folder, "python", "play.py", "connect-four", "human") as child:
        assert "Legal moves: 0, 1, 2, 3, 4, 5, 6\n" in answer(child, "7")
        before = answer(child, "0")
        assert "7 is not a legal move; legal moves: 0, 1, 2, 3, 4, 5, 6\n" in before
        for column in "101010":
            before = answer(child, column)
        assert "X O . . . . .\nX O . . . . .\nX O . . . . .\n0 1 2 3 4 5 6" in before
        end = rest(child)
    assert "0 played by human_player as X" in end
    assert end.endswith("The game is over: X has won.\n")
    assert child.exitstatus == 0


def test_the_known_tic_tac_toe_game(folder: Path) -> None:
    """Does the reference search, which keeps the first best move, play the known game?

    The human takes the squares 0, 7, 5, 6, 1, the computer 4, 3, 2, 8, and it is a draw.
    """
    write_notebook(folder, "\n".join(sources()))
    options = ["tic-tac-toe", "AlphaBeta", "--depth", "9"]
    with terminal(folder, "python", "play.py", *options) as child:
        printed = [answer(child, text) for text in ("0", "0", "(2, 1)", "5", "2 0", "1")]
        end = rest(child)
    assert "Running the notebook in this folder ..." in printed[0]
    assert "(0, 0) is not a legal move" in printed[2]
    told = re.findall(r"\((\d), (\d)\) played by (\w+) as O", "".join([*printed, end]))
    assert [3 * int(row) + int(column) for row, column, _ in told] == [4, 3, 2, 8]
    assert {name for _, _, name in told} == {"AlphaBeta"}
    assert end.endswith("X X O\nO O X\nX X O\nThe game is over: a draw.\n")
    assert child.exitstatus == 0


def test_the_end_of_the_input_and_control_c_end_the_game(folder: Path) -> None:
    """Are they a goodbye and no traceback, an interrupt also while a player thinks?"""
    write_notebook(folder, "def thinker(game, state):\n    while True:\n        pass")
    for key in "sendeof", "sendintr":
        with terminal(folder, "python", "play.py") as child:
            child.expect("Move for X: ")
            getattr(child, key)()
            assert rest(child).strip().endswith(BYE)
        assert child.exitstatus == 0
    with terminal(folder, "python", "play.py", "connect-four", "thinker") as child:
        answer(child, "4")
        child.expect("4 played by human_player as X")
        child.sendintr()
        assert rest(child).strip().endswith(BYE)
    assert child.exitstatus == 0


def test_find_best_move_gets_the_depth(folder: Path) -> None:
    """Can the function of the assignment on Connect Four be played against?"""
    write_notebook(folder, "def find_best_move(game, state, depth):\n    return depth")
    command = ("python", "play.py", "connect-four", "find_best_move", "--second", "--depth", "5")
    with terminal(folder, *command) as child:
        assert "5 played by find_best_move as X" in answer(child, "1")


@pytest.mark.parametrize(
    ("source", "options", "reason"),
    [
        (None, ["tic-tac-toe"], "There must be exactly one notebook in"),
        ("x = 1", ["tic-tac-toe"], "mine.ipynb does not define TicTacToe"),
        ("1 / 0", ["connect-four", "best"], "mine.ipynb does not define best"),
        (None, ["chess"], "invalid choice: 'chess'"),
    ],
)
def test_what_is_missing_is_said(
    folder: Path, source: str | None, options: list[str], reason: str
) -> None:
    """Is a game that cannot be set up refused in a sentence?"""
    if source is not None:
        write_notebook(folder, source)
    with terminal(folder, "python", "play.py", *options) as child:
        end = rest(child)
    assert reason in end and ("ZeroDivisionError" in end) == (source == "1 / 0")
    assert "Traceback" not in end
    assert child.exitstatus == 2
