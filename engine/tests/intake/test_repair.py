"""Ask where a student's work is found, what is left of other cells, and when a human must look."""

import textwrap
from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from referee.intake import repair


def cell(source: str, name: str | None = None, **marks: Any) -> NotebookNode:
    """Return a code cell, with a grade_id and what nbgrader says of it."""
    tag = {"nbgrader": {"grade_id": name, "locked": False} | marks} if name else {}
    return new_code_cell(source, metadata=tag)


def text(source: str, name: str | None = None, **marks: Any) -> NotebookNode:
    """Return a cell of text."""
    return new_markdown_cell(source, metadata=cell("", name, **marks).metadata)


F, G = (
    cell(f"def {name}():\n    # YOUR CODE HERE\n    raise NotImplementedError()", name)
    for name in ("f", "g")
)
TEST = cell("assert f() == 1", "test_f", locked=True, grade=True, points=1)
IMPORTS = cell("import math", "imports", locked=True)
QUESTION, ESSAY = text("Why?", "question", locked=True), text("YOUR ANSWER HERE", "essay")
GIVEN = text("# Week 1")
RELEASE = [GIVEN, IMPORTS, F, TEST, G, QUESTION, ESSAY]
FIRST_TRY = "def f():\n    return 0"
DONE, ALSO = "def f():\n    return 1", "def g():\n    return 2"
BOTH = f"{DONE}\n\n{ALSO}"
WORDS = "Because it is."


def rebuilt(*cells: NotebookNode) -> repair.Intake:
    release = new_notebook(cells=RELEASE)
    return repair.rebuild(new_notebook(cells=[*cells]), release)


def run(accepted: repair.Intake) -> list[str]:
    """Return the sources of the cells in their order, without those that are as released."""
    given = {one.source for one in RELEASE}
    return [one.source for one in accepted.notebook.cells if one.source not in given]


def instead(**sources: str) -> list[NotebookNode]:
    """Return the released cells, some with another source."""
    names = [repair.identity(one) for one in RELEASE]
    pairs = zip(RELEASE, names, strict=True)
    return [
        NotebookNode(one | {"source": sources.get(name or "", one.source)}) for one, name in pairs
    ]


NOTE = F.source.replace("YOUR CODE HERE", "see below")
PLACES: dict[str, tuple[list[NotebookNode], list[str]]] = {  # cells handed in, and those to run
    "below": ([*instead(), cell(DONE)], [DONE]),
    "above": ([cell(DONE), *instead()], [DONE]),
    "lambda": ([cell("f = lambda: 1"), *instead()], ["f = lambda: 1"]),
    "in a test": (instead(test_f=f"{DONE}\n{TEST.source}"), [DONE, textwrap.indent(DONE, "    ")]),
    "in a locked cell": (instead(imports=f"{IMPORTS.source}\n{DONE}"), [DONE, DONE]),
    "in a later cell": (instead(g=BOTH), [BOTH, BOTH]),
    "in an earlier cell": (instead(f=BOTH), [BOTH, "# g: see cell f"]),
    "all at the end": ([*instead(), cell(BOTH)], [BOTH, "# g: see cell f"]),
    "copied up": ([cell(DONE, "f"), *instead()], [DONE]),
    "copied down": ([*instead(), cell(DONE, "f")], [DONE]),
    "tried twice": ([*instead(f=FIRST_TRY), cell(DONE, "f")], [FIRST_TRY, DONE]),
    "below a note": ([*instead(f=NOTE), cell(DONE)], [textwrap.indent(NOTE, "    "), DONE]),
    "imported": (instead(f="from helper import f"), ["from helper import f"]),
    "an empty copy below": ([*instead(essay=WORDS), text("", "essay")], [WORDS]),
    "a released copy below": ([*instead(essay=WORDS), text(ESSAY.source, "essay")], [WORDS]),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_an_untouched_stub_never_beats_work(name: str) -> None:
    """Is what does the work of a cell found wherever it stands, and in force before its test?"""
    cells, found = PLACES[name]
    accepted = rebuilt(*cells)
    assert run(accepted) == found
    texts = [one.source for one in accepted.notebook.cells if one.cell_type == "markdown"]
    assert {one for one in run(accepted) if one.startswith("    ")} <= {*texts}
    names = [repair.identity(one) for one in accepted.notebook.cells if repair.identity(one)]
    assert names == [repair.identity(one) for one in RELEASE if repair.identity(one)]
    assert rebuilt(*accepted.notebook.cells).repairs == []


def test_only_what_runs_below_an_answer_defines_it_again() -> None:
    """Is it told by the order in which cells run?"""
    again = "a cell below cell f defines f again; the last one counts"
    assert rebuilt(*instead(f=DONE), cell(FIRST_TRY)).repairs == [again]
    assert again not in rebuilt(cell(FIRST_TRY), *instead(f=DONE)).repairs


def test_an_example_of_the_release_is_no_work() -> None:
    """Does a cell without a grade_id stay where it is, if it defines what an answer defines, and is
    it no second definition of a student's?
    """
    release = new_notebook(cells=[F, cell("f = len"), TEST])
    for source in (F.source, DONE, "g = 1"):
        accepted = repair.rebuild(
            new_notebook(cells=[cell(source, "f"), *release.cells[1:]]), release
        )
        assert [one.source for one in accepted.notebook.cells[:2]] == [source, "f = len"]
        assert accepted.repairs == []


def test_two_answers_that_define_the_same_keep_their_own() -> None:
    """Does each get the part of it that stands above or below, and not the other's?"""
    for names in ("x", "y"), ("x", "other", "y"):
        release = [cell(f"numbers = []  # {name}\n# YOUR CODE HERE", name) for name in names]
        for above in True, False:
            cells = []
            for blank, name in zip(release, names, strict=True):
                own = cell(f"numbers = [{name!r}]")
                cells += [own, cell(f"numbers.sort()  # {name}", name)] if above else [blank, own]
            accepted = repair.rebuild(new_notebook(cells=cells), new_notebook(cells=release))
            found = [one for one in accepted.notebook.cells if repair.identity(one)]
            assert [one.source for one in found] == [f"numbers = [{name!r}]" for name in names]


ELSEWHERE: dict[str, tuple[list[NotebookNode], str]] = {  # and words that a human has to see
    "text": ([*instead(), text(WORDS)], WORDS),
    "comment": ([*instead(), cell(f"# {WORDS}")], WORDS),
    "printed": ([*instead(), cell(f"print({WORDS!r})")], WORDS),
    "in the question": (instead(question=f"{QUESTION.source}\n\n{WORDS}"), WORDS),
    "in a test": (instead(test_f=f"{TEST.source}\n# {WORDS}"), WORDS),
    "in a locked cell": (instead(imports=f"import os, math\n# {WORDS}"), WORDS),
    "in what was given": ([text(f"# Week 1\n\n{WORDS}"), *instead()[1:]], WORDS),
    "another name": ([*instead(), text(WORDS, "essay of old")], WORDS),
    "two answers": ([*instead(essay="One."), text("Two.", "essay")], "One."),
    "blank": (instead(), ""),
    "in its place": (instead(f=DONE, essay=WORDS), ""),
    "empty cells": ([*instead(), cell(" \n"), text("")], ""),
    "blanks": (instead(question=f"{QUESTION.source}  \n", imports=f"{IMPORTS.source}\n\n"), ""),
    "an old test": ([*instead(), cell("assert g()", "test_old", locked=True, grade=True)], ""),
}  # fmt: skip


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_human_sees_what_stands_elsewhere(name: str) -> None:
    """Is it in the notebook, and noted that an answer may stand in no cell for one?"""
    cells, words = ELSEWHERE[name]
    accepted = rebuilt(*cells)
    assert accepted.elsewhere == bool(words)
    assert words in "\n".join(run(accepted))


@pytest.mark.parametrize("more", ["print(g())", "class Old(g):\n    pass", "f.before = [g]"])
def test_work_that_needs_a_later_cell_stays_where_it_can_run(more: str) -> None:
    """Does it run after what it reads, and at the released place otherwise?"""
    own = f"{DONE}\n\n{more}"
    assert run(rebuilt(*instead(g=ALSO), cell(own))) == [ALSO, own]
    calls = f"def f():\n    return g() - 1\n\nx = {'-' * 2000}1"
    assert run(rebuilt(*instead(g=ALSO), cell(calls))) == [calls, ALSO]


def test_what_was_written_into_a_test_is_not_run() -> None:
    """Is it shown below the test, as text?"""
    accepted = rebuilt(*instead(test_f="assert True"))
    place = [one.source for one in accepted.notebook.cells].index("    assert True")
    assert accepted.notebook.cells[place - 1].source == TEST.source
    assert accepted.notebook.cells[place].cell_type == "markdown"
    assert accepted.repairs == [
        "cell test_f is not for editing and was put back as released; what was written there "
        "stands below it"
    ]
