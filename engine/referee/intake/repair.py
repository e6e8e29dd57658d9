"""Put a student's work into the released notebook, and list what had to be repaired.

For each released cell the best match among the student's counts: one that does its work, wherever
it stands, before one that was changed, and that before one as released. The student's other cells
follow the one that they followed, what was written into a locked cell follows that. Runs no code.
"""

import ast
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import nbformat
from nbformat import NotebookNode

from referee.intake import file as notebook_file
from referee.intake import testcells
from referee.model import Cell, CellTest

LOCKED = "is not for editing and was put back as released"
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda  # whose body runs when called
HIDDEN = ("### BEGIN HIDDEN TESTS", "=== BEGIN MARK SCHEME")  # in the source notebook

Tests = Mapping[str, CellTest]
NONE: Any = MappingProxyType({})


class Intake(NamedTuple):
    """A notebook ready to grade, the repairs made to it, and why it was refused, if it was.

    `elsewhere` says whether the student wrote anything that is not in a cell for an answer;
    `beside` are the files that came with it, by their paths, `tests` the test cells whose own
    asserts count.
    """

    notebook: NotebookNode
    repairs: list[str]
    refused: str | None = None
    elsewhere: bool = False
    beside: tuple[tuple[str, bytes], ...] = ()
    tests: Tests = NONE

    @property
    def cells(self) -> list[Cell]:
        """Return the code cells to run."""
        return code_cells(self.notebook, self.tests)


class Part(NamedTuple):
    """A student's cell: its grade_id, if the release has it, and the names that it defines.

    Of a locked cell the `source` is what was written into it. It is `blank` if it is empty or as
    released; a `stub` behaves as the released code does. `number` counts the cells from 0.
    """

    cell: NotebookNode
    source: str
    name: str | None
    defines: set[str]
    blank: bool
    stub: bool
    number: int


Released = Mapping[str, NotebookNode]  # the cells that have a grade_id, by it, in their order


def read(data: bytes, release: NotebookNode) -> Intake:
    """Rebuild a submitted file on the released notebook."""
    try:
        submitted, repairs = notebook_file.read(data)
    except notebook_file.UnreadableError as error:
        return refuse(str(error), release)
    accepted = rebuild(submitted, release)
    return accepted._replace(repairs=[*repairs, *accepted.repairs])


def refuse(why: str, release: NotebookNode) -> Intake:
    """Return the released notebook, for a file that cannot be read."""
    return Intake(NotebookNode(nbformat.from_dict(release)), [], why)


def rebuild(submitted: NotebookNode, release: NotebookNode) -> Intake:
    """Put the student's work into the released notebook."""
    released = {name: cell for cell in release.cells if (name := identity(cell))}
    parts = _parts(submitted.cells, release.cells, released)
    named_texts = {_text(cell.source) for cell in released.values()}
    defines = {  # by name what each released cell is to define: nothing if it is locked
        name: set() if _locked(cell) else _defines(testcells.python(cell.source))
        for name, cell in released.items()
    }
    matches, repairs = _matches(parts, released, defines)
    answers = {name for name, cell in released.items() if not _locked(cell)}
    if answers and answers.isdisjoint(matches) and not identities(submitted) <= released.keys():
        return refuse("it has no cell of this assignment, but cells of another", release)
    places = {id(cell): name for name, cell in matches.items()}
    cells = defaultdict[str, list[NotebookNode]](list)  # by the released cell that they follow
    place, order, elsewhere = "", list[str](), False
    for part in parts:
        place = places.get(id(part.cell), place)
        if id(part.cell) in places:
            order.append(place)
            if not _locked(released[place]):
                continue
        if _text(part.source) not in named_texts and (part.source or not part.name):
            elsewhere = elsewhere or not part.blank
            cells[place].append(_plain(part, released))
    new_cells = cells[""]
    for name, original in released.items():
        cell, match = NotebookNode(nbformat.from_dict(original)), matches.get(name)
        new_cells += [cell, *cells[name]]
        if match is None:
            repairs.append(f"cell {name} was missing and was put back as released")
            continue
        if match.cell_type != original.cell_type:
            repairs.append(f"cell {name} is a {original.cell_type} cell again")
        if not _locked(original):
            cell.source = match.source
            _attach(cell, match)
            if notebook_file.holds_conflict(cell.source):
                repairs.append(f"cell {name} holds two versions, as git leaves them: choose one")
        elif _student_source(match.source, original):
            repairs.append(f"cell {name} {LOCKED}; what was written there stands below it")
        elif not _text(match.source).startswith(_text(original.source)):
            repairs.append(f"cell {name} {LOCKED}")
    below, texts = set[str](), {_text(cell.source) for cell in release.cells}
    for name, names in reversed(defines.items()):
        code = [one for one in cells[name] if one.cell_type == "code"]
        trees = [testcells.python(one.source) for one in code if _text(one.source) not in texts]
        below = below.union(*map(_defines, trees))
        if again := ", ".join(sorted(names & below)):
            repairs.append(f"a cell below cell {name} defines {again} again; the last one counts")
    if order != [name for name in released if name in order]:
        repairs.append("the cells were put back into the order of the assignment")
    for number, cell in enumerate(new_cells):
        cell.id = cell.id if identity(cell) else f"extra-{number}"
    metadata = nbformat.from_dict(release.metadata)
    notebook = NotebookNode(release | {"metadata": metadata, "cells": new_cells})
    return Intake(notebook, repairs, elsewhere=elsewhere)


def identity(cell: NotebookNode) -> str | None:
    """Return a cell's grade_id, or None."""
    data = cell.metadata.get("nbgrader")
    name = data.get("grade_id") if isinstance(data, dict) else None
    return name if isinstance(name, str) and name else None


def identities(notebook: NotebookNode) -> set[str]:
    """Return the grade_ids of a notebook's cells."""
    return {name for cell in notebook.cells if (name := identity(cell))}


def graded(notebook: NotebookNode) -> set[str]:
    """Return the grade_ids of the cells that give points, by checks or by hand."""
    data = (cell.metadata.get("nbgrader", {}) for cell in notebook.cells)
    return {one["grade_id"] for one in data if one.get("points") is not None}


def code_cells(notebook: NotebookNode, tests: Tests = NONE) -> list[Cell]:
    """Return the code cells to run: all but the test cells, which are the referee's.

    Among them are those test cells whose own asserts count, as a student sees them.
    """
    cells = ((identity(cell), number, cell) for number, cell in runnable(notebook, tests))
    return [
        Cell(cell.source, f"cell {name or number}", tests.get(name or ""))
        for name, number, cell in cells
    ]


def runnable(notebook: NotebookNode, tests: Tests) -> Iterator[tuple[int, NotebookNode]]:
    """Yield the cells that `code_cells` describes, with their numbers counted from 1."""
    for number, cell in enumerate(notebook.cells, start=1):
        data = cell.metadata.get("nbgrader", {})
        hidden = data.get("grade") and not data.get("solution") and identity(cell) not in tests
        if cell.cell_type == "code" and not hidden:
            yield number, cell


def _parts(cells: list[NotebookNode], blanks: list[NotebookNode], released: Released) -> list[Part]:
    """Return a student's cells, but for tests that an earlier release had."""
    texts = {_text(cell.source) for cell in blanks} | {""}
    stubs = {_code(cell) for cell in released.values() if not _locked(cell)} - {""}
    parts: list[Part] = []
    for cell in cells:
        data = cell.metadata.get("nbgrader", {})
        name = identity(cell) if identity(cell) in released else None
        if cell.cell_type == "code" and not name and data.get("grade") and data.get("locked"):
            continue
        source = _student_source(cell.source, released.get(name or ""))
        picture = cell.cell_type != "code" and notebook_file.PICTURE.search(source)
        tree = testcells.python("" if picture else source)
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        defines = _defines(tree) | testcells.bound(ast.Module([*imports], []))
        same = _text(source) in texts
        parts.append(Part(cell, source, name, defines, same, _code(cell) in stubs, len(parts)))
    return parts


def _matches(
    parts: list[Part], released: Released, defines: Mapping[str, set[str]]
) -> tuple[dict[str, NotebookNode], list[str]]:
    """Return the cell for each released one that the student has, and what has to be said."""
    matches, repairs = dict[str, NotebookNode](), list[str]()
    home = dict[int, str]()  # where the chosen ones run
    for name, original in released.items():
        names = defines[name]
        holders = [one for one in parts if names and names <= one.defines]
        copies = [one for one in parts if one.name == name]
        answers = [one for one in holders if not (one.stub or one.blank)]
        works = [one for one in answers if not _needs_later(one, copies, parts)]
        free = [one for one in parts if one.name is None and id(one.cell) not in home]
        candidates = (
            [one for one in works if one.name == name]
            or [one for one in works if one.name is None and id(one.cell) not in home]
            or works
            or [one for one in holders if one.name == name and not one.blank]
            or [one for one in copies if not one.blank]
            or copies
            or [one for one in holders if one.name is None and id(one.cell) not in home]
            or [one for one in free if _text(one.source) == _text(original.source)]
        )
        if not candidates:
            continue
        best = candidates[-1]
        if names and copies and list(defines.values()).count(names) > 1:  # each has its own
            best = min(candidates, key=lambda one: abs(one.number - copies[-1].number))
        where = home.get(id(best.cell), best.name)  # None for a cell of the student's own
        if where in (None, name):
            matches[name] = best.cell
            if not _locked(original):
                home[id(best.cell)] = name
        elif id(best.cell) in home:  # it has run before
            note = f"# {', '.join(sorted(names))}: see cell {where}"
            notes = [one.cell for one in copies if one.cell.source == note]
            matches[name] = notes[0] if notes else NotebookNode(original | {"source": note})
            if notes:  # when it was read before
                continue
        else:
            matches[name] = NotebookNode(best.cell | {"source": best.source})
        if where is None and not copies:
            repairs.append(f"cell {name} had lost its identity and was known by its content")
        elif where != name:
            place = f"cell {where}" if where else "another cell"
            repairs.append(f"what belongs to cell {name} was found in {place} and counts")
        elif len(copies) > 1 and not _locked(original):
            repairs.append(f"cell {name} is there {len(copies)} times; the last with work counts")
    return matches, repairs


def _needs_later(part: Part, copies: list[Part], parts: list[Part]) -> bool:
    """Return whether a cell of the student's own would fail at the place of the released one.

    It does if it reads at once, and not when a function is called, what stands between the two.
    That place is where an untouched cell stands.
    """
    if part.name or not copies or not (copies[-1].stub or not copies[-1].source):
        return False
    between = parts[copies[-1].number + 1 : part.number]
    names = set[str]().union(*(one.defines for one in between))
    nodes: list[ast.AST] = [testcells.python(part.source)]
    for node in nodes:  # which grows; no recursion, however deep a program is nested
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            return True
        inside = node.body if isinstance(node, FUNCTIONS) else []
        later = inside if isinstance(inside, list) else [inside]
        nodes += [one for one in ast.iter_child_nodes(node) if one not in later]
    return False


def _plain(part: Part, released: Released) -> NotebookNode:
    """Return a cell of the student's own with type, source and pictures.

    What was written into a test or is only a stub is shown and not run.
    """
    original = released.get(part.name or "")
    test = original and _locked(original) and original.metadata.nbgrader.get("grade")
    if part.cell.cell_type == "code" and (test or part.stub):
        return NotebookNode(nbformat.v4.new_markdown_cell(textwrap.indent(part.source, "    ")))
    cell = NotebookNode(getattr(nbformat.v4, f"new_{part.cell.cell_type}_cell")(part.source))
    _attach(cell, part.cell)
    return cell


def _student_source(source: str, original: NotebookNode | None) -> str:
    """Return what a student has written: in a locked cell what is left without its own text.

    Hidden tests after its end are no edit.
    """
    if original is None or not _locked(original):
        return source
    text, original_text = _text(source), _text(original.source)
    rest = f"\n{text}\n".replace(f"\n{original_text}\n", "\n", 1).strip("\n")
    return "" if text.startswith(original_text) and rest.lstrip().startswith(HIDDEN) else rest


def _attach(cell: NotebookNode, submitted: NotebookNode) -> None:
    """Keep the pictures that belong to a cell of text."""
    pictures = submitted.get("attachments")
    if pictures and cell.cell_type == "markdown":
        cell["attachments"] = pictures


def _text(source: str) -> str:
    """Return a text without blanks at the ends of its lines and empty lines around it."""
    return "\n".join(line.rstrip() for line in source.split("\n")).strip("\n")


def _code(cell: NotebookNode) -> str:
    """Return the lines of a cell of code that are no comments."""
    lines = _text(cell.source).split("\n") if cell.cell_type == "code" else []
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("#"))


def _locked(cell: NotebookNode) -> bool:
    return bool(cell.metadata.nbgrader.get("locked", False))


def _defines(tree: ast.Module) -> set[str]:
    """Return the names that a cell defines at its top level."""
    names = set[str]()
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                names.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names
