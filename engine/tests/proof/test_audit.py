"""Audit a small bank: does each solution get what its folder says?"""

import re
from pathlib import Path

import nim_course
import pytest
from formgrading import run
from nim_course import NAME


def test_a_bank_whose_solutions_get_what_they_must_has_no_problem(tmp_path: Path) -> None:
    """Is there a line for each solution, with the share of its cell that it loses?"""
    root = nim_course.make(tmp_path)
    said = run(root, "referee", "audit", NAME, "--workers", "1")
    assert "3 right, 4 wrong, 0 crash, 1 loop, 1 cheat: 0 with a problem." in said
    assert re.search(r"✓ wrong/never_cuts passes 6 of 7 checks and loses \d+% of its cell\n", said)
    assert re.search(r"\d+ of \d+ mutants are caught", said)


@pytest.mark.proof
def test_a_right_solution_that_loses_points_is_a_problem(tmp_path: Path) -> None:
    """Is a mistake in the wrong folder named, and the audit not passed?"""
    root = nim_course.make(tmp_path)
    bank = root / "bank" / NAME
    (bank / "wrong" / "never_cuts.py").rename(bank / "right" / "never_cuts.py")
    said = run(root, "referee", "audit", NAME, "--workers", "1", status=1)
    assert "right/never_cuts" in said and "1 with a problem" in said
