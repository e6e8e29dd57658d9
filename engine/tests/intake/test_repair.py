"""Ask of each repair what it puts right, by itself; `test_intake` asks what they do together."""

from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from referee.intake import repair
from referee.intake.repair import Draft


def cell(source: str, name: str | None = None, **marks: Any) -> NotebookNode:
    """Return a code cell, with a grade_id and what nbgrader says of it."""
    tag = {"nbgrader": {"grade_id": name, "locked": False} | marks} if name else {}
    return new_code_cell(source, metadata=tag)


F = cell("def f():\n    pass", "f", solution=True)
G = cell("def g():\n    pass", "g", solution=True)
LOCKED = cell("check('f')", "test_f", locked=True)
BOTH = "def f():\n    return 1\n\ndef g():\n    return 2"
RELEASED = {"f": F, "g": G, "test_f": LOCKED}


def sources(cells: Any) -> list[str]:
    return [one.source for one in cells]


def chosen(draft: Draft) -> dict[str, str]:
    return {name: one.source for name, one in draft.chosen.items()}


def test_what_is_no_cell_is_left_out() -> None:
    """Does one that has no source or type not stop the others?"""
    one = cell("x = 1")
    draft, said = repair.leave_out_what_is_no_cell(Draft([None, one, {"source": "y"}]), RELEASED)
    assert draft.cells == [one]
    assert said == ["2 cells that are no cells were left out"]


@pytest.mark.parametrize(
    ("halves", "joined"),
    [
        ([cell("def f():\n    x = 1", "f"), cell("    return x")], 1),
        ([cell("def f():\n    return 1", "f"), cell("y = 2")], 2),
        ([cell("check('f')", "test_f", locked=True), cell("    x")], 2),
    ],
    ids=["split", "whole", "locked"],
)
def test_a_split_cell_is_joined_and_no_other(halves: list[NotebookNode], joined: int) -> None:
    """Is only put together what is no program by itself, in a cell that students may edit?"""
    draft, said = repair.join_split_cells(Draft(halves), RELEASED)
    assert len(draft.cells) == joined
    assert len(said) == 2 - joined


def test_of_several_cells_of_a_name_the_last_changed_counts() -> None:
    """Is work not lost to a copy that is as released?"""
    done = cell("def f():\n    return 1", "f")
    draft, said = repair.choose_by_identity(Draft([F, done, F, G]), RELEASED)
    assert chosen(draft) == {"f": done.source, "g": G.source}
    assert said == ["cell f is there 3 times; the last one changed counts"]


def test_an_identity_is_not_believed_where_another_cell_defines_it() -> None:
    """Does a cell that only calls itself f not stand for f?"""
    wrong, right = cell("x = 1", "f"), cell("def f():\n    return 1")
    draft, _ = repair.choose_by_identity(Draft([wrong, right]), RELEASED)
    assert chosen(draft) == {}


def text(source: str, name: str | None = None) -> NotebookNode:
    """Return a cell of text."""
    return NotebookNode(cell(source, name, solution=True) | {"cell_type": "markdown"})


ESSAY = text("YOUR ANSWER HERE", "essay")
ASKED = {"f": F, "essay": ESSAY, "g": G}
WORDS = text("Because it prunes.")
MORE = text("And so on.")


@pytest.mark.parametrize(
    ("handed_in", "answer"),
    [
        ([F, ESSAY, WORDS, G], "Because it prunes."),
        ([F, WORDS, G], "Because it prunes."),
        ([F, ESSAY, WORDS, MORE, G], "Because it prunes.\n\nAnd so on."),
        ([F, text("", "essay"), WORDS, G], "Because it prunes."),
        ([F, text("Mine.", "essay"), WORDS, G], "Mine."),
        ([F, ESSAY, G, WORDS], "YOUR ANSWER HERE"),
        ([F, ESSAY, cell("x = 1"), G], "YOUR ANSWER HERE"),
        ([F, ESSAY, text("Given."), G], "YOUR ANSWER HERE"),
    ],
    ids=["below", "retyped", "two cells", "emptied", "answered", "elsewhere", "code", "released"],
)
def test_an_answer_in_words_is_found_where_it_stands(
    handed_in: list[NotebookNode], answer: str
) -> None:
    """Does what a student wrote reach who marks it, and nothing that is somebody else's?"""
    known = {identity: one for one in handed_in if (identity := repair.identity(one))}
    draft = Draft(handed_in, known, texts=frozenset({"Given."}))
    draft, said = repair.find_written_answers(draft, ASKED)
    assert draft.chosen.get("essay", ESSAY).source == answer
    assert len(said) == answer.startswith("Because")
    assert len(draft.cells) == 3 + (answer == "Mine." or not said)


def test_a_cell_without_identity_is_known_by_its_content() -> None:
    """Is a solution cell known by what it defines, a locked one by what it says?"""
    written = cell("def g():\n    return 2")
    locked = cell(" check('f')\n")
    draft, said = repair.choose_by_content(Draft([written, locked], {"f": F}), RELEASED)
    assert chosen(draft) == {"f": F.source, "g": written.source, "test_f": locked.source}
    assert len(said) == 2


@pytest.mark.parametrize(
    ("home", "g"),
    [("f", "# g: see cell f"), ("test_f", BOTH), (None, "# g: see cell f")],
)
def test_merged_work_is_found(home: str | None, g: str) -> None:
    """Does what was written in another cell count, in its place or in one that may be edited?"""
    both = cell(BOTH, home)
    draft, said = repair.find_merged_work(Draft([both], {home: both} if home else {}), RELEASED)
    assert draft.chosen["f"].source == BOTH
    assert draft.chosen["g"].source == g
    assert len(said) == (1 if home == "f" else 2)


def test_work_that_was_found_before_is_not_told_again() -> None:
    """Is a notebook that was repaired once, and says where the work is, left as it is?"""
    both, note = cell(BOTH, "f"), cell("# g: see cell f", "g")
    draft, said = repair.find_merged_work(Draft([both, note], {"f": both}), RELEASED)
    assert draft.chosen["g"] is note
    assert said == []


def test_copies_of_released_cells_are_left_out() -> None:
    """Are other copies not kept as the student's own cells?"""
    own = cell("x = 1")
    draft, said = repair.leave_out_copies(Draft([F, cell(F.source, "f"), own], {"f": F}), RELEASED)
    assert sources(draft.cells) == [F.source, "x = 1"]
    assert said == []


def test_only_what_students_may_edit_is_taken_from_them() -> None:
    """Is a locked cell as released, and what is missing put back?"""
    work = {"f": cell("def f():\n    return 1", "f", solution=True)}
    draft = Draft([], work | {"test_f": cell("print('mine')", "test_f", locked=True)})
    restored, said = repair.restore_what_is_locked(draft, RELEASED)
    assert sources(restored.restored.values()) == [work["f"].source, G.source, LOCKED.source]
    assert said == [
        "cell g was missing and was put back as released",
        "cell test_f is not for editing and was put back as released",
    ]


@pytest.mark.parametrize(("order", "sentences"), [([F, G], 0), ([G, F], 1)])
def test_another_order_is_said(order: list[NotebookNode], sentences: int) -> None:
    """Does the student read that the cells were moved, and only then?"""
    _, said = repair.put_in_order(Draft(order, {"f": F, "g": G}), RELEASED)
    assert len(said) == sentences
