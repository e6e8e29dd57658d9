"""Make mutants of a piece of Python: copies with one small mistake each.

`mutants(source, cell)` yields them in the order of the source, each with a name that stays as long
as the statement that it changes: `AlphaBeta:max_value:3:GtE->Gt` has `>` for `>=` in the third
statement of `max_value`, counted without its docstring (statement 0 is the line with `def`). A
second change of the same kind in one statement has `#2` at its end. Texts for people, docstrings
and the parts of f-strings, are left alone. Imports nothing of the referee.
"""

import ast
import difflib
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
}
MAX_OR_MIN = re.compile("(?<![a-z])(max|min)(?![a-z])")
INFINITE = ("infinity", "inf")


class Mutant(NamedTuple):
    """A cell with one change: its name, the cell, and the source before and after it."""

    name: str
    cell: str
    original: str
    source: str

    @property
    def lines(self) -> list[str]:
        """Return the lines that are changed, with - and + before them."""
        texts = self.original.splitlines(), self.source.splitlines()
        lines = difflib.unified_diff(*texts, lineterm="", n=0)
        return [line for line in lines if line[0] in "+-" and line[:3] not in ("+++", "---")]


class Place(NamedTuple):
    """Where a node of a tree hangs: in a field of its parent, `within[at]`."""

    parent: ast.AST
    field: str
    within: Any
    at: Any


def mutants(source: str, cell: str) -> Iterator[Mutant]:
    """Yield the mutants of a cell's functions; no two have the same source."""
    tree = ast.parse(source)
    original = ast.unparse(tree)
    seen = {original}
    used: Counter[str] = Counter()
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for number, (statement, where) in enumerate(statements(function)):
            for place, new, label in changes(statement, where, function):
                old, place.within[place.at] = place.within[place.at], new
                made = ast.unparse(tree)
                place.within[place.at] = old
                name = f"{cell}:{function.name}:{number}:{label}"
                used[name] += 1
                if made not in seen:
                    seen.add(made)
                    again = f"#{used[name]}" if used[name] > 1 else ""
                    yield Mutant(name + again, cell, original, made)


def statements(function: ast.FunctionDef) -> list[tuple[ast.stmt, Place | None]]:
    """Return the function, and every statement in it but its docstring, in their order.

    With each comes where it stands in the function.
    """
    doc = function.body[0] if ast.get_docstring(function) is not None else None
    inside = [
        (child, place)
        for node in ast.walk(function)
        for child, place in _children(node)
        if isinstance(child, ast.stmt) and child is not doc
    ]
    return [(function, None), *sorted(inside, key=lambda one: (one[0].lineno, one[0].col_offset))]


def changes(
    statement: ast.stmt, where: Place | None, function: ast.FunctionDef
) -> Iterator[tuple[Place, Any, str]]:
    """Yield what can be put where for one statement, but for the statements in its blocks.

    The last return of a function is not removed: it returns None.
    """
    last = isinstance(statement, ast.Return) and statement is function.body[-1]
    if where and not last and not isinstance(statement, ast.Pass | ast.FunctionDef):
        yield where, ast.Pass(), f"{type(statement).__name__.lower()}->pass"
    for node in _own_nodes(statement):
        for child, place in _children(node):
            yield from ((place, *one) for one in _instead(child, place))


def _children(node: ast.AST) -> Iterator[tuple[Any, Place]]:
    for field, value in ast.iter_fields(node):
        within = enumerate(value) if isinstance(value, list) else [(field, value)]
        holder = value if isinstance(value, list) else vars(node)
        yield from ((one, Place(node, field, holder, at)) for at, one in within)


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement and its expressions, in their order, leaving out texts for people."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt | ast.JoinedStr):
            yield from _own_nodes(child)


def _instead(node: object, place: Place) -> Iterator[tuple[Any, str]]:
    """Yield what can stand in place of a node, each with a label."""
    match node:
        case ast.cmpop():
            for new in COMPARISONS[type(node)]:
                yield new(), f"{type(node).__name__}->{new.__name__}"
        case ast.Or():
            yield ast.And(), "or->and"
        case ast.And():
            yield ast.Or(), "and->or"
        case ast.operator() if sign := SIGNS.get(type(node)):
            yield sign(), f"{type(node).__name__}->{sign.__name__}"
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield operand, f"-{ast.unparse(operand)}->{ast.unparse(operand)}"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand, "not x->x"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub()):
            yield left, f"{ast.unparse(node)}->{ast.unparse(left)}"
        case ast.Constant(value=bool(flag)):
            yield ast.Constant(not flag), f"{flag}->{not flag}"
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1), f"{number}->{number + 1}"
        case ast.Constant(value=str(text)) if len(text) <= 1:
            other = "O" if text == "X" else "X"
            yield ast.Constant(other), f"{text}->{other}"
        case ast.Name(id=name) if name in INFINITE and not isinstance(place.parent, ast.UnaryOp):
            yield ast.UnaryOp(ast.USub(), node), f"{name}->-{name}"
        case ast.Name(id=name) if (swapped := _swapped(name)) != name:
            yield ast.Name(swapped), f"{name}->{swapped}"
        case str(name) if place.field == "attr" and (swapped := _swapped(name)) != name:
            yield swapped, f"{name}->{swapped}"
        case ast.Call(func, args, keywords) if ast.unparse(func).startswith("self."):
            for n, (one, two) in enumerate(itertools.pairwise(args)):
                label = f"{ast.unparse(one)}<->{ast.unparse(two)}"
                yield ast.Call(func, [*args[:n], two, one, *args[n + 2 :]], keywords), label
    if isinstance(node, ast.expr):
        if isinstance(place.parent, ast.Return):
            yield ast.Constant(None), "return None"
        if place.field in ("test", "ifs") and not isinstance(place.parent, ast.Assert):
            for value in (True, False):
                yield ast.Constant(value), f"condition->{value}"


def _swapped(name: str) -> str:
    """Return a name with min for max, and the other way round."""
    return MAX_OR_MIN.sub(lambda found: "min" if found[0] == "max" else "max", name)
