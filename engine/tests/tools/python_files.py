"""Read what Python files import and hold: for the tests of laws about them."""

import ast
import functools
import sys
from collections.abc import Iterator
from pathlib import Path


@functools.cache
def parsed(file: Path) -> list[ast.AST]:
    """Return all nodes of a file."""
    return list(ast.walk(ast.parse(file.read_text("utf-8"))))


@functools.cache
def imports(file: Path) -> set[str]:
    """Return all that a file imports from other packages, and what it takes of them, with dots."""
    names = set()
    for node in parsed(file):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def tops(file: Path) -> set[str]:
    """Return the packages that a file imports, besides the standard library's."""
    return {name.partition(".")[0] for name in imports(file)} - set(sys.stdlib_module_names)


def long_strings(file: Path, lines: int = 30) -> Iterator[str]:
    """Give where a string of more lines stands."""
    for node in parsed(file):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text or isinstance(node, ast.JoinedStr):
            length = (node.end_lineno or 0) - node.lineno + 1
            if length > lines:
                yield f"{file.name}:{node.lineno}, {length} lines"


def long_functions(file: Path, lines: int = 40) -> Iterator[str]:
    """Give the functions that have more lines."""
    for node in parsed(file):
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= lines:
            yield f"{file.name}: {node.name}"


def asserts(file: Path) -> Iterator[str]:
    """Give where a file asserts something, which `python -O` leaves out."""
    for node in parsed(file):
        if isinstance(node, ast.Assert):
            yield f"{file}:{node.lineno}"
