"""Ask whether the screenshots of README and docs show the course of today: `make pictures`."""

import hashlib
import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
WORDS = json.loads((PICTURES / "words.json").read_text("utf-8"))
NAME = "tic-tac-toe"
ROW = re.compile(r" (\d) (( [.XO] ?|\[[XO]\]|\*[XO]\*)+)")  # of a board as text
MARK = re.compile(r"^([\w-]+): ([\d.]+) of ([\d.]+) points$")


def plain(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def words(name: str) -> list[str]:
    return [plain(line) for line in WORDS[name]["words"]]


def test_each_picture_has_its_words() -> None:
    """Are pictures and words from one run, and all pictures there that pages show?"""
    files = {file.stem: file.read_bytes() for file in PICTURES.glob("*.png")}
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    assert digests == {name: one["sha256"] for name, one in WORDS.items()}
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "engine").rglob("*.md")]
    texts = [page.read_text("utf-8") for page in pages]
    shown = {name for text in texts for name in re.findall(r"pictures/([\w-]+)\.png", text)}
    assert shown <= digests.keys()


def test_every_piece_is_at_rest() -> None:
    """Does each piece of Connect Four lie on another one, or at the bottom?"""
    found = [ROW.match(f"{line} ") for line in WORDS["connect-four"]["words"]]
    rows = {int(row[1]): re.findall("[.XO]", row[2]) for row in found if row}
    assert (sorted(rows), {*map(len, rows.values())}) == ([*range(6)], {7})
    pieces = [(r, c) for r, row in rows.items() for c, piece in enumerate(row) if piece != "."]
    assert len(pieces) == 4
    assert all(row == 0 or (row - 1, column) in pieces for row, column in pieces)


def test_the_board_is_one_of_the_notebook() -> None:
    """Is its title that of a board in the notebook, and is it somebody's turn?"""
    notebook = (ROOT / "source" / NAME / f"{NAME}.ipynb").read_text("utf-8")
    title, *_, said = words("connect-four")
    assert title in notebook
    assert "X (you) to move" in said


def test_the_feedback_names_a_mistake_of_today() -> None:
    """Is the cause in the picture, in the words of a misconception that there is?"""
    file = ROOT / "adversarial" / "diagnosis" / "misconceptions.toml"
    known = {plain(one["like"]) for one in tomllib.loads(file.read_text("utf-8")).values()}
    begin = "It behaves like "
    shown = {line.removeprefix(begin).rstrip(".") for line in words("feedback") if begin in line}
    assert shown
    assert shown <= known


@pytest.mark.parametrize("name", ["feedback", "formgrader-notebook"])
def test_points_are_those_of_cells_of_today(name: str) -> None:
    """Are the cells named whose points are told, and are those the points of the notebook?"""
    notebook = json.loads((ROOT / "source" / NAME / f"{NAME}.ipynb").read_text("utf-8"))
    cells = {cell["id"]: cell["metadata"].get("nbgrader", {}) for cell in notebook["cells"]}
    for cell, _, most in (found.groups() for line in words(name) if (found := MARK.match(line))):
        assert cell in cells
        assert float(most) > 0
