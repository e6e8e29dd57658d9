"""Read what Python files import and hold: for the tests of laws about them."""

import ast
import functools
import sys
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
