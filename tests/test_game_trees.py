"""Ask whether the checks of game-trees ask for the student's own tree, and give nothing away.

Each run of the checks of what is worked out by hand is a process of its own, in which the fixture
`student_id` says who has handed in.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import personal_trees
import pytest

import games
from adversarial.games.recorded import Trace
from games import TreeGame, personal_leaves
from referee import course
from referee.proof import bank

ROOT = Path(__file__).parents[1]
ASSIGNMENT = course.find_assignment(ROOT, "game-trees")
BY_HAND = [ASSIGNMENT.hidden / f"test_{name}.py" for name in ("by_hand", "order")]
RUN = """
import json, sys
import pytest
from referee.judging.plugin import HOST

class HandedIn:
    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(self, fixturedef, request):
        if fixturedef.argname == "student_id":
            fixturedef.cached_result = sys.argv[4], fixturedef.cache_key(request), None
            return sys.argv[4]

    @pytest.hookimpl(tryfirst=True)
    def pytest_unconfigure(self, config):
        found = config.stash[HOST].results.values()
        print(json.dumps([(one.cell, one.verdict, one.message, one.waits) for one in found]))

options = ["--assert=plain", "-pno:terminal", "-pno:cacheprovider"]
options += ["--notebook", sys.argv[1], *sys.argv[2:4]]
sys.exit(pytest.main(options, plugins=[HandedIn()]) > 1)
"""
OWN = 'student_id = "{}"'
Result = tuple[str, str, str, str]  # cell, verdict, message, why a human decides


def results(folder: Path, solution: str, written: str | None, handed_in_by: str) -> list[Result]:
    """Judge a solution of the bank in which a student wrote an id; the last is who it is from."""
    name = f"{solution}.py"
    instead = {} if written is None else {"student_id": OWN.format(written)}
    found = bank.read(ROOT / "bank" / "game-trees" / name)
    notebook = folder / "notebook.ipynb"
    notebook.write_text(json.dumps(bank.notebook(found, ASSIGNMENT, instead)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", RUN, notebook, *BY_HAND, handed_in_by],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [tuple(one) for one in json.loads(done.stdout.splitlines()[-1])]


def messages(found: list[Result], cell: str) -> list[str]:
    """Return what the failed checks of a cell say; assert that those of other cells pass."""
    assert all(verdict == "pass" for other, verdict, *_ in found if other != cell)
    return [message for other, verdict, message, _ in found if other == cell and verdict != "pass"]


@pytest.mark.parametrize(
    ("written", "handed_in_by"),
    [("ada", "ada"), (" Ada ", "ada"), ("s1234567", "S1234567"), ("somebody", "")],
)
def test_the_reference_solution_is_right_for_every_student(
    tmp_path: Path, written: str, handed_in_by: str
) -> None:
    """Can an instructor make anybody's answers, and do they pass for that student?"""
    found = results(tmp_path, "right/negamax", written, handed_in_by)
    assert len(found) == 14
    assert messages(found, "my_tree") == []


def test_somebody_elses_tree_goes_to_a_human(tmp_path: Path) -> None:
    """Are the answers compared with the tree of the id there, and is the mark left to a human?"""
    found = results(tmp_path, "right/by_hand", None, "ada")
    assert messages(found, "my_tree") == []
    waits = {(cell, why) for cell, *_, why in found if why}
    assert len(waits) == 1 and {cell for cell, _ in waits} == {"my_tree"}
    ((_, why),) = waits
    assert why.startswith("`student_id` is 'reference', and this was handed in by 'ada'.")


def test_answers_of_a_friend_are_wrong_under_ones_own_id(tmp_path: Path) -> None:
    """Is changing the id alone not enough?"""
    solution = "wrong/my_tree_of_a_friend"
    written = "a friend of the reference"
    found = results(tmp_path, solution, None, written)
    assert len(messages(found, "my_tree")) >= 3
    assert not any(why for *_, why in found)


WRONG = ["two_ply_hopes", "fig52_max_everywhere", "my_tree_levels_swapped", "my_tree_alpha_only"]


@pytest.mark.parametrize("name", [*WRONG, "order_looked_at", "two_ply_texts"])
def test_feedback_on_numbers_holds_no_number(tmp_path: Path, name: str) -> None:
    """Is it said which answer is wrong, and not what is right?"""
    solution = bank.read(ROOT / "bank" / "game-trees" / "wrong" / f"{name}.py")
    said = messages(results(tmp_path, f"wrong/{name}", None, ""), solution.fields["Cell"])
    assert said
    for message in said:
        told = re.sub(r"`[^`]*`", "", message.partition("Hint: ")[0])  # but for names
        assert re.findall(r"\d", told) == [], message
        assert "is not right" in told or "is a text" in told or "`my_skipped`" in message


def answers(student_id: str) -> dict[str, Any]:
    """Run the reference solution of the cell my_tree for a student."""
    cells = json.loads(ASSIGNMENT.source.read_text("utf-8"))["cells"]
    (cell,) = [cell for cell in cells if cell["id"] == "my_tree"]
    names = {
        "student_id": student_id,
        "personal_leaves": personal_leaves,
        "infinity": float("inf"),
    }
    exec("".join(cell["source"]), names)  # noqa: S102 - it is our own
    return names


def test_the_reference_solution_agrees_with_theory_in_hundreds_of_trees() -> None:
    """Are its values, its move and the leaves it skips those of minimax and of alpha-beta?"""
    for number in range(300):
        found = answers(f"student {number}")
        game = Trace(TreeGame(personal_leaves(f"student {number}")))
        three = [game.minimax_value((move,), "MAX") for move in range(3)]
        nine = [game.minimax_value((i, j), "MAX") for i in range(3) for j in range(3)]
        assert (found["my_nine"], found["my_three"]) == (nine, three)
        assert found["my_value"] == game.minimax_value((), "MAX") == three[found["my_move"]]
        needed = {game.game.leaves.get(state) for state in game.alpha_beta_generates(())}
        assert set(found["my_skipped"]) == set(game.game.leaves.values()) - needed
        assert 5 <= len(found["my_skipped"]) <= 14


def test_the_tree_of_the_solutions_by_hand_is_the_one_they_draw() -> None:
    """Do the numbers that the bank has typed belong to the leaves of its id?"""
    text = (ROOT / "bank/game-trees/wrong/my_tree_greedy.py").read_text("utf-8")
    rows = re.findall(r"(?m)^# ([ \d]+)$", text)
    drawn = [int(number) for row in rows for number in row.split()]
    assert drawn == personal_leaves("reference")


IDS = 300
MOST = 0.05  # of the students may a wrong way by hand lead to the right answer


@pytest.mark.parametrize("name", [*personal_trees.SKIPPED, *personal_trees.MOVES])
def test_no_wrong_way_by_hand_is_right_for_many_students(name: str) -> None:
    """Whose tree it is must not decide what a mistake costs: by how many ids is it forgiven?"""
    forgiven = 0
    for leaves in (personal_leaves(f"s{number}") for number in range(IDS)):
        if name in personal_trees.SKIPPED:
            wrong = personal_trees.SKIPPED[name](leaves)
            forgiven += wrong == personal_trees.skipped(leaves)
        else:
            move = personal_trees.best(personal_trees.MOVES[name](leaves))
            forgiven += move == personal_trees.best(personal_trees.three(leaves))
    assert forgiven <= MOST * IDS


def test_every_order_that_trees_are_drawn_from_is_telling() -> None:
    """Are there as many with each best move, and does the way of finding them still find them?"""
    shapes = [games._SHAPES[i : i + 3] for i in range(0, len(games._SHAPES), 3)]
    orders = [personal_trees.order(shape) for shape in shapes]
    assert len({tuple(order) for order in orders}) == 3 * personal_trees.EACH
    assert all(map(personal_trees.is_telling, orders))
    moves = [personal_trees.best(personal_trees.three(order)) for order in orders]
    assert {moves.count(move) for move in range(3)} == {personal_trees.EACH}
