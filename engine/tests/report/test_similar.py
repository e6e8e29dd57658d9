"""Ask whether copies are found whatever was done to them, and whether own styles are left alone."""

import re

import pytest
from class_records import of_bank

from referee.report import similar

NAMES = ("state", "move", "player", "best", "value", "board", "game", "square")
FILLER = "\n".join(f"row_{n} = [entry * {n} for entry in row_{n - 1}]" for n in range(1, 12))


def cells(name: str) -> list[str]:
    """Return what a student would have written who hands in this solution."""
    return [cell.source for cell in of_bank(f"right/{name}")]


def renamed(source: str) -> str:
    """Return the same code with other names, comments, quotes and empty lines."""
    for name in NAMES:
        source = re.sub(rf"\b{name}\b", f"my_{name}_2", source)
    source = re.sub(r'"""[\s\S]*?"""', '"""Mine."""', source)
    return "# all my own\n" + source.replace("\n\n", "\n\n\n# then\n").replace('"', "'")


def test_other_works_are_compared_with():
    """Is it found whose work is one of last year's, which nobody else's is like?"""
    class_ = {name: cells(name) for name in ("warns", "one_function")}
    older = {
        "2025/eve": [renamed(source) for source in cells("warns")],
        "2025/al": [FILLER],
    }
    (pair,) = similar.pairs(class_, older)
    assert (pair.one, pair.other) == ("warns", "2025/eve")
    assert similar.pairs(class_, older, release=cells("warns")) == []


def test_a_copy_in_other_cells_is_found_and_its_lines_are_told():
    """Is one found whose cells stand in another order, with a cell of one's own before?"""
    work = cells("warns")
    (pair,) = similar.pairs({"a": work, "b": [FILLER, *map(renamed, reversed(work))]}, {})
    assert pair.share == 1
    one, other = ([line for line, same in side if same] for side in pair.sides)
    assert len(one) > 15 < len(other)
    assert not {*FILLER.splitlines()} & {*other} and "# all my own" not in other


@pytest.mark.parametrize(("copies", "asked"), [(4, 6), (5, 0)])
def test_what_many_share_does_not_count(copies, asked):
    """Is what more than four of a small class have common knowledge?"""
    class_ = {f"s{n}": cells("warns") for n in range(copies)}
    assert len(similar.pairs(class_, {})) == asked


def test_a_few_lines_are_no_sign():
    """Are short works alike by nature?"""
    short = ["def f(state):\n    return max(state, key=lambda one: one[0])"]
    assert similar.pairs({"a": short, "b": short, "c": [], "d": [""]}, {}) == []


def test_work_that_is_no_python_is_compared():
    """Does a cell that does not parse, or has magics, keep its fingerprints?"""
    broken = [
        source.replace("def __call__(self", "def __call__(self(") for source in cells("warns")
    ]
    (pair,) = similar.pairs({"a": ["%%time\n!ls", *broken], "b": cells("warns")}, {})
    assert pair.share > 0.9


def test_pairs_come_in_the_same_order_each_time():
    """Are the most alike first, and then those whose names are?"""
    class_ = {name: cells("warns" if name < "c" else "one_function") for name in "abcd"}
    found = similar.pairs(class_, {})
    assert [(pair.one, pair.other) for pair in found] == [("a", "b"), ("c", "d")]
