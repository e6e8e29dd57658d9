"""Turn whatever a student hands in into a notebook that can be graded.

The notebook is rebuilt from the released one: its cells by `grade_id`, or by what they define
where that is lost, the student's extra cells in their places, nothing else of the file. Runs no
code. Every repair is listed in words. A file that cannot be read gives the released notebook and
a sentence that says why.
"""

import ast
import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import nbformat
from nbformat import NotebookNode

from referee.intake import file as notebook_file
from referee.model import Cell

CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
HIDDEN = ("### BEGIN HIDDEN TESTS", "=== BEGIN MARK SCHEME")  # in the source notebook
MARKING = ("grade", "points", "solution", "locked", "task")
PICTURES = ("image/png", "image/jpeg", "image/gif")


class Intake(NamedTuple):
    """A notebook ready to grade, the repairs made to it, and why it was refused, if it was."""

    notebook: NotebookNode
    repairs: list[str]
    refused: str | None = None

    @property
    def cells(self) -> list[Cell]:
        """Return the code cells to run: all but the test cells, which are the referee's."""
        return code_cells(self.notebook)


def read(data: bytes, release: NotebookNode) -> Intake:
    """Rebuild a submitted file on the released notebook."""
    try:
        submitted, repairs = notebook_file.read(data)
    except notebook_file.UnreadableError as error:
        return refuse(str(error), release)
    accepted = rebuild(submitted, release)
    return accepted._replace(repairs=[*repairs, *accepted.repairs])


def refuse(why: str, release: NotebookNode) -> Intake:
    """Take the released notebook for a file that cannot be read."""
    return Intake(NotebookNode(nbformat.from_dict(release)), [], why)


def rebuild(submitted: NotebookNode, release: NotebookNode) -> Intake:
    """Put the student's work into the released notebook."""
    wanted = {name: cell for cell in release.cells if (name := identity(cell))}
    cells = [cell for cell in submitted.cells if _is_cell(cell)]
    repairs: list[str] = []
    if len(cells) < len(submitted.cells):
        repairs.append(f"{len(submitted.cells) - len(cells)} cells that are no cells were left out")
    cells = _joined(cells, wanted, repairs)
    chosen = _choose(cells, wanted, repairs)
    place = {id(cell): name for name, cell in chosen.items()}
    cells = [cell for cell in cells if id(cell) in place or not _as_released(cell, wanted)]
    extras: dict[str, list[NotebookNode]] = {}
    anchor = ""  # the extra cells before the first known one
    for cell in cells:
        anchor = place.get(id(cell), anchor)
        if id(cell) not in place:
            extras.setdefault(anchor, []).append(cell)
    ids = {cell.id for cell in wanted.values()}
    rebuilt = _plain(extras.get("", []), ids)
    for name, original in wanted.items():
        rebuilt.append(_restored(original, chosen.get(name), repairs))
        rebuilt += _plain(extras.get(name, []), ids)
    order = [name for cell in cells if (name := place.get(id(cell)))]
    if order != [name for name in wanted if name in order]:
        repairs.append("the cells were put back into the order of the assignment")
    metadata = nbformat.from_dict(release.metadata)
    notebook = nbformat.v4.new_notebook(metadata=metadata, cells=rebuilt)
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


def _joined(
    cells: list[NotebookNode], wanted: Mapping[str, NotebookNode], repairs: list[str]
) -> list[NotebookNode]:
    """Put together what was split in the middle of a class or function."""
    joined: list[NotebookNode] = []
    for cell in cells:
        before = joined[-1] if joined else None
        name = identity(before) if before is not None else None
        if (
            before is not None
            and name in wanted
            and _editable(wanted[str(name)])
            and identity(cell) in (None, name)
            and cell.source[:1].isspace()  # a line that belongs to what is above it
            and not _parses(cell.source)
            and _parses(f"{before.source}\n{cell.source}")
            and not _defines_twice(f"{before.source}\n{cell.source}")
        ):
            joined[-1] = NotebookNode(before | {"source": f"{before.source}\n{cell.source}"})
            repairs.append(f"cell {name} had been split and was put together again")
        else:
            joined.append(cell)
    return joined


def _defines_twice(source: str) -> bool:
    """Return whether a class has two methods of a name: then it is put together of two classes."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            methods = [
                part.name
                for part in node.body
                if isinstance(part, ast.FunctionDef) and not part.decorator_list
            ]
            if len(set(methods)) < len(methods):
                return True
    return False


def _choose(
    cells: list[NotebookNode], wanted: dict[str, NotebookNode], repairs: list[str]
) -> dict[str, NotebookNode]:
    """Find the submitted cell for each released one."""
    found: dict[str, list[NotebookNode]] = {}
    for cell in cells:
        if (name := identity(cell)) in wanted:
            found.setdefault(str(name), []).append(cell)
    chosen: dict[str, NotebookNode] = {}
    for name, original in wanted.items():
        copies = found.get(name, [])
        if len(copies) > 1:
            repairs.append(f"cell {name} is there {len(copies)} times; the last one changed counts")
        names = _defines(original.source) if _editable(original) else set()
        holders = _holding(names, copies)
        if holders:
            copies = holders
        elif copies and _holding(names, cells):
            copies = []  # it says that it is this cell, but another one is
        if not copies:
            taken = {id(cell) for cell in chosen.values()}
            copies = _alike([cell for cell in cells if id(cell) not in taken], original, wanted)
            if copies:
                repairs.append(f"cell {name} had lost its identity and was known by its content")
        changed = [cell for cell in copies if cell.source != original.source]
        if copies:
            chosen[name] = (changed or copies)[-1]
    return chosen | _merged(cells, wanted, chosen, repairs)


def _merged(
    cells: list[NotebookNode],
    wanted: Mapping[str, NotebookNode],
    chosen: Mapping[str, NotebookNode],
    repairs: list[str],
) -> dict[str, NotebookNode]:
    """Find the work of cells that are missing in the cells that are there."""
    home = {id(cell): name for name, cell in chosen.items()}
    found = {}
    for name, original in wanted.items():
        if name in chosen or not _editable(original):
            continue
        names = _defines(original.source)
        holders = _holding(names, cells)
        if not holders:
            continue
        cell = holders[-1]
        where = home.get(id(cell))
        if where is not None and _editable(wanted[where]):  # it runs there
            note = f"# {', '.join(sorted(names))}: see cell {where}"
            found[name] = NotebookNode(original | {"source": note})
        elif where is not None:  # a locked cell will be as released
            found[name] = NotebookNode(cell | {"metadata": NotebookNode()})
        else:
            found[name], home[id(cell)] = cell, name
        repairs.append(f"what belongs to cell {name} was found in {where or 'another'} and counts")
    return found


def _as_released(cell: NotebookNode, wanted: dict[str, NotebookNode]) -> bool:
    """Return whether a cell is only a copy of a released one."""
    name = identity(cell)
    return name in wanted and cell.source == wanted[str(name)].source


def _alike(
    cells: list[NotebookNode], original: NotebookNode, wanted: Mapping[str, NotebookNode]
) -> list[NotebookNode]:
    """Return the cells of no known identity that say, or define, what the released cell does."""
    nameless = [cell for cell in cells if identity(cell) not in wanted]
    if not _editable(original):
        return [cell for cell in nameless if cell.source.strip() == original.source.strip()]
    names = _defines(original.source)
    return _holding(names, nameless)


def _holding(names: set[str], cells: list[NotebookNode]) -> list[NotebookNode]:
    """Return the cells that give all of these names to things."""
    return [
        cell
        for cell in cells
        if names and all(name in cell.source for name in names) and names <= _defines(cell.source)
    ]


def _parses(source: str) -> bool:
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        ast.parse(source)
        return True
    return False


def _defines(source: str) -> set[str]:
    """Return the names that a cell gives to things at its top level."""
    found = set()
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        for node in ast.parse(source).body:
            match node:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                    found.add(name)
                case ast.AnnAssign(target=ast.Name(id=name)):
                    found.add(name)
                case ast.Assign(targets=targets):
                    found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


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
    said = submitted.metadata.get("nbgrader")
    right = original.metadata.nbgrader
    if identity(submitted) and any(said.get(key) != right.get(key) for key in MARKING):
        repairs.append(f"what cell {name} says about its marks was put right")
    if _editable(original):
        cell.source = submitted.source
        _attach(cell, submitted)
    elif _changed(submitted.source, original.source):
        repairs.append(f"cell {name} is not for editing and was put back as released")
    return cell


def _changed(source: str, released: str) -> bool:
    """Return whether more was done to a locked cell than to take nothing away for release."""
    rest = source.removeprefix(released.rstrip()).strip()
    return not source.startswith(released.rstrip()) or (rest != "" and not rest.startswith(HIDDEN))


def _editable(cell: NotebookNode) -> bool:
    return not cell.metadata.nbgrader.get("locked", False)


def _plain(cells: list[NotebookNode], taken: set[str]) -> list[NotebookNode]:
    """Return a student's own cells with nothing but type and source, under ids not yet `taken`."""
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    plain = []
    fresh = (name for number in itertools.count(1) if (name := f"extra-{number}") not in taken)
    for cell in cells:
        new = make.get(cell.cell_type, nbformat.v4.new_raw_cell)(cell.source)
        known = cell.get("id")
        new.id = known if _usable(known, taken) else next(fresh)
        taken.add(new.id)
        _attach(new, cell)
        plain.append(new)
    return plain


def _attach(cell: NotebookNode, submitted: NotebookNode) -> None:
    """Keep the pictures that belong to a cell of text."""
    given = submitted.get("attachments")
    pictures = {
        name: NotebookNode({kind: body for kind, body in kinds.items() if kind in PICTURES})
        for name, kinds in (given.items() if isinstance(given, dict) else ())
        if isinstance(kinds, dict) and all(isinstance(body, str) for body in kinds.values())
    }
    if pictures and cell.cell_type == "markdown":
        cell["attachments"] = NotebookNode(pictures)


def _usable(name: Any, taken: set[str]) -> bool:
    return isinstance(name, str) and name not in taken and bool(CELL_ID.fullmatch(name))


def _is_cell(cell: Any) -> bool:
    return (
        isinstance(cell, dict)
        and cell.get("cell_type") in ("code", "markdown", "raw")
        and isinstance(cell.get("source"), str)
        and isinstance(cell.get("metadata"), dict)
    )
