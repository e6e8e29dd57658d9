"""Audit a small bank: does each solution get what its folder says?"""

from pathlib import Path

import new_assignment
from formgrading import run


def test_a_right_solution_that_loses_points_is_a_problem(tmp_path: Path) -> None:
    """Is a mistake in the wrong folder no passed audit, nor a right one among mistakes?"""
    bank = new_assignment.put(tmp_path).bank
    (bank / "wrong" / "unsorted.py").rename(bank / "right" / "unsorted.py")
    right = (bank / "right" / "halves.py").read_text().rpartition("# %% median")[2]
    innocent = {one: f"{one}/innocent" for one in ("wrong", "crash", "loop", "cheat")}
    for kind in innocent:
        (bank / kind).mkdir(exist_ok=True)
        text = f'"""I am right.\n\nCell: median\nCaught by: test_odd\n"""\n# %% median{right}'
        (bank / kind / "innocent.py").write_text(text)
    said = run(tmp_path, "referee", "audit", "a", "--workers", "1", status=1)
    for name in (
        "right/unsorted",
        *(f"{one}/innocent" for one in ("wrong", "crash", "loop", "cheat")),
    ):
        assert f"✗ {name}" in said
    assert "5 with a problem" in said
