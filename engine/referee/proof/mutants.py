"""Put mutants in place of the reference solution: one small change each, such as `<` for `<=`.

One that passes all hidden checks of its cell shows what they do not see. A name such as
`AlphaBeta:max_value:3:GtE->Gt` stays as long as the statement that is changed: `>` for `>=` in the
third statement of `max_value` (0 is the line with `def`). A second change of the same kind in one
statement has `#2` at its end. Texts for people, docstrings and the parts of f-strings, are left
alone.
"""

import ast
import contextlib
import difflib
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from referee import intake
from referee.course import Assignment
from referee.intake import testcells
from referee.judging import pipeline, session, suspension
from referee.model import Limits, Verdict
from referee.proof import audit, bank

UNCHANGED = "unchanged"  # among the mutants
UNPROVED = (
    "the unchanged reference does not pass {} where it is judged as others are ({}): nothing is "
    "proved until it does"
)
OTHERS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
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
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
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


class MutantResults(NamedTuple):
    """How many mutants were judged, which pass all checks, and why none was judged.

    Each survivor has the lines that it changes.
    """

    judged: int
    survivors: dict[str, list[str]]
    gaps: list[str]


def tried(assignment: Assignment, limits: Limits, processes: int) -> MutantResults:
    """Judge all mutants of the reference, each up to the first check of its cell that it loses.

    Checks that name no solution cell, as those made of test cells, may be about any. No mutant
    counts unless the reference passes everything, also where it is written and judged as they are.
    """
    assignment = suspension.prepared(assignment, limits)
    if assignment.answers.suspended:
        return MutantResults(0, {}, [])
    cells = {name: marker["cell"] for name, marker in session.markers(assignment).items()}
    mutants, texts, games = of_reference(assignment), solutions(assignment), bank.tables(assignment)

    def job(sections: dict[str, str], checks: Iterable[str], to_first_lost: bool) -> audit.Job:
        file = Path(audit.SLOW[0], "mutant.py")  # it may loop
        solution = bank.Solution(file, "", {}, [*sections.items()])
        selection = pipeline.Selection(frozenset(checks), to_first_lost)
        return audit.Job(*audit.prepared(assignment, solution, limits), selection)

    reference = {one.cell: one.original for one in mutants if one.cell not in games}
    jobs = {UNCHANGED: job(reference, cells, to_first_lost=False)}
    for mutant in mutants:
        names = (name for name, cell in cells.items() if cell == mutant.cell or cell not in texts)
        jobs[mutant.name] = job({mutant.cell: mutant.source}, names, to_first_lost=True)
    results = dict(audit.judge_all(assignment, jobs, processes))
    gaps = [
        UNPROVED.format(one.id, one.message or one.verdict)
        for one in results[UNCHANGED]
        if one.verdict is not Verdict.PASS
    ]
    if gaps:
        return MutantResults(0, {}, gaps)
    survivors = {
        one.name: one.lines
        for one in mutants
        if all(check.verdict is Verdict.PASS or check.verdict.open for check in results[one.name])
    }
    return MutantResults(len(mutants), survivors, [])


def solutions(assignment: Assignment) -> dict[str, str]:
    """Return the reference solution of each cell that checks decide on, in their order.

    Where test cells ask, these are all of the student's: a test cell is called as it likes.
    """
    source = intake.course_notebook(assignment.source)
    graded, asserts = suspension.graded(assignment), testcells.tests(assignment)
    return {
        name: bank.MARKER.sub("", cell.source)
        for cell in source.cells
        if testcells.is_answer(cell) and ((name := str(intake.identity(cell))) in graded or asserts)
    }


def of_reference(assignment: Assignment) -> list[Mutant]:
    """Return the mutants of the reference solution, in the order of the notebook."""
    result: list[Mutant] = []
    for cell, source in solutions(assignment).items():
        with contextlib.suppress(SyntaxError):  # of a %magic
            result += mutants(source, cell)
    return result


# --- how they are made ---------------------------------------------------------------------------


class Place(NamedTuple):
    """Where a part of a tree hangs: in a field of its parent, as `within[at]`."""

    parent: ast.AST
    field: str
    within: Any
    at: Any


def mutants(source: str, cell: str) -> Iterator[Mutant]:
    """Yield the mutants of a cell's functions, in order; no two have the same source."""
    tree = ast.parse(source)
    original = ast.unparse(tree)
    texts, counts = {original}, Counter[str]()
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        number = 0
        for place in _places(function):
            old = place.within[place.at]
            number += isinstance(old, ast.stmt)
            for new, label in _replacements(old, place):
                place.within[place.at] = new
                text = ast.unparse(tree)
                place.within[place.at] = old
                name = f"{cell}:{function.name}:{number}:{label}"
                counts[name] += 1
                if text not in texts:
                    texts.add(text)
                    again = f"#{counts[name]}" if counts[name] > 1 else ""
                    yield Mutant(name + again, cell, original, text)


def _places(node: ast.AST) -> Iterator[Place]:
    """Yield where all parts of a node hang, in the order of the source, but for texts and types."""
    for field, value in ast.iter_fields(node):
        if field in ("returns", "annotation", "decorator_list"):
            continue
        parts = enumerate(value) if isinstance(value, list) else [(field, value)]
        within = value if isinstance(value, list) else vars(node)
        for at, part in parts:
            if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
                continue  # a docstring
            yield Place(node, field, within, at)
            if isinstance(part, ast.AST) and not isinstance(part, ast.JoinedStr):
                yield from _places(part)


def _replacements(node: object, place: Place) -> Iterator[tuple[Any, str]]:
    """Yield what can stand in place of a node, each with a label.

    The last return of a function is not removed: it returns None.
    """
    match node:
        case ast.cmpop() | ast.boolop() | ast.operator():
            for new in OTHERS.get(type(node), ()):
                yield new(), f"{type(node).__name__}->{new.__name__}"
        case (
            ast.UnaryOp(op=ast.USub() | ast.Not(), operand=part)
            | ast.BinOp(left=part, op=ast.Add() | ast.Sub())
        ):
            yield part, f"{ast.unparse(node)}->{ast.unparse(part)}"
        case ast.Constant(value=bool(flag)):
            yield ast.Constant(not flag), f"{flag}->{not flag}"
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1), f"{number}->{number + 1}"
        case ast.Constant(value=str(text)) if len(text) <= 1:
            other = "O" if text == "X" else "X"
            yield ast.Constant(other), f"{text}->{other}"
        case ast.Name(id=name) if name in INFINITE and not isinstance(place.parent, ast.UnaryOp):
            yield ast.UnaryOp(ast.USub(), node), f"{name}->-{name}"
        case ast.Name(id=name) if (other := _opposite(name)) != name:
            yield ast.Name(other), f"{name}->{other}"
        case str(name) if place.field == "attr" and (other := _opposite(name)) != name:
            yield other, f"{name}->{other}"
        case ast.Call(func, args, keywords) if ast.unparse(func).startswith("self."):
            for n, (one, two) in enumerate(itertools.pairwise(args)):
                label = f"{ast.unparse(one)}<->{ast.unparse(two)}"
                yield ast.Call(func, [*args[:n], two, one, *args[n + 2 :]], keywords), label
        case ast.stmt() if not isinstance(node, ast.Pass | ast.FunctionDef):
            last = isinstance(place.parent, ast.FunctionDef) and node is place.within[-1]
            if not (last and isinstance(node, ast.Return)):
                yield ast.Pass(), f"{type(node).__name__.lower()}->pass"
    if isinstance(node, ast.expr):
        if isinstance(place.parent, ast.Return):
            yield ast.Constant(None), "return None"
        if place.field in ("test", "ifs") and not isinstance(place.parent, ast.Assert):
            for value in (True, False):
                yield ast.Constant(value), f"condition->{value}"


def _opposite(name: str) -> str:
    """Return a name with min for max, and the other way round."""
    return MAX_OR_MIN.sub(lambda match: "min" if match[0] == "max" else "max", name)
