"""Ask whether a marked notebook can be made of whatever a student displays, and at what cost."""

import resource
from typing import Any

import reports
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

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
    for cell in notebook.cells:
        (output,) = cell.outputs
        assert output.data.get("text/html", "").startswith("&lt;p&gt;") or output.data == {
            "text/plain": BOLD[:10_000]
        }


def test_no_script_of_a_student_is_left() -> None:
    """Is it gone for who opens the page, from Markdown and from a raw cell?"""
    script = "Said. <script>stolen()</script>"
    notebook = new_notebook(cells=[new_markdown_cell(script), new_raw_cell(script)])
    autograded.make(Intake(notebook, []), Judged(), reports.report())
    for cell in notebook.cells:
        assert "Said." in cell.source and "<script" not in cell.source
