"""Rebuild a submitted notebook on the released one by an ordered list of small repairs.

Cells are matched by `grade_id`, or, if that is lost, by the names that they define; the student's
extra cells keep their places, and nothing else of the file is used. The order of `REPAIRS` matters;
each returns sentences about its changes. A file that cannot be read gives the released notebook and
a sentence with the reason. Runs no code.
"""

import ast
import contextlib
import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import nbformat
from nbformat import NotebookNode

from referee.intake import file as notebook_file
from referee.intake import python, testcells
from referee.model import Cell

MOST_READ = 100_000  # characters, to put split cells together: each is read with all before it
CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
HIDDEN = ("### BEGIN HIDDEN TESTS", "=== BEGIN MARK SCHEME")  # in the source notebook


class Intake(NamedTuple):
    """A notebook ready to grade, the repairs made to it, and why it was refused, if it was."""

    notebook: NotebookNode
    repairs: list[str]
    refused: str | None = None

    @property
    def cells(self) -> list[Cell]:
        """Return the code cells to run."""
        return code_cells(self.notebook)


Released = Mapping[str, NotebookNode]  # the cells that have a grade_id, by it, in their order


class Draft(NamedTuple):
    """A submitted notebook on its way: its cells, those chosen for released ones, and the result.

    `chosen` and `restored` are by the grade_id of the released cell; `texts` are the sources of the
    released cells that have none.
    """

    cells: list[NotebookNode]
    chosen: Released = MappingProxyType({})
    restored: Released = MappingProxyType({})
    texts: frozenset[str] = frozenset()

    @property
    def places(self) -> dict[int, str]:
        """Return which released cell each chosen one stands for, by the `id` of the object."""
        return {id(cell): name for name, cell in self.chosen.items()}


Repaired = tuple[Draft, list[str]]  # the repairs, in sentences
Repair = Callable[[Draft, Released], Repaired]


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
    """Put the student's work into the released notebook, by one repair after the other."""
    _defines.cache_clear()
    released = {name: cell for cell in release.cells if (name := identity(cell))}
    texts = frozenset(cell.source.strip() for cell in release.cells if identity(cell) is None)
    draft, repairs = Draft(submitted.cells, texts=texts), []
    for repair in REPAIRS:
        draft, sentences = repair(draft, released)
        repairs += sentences
    metadata = nbformat.from_dict(release.metadata)
    notebook = nbformat.v4.new_notebook(metadata=metadata, cells=_rebuilt_cells(draft, released))
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


def graded(notebook: NotebookNode) -> set[str]:
    """Return the grade_ids of the cells that give points, by checks or by hand."""
    data = (cell.metadata.get("nbgrader", {}) for cell in notebook.cells)
    return {one["grade_id"] for one in data if one.get("points") is not None}


def code_cells(notebook: NotebookNode) -> list[Cell]:
    """Return the code cells to run: all but the test cells, which are the referee's.

    Among them are those test cells whose own asserts count.
    """
    cells = []
    for number, cell in runnable(notebook):
        source, test = testcells.test_of(cell) or (cell.source, None)
        name = identity(cell)
        cells.append(Cell(source, f"cell {name or number}", test, tries=name is None))
    return cells


def runnable(notebook: NotebookNode) -> Iterator[tuple[int, NotebookNode]]:
    """Yield the cells that `code_cells` describes, with their numbers counted from 1."""
    for number, cell in enumerate(notebook.cells, start=1):
        data = cell.metadata.get("nbgrader", {})
        tests = data.get("grade") and not data.get("solution")
        if cell.cell_type == "code" and (not tests or testcells.test_of(cell)):
            yield number, cell


# --- the repairs -----------------------------------------------------------------------------


def leave_out_what_is_no_cell(draft: Draft, released: Released) -> Repaired:
    """Leave out entries without a cell's type, source and metadata."""
    cells = [cell for cell in draft.cells if _is_cell(cell)]
    lost = len(draft.cells) - len(cells)
    return draft._replace(cells=cells), (
        [f"{lost} cells that are no cells were left out"] if lost else []
    )


def join_split_cells(draft: Draft, released: Released) -> Repaired:
    """Join cells that were split in the middle of a class or function."""
    joined: list[NotebookNode] = []
    sentences, room = [], MOST_READ
    for cell in draft.cells:
        # A space is the beginning of a line that belongs to what is above it.
        before = joined[-1] if joined and cell.source[:1].isspace() else None
        room -= len(before.source) + len(cell.source) if before else 0
        if before and room >= 0 and _continues(cell, before, released):
            joined[-1] = NotebookNode(before | {"source": f"{before.source}\n{cell.source}"})
            sentences.append(f"cell {identity(before)} had been split and was put together again")
        else:
            joined.append(cell)
    return draft._replace(cells=joined), sentences


def choose_by_identity(draft: Draft, released: Released) -> Repaired:
    """Choose cells by their grade_id; of several, the last changed one.

    One that lacks the released cell's names does not count if another cell defines them.
    """
    chosen, sentences = {}, []
    for name, original in released.items():
        copies = [cell for cell in draft.cells if identity(cell) == name]
        if len(copies) > 1:
            times = f"cell {name} is there {len(copies)} times"
            sentences.append(f"{times}; the last one changed counts")
        names = _names_of(original)
        holders = _holding(names, copies)
        if copies and (holders or not _holding(names, draft.cells)):
            chosen[name] = _last_changed(holders or copies, original)
    return draft._replace(chosen=chosen), sentences


def choose_by_content(draft: Draft, released: Released) -> Repaired:
    """Choose for a missing cell one without grade_id that has its text or defines its names."""
    chosen, sentences = dict(draft.chosen), []
    for name, original in released.items():
        if name in chosen:
            continue
        taken = {id(cell) for cell in chosen.values()}
        free = [cell for cell in draft.cells if id(cell) not in taken]
        if copies := _alike(free, original, released):
            sentences.append(f"cell {name} had lost its identity and was known by its content")
            chosen[name] = _last_changed(copies, original)
    return draft._replace(chosen=chosen), sentences


def find_merged_work(draft: Draft, released: Released) -> Repaired:
    """Choose for cells that are still missing the cells, of any kind, that define their names."""
    chosen, sentences = dict(draft.chosen), []
    home = {id(cell): name for name, cell in chosen.items()}
    for name, original in released.items():
        names = _names_of(original)
        holders = [] if name in chosen else _holding(names, draft.cells)
        if not holders:
            continue
        cell = holders[-1]
        where = home.get(id(cell))
        if where is None:
            chosen[name], home[id(cell)] = cell, name
        elif _editable(released[where]):  # it runs there
            note = f"# {', '.join(sorted(names))}: see cell {where}"
            told = [one for one in draft.cells if identity(one) == name and one.source == note]
            chosen[name] = told[0] if told else NotebookNode(original | {"source": note})
            if told:  # when it was read before
                continue
        else:  # a locked cell will be as released
            chosen[name] = NotebookNode(cell | {"metadata": NotebookNode()})
        place = where or "another"
        sentences.append(f"what belongs to cell {name} was found in {place} and counts")
    return draft._replace(chosen=chosen), sentences


def find_written_answers(draft: Draft, released: Released) -> Repaired:
    """Choose for an answer in words that is missing, or as released, the student's text below it.

    That are the cells of text that are nobody else's, up to the next known cell.
    """
    cells, chosen, sentences = list(draft.cells), dict(draft.chosen), []
    last: NotebookNode | None = None  # the known cell before
    for name, original in released.items():
        mine = chosen.get(name)
        if original.cell_type != "code" and _editable(original) and _is_blank(mine, original):
            below = _texts_below(mine or last, cells, draft._replace(chosen=chosen), released)
            if below:
                words = "\n\n".join(cell.source for cell in below)
                whole = NotebookNode(below[0] | {"source": words, "metadata": NotebookNode()})
                chosen[name] = whole
                gone = {id(one) for one in (*below[1:], mine)}
                cells = [whole if one is below[0] else one for one in cells if id(one) not in gone]
                sentences.append(f"the answer to cell {name} was found in the text below it")
        last = chosen.get(name, last)
    return draft._replace(cells=cells, chosen=chosen), sentences


def _is_blank(mine: NotebookNode | None, original: NotebookNode) -> bool:
    return mine is None or mine.source.strip() in ("", original.source.strip())


def _texts_below(
    known: NotebookNode | None, cells: list[NotebookNode], draft: Draft, released: Released
) -> list[NotebookNode]:
    """Return the student's own cells of text between a known cell and the next one.

    Among them are answers to questions that have another name now.
    """
    places = draft.places
    start = next((number for number, cell in enumerate(cells, 1) if cell is known), 0)
    own = itertools.takewhile(lambda cell: id(cell) not in places, cells[start:])
    return [
        cell
        for cell in own
        if cell.cell_type != "code"
        and cell.source.strip() not in draft.texts | {""}
        and identity(cell) not in released
    ]


def leave_out_copies(draft: Draft, released: Released) -> Repaired:
    """Leave out unchanged copies of released cells, and tests that an earlier release had."""
    places = draft.places
    cells = [c for c in draft.cells if id(c) in places or not _is_of_course(c, released)]
    return draft._replace(cells=cells), []


def restore_what_is_locked(draft: Draft, released: Released) -> Repaired:
    """Put the student's source into the released cells that students may edit."""
    restored, sentences = {}, []
    for name, original in released.items():
        restored[name], said = _restored(original, draft.chosen.get(name))
        sentences += said
    return draft._replace(restored=restored), sentences


def put_in_order(draft: Draft, released: Released) -> Repaired:
    """Note a changed order of the cells; `rebuild` puts each in its place."""
    places = draft.places
    order = [name for cell in draft.cells if (name := places.get(id(cell)))]
    same = order == [name for name in released if name in order]
    return draft, [] if same else ["the cells were put back into the order of the assignment"]


REPAIRS: tuple[Repair, ...] = (
    leave_out_what_is_no_cell,
    join_split_cells,  # before anything is taken for a whole cell
    choose_by_identity,
    choose_by_content,
    find_merged_work,  # in what nobody else was found in
    find_written_answers,  # in what stands where the answer should be
    leave_out_copies,  # else they would count as the student's own cells
    restore_what_is_locked,
    put_in_order,
)


# --- used by the repairs ---------------------------------------------------------------------


def _rebuilt_cells(draft: Draft, released: Released) -> list[NotebookNode]:
    """Return the restored cells, each with the student's own ones that came after it."""
    extras: dict[str, list[NotebookNode]] = {}
    anchor, places = "", draft.places  # "" for the extra cells before the first known one
    for cell in draft.cells:
        anchor = places.get(id(cell), anchor)
        if id(cell) not in places:
            extras.setdefault(anchor, []).append(cell)
    ids = {cell.id for cell in released.values()}
    rebuilt = _plain(extras.get("", []), ids)
    for name, cell in draft.restored.items():
        rebuilt += [cell, *_plain(extras.get(name, []), ids)]
    return rebuilt


def _continues(cell: NotebookNode, before: NotebookNode, released: Released) -> bool:
    """Return whether a cell is the rest of the one before, which students may edit."""
    name = identity(before)
    both = f"{before.source}\n{cell.source}"
    return (
        name in released
        and _editable(released[str(name)])
        and identity(cell) in (None, name)
        and not _parses(cell.source)
        and _parses(both)
        and not _defines_twice(both)
    )


def _defines_twice(source: str) -> bool:
    """Return whether a class has two methods of a name: then it is put together of two classes."""
    for node in ast.walk(python.parse(source)):
        if isinstance(node, ast.ClassDef):
            methods = [
                part.name
                for part in node.body
                if isinstance(part, ast.FunctionDef) and not part.decorator_list
            ]
            if len(set(methods)) < len(methods):
                return True
    return False


def _alike(
    cells: list[NotebookNode], original: NotebookNode, released: Released
) -> list[NotebookNode]:
    """Return the cells without a known grade_id that have a released cell's text or names."""
    nameless = [cell for cell in cells if identity(cell) not in released]
    if not _editable(original):
        return [cell for cell in nameless if cell.source.strip() == original.source.strip()]
    return _holding(_names_of(original), nameless)


def _names_of(original: NotebookNode) -> set[str]:
    """Return the names that a released cell defines, if students may edit it."""
    return _defines(original.source) if _editable(original) else set()


def _last_changed(copies: list[NotebookNode], original: NotebookNode) -> NotebookNode:
    """Return the last changed copy, or else the last."""
    changed = [cell for cell in copies if cell.source != original.source]
    return (changed or copies)[-1]


def _is_of_course(cell: NotebookNode, released: Released) -> bool:
    """Return whether a cell is only a copy of a released one, or a test that is none any more."""
    name = identity(cell)
    if name in released:
        return bool(cell.source == released[str(name)].source)
    data = cell.metadata.nbgrader if name else {}
    return cell.cell_type == "code" and all(data.get(key) for key in ("grade", "locked"))


def _holding(names: set[str], cells: list[NotebookNode]) -> list[NotebookNode]:
    """Return the cells that define all of these names."""
    return [
        cell
        for cell in cells
        if names
        and all(name in cell.source for name in names)
        and (cell.cell_type == "code" or not notebook_file.pictures(cell.source))
        and names <= _defines(cell.source)
    ]


def _parses(source: str) -> bool:
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        python.parse(source)
        return True
    return False


@functools.lru_cache(maxsize=notebook_file.MAX_CELLS)  # asked about for many released cells
def _defines(source: str) -> set[str]:
    """Return the names that a cell defines at its top level."""
    found = set()
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        for node in python.parse(source).body:
            match node:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                    found.add(name)
                case ast.AnnAssign(target=ast.Name(id=name)):
                    found.add(name)
                case ast.Assign(targets=targets):
                    found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def _restored(
    original: NotebookNode, submitted: NotebookNode | None
) -> tuple[NotebookNode, list[str]]:
    """Return the released cell with the student's source, and the repairs."""
    name = identity(original)
    cell = NotebookNode(nbformat.from_dict(original))
    if submitted is None:
        return cell, [f"cell {name} was missing and was put back as released"]
    sentences = []
    if submitted.cell_type != original.cell_type:
        sentences.append(f"cell {name} is a {original.cell_type} cell again")
    tags = submitted.metadata.get("tags")
    if tags and tags != original.metadata.get("tags"):
        sentences.append(f"the tags of cell {name} were removed")
    said = submitted.metadata.get("nbgrader")
    right = original.metadata.nbgrader
    if identity(submitted) and any(
        said.get(key) != right.get(key) for key in notebook_file.MARKING
    ):
        sentences.append(f"what cell {name} says about its marks was put right")
    if _editable(original):
        cell.source = submitted.source
        if notebook_file.holds_conflict(cell.source):
            sentences.append(f"cell {name} holds two versions, as git leaves them: choose one")
        _attach(cell, submitted)
    elif _changed(submitted.source, original.source):
        sentences.append(f"cell {name} is not for editing and was put back as released")
    return cell, sentences


def _changed(source: str, released: str) -> bool:
    """Return whether a locked cell was edited; hidden tests after its end are no edit."""
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
    pictures = submitted.get("attachments")
    if pictures and cell.cell_type == "markdown":
        cell["attachments"] = pictures


def _usable(name: Any, taken: set[str]) -> bool:
    return isinstance(name, str) and name not in taken and bool(CELL_ID.fullmatch(name))


def _is_cell(cell: Any) -> bool:
    return (
        isinstance(cell, dict)
        and cell.get("cell_type") in notebook_file.KINDS
        and isinstance(cell.get("source"), str)
        and isinstance(cell.get("metadata"), dict)
    )
