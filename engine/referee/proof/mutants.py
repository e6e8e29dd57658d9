"""Put mutants in place of the reference solution, and of the right ones of the bank.

`jobs` makes of each what is to be judged by the hidden checks of its cell: one that passes them
all shows what they do not see.
"""

import ast
import contextlib
import zlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from referee import intake
from referee.course import Assignment
from referee.intake import testcells
from referee.intake.mutants import Mutant, mutants
from referee.judging import pipeline, session, suspension
from referee.model import Limits
from referee.proof import audit, bank

CELL_CPU_SECONDS, CHECK_CPU_SECONDS = 5.0, 4.0  # a mutant may loop
MEMORY_BYTES = 2**30


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
    found: list[Mutant] = []
    for cell, source in solutions(assignment).items():
        with contextlib.suppress(SyntaxError):  # of a %magic
            found += mutants(source, cell)
    return found


def unchanged(assignment: Assignment) -> list[Mutant]:
    """Return for each cell that has mutants one without a change, which every check must pass."""
    cells = dict.fromkeys(mutant.cell for mutant in of_reference(assignment))
    sources = solutions(assignment)
    return [
        Mutant(f"{cell}:unchanged", cell, "none", ast.unparse(ast.parse(sources[cell])))
        for cell in cells
    ]


def of_right_solutions(assignment: Assignment, one_in: int) -> list[bank.Solution]:
    """Return one in so many mutants of the right solutions of the bank, as solutions of it.

    Which ones is decided by their names, as in `mutant/negamax:MiniMax:value:3:Gt->GtE`.
    """
    graded = suspension.graded(assignment)
    found = []
    for right in (one for one in bank.read_all(assignment) if one.kind == "right"):
        for cell, source in (section for section in right.sections if section[0] in graded):
            with contextlib.suppress(SyntaxError):  # of a %magic
                made = [one for one in mutants(source, cell) if is_chosen(right, one, one_in)]
                found += [_as_solution(right, one) for one in made]
    return found


def is_chosen(right: bank.Solution, mutant: Mutant, one_in: int) -> bool:
    """Return whether a mutant is among one in so many."""
    return zlib.crc32(f"{right.name} {mutant.name}".encode()) % one_in == 0


def _as_solution(right: bank.Solution, mutant: Mutant) -> bank.Solution:
    """Return a right solution with a mutated cell, as a solution of the bank of that cell."""
    name = f"{right.file.stem}:{mutant.name}".replace("/", ":")
    sections = [
        (cell, mutant.source if cell == mutant.cell else source) for cell, source in right.sections
    ]
    file = Path(bank.MUTANT) / f"{name}.py"
    return bank.Solution(file, mutant.name, {"Cell": mutant.cell}, sections)


def jobs(assignment: Assignment, chosen: Iterable[Mutant], limits: Limits) -> dict[str, audit.Job]:
    """Return by name what to judge: the cells with a mutated one, up to the first lost check."""
    told = session.markers(assignment)
    limits = msgspec.structs.replace(
        limits,
        cell_cpu_seconds=min(CELL_CPU_SECONDS, limits.cell_cpu_seconds),
        check_cpu_seconds=min(CHECK_CPU_SECONDS, limits.check_cpu_seconds),
        memory_bytes=min(MEMORY_BYTES, limits.memory_bytes),
    )
    found = {}
    for one in chosen:
        solution = bank.Solution(Path("mutant.py"), one.name, {}, [(one.cell, one.source)])
        cells, _ = audit.prepared(assignment, solution, limits)
        checks = frozenset(name for name, marker in told.items() if marker["cell"] == one.cell)
        found[one.name] = audit.Job(cells, limits, pipeline.Selection(checks, to_first_lost=True))
    return found
