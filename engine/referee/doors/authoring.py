"""Write a new assignment: a complete small one, or a first draft from a notebook.

Its files are those of `referee/templates`, with the words in capitals replaced. Overwrites nothing.
In a notebook, each cell that defines functions or classes becomes a solution cell, with their
bodies as the solution, and gets a test cell after it. Cells with metadata of nbgrader's do not
change, except for the names of test cells.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from nbformat import NotebookNode

from referee import course, intake
from referee.course import CONFIG, REQUIREMENTS, Assignment, CourseError, files_in
from referee.doors import adopt, ignored, release
from referee.proof.bank import MARKER

TEMPLATES = Path(__file__).parents[1] / "templates"
NAME = re.compile(r"\w[\w-]*", re.ASCII)
WORD = re.compile(r"\w+", re.ASCII)
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
IMPORT = "from check import check"


def write(root: Path, name: str, notebook: Path | None = None) -> list[Path]:
    """Write a new assignment and its release; return the files that were made.

    Makes `root` a course if it is none.
    """
    if not NAME.fullmatch(name):
        raise CourseError(f"no assignment can be called {name!r}; use letters, digits, - and _")
    task = Assignment(name, root)
    for folder in (task.source.parent, task.hidden, task.bank, task.release.parent):
        if folder.exists():
            raise CourseError(f"{folder} is there already; choose another name, or move it away")
    files = {} if (root / CONFIG).is_file() else filled("course", {})
    files |= _from_notebook(notebook, name) if notebook else filled("example", {"ASSIGNMENT": name})
    brought = course.library(root, name) if (root / CONFIG).is_file() else {}
    for file, content in filled("student", {}).items():
        if file not in brought:
            files[f"source/{name}/{file}"] = content
    if notebook and REQUIREMENTS not in brought:
        files[f"source/{name}/{REQUIREMENTS}"] += "".join(_packages(files, name))
    for file, content in files.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(content, "utf-8")
    release.make(root, name)
    made = [root / file for file in files]
    return [*made, root / ignored.FILE] if CONFIG in files and ignored.add(root) else made


def _packages(files: Mapping[str, str], name: str) -> Iterator[str]:
    """Yield lines that require what the notebook imports and is installed here."""
    notebook = nbformat.reads(files[f"source/{name}/{name}.ipynb"], as_version=4)
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    listed = files[f"source/{name}/{REQUIREMENTS}"]
    packages, _ = adopt.installed({*adopt.modules(sources)} - {"check"})
    yield from (f"{one}\n" for one in packages if not re.search(rf"(?m)^{one}\b", listed))


def filled(template: str, words: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a template, with the words replaced in their names and texts."""
    files = {}
    for file, content in files_in(TEMPLATES / template).items():
        text = content.decode()
        for word, instead in words.items():
            file, text = file.replace(word, instead), text.replace(word, instead)
        files[file] = text
    return files


def _from_notebook(file: Path, name: str) -> dict[str, str]:
    """Return the files of an assignment that starts from a notebook."""
    try:
        notebook = intake.parse(intake.contents(file))
    except intake.UnreadableError as error:
        raise CourseError(f"{file}: {error}") from error
    found = tasks(notebook)
    if not found:
        raise CourseError(
            f"{file}: no cell defines a function or a class, so there is nothing to ask for; write "
            "a solution first"
        )
    files = {f"source/{name}/{name}.ipynb": nbformat.writes(notebook) + "\n"}
    using = _using(notebook, {task.cell for task in found})
    for task in found:
        words = {"CELL_NAME": task.cell, "THING": task.thing, "CELL_SOURCE": task.source}
        needed = ", ".join(using[task.cell])
        made = filled("cells", {"ASSIGNMENT": name, **words, "USING_CELLS": needed})
        files |= {file: text.replace("Needed by: \n", "") for file, text in made.items()}
    return files


# --- the source from a notebook --------------------------------------------------------------


class Task(NamedTuple):
    """A solution cell: its name, the names that it defines, and the solution."""

    cell: str
    thing: str
    source: str


def tasks(notebook: NotebookNode) -> list[Task]:
    """Turn a notebook into the source of an assignment; return its solution cells."""
    found: list[Task] = []
    cells: list[NotebookNode] = [_cell("check-import", IMPORT, grade=False, locked=True)]
    open_test = False
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if open_test:
            cells.append(_test(found[-1].cell, cell))
            open_test = False
            if cells[-1] is cell:
                continue
        task = _task(cell, {one.cell for one in found})
        open_test = task is not None
        found += [task] if task else []
        cells.append(cell)
    if open_test:
        cells.append(_test(found[-1].cell, None))
    notebook.cells = cells
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return found


def _task(cell: NotebookNode, taken: set[str]) -> Task | None:
    """Make a cell that defines functions or classes a solution cell; None for any other."""
    data = cell.metadata.get("nbgrader", {})
    things = list(_things(cell)) if cell.cell_type == "code" else []
    if not things or (data and (data.get("grade") or not data.get("solution"))):
        return None
    name = str(data.get("grade_id", ""))
    if not WORD.fullmatch(name) or name in taken:
        name = next((thing for thing in things if thing not in taken), f"{things[0]}_{len(taken)}")
    if BEGIN not in cell.source:
        cell.source = _marked(cell.source)
    cell.metadata["nbgrader"] = _metadata(name, solution=True)
    return Task(name, things[0], MARKER.sub("", cell.source))


def _using(notebook: NotebookNode, names: set[str]) -> dict[str, list[str]]:
    """Return for each of these cells the others that use what it defines, also by way of others."""
    cells = [
        (str(intake.identity(cell)), *_names(cell.source))
        for cell in notebook.cells
        if cell.cell_type == "code" and not cell.metadata.get("nbgrader", {}).get("grade")
    ]
    using: dict[str, list[str]] = {}
    for name, made, _ in cells:
        gone, broken = {*made}, {name}
        while more := {one for one, _, used in cells if used & gone} - broken:
            broken |= more
            gone |= {thing for one, made, _ in cells if one in more for thing in made}
        using[name] = sorted(broken & names - {name})
    return using


def _names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell defines, and those that it uses."""
    nodes = [node for part in _parsed(source) for node in ast.walk(part)]
    found = [node for node in nodes if isinstance(node, ast.Name)]
    defined = {one.name for one in nodes if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    stored = {one.id for one in found if not isinstance(one.ctx, ast.Load)}
    return defined | stored, {one.id for one in found if isinstance(one.ctx, ast.Load)}


def _things(cell: NotebookNode) -> Iterator[str]:
    """Yield the functions and classes that a cell defines; nothing if it is no plain Python."""
    for node in _parsed(cell.source):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


def _parsed(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except SyntaxError:
        return []


def _marked(source: str) -> str:
    """Return a cell's source with the bodies of its functions marked as the solution."""
    lines = source.splitlines()
    body = _parsed(source)
    classes = [node.body for node in body if isinstance(node, ast.ClassDef)]
    nodes = [node for part in (body, *classes) for node in part]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    for node in sorted(functions, key=lambda one: -one.lineno):
        own = node.body[1:] if ast.get_docstring(node) is not None else node.body
        if not own or own[0].lineno == node.lineno:
            return f"{BEGIN}\n{source}\n{END}"  # it has no lines of its own
        begin = (node.body[0].end_lineno or 0) if own is not node.body else own[0].lineno - 1
        indent = " " * own[0].col_offset
        end = own[-1].end_lineno or 0
        lines[begin:end] = [indent + BEGIN, *lines[begin:end], indent + END]
    return "\n".join(lines) if functions else f"{BEGIN}\n{source}\n{END}"


def _test(name: str, cell: NotebookNode | None) -> NotebookNode:
    """Return the test cell after a solution cell, or a new one."""
    data = cell.metadata.get("nbgrader", {}) if cell is not None else {}
    if cell is not None and data.get("grade") and not data.get("solution"):
        cell.metadata.nbgrader["grade_id"] = f"test_{name}"
        cell.source = f'check("{name}")\n{cell.source}'
        return cell
    return _cell(f"test_{name}", f'check("{name}")', grade=True, locked=True, points=1)


def _cell(name: str, source: str, **data: Any) -> NotebookNode:
    metadata = {"nbgrader": _metadata(name, **data)}
    cell: NotebookNode = nbformat.v4.new_code_cell(source, id=name, metadata=metadata)
    return cell


def _metadata(name: str, **data: Any) -> dict[str, Any]:
    usual = {"grade": False, "locked": False, "schema_version": 3, "solution": False, "task": False}
    return {**usual, "grade_id": name, **data}
