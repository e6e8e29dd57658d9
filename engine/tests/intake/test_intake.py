"""Ask whether every file that a student can hand in becomes a notebook that can be graded.

The laws hold for the released notebook of the course, with made-up work in its cells.
"""

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import nbformat
import nim_course
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nim_course import IDENTIFIED, RELEASE, RELEASED
from nim_course import grade_id as name_of

from referee import intake
from referee.intake import repair

GRADED = [name for name, cell in IDENTIFIED.items() if "points" in cell.metadata.nbgrader]
WORK = {
    name: f"{cell.source}\n# {name} is done"
    for name, cell in IDENTIFIED.items()
    if cell.metadata.nbgrader.get("solution") and not cell.metadata.nbgrader.get("grade")
}
LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # no clock in a law

Notebook = dict[str, Any]
Cell = dict[str, Any]


def handed_in() -> Notebook:
    """Return the released notebook with work in each solution cell, as JSON data."""
    notebook: Notebook = json.loads(RELEASED)
    for cell in notebook["cells"]:
        cell["source"] = WORK.get(name_of(cell), "".join(cell["source"]))
    return notebook


def encoded(notebook: Any) -> bytes:
    return json.dumps(notebook).encode()


def read(notebook: Any) -> intake.Intake:
    """Take in a notebook that is given as JSON data."""
    return repair.read(encoded(notebook), RELEASE)


def find(notebook: Notebook, name: str) -> int:
    """Return the place of a cell, known by its grade_id or by its id."""
    cells = notebook["cells"]
    return next(i for i, cell in enumerate(cells) if name in (name_of(cell), cell.get("id")))


def cell_of(notebook: Notebook, name: str) -> Cell:
    return notebook["cells"][find(notebook, name)]


def code(source: str, **more: Any) -> Cell:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": source,
        **more,
    }


def sources(notebook: Notebook) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"]]


def expect_gradable(notebook: Any) -> None:
    """Assert the law of all intakes, and that the notebook is valid and can be written."""
    nbformat.validate(notebook)
    json.dumps(notebook, ensure_ascii=False).encode()
    ids = [cell.id for cell in notebook.cells]
    assert len(ids) == len(set(ids))
    nim_course.expect_gradable(notebook)


def expect_work(notebook: Any, names: Any = tuple(WORK)) -> None:
    """Assert that the work in the named cells is where it belongs."""
    for name in names:
        assert cell_of(notebook, name).source == WORK[name]


# --- what needs no repair --------------------------------------------------------------------


@pytest.mark.parametrize("data", [RELEASED, encoded(handed_in())], ids=["released", "worked on"])
def test_a_sound_notebook_is_left_alone(data):
    """Does a notebook that nothing is wrong with come out as it went in, with no repairs?"""
    accepted = repair.read(data, RELEASE)
    assert (accepted.repairs, accepted.refused) == ([], None)
    expect_gradable(accepted.notebook)
    assert sources(accepted.notebook) == sources(json.loads(data))


def test_intake_changes_neither_the_release_nor_the_submission():
    """Are both notebooks after `rebuild` what they were before it?"""
    submitted, release = intake.parse(encoded(handed_in())), intake.parse(RELEASED)
    before = copy.deepcopy((submitted, release))
    accepted = repair.rebuild(submitted, release)
    accepted.notebook.metadata["more"] = 1
    accepted.notebook.cells[0].metadata.nbgrader["points"] = 99
    accepted.notebook.cells[0].source = "changed"
    assert (submitted, release) == before


def test_outputs_and_counters_are_left_behind():
    """Does nothing that a student's kernel wrote come along?"""
    notebook = handed_in()
    notebook["metadata"]["forged"] = "score"
    cell_of(notebook, "MiniMax").update(
        execution_count=7, outputs=[{"output_type": "stream", "name": "stdout", "text": "85 of 85"}]
    )
    notebook["cells"].append(
        code("2 + 2", metadata={"collapsed": True}, execution_count=8, id="four")
    )
    accepted = read(notebook)
    expect_gradable(accepted.notebook)
    assert accepted.notebook.metadata == RELEASE.metadata
    assert "85 of 85" not in json.dumps(accepted.notebook)
    assert accepted.notebook.cells[-1].metadata == {}


def test_a_picture_of_a_cell_comes_along_as_what_can_be_written():
    """Is a picture kept, whatever half characters are in its name, and nothing that is none?"""
    notebook, half = handed_in(), "\ud800"
    pasted = {f"a{half}.png": {"image/png": "aGk=" + half, "text/html": "<b>"}, "b.png": "none"}
    notebook["cells"].append(
        {"cell_type": "markdown", "id": "mine", "metadata": {}, "source": "", "attachments": pasted}
    )
    accepted = read(notebook)
    expect_gradable(accepted.notebook)
    assert accepted.notebook.cells[-1].attachments == {"a?.png": {"image/png": "aGk=?"}}


def test_only_the_students_code_is_run():
    """Are the cells to run all code cells but the test cells, each labelled by its name?"""
    notebook = handed_in()
    notebook["cells"].insert(find(notebook, "MiniMax"), code("helper = 1", id="mine"))
    accepted = read(notebook)
    cells = intake.code_cells(accepted.notebook)
    assert not {"cell " + name for name in GRADED} & {cell.label for cell in cells}
    assert [cell.source for cell in cells if cell.label == "cell MiniMax"] == [WORK["MiniMax"]]
    number = sources(accepted.notebook).index("helper = 1") + 1
    assert [cell.source for cell in cells if cell.label == f"cell {number}"] == ["helper = 1"]


# --- damage is repaired and listed -----------------------------------------------------------


def as_text(notebook: Notebook) -> None:
    """Turn code into text, as Jupyter does."""
    cell = cell_of(notebook, "MiniMax")
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]


def put(notebook: Notebook, place: int, *cells: Any) -> None:
    notebook["cells"][place:place] = cells


def no_metadata(notebook: Notebook) -> None:
    del cell_of(notebook, "MiniMax")["metadata"]


LOCKED, LOST = "test_MiniMax is not for editing", "cell MiniMax had lost its identity"
DAMAGES: dict[str, tuple[Callable[[Notebook], Any], str]] = {  # and what a repair must say
    "a solution cell twice": (
        lambda given: put(given, find(given, "MiniMax"), copy.deepcopy(cell_of(given, "MiniMax"))),
        "MiniMax .*2 times",
    ),
    "a deleted test cell": (
        lambda given: given["cells"].pop(find(given, "test_playing")), "test_playing was missing",
    ),
    "a deleted text": (
        lambda given: given["cells"].pop(find(given, "conventions")), "conventions was missing",
    ),
    "reversed cells": (lambda given: given["cells"].reverse(), "order"),
    "code turned into text": (as_text, "MiniMax is a code cell again"),
    "text turned into code": (
        lambda given: cell_of(given, "evaluation_b").update(
            cell_type="code", outputs=[], execution_count=None
        ),
        "evaluation_b is a markdown cell again",
    ),
    "a test replaced": (
        lambda given: cell_of(given, "test_MiniMax").update(source="print('all right')"), LOCKED,
    ),
    "a test emptied": (lambda given: cell_of(given, "test_MiniMax").update(source=""), LOCKED),
    "a class without metadata": (lambda given: cell_of(given, "MiniMax").update(metadata={}), LOST),
    "a cell with no metadata at all": (no_metadata, "cell MiniMax"),
    "cells that are no cells": (
        lambda given: put(given, 2, 5, None, ["MiniMax"]), "3 cells? that .* no cell",
    ),
    "a cell whose source is no text": (
        lambda given: put(given, 3, code("") | {"source": [1, 2]}), "1 cells? that .* no cell",
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
    assert [one for one in accepted.repairs if words and re.search(words, one)] or not words


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_a_file_in_another_form_of_unicode_is_read(encoding):
    """Is it read with and without a mark at its beginning, and is that told?"""
    accepted = repair.read(encoded(handed_in()).decode().encode(encoding), RELEASE)
    assert accepted.refused is None
    assert [one for one in accepted.repairs if encoding.upper() in one] == accepted.repairs != []
    expect_work(accepted.notebook)


def test_a_notebook_of_version_3_is_read():
    """Is work found where that version kept it, and is a heading text?"""
    cells = [
        cell | {"input": cell["source"], "source": ""} if cell["cell_type"] == "code" else cell
        for cell in handed_in()["cells"]
    ]
    sheet = {"cells": [*cells, {"cell_type": "heading", "level": 1, "source": "Mine"}]}
    accepted = read({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [sheet]})
    expect_gradable(accepted.notebook)
    expect_work(accepted.notebook)
    assert accepted.notebook.cells[-1].source == "# Mine"


def test_cells_of_another_course_are_the_students_own():
    """Does a cell with a foreign grade_id lose it, and stay?"""
    notebook = handed_in()
    foreign = {"grade_id": "elsewhere", "grade": True, "points": 50, "solution": False}
    notebook["cells"].insert(0, code("print(1)", id="f", metadata={"nbgrader": foreign}))
    accepted = read(notebook)
    expect_gradable(accepted.notebook)
    assert accepted.notebook.cells[0].source == "print(1)"


# --- what cannot be read ---------------------------------------------------------------------

UNREADABLE = {
    "empty": b"",
    "truncated": encoded(handed_in())[:5000],
    "Latin-1": '{"cells": ["\xe9"]}'.encode("latin-1"),
    "a program": b"class MiniMax:\n    pass\n",
    "a web page": b"\n<!DOCTYPE html>\n<html><title>nim.ipynb at main</title></html>",
    "a PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj",
    "a trailing comma": b'{\n"cells": [],\n}',
    "a zip file": b"PK\3\4" + b"\0" * 100,
    "a gzip file": b"\x1f\x8b\x08" + b"\0" * 100,
    "zeros": b"\0" * 5000,
    "a list": b"[]",
    "a number": b"42",
    "null": b"null",
    "NaN": b"NaN",
    "a string": b'"nim"',
    "other data": b'{"name": "Ada", "points": 85}',
    "no cells": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
    "cells that are none": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": 3}',
    "a format to come": RELEASED.replace(b'"nbformat": 4', b'"nbformat": 9'),
    "a format that is markup": RELEASED.replace(
        b'"nbformat": 4', b'"nbformat": "4\\n```\\n\\n<script>stolen()</script>"'
    ),
    "nested too deep": b"[" * 100_000,
    "a number too long": b'{"nbformat": ' + b"9" * 5000 + b"}",
}


ELSE = "no notebook, but something else.*itself"
WORDS = {  # which the reason has for a student to know what to look for
    "empty": "empty", "truncated": "line 1 ", "a trailing comma": "line 3 .*an earlier copy",
    "a zip file": ELSE, "a gzip file": ELSE, "a program": ELSE, "a web page": ELSE, "a PDF": ELSE,
}  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_cannot_be_read_is_the_released_notebook_with_a_reason(name):
    """Is there a notebook to grade at zero, and a reason that says what to do, and look for?

    It is a line without markup from the file and without Python's own words.
    """
    accepted = repair.read(UNREADABLE[name], RELEASE)
    expect_gradable(accepted.notebook)
    assert accepted.notebook == RELEASE
    assert accepted.notebook is not RELEASE
    assert accepted.repairs == []
    reason = accepted.refused or ""
    assert re.search("hand (.* )?in|save it", reason) and re.search(WORDS.get(name, ""), reason)
    assert not [word for word in ("\n", "<script>", "Error", "object") if word in reason]


# --- laws ------------------------------------------------------------------------------------


@LAW
@given(st.lists(st.tuples(st.integers(0, len(RELEASE.cells)), st.integers(0, 99)), max_size=8))
def test_extra_cells_stay_in_their_places(extras):
    """Is the order of all cells, the student's own among ours, what the student saw?"""
    notebook = handed_in()
    for place, number in extras:
        notebook["cells"].insert(place, code(f"own = {number}", id=f"own-{number}"))
    accepted = read(notebook)
    expect_gradable(accepted.notebook)
    assert sources(accepted.notebook) == sources(notebook)


@LAW
@given(st.permutations(range(len(RELEASE.cells))))
def test_extra_cells_follow_the_cell_they_followed(order):
    """When cells are put back in order, does a student's own cell move with the one above it?"""
    notebook = handed_in()
    notebook["cells"] = [notebook["cells"][i] for i in order]
    for cell in [cell for cell in notebook["cells"] if name_of(cell) in WORK]:
        extra = code(f"after = {name_of(cell)!r}")
        notebook["cells"].insert(notebook["cells"].index(cell) + 1, extra)
    accepted = read(notebook)
    expect_gradable(accepted.notebook)
    expect_work(accepted.notebook)
    for name in WORK:
        following = accepted.notebook.cells[find(accepted.notebook, name) + 1]
        assert following.source == f"after = {name!r}"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@LAW
@given(st.binary() | JSON.map(json.dumps).map(str.encode))
def test_any_bytes_give_a_notebook_that_can_be_graded(data: bytes) -> None:
    """Is nothing raised, whatever a file holds?"""
    expect_gradable(repair.read(data, RELEASE).notebook)


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
