"""Ask whether the hidden checks see every small mistake in the reference solution.

The bank has the mistakes that students make; these are for what nobody has thought of. Each of the
mutants of the cells TicTacToe, MiniMax and AlphaBeta must lose points in its
cell, unless it is one of EQUIVALENT: those change nothing that the notebook promises. One in four
is judged, and all of them at night.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest
from shares import NIGHTLY, is_due

from referee import course
from referee.judging import suspension
from referee.model import CheckResult, Limits, Verdict
from referee.proof import audit, mutants
from referee.proof.mutation import Mutant, changed

ROOT = Path(__file__).parents[1]
ASSIGNMENT = course.Course(ROOT).find("tic-tac-toe")
CELLS = ("TicTacToe", "MiniMax", "AlphaBeta")
REFERENCE = mutants.solutions(ASSIGNMENT)
MUTANTS = {one.name: one for one in mutants.of_reference(ASSIGNMENT) if one.cell in CELLS}
UNCHANGED = {one.cell: one for one in mutants.unchanged(ASSIGNMENT) if one.cell in CELLS}
WORKERS = 2

EQUIVALENT = {
    "AlphaBeta:__init__:3:0->1": (
        "Without an eval_fn any estimate of one's own will do, and the same number for everything "
        "says as little as another."
    ),
    "AlphaBeta:max_value:9:GtE->Gt": (
        "A search may skip only what lies outside of the window, and not on its edge."
    ),
    "AlphaBeta:min_value:9:LtE->Lt": (
        "A search may skip only what lies outside of the window, and not on its edge."
    ),
}


def problem(mutant: Mutant, checks: list[CheckResult]) -> str:
    """Return what is wrong with the verdicts on a mutant, or nothing."""
    broken = [check.id for check in checks if check.verdict is Verdict.REFEREE_ERROR]
    failed = [check.id for check in checks if check.cell == mutant.cell and check.verdict.lost]
    if broken:
        return f"{mutant.name}: our own check failed: {broken[0]}"
    if mutant.operator == "none":
        not_passed = [check.id for check in checks if check.verdict is not Verdict.PASS]
        return f"{mutant.name}: it does not pass {not_passed}" if not_passed else ""
    if mutant.name in EQUIVALENT:
        said = f"{mutant.name}: it is not equivalent, {failed[:1]} tells it from the reference"
        return said if failed else ""
    said = f"no check of {mutant.cell} sees this change:"
    lines = changed(REFERENCE[mutant.cell], mutant)
    return "" if failed else "\n".join([mutant.name, said, *lines])


def jobs(chosen: Iterable[Mutant]) -> dict[str, audit.Job]:
    """Return what to judge; only the cells that can matter are run, none that try things out."""
    wanted = {f"cell {name}" for name in ("imports", *CELLS)}
    return {
        name: job._replace(cells=[cell for cell in job.cells if cell.label in wanted])
        for name, job in mutants.jobs(ASSIGNMENT, chosen, Limits()).items()
    }


@pytest.mark.proof
def test_every_mutant_loses_points_in_its_cell() -> None:
    """Does a check of the cell fail, or is it known that and why nothing promised has changed?

    And is it the change that costs the points: does the reference without one lose none?
    """
    chosen = [one for one in MUTANTS.values() if NIGHTLY or is_due(one.name, 4)]
    named = {one.name: one for one in [*UNCHANGED.values(), *chosen]}

    def is_good(name: str, checks: list[CheckResult]) -> bool:
        return not problem(named[name], checks)

    asked = suspension.prepared(ASSIGNMENT, Limits())
    found = dict(audit.judge_all(asked, jobs(named.values()), WORKERS, is_good, NIGHTLY))
    assert found.keys() == named.keys() and all(map(len, found.values()))
    offenders = [said for name, checks in found.items() if (said := problem(named[name], checks))]
    assert not offenders, "\n\n".join(offenders)


def test_every_equivalent_mutant_is_still_made():
    """Is each name in the list that of a mutant, with a reason that is a sentence?"""
    assert set(EQUIVALENT) <= set(MUTANTS)
    assert all(reason[0].isupper() and reason.endswith(".") for reason in EQUIVALENT.values())
