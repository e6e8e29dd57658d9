"""Find calls of a student's functions, as Python expressions, and run them in the sandbox.

They are those that the course gives, or else those that its notebook makes in its own cells and
tests, with other numbers for each student. Each is run twice: an answer that is not the same again
is none.
"""

import ast
import builtins
import copy
import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec

from referee import intake
from referee.course import Assignment
from referee.intake import testcells
from referee.model import Cell, Limits
from referee.proof.viva import tracing
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.server import warm
from referee.sandbox.outside.student import StudentError, load
from referee.sandbox.outside.submission import Submission

MOST_CHARACTERS = 160  # of a call
MOST_ITEMS = 6  # of a list in it
MOST_SHOWN = 60  # characters of what it returns
MOST = 60  # calls that are tried
VARIANTS = 12  # of each call in the notebook
THROUGH = ("list", "tuple", "set", "sorted", "sum", "len", "dict")
KINDS = ast.FunctionDef | ast.ClassDef
SEEDS = (0, 1)  # of hashes and random numbers, one for each run
CPU_SECONDS = 4.0  # of each run of all calls
Place = tuple[str, int]  # a cell's label, and a line


class CallRun(msgspec.Struct, frozen=True, array_like=True):
    """What a call has returned, how often it executed each line, and the variables before each.

    A variable has the values that it had whenever its line was executed.
    """

    value: Any
    lines: dict[Place, int]
    variables: dict[Place, dict[str, list[Any]]]

    @property
    def steps(self) -> int:
        """Return how many lines were executed."""
        return sum(self.lines.values())

    @property
    def is_possible(self) -> bool:
        """Return whether this may be a run: the student's process could send other numbers."""
        counts = *self.lines.values(), self.steps
        counted = all(0 < count <= tracing.MOST_STEPS for count in counts)
        return counted and self.variables.keys() <= self.lines.keys()


def calls(assignment: Assignment, names: Collection[str], chance: random.Random) -> list[str]:
    """Return calls of the functions and classes in `names`, as many of each as can be."""
    course_calls = assignment.subject.calls
    texts = (course_calls(assignment.name, chance) if course_calls else []) or [
        _varied(one, chance) for one in _of_notebook(assignment, names) for _ in range(VARIANTS)
    ]
    short_calls = [text for text in dict.fromkeys(texts) if len(text) <= MOST_CHARACTERS]
    chance.shuffle(short_calls)
    counts, turns = Counter[str](), dict[str, int]()
    for text in short_calls:
        name = function_of(text)
        turns[text] = counts[name]
        counts[name] += 1
    return sorted(short_calls, key=turns.__getitem__)[:MOST]


def _of_notebook(assignment: Assignment, names: Collection[str]) -> Iterator[ast.expr]:
    """Yield the calls in the course's notebook, outside of its solutions."""
    place = assignment.source if assignment.source.is_file() else assignment.release
    trees = [
        testcells.python(cell.source)
        for cell in intake.course_notebook(place).cells
        if cell.cell_type == "code" and not cell.metadata.get("nbgrader", {}).get("solution")
    ]
    fixed = {*names, *dir(builtins)}
    for node in (node for tree in trees for node in tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom | KINDS):
            fixed |= testcells.bound(node)
    for tree in trees:
        values = _Values()
        for statement in tree.body:
            for call in _outermost(statement, names):
                filled: ast.expr = values.visit(copy.deepcopy(call))
                if {one.id for one in ast.walk(filled) if isinstance(one, ast.Name)} <= fixed:
                    yield filled
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                values[statement.targets[0].id] = values.visit(copy.deepcopy(statement.value))


class _Values(ast.NodeTransformer, dict[str, ast.expr]):
    """Puts the values of variables in their place."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.get(node.id, node)


def _outermost(node: ast.AST, names: Collection[str]) -> Iterator[ast.Call]:
    """Yield the calls of own names and of their attributes, of nested ones the outermost.

    What goes through all values of one belongs to it: a generator has nothing else to show.
    """
    if isinstance(node, KINDS | ast.Lambda):
        return
    if isinstance(node, ast.Call):
        through = node.args and ast.unparse(node.func) in THROUGH
        root: ast.AST = node.args[0] if through else node
        if isinstance(root, ast.Call):
            while isinstance(root, ast.Call | ast.Attribute):  # `a` of `a(1).b(2)`
                root = root.func if isinstance(root, ast.Call) else root.value
            if isinstance(root, ast.Name) and root.id in names:
                yield node
                return
    for child in ast.iter_child_nodes(node):
        yield from _outermost(child, names)


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


def run(
    assignment: Assignment,
    cells: Sequence[Cell],
    limits: Limits,
    labels: Sequence[str],
    texts: Sequence[str],
) -> dict[str, CallRun]:
    """Return by call the runs that have an answer to show, the same a second time.

    The cells of the notebook run in two processes, without tests; those with these labels are
    watched. The second has another hash seed, other random numbers and another order of the calls.
    """
    seconds = min(CPU_SECONDS, limits.check_cpu_seconds)
    limits = msgspec.structs.replace(limits, check_cpu_seconds=seconds)
    results = []
    for seed in SEEDS:
        server = warm(limits, assignment.subject, seed)
        with Submission(server, cells, assignment.support, limits) as submission:
            try:
                with submission.student() as student:
                    answers = load(student, tracing).run([*texts], [*labels], seed)
                results.append(msgspec.convert(answers, dict[str, CallRun]))
            except (StudentError, Stopped, msgspec.ValidationError):
                return {}
    first, second = results
    return {
        call: first[call]
        for call in texts
        if call in first and call in second
        if is_short(first[call].value) and is_short(second[call].value)
        if first[call] == second[call] and first[call].is_possible
    }


def is_short(value: Any) -> bool:
    """Return whether a value is nothing but plain data, the same everywhere, and short in print."""
    parts, plain = [value], True
    for part in parts:  # which grows
        if type(part) in (list, tuple, set, dict):
            parts += [*part, *(part.values() if type(part) is dict else ())]
        else:
            plain = plain and type(part) in tracing.PLAIN
    return plain and len(repr(value)) <= MOST_SHOWN
