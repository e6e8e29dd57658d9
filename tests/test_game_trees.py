"""Ask whether the checks of game-trees ask for the student's own tree, and give nothing away."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from solution import cells_of

from adversarial.games.recorded import Trace
from adversarial.search import Edits, edited
from games import TreeGame, infinity
from handout import trees
from handout.trees import personal_leaves
from referee import course, intake
from referee.judging import session
from referee.judging.plugin import Host
from referee.proof import bank
from referee.sandbox.outside import server
from referee.sandbox.outside.submission import Submission

ROOT = Path(__file__).parents[1]
ASSIGNMENT = course.Course(ROOT).find("game-trees")
LIMITS = course.Course(ROOT).limits()
BY_HAND = ("test_by_hand.py", "test_order.py")
OWN = 'student_id = "{}"'
Result = tuple[str, str, str, str]  # cell, verdict, message, why a human decides
Judge = Callable[..., list[Result]]


def judged(solution: str, written: str | None, student: str) -> list[Result]:
    """Judge a solution of the bank in which an id was written; `student` has handed it in."""
    instead = {} if written is None else {"student_id": OWN.format(written)}
    (found,) = bank.read_all(ASSIGNMENT, [solution])
    data = json.dumps(bank.notebook(found, ASSIGNMENT, instead)).encode()
    cells = intake.accept_file(ASSIGNMENT, data).cells
    wanted = {name for name in session.markers(ASSIGNMENT) if name.startswith(BY_HAND)}
    warm = server.warm(LIMITS, ASSIGNMENT.subject)
    with Submission(warm, cells, ASSIGNMENT.support, LIMITS) as running:
        host = Host(ASSIGNMENT.of(student), running)
        checks = session.run_checks(ASSIGNMENT, host, wanted)
    return [(one.cell, one.verdict, one.message, host.waits.get(one.id, "")) for one in checks]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """Give `judged` in another process, which has rewritten no asserts."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield lambda *words: pool.submit(judged, *words).result()


def messages(found: list[Result], cell: str) -> list[str]:
    """Return what the failed checks of a cell say; assert that those of other cells pass."""
    assert all(verdict == "pass" for other, verdict, *_ in found if other != cell)
    return [message for other, verdict, message, _ in found if other == cell and verdict != "pass"]


@pytest.mark.parametrize(
    ("written", "handed_in_by"),
    [("ada", "ada"), (" Ada ", "ada"), ("s1234567", "S1234567"), ("somebody", "")],
)
def test_the_reference_solution_is_right_for_every_student(
    judge: Judge, written: str, handed_in_by: str
) -> None:
    """Can an instructor make anybody's answers, and do they pass for that student?"""
    found = judge("right/negamax", written, handed_in_by)
    assert len(found) == 14
    assert messages(found, "my_tree") == []


def test_somebody_elses_tree_goes_to_a_human(judge: Judge) -> None:
    """Are the answers compared with the tree of the id there, and is the mark left to a human?"""
    found = judge("right/by_hand", None, "ada")
    assert messages(found, "my_tree") == []
    waits = {(cell, why) for cell, *_, why in found if why}
    assert len(waits) == 1 and {cell for cell, _ in waits} == {"my_tree"}
    ((_, why),) = waits
    assert why.startswith("`student_id` is 'reference', and this was handed in by 'ada'.")


WRONG = ["two_ply_hopes", "fig52_max_everywhere", "my_tree_levels_swapped", "my_tree_alpha_only"]


@pytest.mark.parametrize("name", [*WRONG, "order_looked_at", "two_ply_texts"])
def test_feedback_on_numbers_holds_no_number(judge: Judge, name: str) -> None:
    """Is it said which answer is wrong, and not what is right?"""
    (solution,) = bank.read_all(ASSIGNMENT, [f"wrong/{name}"])
    said = messages(judge(f"wrong/{name}", None, ""), solution.fields["Cell"])
    assert said
    for message in said:
        told = re.sub(r"`[^`]*`", "", message.partition("Hint: ")[0])  # but for names
        assert re.findall(r"\d", told) == [], message
        assert "is not right" in told or "is a text" in told or "`my_skipped`" in message


def answers(student_id: str) -> dict[str, Any]:
    """Run the reference solution of the cell my_tree for a student."""
    names = {"student_id": student_id, "personal_leaves": personal_leaves, "infinity": infinity}
    exec(cells_of("game-trees")["my_tree"], names)  # noqa: S102 - it is our own
    return names


def test_the_reference_solution_agrees_with_theory_in_a_hundred_trees() -> None:
    """Are its values, its move and the leaves it skips those of minimax and of alpha-beta?"""
    for number in range(100):
        found = answers(f"student {number}")
        game = Trace(TreeGame(personal_leaves(f"student {number}")))
        three = [game.minimax_value((move,), "MAX") for move in range(3)]
        nine = [game.minimax_value((i, j), "MAX") for i in range(3) for j in range(3)]
        assert (found["my_nine"], found["my_three"]) == (nine, three)
        assert found["my_value"] == game.minimax_value((), "MAX") == three[found["my_move"]]
        needed = {game.game.leaves.get(state) for state in game.alpha_beta_generates(())}
        assert set(found["my_skipped"]) == set(game.game.leaves.values()) - needed
        assert 5 <= len(found["my_skipped"]) <= 14


WRONG_CUTS: dict[str, Edits] = {
    "alpha only": (("best >= beta", "False"),),
    "beta only": (("worst <= alpha", "False"),),
    "beta is kept": (
        (
            "def min_value(state, alpha, beta):",
            "def min_value(state, alpha, _):\n        nonlocal beta",
        ),
        ("if worst <= alpha", "beta = min(beta, worst)\n            if worst <= alpha"),
    ),
}
WRONG_VALUES = [  # of a row, of rows, their sign for MAX; and by how much they must mislead
    (max, sum, 1, 3), (sum, sum, 1, 7), (max, max, 1, 1), (min, min, 1, 1), (min, max, 1, 1),
    (min, max, -1, 1), (max, min, -1, 1),
]  # fmt: skip


def skipped(leaves: Sequence[int], edits: Edits = ()) -> set[int]:
    """Return the leaves that alpha-beta skips, or a wrong kind of it."""
    game = Trace(TreeGame(leaves))
    edited(edits)(game, ())
    return {*leaves} - {game.game.leaves.get(state) for state in game.generated}


def values(leaves: Sequence[int], row: Any = max, rows: Any = min, sign: int = 1) -> list[int]:
    """Return what the three moves at the root are worth."""
    nine = [row(leaves[i : i + 3]) for i in range(0, 27, 3)]
    return [sign * rows(nine[i : i + 3]) for i in (0, 3, 6)]


def test_every_order_that_trees_are_drawn_from_is_telling() -> None:
    """Are there as many with each best move, and do the usual wrong ways mislead in each?

    What cannot differ in three plies is not asked: deep cuts, and cuts on equality.
    """
    moves = []
    for shape in re.findall("...", trees._SHAPES):
        order = sorted(range(27), key=lambda it: sha256(f"{shape} {it}".encode()).digest())
        right = skipped(order)
        assert 5 <= len(right) <= 14
        wrong = {name: skipped(order, edits) for name, edits in WRONG_CUTS.items()}
        wrong["from right to left"] = skipped(order[::-1])
        wrong["MAX and MIN swapped"] = {-leaf for leaf in skipped([-leaf for leaf in order])}
        assert [name for name, leaves in wrong.items() if leaves == right] == []
        moves.append(values(order).index(max(values(order))))
        for *way, margin in WRONG_VALUES:
            judged = values(order, *way)
            assert max(judged) >= judged[moves[-1]] + margin
    assert {moves.count(move) for move in range(3)} == {len(moves) / 3}
