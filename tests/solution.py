"""Give tests the classes of the reference solution, as a student's notebook would define them."""

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell

ROOT = Path(__file__).parents[1]
NAMES = ("imports", "TicTacToe", "MiniMax", "AlphaBeta")


def sources() -> list[str]:
    """Return the cells of the source notebook of tic-tac-toe that define the game and players."""
    notebook = json.loads((ROOT / "source/tic-tac-toe/tic-tac-toe.ipynb").read_text("utf-8"))
    cells = {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"]}
    return [cells[name] for name in NAMES]


@cache
def solution() -> dict[str, Any]:
    """Return what these cells define."""
    names: dict[str, Any] = {"__name__": "solution"}
    for name, source in zip(NAMES, sources(), strict=True):
        exec(compile(source, f"<cell {name}>", "exec"), names)  # noqa: S102
    return names


MiniMax, AlphaBeta, TicTacToe = (solution()[name] for name in ("MiniMax", "AlphaBeta", "TicTacToe"))


def solved(folder: Path, *more: str, without: tuple[str, ...] = ()) -> None:
    """Lay out a student's folder: the release, its solution cells filled in, and cells at the end.

    The last cell prints READY 42. The cells `without` are left empty.
    """
    shutil.copytree(ROOT / "release/tic-tac-toe", folder)
    source = nbformat.read(ROOT / "source/tic-tac-toe/tic-tac-toe.ipynb", as_version=4)
    written = {cell.id: cell.source for cell in source.cells}
    notebook = nbformat.read(folder / "tic-tac-toe.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = written.get(cell.id, cell.source)
        if cell.id in without:
            cell.source = ""
    notebook.cells += [new_code_cell(cell) for cell in (*more, "print('READY', 6 * 7)")]
    nbformat.write(notebook, folder / "tic-tac-toe.ipynb")
