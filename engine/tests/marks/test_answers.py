"""Ask what belongs to an answer, and which were left as they were given."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from referee.intake import Intake
from referee.marks import autograded

BLANK = "*Write here.*"


def notebook(
    code: str = "def f(): pass", one: str = BLANK, two: str = BLANK, *own: nbformat.NotebookNode
) -> nbformat.NotebookNode:
    """Return a notebook with a function, its test, and two questions with a cell below each."""

    def cell(make, source, name, **more):  # type: ignore[no-untyped-def]
        told = {"grade": False, "locked": True, "solution": False, "task": False, "points": 1}
        return make(source, metadata={"nbgrader": {**told, "grade_id": name, **more}})

    cells = [
        cell(new_code_cell, code, "f", solution=True, locked=False),
        cell(new_code_cell, "assert f", "test_f", grade=True),
        cell(new_markdown_cell, "One?", "one", task=True),
        new_markdown_cell(one),
        cell(new_markdown_cell, "Two?", "two", task=True),
        new_markdown_cell(two),
        cell(new_markdown_cell, "The end.", "end"),
        *own,
    ]
    return new_notebook(cells=cells)


def changed(other: nbformat.NotebookNode) -> set[str]:
    """Return the graded cells whose answers are others than in the notebook as released."""
    before, after = autograded.answers(notebook()), autograded.answers(other)
    return {name for name in before if before[name] != after[name]}


def test_an_answer_is_what_belongs_to_it():
    """Does another line of code, or another question's answer, leave an answer as it was?"""
    assert changed(notebook("def f(): pass  # mine")) == {"test_f"}
    assert changed(notebook(one="Seven.")) == {"one"}
    assert changed(notebook(two="Eight.")) == {"two"}


def test_a_text_somewhere_else_may_belong_to_each_question():
    """Is nothing overlooked that a student wrote where nobody asked?"""
    assert changed(notebook(BLANK, BLANK, BLANK)) == {"test_f"}
    words = new_markdown_cell("To question one: seven.")
    assert changed(notebook("def f(): pass", BLANK, BLANK, words)) == {"one", "two"}
    assert changed(notebook("def f(): pass", BLANK, BLANK, new_code_cell("f()"))) == {"test_f"}


def test_an_answer_that_nobody_wrote_is_known():
    """Is it as released, or empty, and none of them where it may stand somewhere else?"""
    nothing = {"f", "one", "two"}
    for code, words, left in (
        ("def f(): pass", BLANK, nothing),
        (" \n", f"{BLANK}\n", nothing),
        ("def f(): 1", BLANK, nothing - {"f"}),
    ):
        accepted = Intake(notebook(code, words), [])
        assert autograded.unanswered(accepted, notebook()) == left
        assert autograded.unanswered(accepted._replace(elsewhere=True), notebook()) == set()
