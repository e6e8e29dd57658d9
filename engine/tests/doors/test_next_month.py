"""Ask whether commands for a class go on where the next sheet has no release yet."""

import shutil
from pathlib import Path

import adopted_course
import pytest
from adopted_course import NAME
from formgrading import run


@pytest.mark.nightly
def test_a_sheet_that_nobody_has_stops_no_command(tmp_path: Path) -> None:
    """Are the others graded, told and given back, until somebody hands it in?"""
    root = adopted_course.make(tmp_path)
    for later in ("week2", "week3"):  # the release of one is there, as in a fresh clone
        shutil.copytree(root / "source" / NAME, root / "source" / later)
    shutil.copytree(root / "release" / NAME, root / "release" / "week3")
    adopted_course.hand_in(root, "ada", {})
    run(root, "referee", "adopt", "--yes")
    assert "1 entered" in run(root, "referee", "grade", "--workers", "1")
    assert "week2" not in run(root, "referee", "status")
    run(root, "referee", "report")
    run(root, "referee", "return", "--for", "folder", "--table", "cells")
    assert "week3 puts it there" in run(root, "referee", "status", "week3", status=2).replace(
        "`", ""
    )
    shutil.copytree(root / "submitted" / "ada" / NAME, root / "submitted" / "ada" / "week2")
    said = run(root, "referee", "grade", "--workers", "1", status=2)
    assert "make it with `referee release week2`" in said
    run(root, "referee", "release", "week2")
    run(root, "referee", "grade", "--workers", "1")
