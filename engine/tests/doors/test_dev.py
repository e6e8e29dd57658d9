"""Watch an assignment while it is written, by `referee audit --watch`."""

import shutil
from pathlib import Path

import new_assignment
import pexpect
import pytest
from terminal import terminal


@pytest.mark.proof
def test_each_save_is_looked_at(tmp_path: Path) -> None:
    """Is each change shown: a check that asks too little, one that is broken, and an empty bank?"""
    task = new_assignment.put(tmp_path)
    with terminal(tmp_path, "referee", "audit", "a", "--watch", "--workers", "1") as screen:
        screen.expect("21 of 21 mutants are caught")
        hidden = task.hidden / "test_median.py"
        checks = hidden.read_text()
        hidden.write_text(checks.replace("(1, 3, 5, 7, 9)", "(1,)"))
        screen.expect("wrong/unsorted: survives test_odd")
        screen.expect("17 of 21 mutants are caught")
        screen.expect("if len.ordered. % 2 == 1")
        hidden.write_text("def (")
        screen.expect("test_median.py:1: SyntaxError")
        hidden.write_text(checks)
        shutil.rmtree(task.bank)
        screen.expect("✗ there is no right solution in")
        screen.expect("✗ there is no wrong solution for the cell median")
        screen.sendcontrol("c")
        screen.expect(pexpect.EOF)
        screen.close()
        assert screen.exitstatus == 130
