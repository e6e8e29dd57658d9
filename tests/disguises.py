"""Disguise a solution as one does who hands in a friend's: each way on top of those before."""

import ast
import builtins
import random

LEVELS = ("unchanged", "renamed", "reordered", "edited")


def disguised(source: str, level: str, seed: int = 1) -> str:
    """Return the same program in a disguise of `LEVELS`; what is no plain Python stays as it is."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    steps = [_renamed, _reordered, _edited][: LEVELS.index(level)]
    if not steps:
        return source
    for step in steps:
        tree = step(tree, random.Random(seed))
    return ast.unparse(ast.fix_missing_locations(tree))


def _renamed(tree: ast.Module, _: random.Random) -> ast.Module:
    """Give variables other names and drop the docstrings; comments and layout are gone anyway."""
    taken = set(dir(builtins)) | {"self", "cls"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.arg):
            field = "id" if isinstance(node, ast.Name) else "arg"
            name = getattr(node, field)
            if name not in taken and name.islower():
                setattr(node, field, f"my_{name}")
        body = getattr(node, "body", None)
        if isinstance(body, list) and len(body) > 1 and _is_text(body[0]):
            del body[0]
    return tree


def _reordered(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Put the methods of each class in another order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            at = [i for i, one in enumerate(node.body) if isinstance(one, ast.FunctionDef)]
            for i, one in zip(at, chance.sample([node.body[i] for i in at], len(at)), strict=True):
                node.body[i] = one
    return tree


MIRRORED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
MIRRORED |= {ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}


class _Edits(ast.NodeTransformer):
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        mirror = MIRRORED.get(type(node.ops[0]))
        if len(node.ops) == 1 and mirror and self.chance.random() < 0.5:
            return ast.Compare(node.comparators[0], [mirror()], [node.left])
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if isinstance(node.target, ast.Name):
            value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            return ast.Assign([node.target], value)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.AST]:
        self.generic_visit(node)
        if node.value is None or self.chance.random() < 0.5:
            return node
        answer = ast.Assign([ast.Name("answer", ast.Store())], node.value)
        return [answer, ast.Return(ast.Name("answer", ast.Load()))]

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if node.orelse and not isinstance(node.orelse[0], ast.If) and self.chance.random() < 0.5:
            return ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body)
        return node


def _edited(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Turn comparisons round, name what is returned, exchange the branches of an if."""
    return _Edits(chance).visit(tree)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
