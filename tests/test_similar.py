"""Ask whether copies are found among the solutions of the bank, and own styles are left alone."""

import re
from pathlib import Path

import pytest

from referee.course import Assignment, Course
from referee.proof import bank
from referee.report import similar

TIC_TAC_TOE = Assignment("tic-tac-toe", Course(Path(__file__).parents[1]))
RIGHT = [solution for solution in bank.read_all(TIC_TAC_TOE) if solution.kind == "right"]
NAMES = ("state", "move", "player", "best", "value", "board", "game", "square")


def cells(name: str) -> list[str]:
    """Return what a student would have written who hands in this solution."""
    (solution,) = [one for one in RIGHT if one.name == f"right/{name}"]
    return [source for _, source in solution.sections]


def renamed(source: str) -> str:
    """Return the same code with other names, comments, quotes and empty lines."""
    for name in NAMES:
        source = re.sub(rf"\b{name}\b", f"my_{name}_2", source)
    source = re.sub(r'"""[\s\S]*?"""', '"""Mine."""', source)
    return "# all my own\n" + source.replace("\n\n", "\n\n\n# then\n").replace('"', "'")


def test_independent_solutions_are_left_alone():
    """Is nobody asked about independent solutions but a few pairs that are in fact alike?"""
    whole = [one for one in RIGHT if one.file.suffix == ".py"]  # others are edits of these
    assert len(whole) > 30
    found = similar.pairs({one.name: [text for _, text in one.sections] for one in whole}, {})
    assert len(found) <= 5


@pytest.mark.parametrize("name", ["negamax", "bitboards", "explicit_stack", "squares_with_names"])
def test_a_renamed_copy_is_found(name):
    """Do other names, comments and line breaks hide a copy, in a class of other styles?"""
    others = {one.name: [text for _, text in one.sections] for one in RIGHT}
    copy = [renamed(source) for source in cells(name)]
    assert copy != cells(name)
    pair = similar.pairs(others | {"copy": copy}, {})[0]
    assert {pair.one, pair.other} == {f"right/{name}", "copy"}
    assert pair.share > 0.95
