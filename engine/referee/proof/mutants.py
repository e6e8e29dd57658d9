"""Put mutants in place of the reference solution: one small change each, such as `<` for `<=`.

One that passes all hidden checks of its cell shows what they do not see.
"""

import ast
import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee import intake
from referee.course import Assignment
from referee.intake import testcells
from referee.judging import pipeline, session, suspension
from referee.model import Limits, Verdict
from referee.proof import audit, bank
from referee.proof.mutation import Mutant, changed, mutants

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


class Tried(NamedTuple):
    """How many mutants were judged, which lose nothing, and why none was judged.

    Each survivor has the lines that it changes.
    """

    judged: int
    survivors: dict[str, list[str]]
    gaps: list[str]


def tried(assignment: Assignment, limits: Limits, processes: int) -> Tried:
    """Judge all mutants of the reference; none if it does not pass where it is judged as they are.

    What is kept is not judged again.
    """
    assignment = suspension.prepared(assignment, limits)
    results = suspension.of_reference(assignment, limits).results
    if any(check.verdict is not Verdict.PASS for check in results):
        return Tried(0, {}, [])  # an audit says so
    made = {mutant.name: mutant for mutant in of_reference(assignment)}
    same = unchanged(assignment)
    todo = jobs(assignment, [*same, *made.values()], limits)
    found = dict(audit.judge_all(assignment, todo, processes, lambda _, one: audit.is_sure(one)))
    lost = [c for one in same for c in found[one.name] if c.verdict is not Verdict.PASS]
    if lost:
        return Tried(
            0, {}, [audit.UNCHANGED.format(one.id, one.message or one.verdict) for one in lost]
        )
    sources = solutions(assignment)
    survivors = {
        name: changed(sources[one.cell], one)
        for name, one in made.items()
        if not any(check.verdict.lost for check in found[name])
    }
    return Tried(len(made), survivors, [])


def jobs(assignment: Assignment, chosen: Iterable[Mutant], limits: Limits) -> dict[str, audit.Job]:
    """Return by name what to judge: the cells with a mutated one, up to the first lost check.

    Checks that name no solution cell, as those made of test cells, may be about any.
    """
    told, cells_of = session.markers(assignment), solutions(assignment).keys()
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
        about = {name: marker["cell"] for name, marker in told.items()}
        asked = {name for name, cell in about.items() if cell == one.cell or cell not in cells_of}
        selection = pipeline.Selection(frozenset(asked), to_first_lost=True)
        found[one.name] = audit.Job(cells, limits, selection)
    return found
