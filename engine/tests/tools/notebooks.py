"""Make notebooks and their cells as nbgrader has them. Imported by tests."""

from typing import Any

Cell = dict[str, Any]


def cell(name: str, source: str, points: float = 0, words: bool = False, **data: Any) -> Cell:
    """Return a solution cell, or with points the cell that shows its marks.

    It is code, or `words`; `data` is what nbgrader says of it otherwise, as `task=True`.
    """
    marked, task = bool(points), data.get("task", False)
    usual: Cell = {
        "grade": marked and not task, "grade_id": name, "locked": marked, "schema_version": 3,
        "solution": not marked, "task": False,
    }  # fmt: skip
    given = {"points": points} if marked else {}
    made = {"id": name, "metadata": {"nbgrader": usual | given | data}, "source": source}
    if words:
        return {"cell_type": "markdown", **made}
    return {"cell_type": "code", "execution_count": None, "outputs": [], **made}


def own(source: Any, kind: str = "code", **more: Any) -> Cell:
    """Return a cell of a student's own, of which nbgrader says nothing."""
    outputs = {"outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": source} | outputs | more


def notebook(*cells: Cell) -> dict[str, Any]:
    """Return a notebook of Python with these cells."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel}
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
