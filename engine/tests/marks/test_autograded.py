"""Ask what belongs to an answer, and whether what a student displays can be shown, at what cost."""

import resource
from typing import Any

import nbformat
import reports
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from notebooks import cell

from referee.intake import Intake
from referee.marks import autograded
from referee.model import CellRun, Judged, Output

CELLS = 17  # with 60,000 characters each, as many as a notebook's outputs may have
# What was open before is open again in each paragraph, and the comments hide it from our own look.
BOLD = f"<p>{''.join(f'<b a={n}><!--</b>-->' for n in range(1500))}" + "<p>a" * 9_000


def made(kind: str, text: str, cells: int = 1) -> Any:
    """Return the marked notebook of some cells that display a text each."""
    notebook = new_notebook(cells=[new_code_cell("a") for _ in range(cells)])
    runs = [CellRun([Output("display_data", "<an object>", {kind: text})])] * cells
    return autograded.make(Intake(notebook, []), Judged(runs=runs), reports.report())


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of those that it has started."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def test_html_that_would_fill_the_memory_is_shown_as_text() -> None:
    """Is HTML that grows without end there to be read, in each of many cells, and at once?"""
    before = cpu_seconds()
    notebook = made("text/html", BOLD, CELLS)
    assert cpu_seconds() - before < 5
    for one in notebook.cells:
        (output,) = one.outputs
        assert output.data.get("text/html", "").startswith("&lt;p&gt;") or output.data == {
            "text/plain": BOLD[:10_000]
        }


def test_no_script_of_a_student_is_left() -> None:
    """Is it gone for who opens the page, from Markdown and from a raw cell?"""
    script = "Said. <script>stolen()</script>"
    notebook = new_notebook(cells=[new_markdown_cell(script), new_raw_cell(script)])
    autograded.make(Intake(notebook, []), Judged(), reports.report())
    for one in notebook.cells:
        assert "Said." in one.source and "<script" not in one.source


BLANK = "*Write here.*"


def notebook(
    code: str = "def f(): pass", one: str = BLANK, two: str = BLANK, *own: nbformat.NotebookNode
) -> nbformat.NotebookNode:
    """Return a notebook with a function, its test, and two questions with a cell below each."""
    cells = [
        cell("f", code),
        cell("test_f", "assert f", 1),
        cell("one", "One?", 1, words=True, task=True),
        new_markdown_cell(one),
        cell("two", "Two?", 1, words=True, task=True),
        new_markdown_cell(two),
        cell("end", "The end.", words=True, solution=False, locked=True),
        *own,
    ]
    return new_notebook(cells=list(map(nbformat.from_dict, cells)))


def test_an_answer_is_what_belongs_to_it():
    """Does another line of code, or another question's answer, leave an answer as it was?

    A text somewhere else may belong to each question: nothing is overlooked that a student wrote
    where nobody asked.
    """
    before = autograded.answers(notebook())
    words = new_markdown_cell("To question one: seven.")
    for other, changed in (
        (notebook("def f(): pass  # mine"), {"test_f"}),
        (notebook(one="Seven."), {"one"}),
        (notebook(two="Eight."), {"two"}),
        (notebook("def f(): pass", BLANK, BLANK, words), {"one", "two"}),
        (notebook("def f(): pass", BLANK, BLANK, new_code_cell("f()")), {"test_f"}),
    ):
        after = autograded.answers(other)
        assert {name for name in before if before[name] != after[name]} == changed


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
