"""Ask whether every file that a student can hand in becomes a notebook that can be graded.

The laws hold for the released notebook of the course, with the reference solution in its cells. One
is asked of notebooks that were damaged in hundreds of ways; `make nightly` asks of thousands.
"""

import ast
import copy
import functools
import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

import nbformat
import notebooks
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nim_course import ASSIGNMENT, POINTS, RELEASE, RELEASED
from notebooks import Cell, own
from shares import NIGHTLY

from referee import intake
from referee.intake import repair
from referee.intake.file import CAPS, KINDS

LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # no clock in a law

Notebook = dict[str, Any]


def grade_id(cell: Any) -> Any:
    """Return how a cell calls itself, whatever stands in the place of its metadata."""
    said = cell.get("metadata")
    data = said.get("nbgrader") if isinstance(said, dict) else None
    return data.get("grade_id") if isinstance(data, dict) else None


def text(cell: Cell) -> str:
    source = cell["source"]
    return "".join(source) if isinstance(source, str | list) else ""


def encoded(notebook: Any, **options: Any) -> bytes:
    return json.dumps(notebook, **options).encode("utf-8", "surrogatepass")


GIVEN = {grade_id(cell): text(cell) for cell in json.loads(RELEASED)["cells"]}
SOURCE = json.loads(ASSIGNMENT.source.read_bytes())["cells"]
WORK = {grade_id(cell): text(cell) for cell in SOURCE if grade_id(cell) in POINTS}


def handed_in() -> Notebook:
    """Return the released notebook with the reference solution, as JSON data."""
    notebook: Notebook = json.loads(RELEASED)
    for cell in notebook["cells"]:
        cell["source"] = WORK.get(grade_id(cell), text(cell))
    return notebook


def read(notebook: Any) -> intake.Intake:
    """Take in a notebook that is given as JSON data."""
    return repair.read(encoded(notebook), RELEASE)


def find(notebook: Notebook, name: str) -> int:
    """Return the place of a cell, known by its grade_id."""
    return next(i for i, cell in enumerate(notebook["cells"]) if grade_id(cell) == name)


def cell_of(notebook: Notebook, name: str) -> Cell:
    return notebook["cells"][find(notebook, name)]


def expect_gradable(notebook: Any, whole: bool = True) -> None:
    """Assert the law of all intakes: every cell of ours once and in order, locked ones ours.

    Metadata, type and id are ours in every cell that the release has. The notebook can be written,
    and is valid, which takes longer than all the rest, if the `whole` law is asked.
    """
    if whole:
        nbformat.validate(notebook)
    assert b"\\u0000" not in json.dumps(notebook, ensure_ascii=False).encode()
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    released = {name: cell for cell in RELEASE.cells if (name := repair.identity(cell))}
    ours = [cell for cell in notebook.cells if repair.identity(cell)]
    assert [repair.identity(cell) for cell in ours] == list(released)
    for cell, original in zip(ours, released.values(), strict=True):
        assert (cell.id, cell.cell_type) == (original.id, original.cell_type)
        assert cell.metadata == original.metadata
        if original.metadata.nbgrader.locked:
            assert cell.source == original.source


def expect_work(notebook: Any) -> None:
    """Assert that the work is where it belongs."""
    for name, work in WORK.items():
        assert cell_of(notebook, name).source == work


# --- what needs no repair --------------------------------------------------------------------


@pytest.mark.parametrize("data", [RELEASED, encoded(handed_in())], ids=["released", "worked on"])
def test_a_sound_notebook_is_left_alone(data):
    """Does a notebook that nothing is wrong with come out as it went in, with no repairs?"""
    accepted = repair.read(data, RELEASE)
    assert (accepted.repairs, accepted.refused) == ([], None)
    expect_gradable(accepted.notebook)
    assert [*map(text, accepted.notebook.cells)] == [*map(text, json.loads(data)["cells"])]


def test_intake_changes_neither_the_release_nor_the_submission():
    """Are both notebooks after `rebuild` what they were before it?"""
    submitted, release = intake.parse(encoded(handed_in())), intake.parse(RELEASED)
    before = copy.deepcopy((submitted, release))
    accepted = repair.rebuild(submitted, release)
    accepted.notebook.metadata["more"] = 1
    accepted.notebook.cells[0].metadata.nbgrader["points"] = 99
    accepted.notebook.cells[0].source = "changed"
    assert (submitted, release) == before


def test_only_source_and_pictures_come_along():
    """Does nothing come along that a kernel wrote, or that another course says of a cell?

    Pictures do, whatever half characters are in their names, and nothing that is none.
    """
    notebook, half = handed_in(), "\ud800"
    notebook["metadata"]["forged"] = "score"
    printed = [{"output_type": "stream", "name": "stdout", "text": "85 of 85"}]
    cell_of(notebook, "MiniMax").update(execution_count=7, outputs=printed)
    foreign = {"nbgrader": {"grade_id": "elsewhere", "grade": True, "points": 50}, "tags": ["a"]}
    pasted = {f"a{half}.png": {"image/png": "aGk=" + half, "text/html": "<b>"}, "b.png": "none"}
    notebook["cells"] += [
        own("print(1)", id="f", metadata=foreign, execution_count=8),
        own("", "markdown", attachments=pasted),
    ]
    accepted = read(notebook)
    expect_gradable(accepted.notebook)
    assert accepted.notebook.metadata == RELEASE.metadata
    assert "85 of 85" not in json.dumps(accepted.notebook)
    *_, mine, picture = accepted.notebook.cells
    assert (mine.source, mine.metadata, mine.execution_count) == ("print(1)", {}, None)
    assert picture.attachments == {"a?.png": {"image/png": "aGk=?"}}


def test_only_the_students_code_is_run():
    """Are the cells to run all code cells but the test cells, each labelled by its name?"""
    notebook = handed_in()
    place = find(notebook, "MiniMax")
    notebook["cells"].insert(place, own("helper = 1"))
    cells = intake.code_cells(read(notebook).notebook)
    found = {cell.label: cell.source for cell in cells}
    assert found.items() >= {f"cell {name}": work for name, work in WORK.items()}.items()
    assert found[f"cell {place + 1}"] == "helper = 1"
    assert not [label for label in found if "test_" in label]


# --- damage is repaired and listed -----------------------------------------------------------


def put(notebook: Notebook, place: int, *cells: Any) -> None:
    notebook["cells"][place:place] = cells


LOCKED, LOST = "test_MiniMax is not for editing", "cell MiniMax had lost its identity"
DAMAGES: dict[str, tuple[Callable[[Notebook], Any], str]] = {  # and what a repair must say
    "a solution cell twice": (
        lambda given: put(given, find(given, "MiniMax"), copy.deepcopy(cell_of(given, "MiniMax"))),
        "MiniMax .*2 times",
    ),
    "a deleted test cell": (
        lambda given: given["cells"].pop(find(given, "test_playing")), "test_playing was missing",
    ),
    "reversed cells": (lambda given: given["cells"].reverse(), "order"),
    "code turned into text": (
        lambda given: cell_of(given, "MiniMax").update(cell_type="markdown"),
        "MiniMax is a code cell again",
    ),
    "a cell of Deepnote's": (
        lambda given: cell_of(given, "MiniMax").update(cell_type="input-text"),
        "MiniMax is a code cell again",
    ),
    "a test replaced": (
        lambda given: cell_of(given, "test_MiniMax").update(source="print('all right')"), LOCKED,
    ),
    "a test emptied": (lambda given: cell_of(given, "test_MiniMax").update(source=""), LOCKED),
    "a class without metadata": (lambda given: cell_of(given, "MiniMax").update(metadata={}), LOST),
    "cells that are no cells": (
        lambda given: put(given, 2, 5, None, ["MiniMax"], own([1, 2])), "4 cells that are no cell",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_repaired_and_listed(name):
    """Is the work graded as if nothing had happened, and is what had an effect listed?"""
    notebook = handed_in()
    do, words = DAMAGES[name]
    do(notebook)
    accepted = read(notebook)
    assert accepted.refused is None
    expect_gradable(accepted.notebook)
    expect_work(accepted.notebook)
    assert [one for one in accepted.repairs if re.search(words, one)]


def in_version_3(notebook: Notebook) -> bytes:
    """Return a file of the older format."""
    cells = []
    for cell in notebook["cells"]:
        old = {key: value for key, value in cell.items() if key not in ("id", "outputs")}
        if cell.get("cell_type") == "code":
            old |= {"input": old.pop("source"), "language": "python", "outputs": []}
        cells.append(old)
    metadata = notebook["metadata"] if isinstance(notebook["metadata"], dict) else {}
    worksheets = [{"cells": cells, "metadata": {}}]
    old_format = {"nbformat": 3, "nbformat_minor": 0, "metadata": metadata}
    return encoded(old_format | {"worksheets": worksheets})


SOUND = encoded(handed_in())
ENCODINGS = "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"
FORMS = {name: (SOUND.decode().encode(name), f"as {name.upper()} text") for name in ENCODINGS} | {
    "Windows": (SOUND.replace(b"# Nim", b"# \xe9"), "as WINDOWS-1252 text"),
    "zeros at the end": (SOUND + b"\0" * 99, "zeros at the end"),
    "a mark at the beginning": (b"\xef\xbb\xbf" + SOUND, None),
    "lines that end": (SOUND.replace(b"\\n", b"\n"), None),
    "Windows' lines": (SOUND.replace(b"\\n", b"\\r\\n"), None),
    "version 3": (in_version_3(handed_in()), None),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_file_in_another_form_is_read(name):
    """Is the work as it was, and is it told where the file was read in another way?"""
    data, said = FORMS[name]
    accepted = repair.read(data, RELEASE)
    assert accepted.refused is None
    expect_work(accepted.notebook)
    assert bool(said) == bool(accepted.repairs)
    assert said is None or said in accepted.repairs[0]


def test_a_heading_of_version_3_is_text():
    """Is nothing lost of what stood in a kind of cell that is no more?"""
    sheet = {"cells": [{"cell_type": "heading", "level": 1, "source": "Mine"}]}
    accepted = read({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [sheet]})
    assert accepted.notebook.cells[0].source == "# Mine"


def test_a_notebook_of_another_assignment_is_told_as_such():
    """Does it wait for a human, and not lose every point for what it never had?"""
    notebook = handed_in()
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"]["grade_id"] = f"other-{cell['id']}"
        cell["source"] = "mine = 1" if cell["cell_type"] == "code" else "# Mine"
    assert read(notebook).refused == "it has no cell of this assignment, but cells of another"


# --- what cannot be read ---------------------------------------------------------------------

UNREADABLE = {  # and what the reason has for a student to know what to look for
    "empty": (b"", "empty"),
    "truncated": (SOUND[:5000], "line 1 "),
    "Latin-1": ('{"cells": ["\xe9"]}'.encode("latin-1"), ""),
    "a PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "no notebook, but something else.*itself"),
    "a trailing comma": (b'{\n"cells": [],\n}', "line 3 .*an earlier copy"),
    "a zip file": (b"PK\3\4" + b"\0" * 100, "no notebook, but something else.*itself"),
    "zeros": (b"\0" * 5000, "empty"),
    "a list": (b"[]", "no notebook"),
    "no cells": (b'{"nbformat": 4, "metadata": {}}', "no notebook"),
    "cells that are none": (b'{"nbformat": 4, "metadata": {}, "cells": 3}', "no notebook"),
    "a format to come": (RELEASED.replace(b'"nbformat": 4', b'"nbformat": 9'), "no notebook"),
    "a format that is markup": (RELEASED.replace(b'"nbformat": 4', b'"nbformat": "<script>"'), ""),
    "nested too deep": (b"[" * 100_000, ""),
    "a number too long": (b'{"nbformat": ' + b"9" * 5000 + b"}", ""),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_cannot_be_read_is_the_released_notebook_with_a_reason(name):
    """Is there a notebook to grade at zero, and a reason that says what to do, and look for?

    It is a line without markup from the file and without Python's own words.
    """
    data, words = UNREADABLE[name]
    accepted = repair.read(data, RELEASE)
    expect_gradable(accepted.notebook)
    assert accepted.notebook == RELEASE
    assert accepted.notebook is not RELEASE
    assert accepted.repairs == []
    reason = accepted.refused or ""
    assert re.search("hand (.* )?in|save it", reason) and re.search(words, reason)
    assert not [word for word in ("\n", "<script>", "Error", "object") if word in reason]


# --- how much it may be ------------------------------------------------------------------------

NAMES = "def one(): ...\ndef two(): ...\n"
SMALL = nbformat.from_dict(notebooks.notebook(*(notebooks.cell(name, NAMES) for name in "fg")))
VALUES = f"[{'[[]],' * 4_000_000}0]"  # almost 20 MB of the smallest values
PICTURED = f"See.\n\n[a.png]: <data:image/png;base64,{'A' * 500_000}>\n"


def written(*cells: dict[str, Any], **more: Any) -> bytes:
    """Return a notebook file; `VALUES` stands wherever "VALUES" does."""
    return json.dumps(notebooks.notebook(*cells) | more).replace('"VALUES"', VALUES).encode()


PICTURES = {str(number): {"image/png": ""} for number in range(501)}
TOO_MUCH = {
    "bytes": lambda: b" " * (20 * 1024**2 + 1),
    "cells": lambda: written(*[{}] * 2001),
    "characters in its cells": lambda: written(own("a" * 200_000), own("a\n" * 50_001, "markdown")),
    "characters in its cells and in the pictures of its text": lambda: written(
        *[own(PICTURED, "markdown")] * 8
    ),
    "pictures": lambda: written(*[own("a", "markdown", attachments=PICTURES)] * 2),
}
MUCH = {
    "a notebook's data": lambda: written(own("x = 1"), metadata={"a": "VALUES"}),
    "a cell's data": lambda: written(own("x = 1", metadata={"a": "VALUES"})),
    "outputs": lambda: written(own("x = 1", outputs="VALUES")),
    "code": lambda: written(own(NAMES + "a," * 149_000)),
    "text like code": lambda: written(*[own(f"{NAMES}x = {'a,' * 9000}", "markdown")] * 200),
    "split code": lambda: written(own(NAMES), *[own(f" x = 1; {'a,' * 50})")] * 1900),
}


@pytest.mark.parametrize("what", CAPS)
def test_more_than_a_cap_is_refused_with_a_sentence(what: str) -> None:
    """Does it say what there is too much of, how much there may be, and what to do?"""
    refused = repair.read(TOO_MUCH[what](), SMALL).refused or ""
    most, remedy = CAPS[what]
    assert f" {what}, more than the {most:,} that it may have; {remedy}, save it, and" in refused
    assert refused.endswith("hand it in again")


@pytest.mark.parametrize("what", MUCH)
def test_what_is_below_all_caps_is_read_in_time(what: str) -> None:
    """Does the worst that a file can hold take a few CPU seconds, and is its work taken?"""
    data = MUCH[what]()
    before = time.process_time()
    accepted = repair.read(data, SMALL)
    assert time.process_time() - before < 15
    assert accepted.refused is None
    assert len(accepted.notebook.cells) >= len(SMALL.cells)


# --- laws ------------------------------------------------------------------------------------


def groups(notebook: Notebook) -> dict[str, list[str]]:
    """Return the texts of cells that have a grade_id, each with those of the others below it."""
    found, name = dict[str, list[str]](), ""
    for cell in notebook["cells"]:
        name = grade_id(cell) or name
        found.setdefault(name, []).append(text(cell))
    return found


ORDER = range(len(RELEASE.cells))


@LAW
@given(st.just(ORDER) | st.permutations(ORDER), st.lists(st.sampled_from(ORDER), max_size=8))
def test_extra_cells_follow_the_cell_they_followed(order, places):
    """Is the order among ours what the student saw, also when those are put back in order?"""
    notebook = handed_in()
    notebook["cells"] = [notebook["cells"][i] for i in order]
    for number, place in enumerate(places):
        notebook["cells"].insert(place, own(f"own = {number}"))
    accepted = read(notebook)
    expect_gradable(accepted.notebook)
    assert groups(accepted.notebook) == groups(notebook)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@LAW
@given(
    st.binary()
    | JSON.map(json.dumps).map(str.encode)
    | st.integers(0, len(SOUND)).map(lambda end: SOUND[:end])
    | st.builds(lambda noise, at: noise.join(SOUND.split(b"e", at)), st.binary(), st.integers(1, 9))
)
def test_any_bytes_give_a_notebook_that_can_be_graded(data: bytes) -> None:
    """Is nothing raised, whatever a file holds, and a refusal a sentence without Python's words?"""
    accepted = repair.read(data, RELEASE)
    expect_gradable(accepted.notebook)
    if accepted.refused is not None:
        assert len(accepted.refused) > 30
        assert "\n" not in accepted.refused
        assert "Error" not in accepted.refused


def test_two_versions_of_git_are_told_as_such() -> None:
    """Does a student who has merged by hand hear what the file holds?"""
    mine = '{"cells": [\n<<<<<<< HEAD\n 1\n=======\n 2\n>>>>>>> main\n]}'
    with pytest.raises(intake.UnreadableError, match="two versions, as git leaves them"):
        intake.parse(mine.encode())
    with pytest.raises(intake.UnreadableError, match="two versions, as git leaves them"):
        intake.parse(mine.replace("\n", "\r\n").encode())
    with pytest.raises(intake.UnreadableError, match="its JSON ends or breaks at line 1"):
        intake.parse(b'{"cells": "<<<<<<< HEAD"')
    notebook = handed_in()
    solution = cell_of(notebook, "MiniMax")
    solution["source"] = f"<<<<<<< local\n{solution['source']}\n=======\n2\n>>>>>>> remote"
    [said] = read(notebook).repairs
    assert said == "cell MiniMax holds two versions, as git leaves them: choose one"


# --- damages: each may return solutions that are lost although their texts are still there --------

Damage = Callable[[Notebook, random.Random], set[str] | None]
CHANCES: list[Damage] = []


def damage(do: Damage) -> Damage:
    CHANCES.append(do)
    return do


def holds(source: str) -> set[str]:
    """Return the solutions that stand whole in a text."""
    return {name for name, solution in WORK.items() if solution.strip() in source}


def everything(notebook: Notebook) -> set[str]:
    return set().union(*(holds(text(cell)) for cell in notebook["cells"]))


@damage
def rearranged(notebook: Notebook, chance: random.Random) -> None:
    """Copy, delete or move a cell."""
    cells = notebook["cells"]
    cell = chance.choice(cells)
    moved, deleted = chance.random() < 0.4, chance.random() < 0.4
    if moved or deleted:
        cells.remove(cell)
    if moved or not deleted:
        cells.insert(chance.randrange(len(cells) + 1), copy.deepcopy(cell))


@damage
def split(notebook: Notebook, chance: random.Random) -> set[str] | None:
    """Split a cell at any line, as Jupyter does: both parts have the metadata.

    The first part, if it runs, may count before a copy above that is whole: it is the last.
    """
    place = chance.randrange(len(notebook["cells"]))
    cell = notebook["cells"][place]
    whole = holds(text(cell))
    lines = text(cell).splitlines(keepends=True)
    at = chance.randrange(len(lines) + 1)
    below = copy.deepcopy(cell) | {"source": "".join(lines[at:])}
    if chance.random() < 0.5:
        below["metadata"] = {}
    cell["source"] = "".join(lines[:at]).rstrip("\n")
    notebook["cells"].insert(place + 1, below)
    return whole if parses(cell["source"]) else None


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
def changed(notebook: Notebook, chance: random.Random) -> set[str]:
    """Write something else into a field of a cell."""
    cell = chance.choice(notebook["cells"])
    names = [*filter(None, GIVEN), "x", "", 5, None]
    field, values = chance.choice([
        ("cell_type", ["code", "markdown", "raw", "heading", None, 3, ""]),
        ("metadata", [{}, None, [], "x", {"tags": 5}]),
        ("metadata", [{"nbgrader": {"grade_id": name}} for name in names]),
        ("source", ["", [], "pass", "x = (", "é\0"]),
        ("source", [[text(cell)], text(cell).splitlines(keepends=True)]),
        ("outputs", [[], [[]], functools.reduce(lambda deep, _: [deep], range(400), [])]),
    ])  # fmt: skip
    cell[field] = chance.choice(values)
    return set() if cell["cell_type"] in KINDS else holds(text(cell))


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
        if grade_id(cell):
            cell["metadata"]["nbgrader"] |= {"points": 100, "locked": chance.random() < 0.5}
        if isinstance(cell.get("metadata"), dict):
            cell["metadata"] = {} if chance.random() < 0.3 else cell["metadata"] | more
    notebook["nbformat_minor"] = chance.choice([0, 1, 2, 4, 5, 6, 99, "5", None])
    kernel = {"kernelspec": {"name": "python3"}, "language_info": {"name": "python"}}
    notebook["metadata"] = chance.choice([{}, None, [], {"language_info": 5}, kernel])


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


def expect_in_force(notebook: Any, names: set[str]) -> None:
    """Assert that once all code cells have run, the solutions are what is defined."""
    program = [s for cell in intake.code_cells(notebook) for s in statements(cell.source)]
    last = dict(program)
    for name in names:
        wanted = statements(WORK[name])
        assert {dump for _, dump in wanted} <= {dump for _, dump in program}, name
        for bound, dump in wanted:
            if bound and bound in {b for b, _ in statements(GIVEN[name])}:
                assert last[bound] == dump, f"{bound} of {name}"


@pytest.mark.filterwarnings("ignore::nbformat.warnings.MissingIDFieldWarning")
@settings(
    max_examples=10_000 if NIGHTLY else 500,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)
@given(
    st.lists(st.sampled_from(CHANCES), min_size=1, max_size=6),
    st.sampled_from([encoded, encoded, in_version_3]),
    st.integers(0, 2**32),
)
def test_any_damage_is_repaired(
    happened: list[Damage], write: Callable[[Notebook], bytes], seed: int
) -> None:
    """Is every damaged notebook graded, and no work lost that is there?

    Work in the file, whole, is in force when all code cells have run: it gets its marks. And what
    was repaired needs no repair; that a name is defined twice is said again.
    """
    chance, notebook, lost = random.Random(seed), handed_in(), set()
    for do in happened:
        if notebook["cells"]:
            before = everything(notebook)
            lost |= do(notebook, chance) or set()
            lost |= before - everything(notebook)
    accepted = repair.read(write(notebook), RELEASE)
    assert accepted.refused is None
    expect_gradable(accepted.notebook, whole=seed % 10 == 0)
    expect_in_force(accepted.notebook, set(WORK) - lost)
    if seed % 10 < 3:
        again = repair.read(json.dumps(accepted.notebook).encode(), RELEASE)
        assert again.refused is None
        assert [one for one in again.repairs if "again; the last one counts" not in one] == []
