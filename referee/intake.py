"""Turn whatever a student hands in into a notebook that can be graded.

The notebook is rebuilt from the released one: its cells by `grade_id`, or by what they define
where that is lost, the student's extra cells in their places, nothing else of the file. Runs no
code. Every repair is listed in words. A file that cannot be read gives the released notebook and
a sentence that says why.
"""

import ast
import contextlib
import json
import re
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import nbformat
from nbformat import NotebookNode

from referee.submission import Cell

CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
MAX_BYTES = 20 * 1024 * 1024


class Intake(NamedTuple):
    """A notebook ready to grade, the repairs made to it, and why it was refused, if it was."""

    notebook: NotebookNode
    repairs: list[str]
    refused: str | None = None


class UnreadableError(ValueError):
    """The file is not a notebook; the message says why and what to do."""


def read(data: bytes, release: NotebookNode) -> Intake:
    """Rebuild a submitted file on the released notebook."""
    try:
        submitted = parse(data)
    except UnreadableError as error:
        return Intake(NotebookNode(nbformat.from_dict(release)), [], str(error))
    return rebuild(submitted, release)


def parse(data: bytes) -> NotebookNode:
    """Read a notebook of any version of the format; raise UnreadableError if it is none."""
    if len(data) > MAX_BYTES:
        raise UnreadableError(
            f"the file has {len(data):,} bytes, more than the {MAX_BYTES:,} that a notebook may "
            "have; clear its outputs and hand it in again"
        )
    try:
        content = json.loads(data.decode("utf-8-sig"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            notebook = nbformat.reads(json.dumps(content), as_version=4)
    except UnicodeDecodeError as error:
        raise UnreadableError(f"the file is not UTF-8 text ({error}); save it again") from error
    except json.JSONDecodeError as error:
        raise UnreadableError(
            f"the file is not a notebook: its JSON ends or breaks at line {error.lineno} "
            f"({error.msg}); open it in Jupyter, save it, and hand it in again"
        ) from error
    except Exception as error:
        raise UnreadableError(
            f"the file is JSON but no notebook ({type(error).__name__}: {error}); "
            "open it in Jupyter, save it, and hand it in again"
        ) from error
    if not isinstance(notebook.get("cells"), list):
        raise UnreadableError("the file is JSON but has no list of cells; hand in the notebook")
    return NotebookNode(notebook)


def rebuild(submitted: NotebookNode, release: NotebookNode) -> Intake:
    """Put the student's work into the released notebook."""
    wanted = {name: cell for cell in release.cells if (name := identity(cell))}
    cells = [cell for cell in submitted.cells if _is_cell(cell)]
    repairs: list[str] = []
    if len(cells) < len(submitted.cells):
        repairs.append(f"{len(submitted.cells) - len(cells)} cells that are no cells were left out")
    chosen = _choose(cells, wanted, repairs)
    place = {id(cell): name for name, cell in chosen.items()}
    extras: dict[str, list[NotebookNode]] = {}
    anchor = ""  # the extra cells before the first known one
    for cell in cells:
        anchor = place.get(id(cell), anchor)
        if id(cell) not in place:
            extras.setdefault(anchor, []).append(cell)
    rebuilt = _plain(extras.get("", []), {cell.id for cell in wanted.values()})
    ids = {cell.id for cell in wanted.values()} | {cell.id for cell in rebuilt}
    for name, original in wanted.items():
        rebuilt.append(_restored(original, chosen.get(name), repairs))
        added = _plain(extras.get(name, []), ids)
        ids |= {cell.id for cell in added}
        rebuilt += added
    order = [name for cell in cells if (name := place.get(id(cell)))]
    if order != [name for name in wanted if name in chosen]:
        repairs.append("the cells were put back into the order of the assignment")
    notebook = nbformat.v4.new_notebook(metadata=release.metadata, cells=rebuilt)
    notebook.nbformat_minor = release.nbformat_minor
    return Intake(notebook, repairs)


def identity(cell: NotebookNode) -> str | None:
    """Return a cell's grade_id, or None."""
    data = cell.metadata.get("nbgrader")
    name = data.get("grade_id") if isinstance(data, dict) else None
    return name if isinstance(name, str) and name else None


def identities(notebook: NotebookNode) -> set[str]:
    """Return the grade_ids of a notebook's cells."""
    return {name for cell in notebook.cells if _is_cell(cell) and (name := identity(cell))}


def code_cells(notebook: NotebookNode) -> list[Cell]:
    """Return the code cells to run: all but the test cells, which are the referee's."""
    return [
        Cell(cell.source, f"cell {identity(cell) or number}") for number, cell in runnable(notebook)
    ]


def runnable(notebook: NotebookNode) -> Iterator[tuple[int, NotebookNode]]:
    """Yield the cells that `code_cells` describes, with their numbers counted from 1."""
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code" and not cell.metadata.get("nbgrader", {}).get("grade"):
            yield number, cell


def _choose(
    cells: list[NotebookNode], wanted: dict[str, NotebookNode], repairs: list[str]
) -> dict[str, NotebookNode]:
    """Find the submitted cell for each released one."""
    found: dict[str, list[NotebookNode]] = {}
    for cell in cells:
        if (name := identity(cell)) in wanted:
            found.setdefault(str(name), []).append(cell)
    chosen = {}
    for name, original in wanted.items():
        copies = found.get(name, [])
        if len(copies) > 1:
            repairs.append(
                f"cell {name} is there {len(copies)} times; the first one changed counts"
            )
        if not copies and _editable(original):
            copies = _alike(cells, original)
            if copies:
                repairs.append(f"cell {name} had lost its identity and was known by its content")
        changed = [cell for cell in copies if cell.source != original.source]
        if copies:
            chosen[name] = (changed or copies)[0]
    return chosen


def _alike(cells: list[NotebookNode], original: NotebookNode) -> list[NotebookNode]:
    """Return the cells without identity that define what the released cell defines."""
    names = _defines(original.source)
    return [
        cell
        for cell in cells
        if names and identity(cell) is None and names <= _defines(cell.source)
    ]


def _defines(source: str) -> set[str]:
    """Return the names of the classes and functions at the top level of a cell."""
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        kinds = (ast.ClassDef, ast.FunctionDef)
        return {node.name for node in ast.parse(source).body if isinstance(node, kinds)}
    return set()


def _restored(
    original: NotebookNode, submitted: NotebookNode | None, repairs: list[str]
) -> NotebookNode:
    """Return the released cell with the student's source in it, where students may write."""
    name = identity(original)
    cell = NotebookNode(nbformat.from_dict(original))
    if submitted is None:
        repairs.append(f"cell {name} was missing and was put back as released")
        return cell
    if submitted.cell_type != original.cell_type:
        repairs.append(f"cell {name} is a {original.cell_type} cell again")
    if submitted.metadata.get("tags"):
        repairs.append(f"the tags of cell {name} were removed")
    if _editable(original):
        cell.source = submitted.source
    elif not submitted.source.startswith(original.source.rstrip()):
        repairs.append(f"cell {name} is not for editing and was put back as released")
    return cell


def _editable(cell: NotebookNode) -> bool:
    return not cell.metadata.nbgrader.get("locked", False)


def _plain(cells: list[NotebookNode], taken: set[str]) -> list[NotebookNode]:
    """Return a student's own cells with nothing but type and source, under ids of their own."""
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    plain = []
    for cell in cells:
        new = make.get(cell.cell_type, nbformat.v4.new_raw_cell)(cell.source)
        known = cell.get("id")
        fresh = (f"extra-{number}" for number in range(1, len(taken) + 2))
        new.id = known if _usable(known, taken) else next(i for i in fresh if i not in taken)
        taken = taken | {new.id}
        plain.append(new)
    return plain


def _usable(name: Any, taken: set[str]) -> bool:
    return isinstance(name, str) and name not in taken and bool(CELL_ID.fullmatch(name))


def _is_cell(cell: Any) -> bool:
    return (
        isinstance(cell, dict)
        and cell.get("cell_type") in ("code", "markdown", "raw")
        and isinstance(cell.get("source"), str)
        and isinstance(cell.get("metadata"), dict)
    )
