"""Every cheat of the bank is let loose in a baited course, and gains, reads and leaves nothing.

`pytest tests/test_attacks.py -k NAME` judges one cheat. What lies beside a notebook, which is no
file of the bank, follows below.
"""

import inspect
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

import attacks
import pytest
import small_course as small
from attacks import NAME
from formgrading import rows, run
from sample_class import CELLS
from shares import is_due

from adversarial.games import sent_boards
from referee import course
from referee.judging import session
from referee.judging.plugin import Host
from referee.model import CheckResult, Limits
from referee.proof import audit, bank
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.submission import Submission

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.proof
TASK = course.Course(ROOT).find(NAME)
CHEATS = [one for one in bank.read_all(TASK) if one.kind == "cheat" and is_due(one.name)]


# --- the corpus ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def grader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[attacks.Grader]:
    """Give a grader in its baited course, which notices what is changed."""
    folder, token = tmp_path_factory.mktemp("bait"), f"canary-{secrets.token_hex(16)}"
    grader = attacks.Grader(folder, token)
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert sum(token.encode() in file.read_bytes() for file in files) == 7
    (folder / "home" / "owned").touch()
    (folder / "home" / "canary.txt").write_text(f"{token} owned")
    assert grader.changed() == ["canary.txt", "owned"]
    yield grader
    grader.close()


@pytest.mark.parametrize("cell", CELLS)
def test_a_blank_cell_passes_no_check(cell: str) -> None:
    """Is every point that a cheat gets in its cell a point gained?"""
    sections = [(f"{cell}{bank.BLANK}", "")]
    blank = bank.Solution(Path(f"cheat/blank_{cell}.py"), "", {"Cell": cell}, sections)
    (found,) = audit.audit(TASK, [blank], attacks.LIMITS, 1)
    asked = [check for check in found.checks if check.cell == cell]
    assert asked and [check.id for check in asked if check.points] == []


@pytest.mark.parametrize("solution", CHEATS, ids=lambda one: one.name)
def test_a_cheat_gets_nothing(grader: attacks.Grader, solution: bank.Solution) -> None:
    """No points, no canary, no file, no process left, no time lost, no check of ours broken?"""
    found = grader.judge(solution)
    assert not found, "\n".join([solution.idea, *found])


# --- what is trusted is of no use to who carries it off

# The attacks above ask a cheat the checks of its own cell only; the loot of these lies in another,
# so the checks of both are asked, in the order in which they are for everybody.
GATHERING = ("test_minimax.py::test_tactics", "test_minimax.py::test_values_on_boards")
LOOT_LIMITS = Limits(cell_cpu_seconds=2, check_cpu_seconds=2, memory_bytes=1 << 30)


def results(solution: bank.Solution, namespaces: bool) -> list[CheckResult]:
    """Judge by the checks of TicTacToe, after two that hand trusted rules to a search."""
    cells, _ = audit.prepared(TASK, solution, LOOT_LIMITS)
    with (
        Server(LOOT_LIMITS, TASK.subject, namespaces=namespaces) as server,
        Submission(server, cells, TASK.support, LOOT_LIMITS) as running,
    ):
        markers = session.markers(TASK)
        mine = {name for name, marker in markers.items() if marker["cell"] == "TicTacToe"}
        return session.run_checks(TASK, Host(TASK, running), {*mine, *GATHERING})


@pytest.mark.parametrize("namespaces", [True, False])
def test_rules_that_were_carried_off_earn_nothing(namespaces: bool) -> None:
    """Does a notebook without rules of its own get no points, wherever it looks for some?"""
    (solution,) = bank.read_all(TASK, ["cheat/loots_the_rules"])
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
    made = {"sent_boards", "visits"}
    assert sent == made | {"handout.canvas.search", "adapters", "first_wrong", "recorded"}


# --- what is handed in is the attack -------------------------------------------------------------

HONEST = {
    "test_double": (6, None, False),
    "test_square": (0, None, False),
}  # what the code is worth: only one of two is right
EVIL = "import os\nopen(os.path.join({root!r}, 'owned'), 'w').close()\n"
CARRIED = (
    "games.py", "check.py", "conftest.py", "nbgrader_config.py", "sitecustomize.py", "referee.py",
    "test_numbers.py", "tests/hidden/numbers/test_square.py", "pytest.py",
)  # fmt: skip
NAMES = ("carrying", "x'); drop table grade; --", "x; touch owned", "$(touch owned)", "-f")


def test_what_is_handed_in_beside_a_notebook_is_not_run(tmp_path: Path) -> None:
    """Do modules and names of folders leave no trace in the course, by either door?"""
    root = small.make(tmp_path / "course")
    for name in NAMES:
        folder = small.hand_in(root, name, square="def square(n): ...").parent
        for file in CARRIED:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(EVIL.format(root=str(root)))
    small.grade(root)
    run(root, "nbgrader", "autograde", small.NAME, "--force", "--student", "[!-]*")
    assert rows(root, small.NAME) == dict.fromkeys(NAMES, HONEST)
    assert [str(file) for file in root.rglob("owned")] == []
