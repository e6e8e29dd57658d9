"""What is trusted is of no use to who carries it off: rules that a search is given earn nothing.

`tests/test_attacks.py` asks a cheat the checks of its own cell only; the loot of these lies in
another, so the checks of both are asked, in the order in which they are for everybody.
"""

import inspect
import re
from pathlib import Path

import pytest

from adversarial.games import sent_boards
from referee import course
from referee.judging import session
from referee.judging.plugin import Host
from referee.model import CheckResult, Limits
from referee.proof import audit, bank
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.submission import Submission

pytestmark = pytest.mark.proof
ROOT = Path(__file__).parents[1]
NAME = "tic-tac-toe"
GATHERING = ("test_minimax.py::test_tactics", "test_minimax.py::test_values_on_boards")
LIMITS = Limits(cell_cpu_seconds=2, check_cpu_seconds=2, memory_bytes=1 << 30)


def results(solution: bank.Solution, namespaces: bool) -> list[CheckResult]:
    """Judge by the checks of TicTacToe, after two that hand trusted rules to a search."""
    assignment = course.Course(ROOT).find(NAME)
    cells, _ = audit.prepared(assignment, solution, LIMITS)
    with (
        Server(LIMITS, assignment.subject, namespaces=namespaces) as server,
        Submission(server, cells, assignment.support, LIMITS) as running,
    ):
        markers = session.markers(assignment)
        mine = {name for name, marker in markers.items() if marker["cell"] == "TicTacToe"}
        return session.run_checks(assignment, Host(running), {*mine, *GATHERING})


@pytest.mark.parametrize("namespaces", [True, False])
def test_rules_that_were_carried_off_earn_nothing(namespaces: bool) -> None:
    """Does a notebook without rules of its own get no points, wherever it looks for some?"""
    (solution,) = bank.read_all(course.Course(ROOT).find(NAME), ["cheat/loots_the_rules"])
    checks = [check for check in results(solution, namespaces) if check.cell == "TicTacToe"]
    assert len(checks) > 9
    assert [check.id for check in checks if check.points] == []


def test_what_runs_inside_the_player_is_no_solution() -> None:
    """Does its whole source, put where the rules should be, get no points?"""
    source = inspect.getsource(sent_boards)
    for kind in "SentBoard(h, v, k)", "SentBoard({}, h, v, k)", "LazySentBoard(h, v, k)":
        cell = f"{source}\n\ndef TicTacToe(h=3, v=3, k=3):\n    return {kind}\n"
        solution = bank.Solution(ROOT / "bank/loot.py", "", {}, [("TicTacToe", cell)])
        checks = [check for check in results(solution, True) if check.cell == "TicTacToe"]
        assert [check.id for check in checks if check.points] == []


def test_nothing_but_what_is_no_solution_is_loaded_into_a_player() -> None:
    """Is every module that is sent one that was made for it: no rules, no cell solved?"""
    loads = re.compile(r"load\(\w+, ([\w.]+)\)")
    files = [*(ROOT / "adversarial").rglob("*.py"), *(ROOT / "tests/hidden").rglob("*.py")]
    sent = {found for file in files for found in loads.findall(file.read_text("utf-8"))}
    made = {"sent_boards", "drop_rules", "visits"}
    assert sent == made | {"handout.canvas.search", "adapters", "first_wrong", "recorded"}
