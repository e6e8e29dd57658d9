"""Ask what belongs to an answer, and whether what a student displays can be shown, at what cost."""

import resource
from pathlib import Path

import nbformat
import reports
import small_course as small
from formgrading import rows, run
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from notebooks import Cell, cell, own

from referee.intake import Intake
from referee.marks import autograded
from referee.model import CellRun, Judged, Output

CELLS = 17  # with 60,000 characters each, as many as a notebook's outputs may have
# What was open before is open again in each paragraph, and the comments hide it from our own look.
BOLD = f"<p>{''.join(f'<b a={n}><!--</b>-->' for n in range(1500))}" + "<p>a" * 9_000


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of those that it has started."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def test_html_that_would_fill_the_memory_is_shown_as_text() -> None:
    """Is HTML that grows without end there to be read, in each of many cells, and at once?"""
    before, notebook = cpu_seconds(), new_notebook(cells=[new_code_cell("a") for _ in range(CELLS)])
    runs = [CellRun([Output("display_data", "<an object>", {"text/html": BOLD})])] * CELLS
    autograded.make(Intake(notebook, []), Judged(runs=runs), reports.report())
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


# --- what was left blank ------------------------------------------------------------------------

TEXT, CODE = "YOUR ANSWER HERE", "# YOUR CODE HERE\nraise NotImplementedError()"
SOLVED = "### BEGIN SOLUTION\n{}\n### END SOLUTION"


def answer(name: str, source: str, words: bool = False) -> Cell:
    """Return a question whose answer a human marks, where students have filled it."""
    return cell(name, source, 5, words, solution=True, locked=False)


BLANKS = answer("why", TEXT, words=True), answer("plot", CODE)
GIVEN, OWN = (
    own(text, "markdown", id=f"text{len(text)}") for text in ("# Given", "To why: because.")
)
CLASS: dict[str, tuple[list[Cell], dict[str, float | None]]] = {  # what has 0 where blanks have
    "blank": ([*BLANKS], {"why": 0.0, "plot": 0.0}),
    "cell gone": ([BLANKS[1]], {"why": 0.0, "plot": 0.0}),
    "elsewhere": ([OWN, *BLANKS], {"why": None, "plot": None}),
    "one": ([answer("why", "Because.", words=True), BLANKS[1]], {"why": None, "plot": 0.0}),
    "unreadable": ([], {"why": None, "plot": None}),
}


def test_what_was_left_blank_has_nothing_where_a_course_says_so(tmp_path: Path) -> None:
    """Is it on by the setting, told by name, and off again without a trace?"""
    root = small.make(tmp_path / "course")
    words, code = answer("why", SOLVED.format("So."), words=True), answer("plot", SOLVED.format(1))
    small.release(root, GIVEN, words, code)
    for student, (cells, _) in CLASS.items():
        small.hand_in(root, student, None if cells else b"no notebook", [GIVEN, *cells])
    settings = root / "nbgrader_config.py"
    text = settings.read_text()
    nothing = {who: {"why": None, "plot": None} for who in CLASS}
    for line, marks in (
        ("c.Course.blank_is_zero = True", {who: mine for who, (_, mine) in CLASS.items()}),
        ("", nothing),
    ):
        settings.write_text(f"{text}\n{line}\n")
        said = run(root, "referee", "grade", small.NAME, status=1)
        for who, cells in rows(root, small.NAME).items():
            for name, mark in marks[who].items():  # flagged if it has none
                assert cells[name] == (mark, None, mark is None), who
        told = "(c.Course.blank_is_zero), plot: blank, cell gone, one." in said
        assert told == bool(line)
