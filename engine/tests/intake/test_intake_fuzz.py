"""Damage a right notebook in thousands of ways: is each one graded or refused with a sentence?

The short form runs with all tests; `make nightly` the long one.
"""

import ast
import copy
import functools
import json
import random
from collections.abc import Callable
from typing import Any

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nim_course import ASSIGNMENT, POINTS, RELEASE, expect_gradable, grade_id
from shares import NIGHTLY

from referee import intake
from referee.intake import repair

SOURCE = json.loads(ASSIGNMENT.source.read_text("utf-8"))
RELEASED = json.loads(ASSIGNMENT.release.read_text("utf-8"))
SOLUTIONS = tuple(POINTS)

Notebook = dict[str, Any]
Cell = dict[str, Any]


def text(cell: Cell) -> str:
    source = cell["source"]
    return "".join(source) if isinstance(source, str | list) else ""


SOLVED = {grade_id(cell): text(cell) for cell in SOURCE["cells"] if grade_id(cell) in SOLUTIONS}


def solved() -> Notebook:
    """Return the released notebook with the reference solution filled in."""
    notebook: Notebook = copy.deepcopy(RELEASED)
    for cell in notebook["cells"]:
        cell["source"] = SOLVED.get(grade_id(cell), text(cell))
    return notebook


# --- damages: each may return solutions that are lost although their texts are still there --------

Damage = Callable[[Notebook, random.Random], set[str] | None]
DAMAGES: list[Damage] = []


def damage(do: Damage) -> Damage:
    DAMAGES.append(do)
    return do


def holds(source: str) -> set[str]:
    """Return the solutions that stand whole in a text."""
    return {name for name, solution in SOLVED.items() if solution.strip() in source}


def everything(notebook: Notebook) -> set[str]:
    return set().union(*(holds(text(cell)) for cell in notebook["cells"]))


@damage
def copied(notebook: Notebook, chance: random.Random) -> None:
    cells = notebook["cells"]
    cells.insert(chance.randrange(len(cells) + 1), copy.deepcopy(chance.choice(cells)))


@damage
def deleted(notebook: Notebook, chance: random.Random) -> None:
    notebook["cells"].pop(chance.randrange(len(notebook["cells"])))


@damage
def moved(notebook: Notebook, chance: random.Random) -> None:
    cells = notebook["cells"]
    cells.insert(chance.randrange(len(cells)), cells.pop(chance.randrange(len(cells))))


@damage
def shuffled(notebook: Notebook, chance: random.Random) -> None:
    chance.shuffle(notebook["cells"])


@damage
def split(notebook: Notebook, chance: random.Random) -> None:
    """Split a cell at any line, as Jupyter does: both parts have the metadata."""
    place = chance.randrange(len(notebook["cells"]))
    cell = notebook["cells"][place]
    lines = text(cell).splitlines(keepends=True)
    at = chance.randrange(len(lines) + 1)
    below = copy.deepcopy(cell) | {"source": "".join(lines[at:])}
    if chance.random() < 0.5:
        below["metadata"] = {}
    cell["source"] = "".join(lines[:at]).rstrip("\n")
    notebook["cells"].insert(place + 1, below)


@damage
def merged(notebook: Notebook, chance: random.Random) -> set[str] | None:
    """Merge a cell with the next one, as Jupyter does: it stays what the first one was."""
    cells = notebook["cells"]
    place = chance.randrange(len(cells))
    above, below = cells[place], cells.pop(place + 1) if place + 1 < len(cells) else None
    if below is None:
        return None
    both = f"{text(above)}\n\n{text(below)}"
    code = above.get("cell_type") == below.get("cell_type") == "code"
    above["source"] = both
    return None if code and parses(both) else holds(both)


@damage
def of_no_type(notebook: Notebook, chance: random.Random) -> set[str]:
    cell = chance.choice(notebook["cells"])
    cell["cell_type"] = chance.choice(["heading", None, 3, ""])
    return holds(text(cell))


@damage
def without_any_metadata(notebook: Notebook, chance: random.Random) -> None:
    for cell in notebook["cells"]:
        cell["metadata"] = {}


@damage
def worth_more(notebook: Notebook, chance: random.Random) -> None:
    for cell in notebook["cells"]:
        if grade_id(cell):
            cell["metadata"]["nbgrader"] |= {"points": 100, "locked": chance.random() < 0.5}


@damage
def changed(notebook: Notebook, chance: random.Random) -> None:
    """Write something else into a field of a cell."""
    cell = chance.choice(notebook["cells"])
    names = [*filter(None, map(grade_id, RELEASED["cells"])), "x", "", 5, None]
    field, values = chance.choice([
        ("cell_type", ["code", "markdown", "raw"]),
        ("metadata", [{}, None, [], "x", {"tags": 5}]),
        ("metadata", [{"nbgrader": {"grade_id": name}} for name in names]),
        ("source", ["", [], "pass", "x = (", "é\0"]),
        ("source", [[text(cell)], text(cell).splitlines(keepends=True)]),
        ("outputs", [[], [[]], functools.reduce(lambda deep, _: [deep], range(400), [])]),
    ])  # fmt: skip
    cell[field] = chance.choice(values)


@damage
def with_other_cells(notebook: Notebook, chance: random.Random) -> None:
    sources = ["x = 1", "%time 1", "(", "# é", "print('a')", "!ls", "\ud83d", 5, None, {}]
    kinds = ["code", "heading"]
    cell = {"cell_type": chance.choice(kinds), "metadata": {}, "source": chance.choice(sources)}
    notebook["cells"].insert(chance.randrange(len(notebook["cells"]) + 1), cell)


@damage
def as_another_program_saves_it(notebook: Notebook, chance: random.Random) -> None:
    """Do to all cells and to the notebook what Colab or VS Code does, or no program."""
    colab, code = {"colab": {"base_uri": "https://localhost"}}, {"vscode": {"languageId": "python"}}
    more = chance.choice([{}, colab, code, {"trusted": True}])
    for cell in notebook["cells"]:
        cell["id"] = chance.choice(["same", "", None, 7, "<b>", "x" * 99])
        if isinstance(cell.get("metadata"), dict):
            cell["metadata"] |= more
    notebook["nbformat_minor"] = chance.choice([0, 1, 2, 4, 5, 6, 99, "5", None])
    kernel = {"kernelspec": {"name": "python3"}, "language_info": {"name": "python"}}
    notebook["metadata"] = chance.choice([{}, None, [], {"language_info": 5}, kernel])


# --- the file: each returns the bytes, and whether the work can still be in them --------------

Writer = Callable[[Notebook, random.Random], tuple[bytes, bool]]


def encoded(notebook: Notebook, **options: Any) -> bytes:
    return json.dumps(notebook, **options).encode("utf-8", "surrogatepass")


def in_version_3(notebook: Notebook, chance: random.Random) -> tuple[bytes, bool]:
    cells = []
    for cell in notebook["cells"]:
        old = {key: value for key, value in cell.items() if key not in ("id", "outputs")}
        if cell.get("cell_type") == "code":
            old |= {"input": old.pop("source"), "language": "python", "outputs": []}
        cells.append(old)
    metadata = notebook["metadata"] if isinstance(notebook["metadata"], dict) else {}
    worksheets = [{"cells": cells, "metadata": {}}]
    old_format = {"nbformat": 3, "nbformat_minor": 0, "metadata": metadata}
    return encoded(old_format | {"worksheets": worksheets}), True


WRITERS: list[Writer] = [
    lambda notebook, chance: (encoded(notebook), True),
    lambda notebook, chance: (encoded(notebook, indent=1), True),
    lambda notebook, chance: (b"\xef\xbb\xbf" + encoded(notebook), True),
    lambda notebook, chance: (json.dumps(notebook).encode("utf-16"), True),
    lambda notebook, chance: (
        json.dumps(notebook, ensure_ascii=False).encode("cp1252", "replace"),
        True,
    ),
    lambda notebook, chance: (encoded(notebook) + b"\0" * chance.randrange(9000), True),
    lambda notebook, chance: (encoded(notebook).replace(b"\\n", b"\n"), True),
    in_version_3,
    lambda notebook, chance: (encoded(notebook)[: chance.randrange(60_000)], False),
    lambda notebook, chance: (encoded(notebook) + b"x", False),
    lambda notebook, chance: (b"PK\3\4" + encoded(notebook), False),
    lambda notebook, chance: (b"\x1f\x8b" + encoded(notebook), False),
    lambda notebook, chance: (encoded([notebook]), False),
    lambda notebook, chance: (encoded(notebook | {"cells": [[[[]]]] * 50}), False),
    lambda notebook, chance: (b"[" * chance.randrange(200_000) + encoded(notebook), False),
    lambda notebook, chance: (
        chance.randbytes(9).join(encoded(notebook).split(b"e", chance.randrange(1, 9))),
        False,
    ),
]


# --- what must come out -----------------------------------------------------------------------


def parses(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


@functools.cache
def statements(source: str) -> tuple[tuple[str, str], ...]:
    """Return the statements of a cell, each with the name that it binds, if it binds one."""
    found = []
    for node in ast.parse(source).body if parses(source) else []:
        bound = getattr(node, "name", "")
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            bound = node.targets[0].id
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            bound = node.target.id
        found.append((bound, ast.dump(node)))
    return tuple(found)


RELEASED_SOURCES = {grade_id(cell): text(cell) for cell in RELEASED["cells"]}


def expect_in_force(notebook: Any, names: set[str]) -> None:
    """Assert that once all code cells have run, the solutions are what is defined."""
    program = [s for cell in intake.code_cells(notebook) for s in statements(cell.source)]
    last = dict(program)
    for name in names:
        wanted = statements(SOLVED[name])
        assert {dump for _, dump in wanted} <= {dump for _, dump in program}, name
        for bound, dump in wanted:
            if bound and bound in {b for b, _ in statements(RELEASED_SOURCES[name])}:
                assert last[bound] == dump, f"{bound} of {name}"


@pytest.mark.filterwarnings("ignore::nbformat.warnings.MissingIDFieldWarning")
@settings(
    max_examples=10_000 if NIGHTLY else 500,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)
@given(
    st.lists(st.sampled_from(DAMAGES), min_size=1, max_size=6),
    st.sampled_from(WRITERS[:8] * 2 + WRITERS[8:]),
    st.integers(0, 2**32),
)
def test_any_damage_is_repaired_or_refused(
    happened: list[Damage], write: Writer, seed: int
) -> None:
    """Is every damaged notebook graded or refused with a sentence, and no work lost that is there?

    Work in the file, whole, is in force when all code cells have run: it gets its marks. And what
    was repaired needs no repair.
    """
    chance, notebook, lost = random.Random(seed), solved(), set()
    for do in happened:
        if notebook["cells"]:
            before = everything(notebook)
            lost |= do(notebook, chance) or set()
            lost |= before - everything(notebook)
    data, whole = write(notebook, chance)
    accepted = repair.read(data, RELEASE)
    expect_gradable(accepted.notebook)
    assert b"\\u0000" not in json.dumps(accepted.notebook, ensure_ascii=False).encode()
    if seed % 10 == 0:  # it takes longer than all the rest
        nbformat.validate(accepted.notebook)
    if seed % 10 < 3 and accepted.refused is None:
        again = repair.read(json.dumps(accepted.notebook).encode(), RELEASE)
        assert (again.repairs, again.refused) == ([], None)
    if accepted.refused is not None:
        assert not whole
        assert len(accepted.refused) > 30
        assert "\n" not in accepted.refused
        assert "Error" not in accepted.refused
    elif whole:
        expect_in_force(accepted.notebook, set(SOLUTIONS) - lost)
