"""Make mutants of a piece of Python: copies with one small mistake each.

`mutants(source, cell)` yields them in the order of the source, each with a name that stays as long
as the statement that it changes: `AlphaBeta:max_value:3:GtE->Gt` has `>` for `>=` in the third
statement of `max_value`, counted without its docstring (statement 0 is the line with `def`). A
second change of the same kind in one statement has `#2` at its end. Texts for people, docstrings
and the parts of f-strings, are left alone. Imports nothing of the referee.
"""

import ast
import difflib
import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Function = ast.FunctionDef
Change = tuple[str, str, Callable[[], None], Callable[[], None]]  # operator, label, do, undo

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
OPERATORS = (
    "comparison", "and/or", "not", "sign", "operand", "constant", "infinity", "max/min",
    "arguments", "condition", "removed", "returned",
)  # fmt: skip


class Mutant(NamedTuple):
    """A cell with one change: its name, the cell, one of OPERATORS, the source, and the line."""

    name: str
    cell: str
    operator: str
    source: str
    line: int = 0  # of the statement, in the source that was changed


def mutants(source: str, cell: str) -> Iterator[Mutant]:
    """Yield the mutants of a cell's functions; no two have the same source."""
    tree = ast.parse(source)
    seen = {ast.unparse(tree)}
    used: Counter[str] = Counter()
    for function in (node for node in ast.walk(tree) if isinstance(node, Function)):
        for number, statement in enumerate(statements(function)):
            for operator, label, do, undo in changes(statement, function):
                do()
                made = ast.unparse(tree)
                undo()
                name = f"{cell}:{function.name}:{number}:{label}"
                used[name] += 1
                if made not in seen:
                    seen.add(made)
                    again = f"#{used[name]}" if used[name] > 1 else ""
                    yield Mutant(name + again, cell, operator, made, statement.lineno)


def statements(function: Function) -> list[ast.stmt]:
    """Return the function, and every statement in it but its docstring, in their order."""
    inside = [node for node in ast.walk(function) if isinstance(node, ast.stmt)]
    doc = function.body[0] if ast.get_docstring(function) is not None else None
    return sorted((n for n in inside if n is not doc), key=lambda n: (n.lineno, n.col_offset))


def changes(statement: ast.stmt, function: Function) -> Iterator[Change]:
    """Yield the changes of one statement, without those of the statements in its blocks."""
    if statement is not function:
        yield from _removals(statement, function)
    if isinstance(statement, ast.Return) and statement.value is not None:
        yield _put(statement, "value", ast.Constant(None), "returned", "return None")
    for parent in _own_nodes(statement):
        yield from _of_operators(parent)
        yield from _of_children(parent)
        yield from _of_conditions(parent)
        if isinstance(parent, ast.Call):
            yield from _of_arguments(parent)


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement and its expressions, in their order, leaving out texts for people."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt | ast.JoinedStr):
            yield from _own_nodes(child)


def _removals(statement: ast.stmt, function: Function) -> Iterator[Change]:
    """Yield `pass` in place of a statement; the last return of a function is left to `returned`."""
    last = isinstance(statement, ast.Return) and statement is function.body[-1]
    if last or isinstance(statement, ast.Pass | Function):
        return
    for node in ast.walk(function):
        for name in ("body", "orelse", "finalbody"):
            if isinstance(block := getattr(node, name, None), list) and statement in block:
                kind = type(statement).__name__.lower()
                yield _put(block, block.index(statement), ast.Pass(), "removed", f"{kind}->pass")


def _of_operators(node: ast.AST) -> Iterator[Change]:
    """Yield the changes of a comparison, of and/or, and of a sign."""
    if isinstance(node, ast.Compare):
        for place, old in enumerate(node.ops):
            for new in COMPARISONS[type(old)]:
                label = f"{type(old).__name__}->{new.__name__}"
                yield _put(node.ops, place, new(), "comparison", label)
    if isinstance(node, ast.BoolOp):
        other = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        label = "or->and" if isinstance(node.op, ast.Or) else "and->or"
        yield _put(node, "op", other, "and/or", label)
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in SIGNS:
        new_sign = SIGNS[type(node.op)]
        label = f"{type(node.op).__name__}->{new_sign.__name__}"
        yield _put(node, "op", new_sign(), "sign", label)


def _of_children(parent: ast.AST) -> Iterator[Change]:
    """Yield what can stand in place of the expressions right below a node."""
    for field, value in ast.iter_fields(parent):
        if isinstance(value, list):
            for place, child in enumerate(value):
                for new, operator, label in _instead(child, parent):
                    yield _put(value, place, new, operator, label)
        elif isinstance(value, ast.AST):
            for new, operator, label in _instead(value, parent):
                yield _put(parent, field, new, operator, label)
    if isinstance(parent, ast.Attribute) and (new_name := _swapped(parent.attr)) != parent.attr:
        yield _put(parent, "attr", new_name, "max/min", f"{parent.attr}->{new_name}")


def _instead(node: object, parent: ast.AST) -> Iterator[tuple[ast.expr, str, str]]:
    """Yield expressions that can stand in place of another, with operator and label."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield operand, "sign", f"-{ast.unparse(operand)}->{ast.unparse(operand)}"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand, "not", "not x->x"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub()):
            yield left, "operand", f"{ast.unparse(node)}->{ast.unparse(left)}"
        case ast.Constant(value=bool(flag)):
            yield ast.Constant(not flag), "constant", f"{flag}->{not flag}"
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1), "constant", f"{number}->{number + 1}"
        case ast.Constant(value=str(text)) if len(text) <= 1:
            other = "O" if text == "X" else "X"
            yield ast.Constant(other), "constant", f"{text}->{other}"
        case ast.Name(id=name) if name in INFINITE and not isinstance(parent, ast.UnaryOp):
            yield ast.UnaryOp(ast.USub(), node), "infinity", f"{name}->-{name}"
        case ast.Name(id=name) if (swapped := _swapped(name)) != name:
            yield ast.Name(swapped), "max/min", f"{name}->{swapped}"


def _swapped(name: str) -> str:
    """Return a name with min for max, and the other way round."""
    return MAX_OR_MIN.sub(lambda found: "min" if found[0] == "max" else "max", name)


def _of_conditions(node: ast.AST) -> Iterator[Change]:
    """Yield True and False in place of a condition."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        for value in (True, False):
            yield _put(node, "test", ast.Constant(value), "condition", f"condition->{value}")
    if isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            for value in (True, False):
                new = ast.Constant(value)
                yield _put(node.ifs, place, new, "condition", f"condition->{value}")


def _of_arguments(call: ast.Call) -> Iterator[Change]:
    """Yield a call of the code's own methods, or of its game's, with two neighbours swapped."""
    if not ast.unparse(call.func).startswith("self."):
        return
    for place in range(len(call.args) - 1):
        pair = call.args[place : place + 2]
        label = f"{ast.unparse(pair[0])}<->{ast.unparse(pair[1])}"
        yield _put(call.args, slice(place, place + 2), pair[::-1], "arguments", label)


def _put(
    where: ast.AST | list[Any], place: str | int | slice, new: Any, operator: str, label: str
) -> Change:
    """Return the change that puts `new` into an attribute of a node, or into a list."""
    at: Any = place
    if isinstance(where, list):
        old, change = where[at], where.__setitem__
    else:
        old, change = getattr(where, at), functools.partial(setattr, where)
    return operator, label, lambda: change(at, new), lambda: change(at, old)


def changed(source: str, mutant: Mutant) -> list[str]:
    """Return the lines of a cell's source that a mutant of it changes, with - and + before them."""
    before, after = ast.unparse(ast.parse(source)).splitlines(), mutant.source.splitlines()
    lines = difflib.unified_diff(before, after, lineterm="", n=0)
    return [line for line in lines if line[0] in "+-" and line[:3] not in ("+++", "---")]
