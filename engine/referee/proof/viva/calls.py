"""Find calls of a student's functions that questions can be made of, as Python expressions.

They are those that the course gives, or else those that its notebook makes in its own cells and
tests, with other numbers for each student. Runs nothing.
"""

import ast
import builtins
import copy
import random
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from referee import intake
from referee.course import Assignment
from referee.intake import testcells

MOST_CHARACTERS = 150  # of a call
MOST_ITEMS = 6  # of a list in it
THROUGH = ("list", "tuple", "set", "sorted", "sum", "len", "dict")
VARIANTS = 12  # of each call
KINDS = ast.FunctionDef | ast.ClassDef


def calls(assignment: Assignment, own: Collection[str], chance: random.Random) -> list[str]:
    """Return calls of the functions and classes in `own`."""
    given = assignment.subject.calls
    if given and (texts := given(assignment.name, chance)):
        return texts
    found = [_varied(one, chance) for one in _of_notebook(assignment, own) for _ in range(VARIANTS)]
    return [text for text in dict.fromkeys(found) if len(text) <= MOST_CHARACTERS]


def _of_notebook(assignment: Assignment, own: Collection[str]) -> Iterator[ast.expr]:
    """Yield the calls in the course's notebook, outside of its solutions."""
    place = assignment.source if assignment.source.is_file() else assignment.release
    trees = [
        testcells.python(cell.source)
        for cell in intake.course_notebook(place).cells
        if cell.cell_type == "code" and not cell.metadata.get("nbgrader", {}).get("solution")
    ]
    fixed = {*own, *dir(builtins)}
    for node in (node for tree in trees for node in tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom | KINDS):
            fixed |= testcells.bound(node)
    for tree in trees:
        values = _Filled()
        for statement in tree.body:
            for call in _outermost(statement, own):
                filled: ast.expr = values.visit(copy.deepcopy(call))
                if {one.id for one in ast.walk(filled) if isinstance(one, ast.Name)} <= fixed:
                    yield filled
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                values[statement.targets[0].id] = values.visit(copy.deepcopy(statement.value))


class _Filled(ast.NodeTransformer, dict[str, ast.expr]):
    """Puts the values of variables in their place."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.get(node.id, node)


def _outermost(node: ast.AST, own: Collection[str]) -> Iterator[ast.Call]:
    """Yield the calls of own names and of their attributes, of nested ones the outermost.

    What goes through all values of one belongs to it: a generator has nothing else to show.
    """
    if isinstance(node, KINDS | ast.Lambda):
        return
    if isinstance(node, ast.Call):
        through = node.args and ast.unparse(node.func) in THROUGH
        call = node.args[0] if through else node
        if isinstance(call, ast.Call) and _root(call) in own:
            yield node
            return
    for child in ast.iter_child_nodes(node):
        yield from _outermost(child, own)


def _root(node: ast.AST) -> str:
    """Return the name at the beginning of an expression: `a` of `a(1).b(2)`."""
    while isinstance(node, ast.Call | ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _varied(call: ast.expr, chance: random.Random) -> str:
    """Return a call with some numbers changed by a few, and long lists made short."""
    other = copy.deepcopy(call)
    numbers: list[Any] = []
    for node in ast.walk(other):
        if isinstance(node, ast.List | ast.Tuple):
            node.elts = node.elts[:MOST_ITEMS]
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            numbers.append(node)
    for constant in chance.sample(numbers, min(len(numbers), chance.randint(1, 3))):
        constant.value += chance.choice((-3, -2, -1, 1, 2, 3, 4, 5))
    return ast.unparse(other)


def function_of(call: str) -> str:
    """Return what tells the function that is called: its name, and that of a method."""
    while (name := call.partition("(")[0]) in THROUGH:
        call = call[len(name) + 1 :]
    _, dot, method = call.rpartition(").")
    return name + method.partition("(")[0] if dot else name


def drawn(texts: Iterable[str], chance: random.Random, most: int) -> list[str]:
    """Return some calls, as many of each function as can be, as its name and attribute tell it."""
    by_name: dict[str, list[str]] = {}
    for text in texts:
        by_name.setdefault(function_of(text), []).append(text)
    rows = [chance.sample(row, len(row)) for row in by_name.values()]
    longest = max(map(len, rows), default=0)
    return [row[i] for i in range(longest) for row in rows if i < len(row)][:most]
