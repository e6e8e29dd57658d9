"""Make questions on a student's code from runs of it.

Each family is a function that yields all its questions. Wrong options come from real runs: other
lines, other calls, what variables had. All are about lines that the student wrote, or calls that
execute some. The difficulty is the number of lines that are executed in the run that decides.
"""

import ast
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup

from referee.proof.viva.calls import function_of
from referee.proof.viva.runs import CallRun, Place

OPTIONS, FEWEST_OPTIONS = 4, 3
COUNTED_STEPS = 200  # lines that somebody may be asked to follow one by one
READ_STEPS = 600  # or whose sense is enough
MOST_COUNTED = 24
SMALL = ast.Return | ast.Assign | ast.AugAssign | ast.Expr | ast.Raise | ast.Continue | ast.Break
BLOCKS = ast.For | ast.While
LOOPS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
REPEATED = LOOPS | ast.Lambda | ast.Yield | ast.YieldFrom | ast.Await
CALL = Markup("<pre>{}</pre>")
CODE = Markup("<code>{}</code>")
LINE = Markup("line {} of <b>{}</b> (<code>{}</code>)")
Options = tuple[list[str], int]  # in the order shown, and the place of the right one


class VivaQuestion(msgspec.Struct, frozen=True):
    """A question, with options as HTML; `answer` is the place of the right one.

    `difficulty` counts executed lines; `cells` are the labels of the cells to look at; `subjects`
    are the call and the line, which no other question of a sheet should have.
    """

    family: str
    text: str
    options: list[str]
    answer: int
    difficulty: int
    cells: list[str]
    subjects: list[str]


class OwnLine(NamedTuple):
    """A line of a student's own that is one small statement, executed once whenever it is met.

    `function` is the first line of the function around it, `assigned` are the names that get
    several values there, the counters of loops left out.
    """

    place: Place
    text: str
    function: Place
    assigned: frozenset[str]

    @property
    def told(self) -> Markup:
        """Return where it is and what it says."""
        return LINE.format(self.place[1], called(self.place[0]), self.text)


class StudentProgram(NamedTuple):
    """A student's program: its cells, its own lines, and what calls did."""

    sources: dict[str, str]
    own: set[Place]
    lines: list[OwnLine]
    runs: dict[str, CallRun]

    def question(
        self, family: str, words: Markup, found: Options, steps: int, call: str, *about: Place
    ) -> VivaQuestion:
        """Return a question about a call, and about a line."""
        executed = {label for label, _ in self.runs[call].lines.keys() & self.own}
        labels = [label for label in self.sources if label in executed]
        subjects = [call, *map(str, about)]
        text = str(words + CALL.format(call))
        return VivaQuestion(family, text, *found, steps, labels, subjects)


def called(label: str) -> str:
    """Return the name of a cell, as people call it."""
    name = label.removeprefix("cell ")
    return label if name.isdigit() else name


def own_lines(source: str, label: str, own: set[Place]) -> Iterator[OwnLine]:
    """Yield the lines that questions may count."""
    lines = source.splitlines()
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        inside = [*_inside(function)]
        several = _several(inside)
        for node in inside:
            text = lines[node.lineno - 1].strip()
            alone = node.lineno == node.end_lineno and text.startswith(ast.unparse(node)[:3])
            repeated = any(isinstance(part, REPEATED) for part in ast.walk(node))
            if isinstance(node, SMALL) and alone and (label, node.lineno) in own and not repeated:
                yield OwnLine((label, node.lineno), text, (label, function.lineno), several)


def _several(inside: list[ast.stmt]) -> frozenset[str]:
    """Return the names that get more than one value by statements: in a loop, or twice."""
    again = {part for node in inside if isinstance(node, BLOCKS) for part in ast.walk(node)}
    assigned = Counter(
        name.id
        for node in inside
        if isinstance(node, ast.Assign | ast.AugAssign)
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        for _ in range(2 if node in again else 1)
    )
    return frozenset(one for one, count in assigned.items() if count > 1 and one != "_")


def _inside(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    """Yield the statements of a function, without those of functions in it."""
    todo: list[ast.AST] = list(function.body[ast.get_docstring(function) is not None :])
    for node in todo:  # which grows
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            todo += ast.iter_child_nodes(node)


def choices(chance: random.Random, right: Any, wrong: Iterable[Any]) -> Options | None:
    """Return options in a drawn order; None if too few differ in value and in print.

    At most one wrong option is infinite: where no search ends there, that is easily seen.
    """
    known = [right]
    for one in wrong:
        if len(known) == OPTIONS or (_is_infinite(one) and any(map(_is_infinite, known[1:]))):
            continue
        if all(one != old and repr(one) != repr(old) for old in known):
            known.append(one)
    if len(known) < FEWEST_OPTIONS:
        return None
    order = chance.sample(range(len(known)), len(known))
    texts = [str(one if isinstance(one, Markup) else CODE.format(repr(one))) for one in known]
    return [texts[place] for place in order], order.index(0)


def _is_infinite(value: Any) -> bool:
    return type(value) is float and math.isinf(value)


# --- the families -----------------------------------------------------------------------------


def returned(program: StudentProgram, chance: random.Random) -> Iterator[VivaQuestion]:
    """What does a call return?"""
    for call, run in program.runs.items():
        if found := _likely_values(program, call, run, chance):
            words = Markup("What does this call return?")
            yield program.question("returned", words, found, run.steps, call)


def _likely_values(
    program: StudentProgram, call: str, run: CallRun, chance: random.Random
) -> Options | None:
    """Return options for what a call returns; None if all but one can be left out at a glance.

    Wrong ones are what those variables had that once had the right value, and what other calls of
    the function return.
    """
    noted = [values for names in run.variables.values() for values in names.values()]
    had = [value for values in noted if run.value in values for value in values]
    name, kind = function_of(call), type(run.value)
    others = [one.value for text, one in program.runs.items() if function_of(text) == name]
    wrong = [*_shuffled(had, chance), *_shuffled(others, chance)]
    return choices(chance, run.value, [one for one in wrong if type(one) is kind])


def counted(program: StudentProgram, chance: random.Random) -> Iterator[VivaQuestion]:
    """How many times is a line executed in a call?"""
    for line, call, run in _followed(program):
        near = [run.lines.get(one.place, 0) for one in program.lines]
        other = [other.lines.get(line.place, 0) for other in program.runs.values()]
        wrong = [*_shuffled(other, chance), *_shuffled(near, chance)]
        count = run.lines[line.place]
        found = choices(chance, count, [one for one in wrong if 0 < one <= MOST_COUNTED])
        if found and 1 < count <= MOST_COUNTED and {*other} - {0, count}:  # it can be another
            words = Markup("How many times is {} executed in this call?").format(line.told)
            yield program.question("counted", words, found, run.steps, call, line.place)


def variable(program: StudentProgram, chance: random.Random) -> Iterator[VivaQuestion]:
    """What is the value of a variable when a line is executed for the last time?"""
    words = Markup(
        "In this call {} is executed {} times. What is the value of <code>{}</code> just "
        "<em>before</em> it is executed the last time?"
    )
    for line, call, run in _followed(program):
        for name, values in sorted(run.variables.get(line.place, {}).items()):
            noted = run.variables.items()
            function = {one.place for one in program.lines if one.function == line.function}
            had = [
                one for place, found in noted if place in function for one in found.get(name, [])
            ]
            found = choices(chance, values[-1], _shuffled(had, chance))
            if found and len(values) > 1 and name in line.assigned:
                told = words.format(line.told, run.lines[line.place], name)
                yield program.question("variable", told, found, run.steps, call, line.place)


def unreached(program: StudentProgram, chance: random.Random) -> Iterator[VivaQuestion]:
    """Which line is not executed, of some of which each is executed in some runs, in others not?"""
    every = program.runs.values()
    met = [{line.function for line in program.lines if line.place in run.lines} for run in every]
    uncertain = []
    for line in program.lines:
        seen = [line.place in run.lines for run, functions in zip(every, met, strict=True)
                if line.function in functions]  # fmt: skip
        uncertain += [line] * (True in seen and False in seen)
    for (call, run), functions in zip(program.runs.items(), met, strict=True):
        lines = [line for line in uncertain if line.function in functions]
        reached = [line for line in lines if line.place in run.lines]
        for line in (one for one in lines if one not in reached):
            wrong = [one.told for one in _shuffled(reached, chance) if one.text != line.text]
            if found := choices(chance, line.told, wrong):
                words = Markup("Which of these lines is <em>not</em> executed in this call?")
                yield program.question("unreached", words, found, run.steps, call, line.place)


FAMILIES: tuple[Callable[[StudentProgram, random.Random], Iterator[VivaQuestion]], ...] = (
    returned, counted, variable, unreached,
)  # fmt: skip


def all_questions(program: StudentProgram, chance: random.Random) -> list[VivaQuestion]:
    """Return the questions of all families."""
    return [*itertools.chain.from_iterable(make(program, chance) for make in FAMILIES)]


def _followed(program: StudentProgram) -> Iterator[tuple[OwnLine, str, CallRun]]:
    """Yield lines with the calls that execute them and can be followed line by line."""
    for call, run in program.runs.items():
        if run.steps <= COUNTED_STEPS:
            yield from ((line, call, run) for line in program.lines if line.place in run.lines)


def _shuffled(things: Iterable[Any], chance: random.Random) -> list[Any]:
    listed = list(things)
    return chance.sample(listed, len(listed))
