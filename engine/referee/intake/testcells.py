"""Find the test cells whose own asserts count: those without a hidden check.

Their sources are those that nbgrader's autograde restores, hidden regions included. Without a
gradebook they are those of the instructor's notebook, and a cell for which nbgrader has yet to make
tests (AUTOTEST) is left to a human. Reads files, runs nothing.
"""

import ast
import builtins
import functools
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from nbformat import NotebookNode

from referee.course import Assignment, files_in
from referee.intake import database
from referee.intake import file as notebook_file
from referee.model import CellTest

AUTOTEST = "AUTOTEST"  # for such lines nbgrader makes tests when it makes a release
COMMANDS = ("%", "!")
# What an expression of numbers, texts and tuples alone is made of.
CONSTANT = ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.Load


def parse(source: str | bytes, file: str = "<unknown>") -> ast.Module:
    r"""Return the tree of a source; raises what `ast.parse` does.

    What Python only warns of, such as "\d", is read all the same, whatever the environment says.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source, file)


def tests(assignment: Assignment) -> dict[str, CellTest]:
    """Return the tests of a notebook's cells, by their names; none where asserts do not count."""
    if not assignment.course.settings.asserts:
        return {}
    originals = database.saved_cells(assignment)
    if not originals and not assignment.source.is_file():
        file = packed_file(assignment)
        content = file.read_bytes() if file.is_file() else b"{}"
        return msgspec.json.decode(content, type=dict[str, CellTest])
    files = assignment.source, assignment.release
    source, release = (file.read_bytes() if file.is_file() else b"" for file in files)
    sources = tuple((name, one.source) for name, one in originals.items() if one.source is not None)
    by_name = _tests(release if sources else source, source, sources)
    cells = checked_cells(assignment)
    return {name: test for name, test in by_name.items() if short(name) not in cells}


def unproved(assignment: Assignment) -> list[str]:
    """Return the tests before which the instructor's notebook has no solution, or still a stub."""
    if not assignment.source.is_file():
        return []
    sources = {cell.source for cell in _code(assignment.release.read_bytes())}
    names, unsolved, solved = tests(assignment), list[str](), False
    for cell in _code(assignment.source.read_bytes()):
        if _data(cell).get("solution"):
            tree = python(cell.source)
            bodies = [node.body for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
            ends = [body[-1] for body in bodies or [tree.body] if body]
            is_stub = all(  # it is empty, or all its functions raise NotImplementedError
                isinstance(end, ast.Raise) and "NotImplementedError" in ast.unparse(end)
                for end in ends
            )
            solved = cell.source not in sources and not is_stub
        elif not solved and _data(cell).get("grade_id") in names:
            unsolved.append(_data(cell)["grade_id"])
    return unsolved


def sets_hidden(assignment: Assignment, name: str) -> str:
    """Return the test cell that sets a name in its hidden region alone; nothing if none does."""
    sources = {
        _data(cell).get("grade_id"): cell.source for cell in _code(assignment.release.read_bytes())
    }
    here = (one for one in tests(assignment).values() if one.name in sources)
    hidden = (one for one in here if name in defined(one.source) - defined(sources[one.name]))
    return next((one.name for one in hidden), "")


def packed_file(assignment: Assignment) -> Path:
    """Return the file that holds the tests where the instructor's notebook is not at hand."""
    return assignment.root / "tests" / "asserts" / f"{assignment.key}.json"


def is_answer(cell: NotebookNode) -> bool:
    """Return whether a cell is code that a student writes and test cells judge."""
    data = _data(cell)
    return cell.cell_type == "code" and bool(data.get("solution")) and not data.get("grade")


def short(name: str) -> str:
    """Return the name of a test cell in hidden checks."""
    return name.removeprefix("test_")


def checked_cells(assignment: Assignment) -> set[str]:
    """Return the cells that hidden checks name in their markers."""
    files = files_in(assignment.hidden) if assignment.hidden.is_dir() else {}
    return {cell for name, body in files.items() if name.endswith(".py") for cell in _cells(body)}


def bound(tree: ast.AST) -> set[str]:
    """Return the names that some code binds, anywhere in it."""
    bound_names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                bound_names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bound_names.add(name)
            case ast.ExceptHandler(name=str(name)):
                bound_names.add(name)
            case ast.alias(name=name, asname=alias):
                bound_names.add((alias or name).partition(".")[0])
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                bound_names |= set(names)
    return bound_names


@functools.lru_cache(32)
def _cells(content: bytes) -> frozenset[str]:
    try:
        tree = parse(content)
    except SyntaxError:  # pytest says so
        return frozenset()
    words = (node for node in ast.walk(tree) if isinstance(node, ast.keyword))
    return frozenset(
        str(word.value.value)
        for word in words
        if word.arg == "cell" and isinstance(word.value, ast.Constant)
    )


@functools.lru_cache(32)
def _tests(
    content: bytes, source: bytes, originals: tuple[tuple[str, str], ...]
) -> dict[str, CellTest]:
    """Return the tests of a notebook, with the locked cells that were saved in the gradebook."""
    cells, source_cells = _code(content), _code(source) if source else []
    for cell in cells:
        cell.source = dict(originals).get(_data(cell).get("grade_id", ""), cell.source)
    given_cells = [cell for cell in cells if not _data(cell).get("solution")]
    nodes = (node for cell in given_cells for node in python(cell.source).body)
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    imports = [node for node in imports if getattr(node, "module", "") != "__future__"]
    names = {name for cell in (*cells, *source_cells) for name in defined(cell.source)}
    words = {name for name in dir(builtins) if not name.startswith("__")}
    pinned = (words | bound(ast.Module([*imports], []))) - names
    graded = [cell for cell in given_cells if _data(cell).get("grade")]
    if not originals:
        graded = [cell for cell in graded if AUTOTEST not in cell.source]
    solutions = [cell for cell in source_cells if _data(cell).get("solution")]
    others = {n for one in (*cells, *solutions) if one not in graded for n in defined(one.source)}
    earlier: dict[str, ast.stmt] = {}
    tests: dict[str, CellTest] = {}
    for cell in graded:
        name, before = _data(cell)["grade_id"], _before(cell.source, earlier)
        tests[name] = CellTest(
            name=name,
            source=cell.source,
            points=float(_data(cell)["points"]),  # as a copy on a worker reads it
            imports="\n".join(map(ast.unparse, imports)),
            pinned=tuple(sorted(_used_names(f"{before}\n{cell.source}") & pinned)),
            before=before,
        )
        earlier |= {one: node for one, node in _lasting(cell.source) if one not in others}
    return tests


def _code(content: bytes) -> list[NotebookNode]:
    return [cell for cell in notebook_file.parse(content).cells if cell.cell_type == "code"]


def _lasting(source: str) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the definitions in a test that keep their value: functions, classes, constants."""
    for node in python(source).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if all(isinstance(part, CONSTANT) for part in ast.walk(value)):
                    yield name, node


def _before(source: str, earlier: Mapping[str, ast.stmt]) -> str:
    """Return the definitions of earlier tests that a test uses, directly or indirectly."""
    needed_names, names = set[str](), _used_names(source)
    while more := (names & earlier.keys()) - needed_names:
        needed_names |= more
        names = {name for one in more for name in _used_names(ast.unparse(earlier[one]))}
    return "\n".join(ast.unparse(node) for name, node in earlier.items() if name in needed_names)


def defined(source: str) -> set[str]:
    """Return the names that a cell defines at its top level, without its imports."""
    names: set[str] = set()
    for node in python(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            names |= bound(node)
    return names


def python(source: str) -> ast.Module:
    """Return the syntax tree of a cell without its lines for IPython; empty if invalid."""
    lines = ("" if line.startswith(COMMANDS) else line for line in source.splitlines())
    try:
        return parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _used_names(source: str) -> set[str]:
    """Return the names that a test uses and does not bind."""
    tree = python(source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names - bound(tree)


def _data(cell: NotebookNode) -> dict[str, Any]:
    data = cell.metadata.get("nbgrader")
    return data if isinstance(data, dict) else {}
