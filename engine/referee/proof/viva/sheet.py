"""Ask five questions on a student's code: the same again for the same work, student and secret.

Each family is a function that yields what can be asked; the answers, wrong ones too, are from real
runs: other lines, other calls, what variables had. All is about lines that the student wrote, or
calls that execute some. A sheet has fewer questions where the code gives no more.
"""

import ast
import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from pprint import pformat
from typing import Any, NamedTuple, TypeAlias

import jinja2
from markupsafe import Markup

from referee import intake
from referee.course import Assignment
from referee.intake import testcells
from referee.model import Cell, Limits
from referee.proof.viva import calls
from referee.proof.viva.calls import CallRun, Place

COUNT = 5
OF_A_FAMILY = 2  # at most, in one sheet
OPTIONS, FEWEST_OPTIONS = 4, 3
MOST_COUNTED = 24
LONGEST = 30_000  # characters of a cell that is asked about: nobody reads longer ones at a table
INFINITE = (math.inf, -math.inf)
SMALL = ast.Return | ast.Assign | ast.AugAssign | ast.Expr | ast.Raise | ast.Continue | ast.Break
LOOPS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
REPEATED = LOOPS | ast.Lambda | ast.Yield | ast.YieldFrom | ast.Await
LINE = Markup("line {} of <b>{}</b> (<code>{}</code>)")
RETURNED = Markup("What does this call return?")
COUNTED = Markup("How many times is {} executed in this call?")
VARIABLE = Markup(
    "In this call {} is executed {} times. What is the value of <code>{}</code> just "
    "<em>before</em> it is executed the last time?"
)
UNREACHED = Markup("Which of these lines is <em>not</em> executed in this call?")
NO_CODE = "This work has no functions of its own that can be run."
NO_CALLS = "No call of its functions has an answer that is short, and the same a second time."
FEW = "This code gives no more questions."


class Question(NamedTuple):
    """A question about a call, and about a line; `answer` is the place of the right option.

    The difficulty is the number of lines that are executed in the call.
    """

    family: str
    text: Markup
    options: list[Markup]
    answer: int
    difficulty: int
    call: str
    line: Place | None


class Sheet(NamedTuple):
    """A student's questions, easy to hard, the cells that they are about, and why they are few."""

    student: str
    questions: list[Question]
    cells: dict[str, str]
    why: str = ""


def sheet(assignment: Assignment, cells: Sequence[Cell], limits: Limits) -> Sheet:
    """Return the sheet of the assignment's student, whose notebook has these cells."""
    run = [cell for cell in cells if cell.test is None]
    work = "\0".join(cell.source for cell in run)
    seed = f"{assignment.seed} viva {assignment.student} {work}"
    chance = random.Random(seed.encode("utf-8", "replace"))
    released = intake.code_cells(intake.course_notebook(assignment.release))
    release_lines = {line.strip() for cell in released for line in cell.source.splitlines()}
    sources, places, lines = own_code(run, release_lines)
    if not places:
        return Sheet(assignment.student, [], {}, NO_CODE)
    bodies = [node for source in sources.values() for node in testcells.python(source).body]
    names = {node.name for node in bodies if isinstance(node, calls.KINDS)}
    texts = calls.calls(assignment, names, chance)
    runs = calls.run(assignment, run, limits, [*sources], texts)
    runs = {call: one for call, one in runs.items() if places & one.lines.keys()}
    questions = choose(all_questions(lines, runs, chance), chance)
    labels = {label for one in questions for label, _ in runs[one.call].lines.keys() & places}
    why = "" if len(questions) == COUNT else FEW if questions else NO_CALLS
    code = {cell_name(label): source for label, source in sources.items() if label in labels}
    return Sheet(assignment.student, questions, code, why)


def page(assignment: Assignment, sheets: Sequence[Sheet], *, answers: bool = False) -> str:
    """Return HTML to print, which loads and runs nothing: sheets, or the answers to them.

    Each sheet is on paper of its own.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("viva.html").render(
        assignment=assignment.key, sheets=sheets, answers=answers, most=COUNT
    )


def cell_name(label: str) -> str:
    """Return the name of a cell, as people call it."""
    name = label.removeprefix("cell ")
    return label if name.isdigit() else name


def own_code(
    cells: Sequence[Cell], release_lines: set[str]
) -> tuple[dict[str, str], set[Place], dict[Place, Markup]]:
    """Return the cells with functions that have lines which were not given, and these lines.

    The last are those that are one small statement, executed once whenever it is met, each with the
    words for it. Very long cells are left out. IPython counts lines from the first one that is not
    empty.
    """
    sources, places, small = dict[str, str](), set[Place](), dict[Place, Markup]()
    for cell in (one for one in cells if len(one.source) <= LONGEST):
        lines = [*itertools.dropwhile(lambda line: not line.strip(), cell.source.splitlines())]
        for function in ast.walk(testcells.python("\n".join(lines))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for number in range(function.lineno + 1, (function.end_lineno or 0) + 1):
                if (text := lines[number - 1].strip()) and text not in release_lines:
                    places.add((cell.label, number))
                    sources[cell.label] = "\n".join(lines)
            for node in ast.walk(function):
                if isinstance(node, SMALL) and (place := (cell.label, node.lineno)) in places:
                    text = lines[node.lineno - 1].strip()
                    alone = node.lineno == node.end_lineno
                    alone = alone and text.startswith(ast.unparse(node)[:3])
                    if alone and not any(isinstance(part, REPEATED) for part in ast.walk(node)):
                        small[place] = LINE.format(node.lineno, cell_name(cell.label), text)
    return sources, places, small


def choose(questions: Iterable[Question], chance: random.Random) -> list[Question]:
    """Return five questions of different families on different lines and calls, easy to hard."""
    rest, choice = list(questions), list[Question]()
    chance.shuffle(rest)
    counts: Counter[Any] = Counter()
    while rest and len(choice) < COUNT:
        best = min(rest, key=lambda one: (counts[one.family], counts[one.call] + counts[one.line]))
        choice.append(best)
        counts.update([best.family, best.call, best.line])
        others = (one for one in rest if one.text != best.text)
        rest = [one for one in others if counts[one.family] < OF_A_FAMILY]
    return sorted(choice, key=lambda one: (one.difficulty, one.text))


def choices(
    chance: random.Random, right: Any, wrong: Sequence[Any]
) -> tuple[list[Markup], int] | None:
    """Return options in a drawn order, and the place of the right one.

    None if too few differ in value and in print. At most one wrong option is infinite: where no
    search ends there, that is easily seen.
    """
    options = [right]
    for value in chance.sample(wrong, len(wrong)):
        full = len(options) == OPTIONS
        again = value in INFINITE and any(old in INFINITE for old in options[1:])
        if not full and not again and all(value != o and repr(value) != repr(o) for o in options):
            options.append(value)
    if len(options) < FEWEST_OPTIONS:
        return None
    order = chance.sample(range(len(options)), len(options))
    texts = [
        value if isinstance(value, Markup) else Markup("<code>{}</code>").format(one_line(value))
        for value in options
    ]
    return [texts[place] for place in order], order.index(0)


def one_line(value: Any) -> str:
    """Return a value on one line, the same everywhere: sets in order."""
    return pformat(value, width=1000, sort_dicts=False)


# --- the families -----------------------------------------------------------------------------

# The words, the right answer, wrong ones, the call, the line.
Draft: TypeAlias = tuple[Markup, Any, list[Any], str, Place | None]
Lines: TypeAlias = Mapping[Place, Markup]
Runs: TypeAlias = Mapping[str, CallRun]


def all_questions(lines: Lines, runs: Runs, chance: random.Random) -> Iterator[Question]:
    """Yield the questions of all families."""
    for family in returned, counted, variable, unreached:
        for words, right, wrong, call, line in family(lines, runs):
            if options := choices(chance, right, wrong):
                text = words + Markup("<pre>{}</pre>").format(call)
                yield Question(family.__name__, text, *options, runs[call].steps, call, line)


def returned(_: Lines, runs: Runs) -> Iterator[Draft]:
    """What does a call return?

    Wrong is what those variables had that once had the right value, and what other calls of the
    function return: nothing that can be left out at a glance.
    """
    for call, run in runs.items():
        lists = [values for names in run.variables.values() for values in names.values()]
        options = [value for values in lists if run.value in values for value in values]
        others = [one.value for one in _alike(call, runs)]
        wrong = [one for one in (*options, *others) if type(one) is type(run.value)]
        yield RETURNED, run.value, wrong, call, None


def counted(lines: Lines, runs: Runs) -> Iterator[Draft]:
    """How many times is a line executed in a call?"""
    for call, run in runs.items():
        near = [count for place, count in run.lines.items() if place in lines]
        for place in filter(run.lines.__contains__, lines):
            other = [one.lines.get(place, 0) for one in runs.values()]
            wrong = [one for one in (*near, *other) if 0 < one <= MOST_COUNTED]
            if 1 < (count := run.lines[place]) <= MOST_COUNTED:
                yield COUNTED.format(lines[place]), count, wrong, call, place


def variable(lines: Lines, runs: Runs) -> Iterator[Draft]:
    """What is the value of a variable when a line is executed for the last time?"""
    for call, run in runs.items():
        for place in filter(run.variables.__contains__, lines):
            for name, values in sorted(run.variables[place].items()):
                options = [one for names in run.variables.values() for one in names.get(name, [])]
                if name != "_" and any(one != values[0] for one in values):
                    words = VARIABLE.format(lines[place], run.lines[place], name)
                    yield words, values[-1], options, call, place


def unreached(lines: Lines, runs: Runs) -> Iterator[Draft]:
    """Which line is not executed, of some that some calls of the function execute, others not?"""
    for call, run in runs.items():
        alike = _alike(call, runs)
        places = [place for place in lines if len({place in one.lines for one in alike}) == 2]
        others = [lines[place] for place in places if place in run.lines]
        for place in places:
            if place not in run.lines:
                yield UNREACHED, lines[place], others, call, place


def _alike(call: str, runs: Runs) -> list[CallRun]:
    """Return the runs of the calls of the function that a call is of."""
    name = calls.function_of(call)
    return [one for other, one in runs.items() if calls.function_of(other) == name]
