"""Ask whether the hidden checks see every small mistake in the reference solution.

The bank has the mistakes that students make; these are for what nobody has thought of. Each of the
mutants of the cells TicTacToe, MiniMax and AlphaBeta must lose points in its
cell, unless it is one of EQUIVALENT: those change nothing that the notebook promises. One in four
is judged, and all of them at night.
"""

from functools import partial
from pathlib import Path

import pytest
from shares import NIGHTLY, is_due

from referee import course
from referee.model import Limits
from referee.proof import audit, mutants

ROOT = Path(__file__).parents[1]
ASSIGNMENT = course.Course(ROOT).find("tic-tac-toe")
CELLS = ("TicTacToe", "MiniMax", "AlphaBeta")
MUTANTS = {one.name: one for one in mutants.of_reference(ASSIGNMENT) if one.cell in CELLS}
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


@pytest.mark.proof
def test_every_mutant_loses_points_in_its_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Does a check of the cell fail, or is it known that and why nothing promised has changed?

    And is it the change that costs the points: does the reference without one lose none?
    """
    chosen = [one for one in MUTANTS.values() if NIGHTLY or is_due(one.name, 4)]
    monkeypatch.setattr(mutants, "of_reference", lambda _: chosen)
    monkeypatch.setattr(audit, "judge_all", partial(audit.judge_all, force=NIGHTLY))
    found = mutants.tried(ASSIGNMENT, Limits(), 2)
    assert (found.judged, found.gaps) == (len(chosen), [])
    expected = EQUIVALENT.keys() & {one.name for one in chosen}
    assert found.survivors.keys() == expected, found.survivors


def test_every_equivalent_mutant_is_still_made() -> None:
    """Is each name in the list that of a mutant?"""
    assert EQUIVALENT.keys() <= MUTANTS.keys()
