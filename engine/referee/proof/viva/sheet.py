"""Choose five questions on a student's code: the same again for the same work, student and secret.

A sheet has fewer where the code gives no more, and none where no code of the student's runs.
"""

import ast
import contextlib
import hashlib
import itertools
import random
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from referee import intake
from referee.course import Assignment
from referee.model import Cell, Limits
from referee.proof.viva import calls
from referee.proof.viva.questions import (
    READ_STEPS,
    StudentProgram,
    VivaQuestion,
    all_questions,
    own_lines,
)
from referee.proof.viva.runs import Place, run_calls

COUNT = 5
OF_A_FAMILY = 2  # at most, in one sheet
CALLS_TRIED, CALLS = 60, 16
LONGEST = 30_000  # characters of a cell that is asked about: nobody reads longer ones at a table
NO_CODE = "This work has no functions of its own that can be run."
NO_CALLS = "No call of its functions has an answer that is short, and the same a second time."
FEW = "This code gives no more questions."


class Sheet(msgspec.Struct):
    """A student's questions, easy to hard, the cells that they are about, and why they are few."""

    student: str
    questions: list[VivaQuestion]
    cells: dict[str, str]
    why: str = ""


def sheet(assignment: Assignment, cells: Sequence[Cell], limits: Limits) -> Sheet:
    """Return the sheet of the assignment's student, whose notebook has these cells."""
    run = [cell for cell in cells if cell.test is None]
    work = "\0".join(cell.source for cell in run)
    seed = f"{assignment.seed} viva {assignment.student} {work}"
    chance = random.Random(hashlib.sha256(seed.encode("utf-8", "replace")).digest())
    sources, own = own_code(run, given(assignment))
    if not own:
        return Sheet(assignment.student, [], {}, NO_CODE)
    bodies = [node for source in sources.values() for node in ast.parse(source).body]
    names = {node.name for node in bodies if isinstance(node, calls.KINDS)}
    tried = calls.drawn(calls.calls(assignment, names, chance), chance, CALLS_TRIED)
    runs = run_calls(assignment, run, limits, [*sources], tried)
    fit = [call for call, one in runs.items() if one.steps <= READ_STEPS and own & one.lines.keys()]
    runs = {call: runs[call] for call in calls.drawn(fit, chance, CALLS)}
    lines = [line for label, source in sources.items() for line in own_lines(source, label, own)]
    program = StudentProgram(sources, own, lines, runs)
    questions = chosen(all_questions(program, chance), chance)
    used = {label for question in questions for label in question.cells}
    why = "" if len(questions) == COUNT else FEW if questions else NO_CALLS
    shown = {label: source for label, source in sources.items() if label in used}
    return Sheet(assignment.student, questions, shown, why)


def chosen(questions: Iterable[VivaQuestion], chance: random.Random) -> list[VivaQuestion]:
    """Return five questions of different families on different lines and calls, easy to hard."""
    left, found = list(questions), list[VivaQuestion]()
    chance.shuffle(left)
    families = sorted({one.family for one in left})
    order = {family: place for place, family in enumerate(chance.sample(families, len(families)))}
    used: Counter[str] = Counter()

    def rank(one: VivaQuestion) -> tuple[int, int, int]:
        return used[one.family], sum(used[about] for about in one.subjects), order[one.family]

    while left and len(found) < COUNT:
        best = min(left, key=rank)
        found.append(best)
        used.update([best.family, *best.subjects])
        fresh = (one for one in left if one.text != best.text)
        left = [one for one in fresh if used[one.family] < OF_A_FAMILY]
    return sorted(found, key=lambda one: (one.difficulty, one.text))


def given(assignment: Assignment) -> set[str]:
    """Return the lines of code that students were given."""
    cells = intake.code_cells(intake.course_notebook(assignment.release))
    return {line.strip() for cell in cells for line in cell.source.splitlines()}


def own_code(cells: Sequence[Cell], given: set[str]) -> tuple[dict[str, str], set[Place]]:
    """Return the cells with functions that have lines of the student's own, and these lines.

    Very long cells are left out. IPython counts lines from the first one that is not empty.
    """
    sources: dict[str, str] = {}
    own: set[Place] = set()
    for cell in cells:
        if len(cell.source) > LONGEST:
            continue
        full = itertools.dropwhile(lambda line: not line.strip(), cell.source.splitlines())
        source = "\n".join(full)
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)]
            inside = {
                number
                for function in functions
                for number in range(function.lineno + 1, (function.end_lineno or 0) + 1)
            }
            lines = enumerate(source.splitlines(), 1)
            mine = {n for n, line in lines if n in inside and line.strip() not in given}
            own |= {(cell.label, number) for number in mine}
            sources |= {cell.label: source} if mine else {}
    return sources, own
