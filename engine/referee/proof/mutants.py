"""Put mutants in place of the reference solution: one small change each, such as `<` for `<=`.

One that passes all hidden checks of its cell shows what they do not see.
"""

import contextlib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee import intake
from referee.course import Assignment
from referee.intake import testcells
from referee.judging import pipeline, session, suspension
from referee.model import Limits, Verdict
from referee.proof import audit, bank
from referee.proof.mutation import Mutant, mutants

UNCHANGED = "unchanged"  # among the mutants
UNPROVED = (
    "the unchanged reference does not pass {} where it is judged as others are ({}): nothing is "
    "proved until it does"
)
CELL_CPU_SECONDS, CHECK_CPU_SECONDS = 5.0, 4.0
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


class Tried(NamedTuple):
    """How many mutants were judged, which lose nothing, and why none was judged.

    Each survivor has the lines that it changes.
    """

    judged: int
    survivors: dict[str, list[str]]
    gaps: list[str]


def tried(assignment: Assignment, limits: Limits, processes: int) -> Tried:
    """Judge all mutants of the reference, unless it loses anything where it is judged as they are.

    What is kept is not judged again.
    """
    assignment = suspension.prepared(assignment, limits)
    suspended = assignment.answers.suspended
    made = {one.name: one for one in ([] if suspended else of_reference(assignment))}
    found = dict(audit.judge_all(assignment, jobs(assignment, made.values(), limits), processes))
    lost = [
        UNPROVED.format(one.id, one.message or one.verdict)
        for one in found[UNCHANGED]
        if one.verdict is not Verdict.PASS and one.id not in suspended
    ]
    if lost or suspended:
        return Tried(0, {}, lost)
    survivors = {
        name: mutant.lines
        for name, mutant in made.items()
        if not any(check.verdict.lost or check.verdict is Verdict.NOT_RUN for check in found[name])
    }
    return Tried(len(made), survivors, [])


def jobs(
    assignment: Assignment, chosen: Collection[Mutant], limits: Limits
) -> dict[str, audit.Job]:
    """Return by name what to judge: the cells with a mutated one, up to the first lost check.

    Checks that name no solution cell, as those made of test cells, may be about any. First comes
    the reference `UNCHANGED`, written as mutants are and asked everything.
    """
    about = {name: marker["cell"] for name, marker in session.markers(assignment).items()}
    sources = solutions(assignment)
    if chosen:  # a mutant may loop
        limits = msgspec.structs.replace(
            limits,
            cell_cpu_seconds=min(CELL_CPU_SECONDS, limits.cell_cpu_seconds),
            check_cpu_seconds=min(CHECK_CPU_SECONDS, limits.check_cpu_seconds),
            memory_bytes=min(MEMORY_BYTES, limits.memory_bytes),
        )

    def job(filled: dict[str, str], asked: Iterable[str], to_first_lost: bool) -> audit.Job:
        solution = bank.Solution(Path("mutant.py"), "", {}, [*filled.items()])
        cells, _ = audit.prepared(assignment, solution, limits)
        return audit.Job(cells, limits, pipeline.Selection(frozenset(asked), to_first_lost))

    tables = bank.tables(assignment)
    same = {one.cell: one.original for one in chosen if one.cell not in tables}
    found = {UNCHANGED: job(same, about, to_first_lost=False)}
    for one in chosen:
        asked = (name for name, cell in about.items() if cell == one.cell or cell not in sources)
        found[one.name] = job({one.cell: one.source}, asked, to_first_lost=True)
    return found
