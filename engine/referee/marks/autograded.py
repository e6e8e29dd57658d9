"""Make the autograded notebook: outputs, explanations and marks in the cells of a repaired one.

Students' texts are made safe to show. Knows no gradebook and runs nothing; the result is the same
on any machine.
"""

import html
from collections.abc import Mapping
from typing import Any

import nbformat
from msgspec.structs import replace
from nbgrader.preprocessors import LimitOutput
from nbgrader.utils import compute_checksum, is_grade, is_locked, is_solution, is_task

from referee import intake
from referee.course import Assignment
from referee.judging import digests
from referee.marks import feedback, marking, sanitise
from referee.model import CellRun, Judged, Original, Report


def restore(notebook: Any, originals: Mapping[str, Original]) -> None:
    """Replace released cells by their originals, as nbgrader itself does."""
    for cell in notebook.cells:
        original = originals.get(intake.identity(cell) or "")
        if original is not None:
            cell.metadata.nbgrader["checksum"] = original.checksum
            cell.source = cell.source if original.source is None else original.source


def make(accepted: intake.Intake, judged: Judged, report: Report) -> Any:
    """Fill the cells of a repaired notebook, make them safe to show, and return it."""
    notebook, room = accepted.notebook, sanitise.Room()
    for cell in notebook.cells:  # answers first; nbgrader's pages show them as Markdown or as HTML
        settings = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" or settings.get("locked"):
            continue
        if "checksum" not in settings or settings.checksum != compute_checksum(cell):  # edited
            attachments = cell.pop("attachments", {})
            cell.source = sanitise.cell(cell.cell_type, cell.source, attachments, room)
    runnable = intake.runnable(notebook, accepted.tests)
    for (_, cell), run in zip(runnable, judged.runs or [], strict=True):
        cell.outputs = _outputs(run, room)
        cell.execution_count = None
    marks = {mark.grade_id: mark for mark in report.cells}
    for cell in notebook.cells:  # what explains a mark is the output of its test cell
        if is_grade(cell) and cell.cell_type == "code" and not is_solution(cell):
            mark = marks[cell.metadata.nbgrader.grade_id]
            texts = {
                "text/plain": feedback.as_text(report, mark),
                "text/html": feedback.as_html(report, mark),
            }
            metadata = {"referee": feedback.outline(report, mark)}
            cell.outputs = [nbformat.v4.new_output("display_data", data=texts, metadata=metadata)]
    if about := feedback.repairs_as_text(report):
        text = f"<b>About this file</b><pre>{html.escape(about)}</pre>"
        text = sanitise.block(sanitise.html(text))
        notebook.cells.insert(0, nbformat.v4.new_markdown_cell(text, id="about-this-file"))
    return LimitOutput().preprocess(notebook, {})[0]


def unanswered(accepted: intake.Intake, release: Any) -> set[str]:
    """Return the solution cells and the questions of a notebook where nothing was written.

    There are none where the student has written anything that stands in no cell for an answer, as
    below a question: it may be this one.
    """
    sources = {cell.source.strip() for cell in release.cells} | {""}
    return {
        cell.metadata.nbgrader.grade_id
        for cell in accepted.notebook.cells
        if not accepted.elsewhere
        and (is_task(cell) or (is_solution(cell) and cell.source.strip() in sources))
    }


def zeroed(assignment: Assignment, report: Report, blank: set[str]) -> Report:
    """Return the report with 0 for cells left `blank`, if `c.Course.blank_is_zero` says so."""
    if report.refused is not None or not assignment.course.settings.blank_is_zero:
        return report
    cells = [
        replace(mark, score=0.0, needs_manual_grade=False)
        if mark.score is None and mark.grade_id in blank
        else mark
        for mark in report.cells
    ]
    return replace(report, cells=cells)


def blank(report: Report) -> list[str]:
    """Return the cells of a report that have 0 because they are blank: no check gave it."""
    checked = {check.cell for check in report.checks}
    return [mark.grade_id for mark in report.cells if mark.score == 0 and mark.cell not in checked]


def answers(notebook: Any) -> dict[str, str]:
    """Return a digest of the answer for each graded cell, before the notebook is filled."""
    return {
        cell.metadata.nbgrader.grade_id: digests.digest(
            [(part.source, part.get("attachments", {})) for part in _answer(cell, notebook)]
        )
        for cell in notebook.cells
        if is_grade(cell) or is_task(cell)
    }


def _answer(graded_cell: Any, notebook: Any) -> list[Any]:
    """Return the cells that belong to the answer for a graded cell.

    That is the cell itself if a student writes in it, and for tests all code. To a question it is
    what stands below it, and each text of the student's own that stands below no other.
    """
    if is_solution(graded_cell) and not is_locked(graded_cell):
        return [graded_cell]
    cells = [cell for cell in notebook.cells if not is_locked(cell)]
    if not is_task(graded_cell):
        return [cell for cell in cells if cell.cell_type == graded_cell.cell_type]
    below = {id(cell): run[0] for run in marking.runs(notebook.cells) for cell in run[1:]}
    extras = [cell for cell in cells if "nbgrader" not in cell.metadata]
    texts = (cell for cell in extras if below.get(id(cell), graded_cell) is graded_cell)
    return [cell for cell in texts if id(cell) in below or cell.cell_type != "code"]


def _outputs(run: CellRun, room: sanitise.Room) -> list[Any]:
    """Return the outputs of a cell in the notebook format."""
    outputs = []
    for output in run.outputs:
        match output.kind:
            case "stdout" | "stderr":
                new = nbformat.v4.new_output("stream", name=output.kind, text=output.text)
            case "error":
                new = nbformat.v4.new_output(
                    "error", ename=output.data.get("name", "Error"), evalue=output.text,
                    traceback=output.traceback,
                )  # fmt: skip
            case _:
                data = sanitise.bundle({"text/plain": output.text, **output.data}, room)
                extra = {"execution_count": None} if output.kind == "execute_result" else {}
                new = nbformat.v4.new_output(output.kind, data=data, **extra)
        outputs.append(new)
    if run.error and not any(output.kind == "error" for output in run.outputs):
        outputs.append(nbformat.v4.new_output("stream", name="stderr", text=run.error + "\n"))
    return outputs
