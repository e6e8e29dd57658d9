"""Ask whether copies are found whatever was done to them, and whether own styles are left alone."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_classes import TIC_TAC_TOE

from referee.proof import bank
from referee.report import similar

RIGHT = [solution for solution in bank.read_all(TIC_TAC_TOE) if solution.kind == "right"]
NAMES = ("state", "move", "player", "best", "value", "board", "game", "square")
FILLER = "\n".join(f"row_{n} = [entry * {n} for entry in row_{n - 1}]" for n in range(1, 12))


def cells(name: str) -> list[str]:
    """Return what a student would have written who hands in this solution."""
    (solution,) = [one for one in RIGHT if one.file.stem == name]
    return [source for _, source in solution.sections]


def renamed(source: str) -> str:
    """Return the same code with other names, comments, quotes and empty lines."""
    for name in NAMES:
        source = re.sub(rf"\b{name}\b", f"my_{name}_2", source)
    source = re.sub(r'"""[\s\S]*?"""', '"""Mine."""', source)
    return "# all my own\n" + source.replace("\n\n", "\n\n\n# then\n").replace('"', "'")


def test_independent_solutions_are_left_alone():
    """Does nobody ask about 36 right solutions, each in a style of its own?"""
    assert len(RIGHT) > 30
    assert similar.pairs({one.name: [text for _, text in one.sections] for one in RIGHT}) == []


@pytest.mark.parametrize("name", ["negamax", "bitboards", "explicit_stack", "squares_with_names"])
def test_a_renamed_copy_is_found(name):
    """Do other names, comments and line breaks hide a copy, in a class of other styles?"""
    others = {one.file.stem: [text for _, text in one.sections] for one in RIGHT}
    copy = [renamed(source) for source in cells(name)]
    assert copy != cells(name)
    (pair,) = similar.pairs(others | {"copy": copy})
    assert {pair.one, pair.other} == {name, "copy"}
    assert pair.share > 0.95


def test_a_copy_in_other_cells_is_found():
    """Is a copy found whose cells stand in another order, with a cell of one's own before?"""
    work = cells("negamax")
    (pair,) = similar.pairs({"a": work, "b": [FILLER, *reversed(work)]})
    assert pair.share == 1


def test_what_was_given_does_not_count():
    """Are two who both only hand in what is known not asked about?"""
    work = cells("negamax")
    assert len(similar.pairs({"a": work, "b": work})) == 1
    assert similar.pairs({"a": work, "b": work}, common=work) == []


@pytest.mark.parametrize(("copies", "asked"), [(4, 6), (5, 0)])
def test_what_many_share_does_not_count(copies, asked):
    """Is what more than four of a small class have common knowledge?"""
    class_ = {f"s{n}": cells("negamax") for n in range(copies)}
    assert len(similar.pairs(class_)) == asked


def test_a_few_lines_are_no_sign():
    """Are short works alike by nature?"""
    short = ["def f(state):\n    return max(state, key=lambda one: one[0])"]
    assert similar.pairs({"a": short, "b": short, "c": [], "d": [""]}) == []


def test_work_that_is_no_python_is_compared():
    """Does a cell that does not parse, or has magics, keep its fingerprints?"""
    broken = [
        source.replace("def __call__(self", "def __call__(self(") for source in cells("negamax")
    ]
    (pair,) = similar.pairs({"a": ["%%time\n!ls", *broken], "b": cells("negamax")})
    assert pair.share > 0.9


def test_pairs_come_in_the_same_order_each_time():
    """Are the most alike first, and then those whose names are?"""
    class_ = {name: cells("negamax" if name < "c" else "bitboards") for name in "abcd"}
    found = similar.pairs(class_)
    assert [(pair.one, pair.other) for pair in found] == [("a", "b"), ("c", "d")]


@given(st.integers(0, 2**32))
def test_any_passage_of_twenty_tokens_leaves_a_print(seed):
    """Is a shared passage as long as a run and a window found wherever it stands?"""
    chance = random.Random(seed)
    length = similar.TOKENS + similar.WINDOW - 1

    def noise() -> str:
        words = [str(chance.randrange(10**9)) for _ in range(chance.randrange(40))]
        return " ".join(f"{word} +" for word in words)

    shared = " ".join(f"{chance.randrange(10**9)} +" for _ in range(length // 2))
    one, other = (similar.fingerprints([f"{noise()} {shared} {noise()}"]) for _ in range(2))
    assert one & other
