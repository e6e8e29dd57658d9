"""A failed search gets the smallest example of what it does wrong."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from solution import sources

from adversarial.diagnosis import explain
from adversarial.games import rules, sent_boards
from adversarial.solvers.tictactoe import Oracle, shown
from adversarial.subject import refusal
from games import ConnectFour, after, state_from
from referee import course, intake
from referee.intake import repair
from referee.judging import pipeline, points
from referee.model import Cell, Limits, Reference
from referee.proof import audit, bank
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.student import Student, ask_each, load
from referee.sandbox.outside.submission import Submission

ROOT = Path(__file__).parents[2]
ASSIGNMENT = course.Course(ROOT).find("tic-tac-toe")
LIMITS = Limits(check_cpu_seconds=10, cell_cpu_seconds=10)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A warm process."""
    with Server(LIMITS, ASSIGNMENT.subject) as server:
        yield server


def submitted(name: str, task: course.Assignment = ASSIGNMENT) -> Submission:
    """Run a solution of the bank."""
    return audit.running(task, *bank.read_all(task, [name]), LIMITS)


def smallest_mistake(student: Student, cell: str) -> int:
    """Return the least number of free squares of a position to show that a search gets wrong."""
    oracle = Oracle()
    states = [s for s in oracle.open_states() if shown(s) and 2 <= len(s.moves) <= 5]
    player = getattr(student, cell)(**explain.PLAYERS[cell])
    game = load(student, sent_boards).SentBoard(*rules.tables(3, 3, 3))
    moves = ask_each(player, [(game, state) for state in states])
    return min(
        len(state.moves)
        for state, move in zip(states, moves, strict=True)
        if move not in oracle.best_moves(state)
    )


def test_the_example_is_the_smallest_and_not_a_secret() -> None:
    """Is the position shown one that no check draws, with as few free squares as can be?"""
    with submitted("wrong/leaf_for_the_side_to_move") as submission:
        with submission.student() as student:
            example = explain.counterexample(student, "MiniMax")
        with submission.student() as student:
            free = smallest_mistake(student, "MiniMax")
    assert example is not None
    position = state_from("/".join(line[3:12] for line in example.text.splitlines()[1:4]))
    assert shown(position)
    assert len(position.moves) == free
    assert "is to move and your player plays" in example.told
    assert example.values.startswith("Each move with best play: ")
    assert ET.fromstring(example.svg)[0].text == f"{position.to_move} to move"


@pytest.mark.parametrize(
    ("assignment", "name", "cell", "told"),
    [
        ("game-trees", "minmax_average_reply", "minmax_decision", "the children have 6, 1, -2, 1."),
        ("connect-four", "minimax_uses_its_own_estimate", "minimax",
         "It says that state 0 is worth 0. The search ends there, and to MAX that is worth 5."),
    ],
)  # fmt: skip
def test_a_function_sees_the_first_number_that_it_contradicts_itself_with(
    assignment: str, name: str, cell: str, told: str
) -> None:
    """Is it found where the student's code runs, also by depth, and drawn here?"""
    asked = submitted(f"wrong/{name}", course.Course(ROOT).find(assignment))
    with asked as submission, submission.student() as student:
        example = explain.counterexample(student, cell)
    assert example is not None and example.told.endswith(told)
    assert ET.fromstring(example.svg)[0].text == "The first wrong number"


@pytest.mark.proof
def test_an_error_of_ours_in_an_explanation_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Are the verdicts there all the same, with a line for the teacher about what went wrong?"""

    def broken(*_: Any) -> None:
        raise KeyError("ours")

    monkeypatch.setattr(explain, "counterexample", broken)
    (solution,) = bank.read_all(ASSIGNMENT, ["wrong/minimax_first_move"])
    notebook = json.dumps(bank.notebook(solution, ASSIGNMENT, bank.tables(ASSIGNMENT)))
    accepted = repair.read(notebook.encode(), intake.parse(ASSIGNMENT.release.read_bytes()))
    asked = ASSIGNMENT._replace(reference=Reference())
    found = pipeline.judge(asked, accepted.cells, LIMITS)
    assert "wrong" in {check.verdict for check in found.results}
    assert points.report(asked, accepted, found).trouble == ["MiniMax: KeyError: 'ours'"]


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        pytest.param("right/explicit_loops", "AlphaBeta", marks=pytest.mark.proof),
        ("crash/index_error", "MiniMax"),
    ],
)
def test_a_search_that_is_right_or_broken_has_no_example(name: str, cell: str) -> None:
    """Is nothing shown where nothing is wrong, nor where each answer is an error?"""
    with submitted(name) as submission:
        assert explain.explain(ASSIGNMENT.name, cell, submission.student) is None


@pytest.mark.parametrize("move", [[2, 0], ([2], 0), {}, None, "2, 0", (7, 7)], ids=repr)
def test_an_answer_of_any_kind_can_be_explained(move: Any) -> None:
    """Does an answer that cannot be a key, such as a list, get a sentence and not an error?"""
    state = state_from("X O X / X . O / . . O")
    example = explain._played_out(Oracle(), state, move)
    assert example.told.endswith(f"your player returned {move!r}, which is no legal move.")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", ""),
        ('state.utility if player == "X" else -state.utility', "state.utility", "(state, 'O')` is"),
        ('return 1 if player == "X" else -1', "return 1", "`utility` is 1; asked is -1"),
        ("[square for square in state.moves if square != move]", "state.moves", "`moves` is [("),
        ("{**state.board, move: state.to_move}", "state.board", "`board` is {}; asked is {("),
        ("or not state.moves", "", "`terminal_test(state)` is False; asked is True"),
        (
            "        board = {**",
            "        state.moves.sort(reverse=True); board = {**",
            "has changed",
        ),
    ],
)
def test_the_first_wrong_answer_of_the_rules_is_shown(
    server: Server, old: str, new: str, said: str
) -> None:
    """Is a board shown with what was answered and what is right, and nothing for right rules?"""
    source = "from games import *\n" + sources()[1].replace(old, new)
    with (
        Submission(server, [Cell(source, "cell 1")], {}, LIMITS) as one,
        one.student() as student,
    ):
        example = explain.counterexample(student, "TicTacToe")
    assert (example is None) == (not said)
    assert example is None or said in example.told


COUNTS = """
class TicTacToe(TicTacToe):
    def compute_utility(self, board, move, player, line=[]):
        line.append(move)
        return 1 if len(line) >= self.k else 0
"""
REMEMBERS = """
cache = {}
class MiniMax(MiniMax):
    def max_value(self, state, player):
        if state not in cache:
            cache[state] = super().max_value(state, player)
        return cache[state]
"""


@pytest.mark.parametrize(
    ("cell", "more", "said"),
    [
        ("TicTacToe", COUNTS, "Calls change `line=...` of compute_utility, and the next call"),
        ("MiniMax", REMEMBERS, "Calls change `cache`, and the next call"),
        ("TicTacToe", "calls = 0\ndef count():\n    global calls\n    calls += 1", ""),
    ],
)
def test_what_outlives_a_call_is_named(server: Server, cell: str, more: str, said: str) -> None:
    """Is it named if it changes the answers of later calls, as `check` does, and else not?"""
    source = "\n".join([*sources()[:3], more]).replace("from check import check", "")
    with Submission(server, [Cell(source, "cell 1")], {}, LIMITS) as one:
        assert one.runs[0].error is None
        example = explain.left_behind(one.student, cell)
    assert (example is None) == (not said)
    assert example is None or example.told.startswith(said)


@pytest.mark.parametrize(
    ("args", "settings", "call", "said"),
    [
        ([(0, 1, 2)], {"d": 2}, (None, ()), "`f` was asked about a state 3 plies deep, with d=2."),
        ([(1, 0)], {"d": 0}, (None, (1,)), "`f` was asked about a state 1 ply deep, with d=0."),
        ([(0,), "MAX"], {}, (None, (), 0), "`f` was asked about a state 1 ply deep, with depth 0."),
        ([[0]], {}, (), "`f` was asked about what is no state."),
        ([], {"d": 1}, (), "`f` was asked about what is no state, with d=1."),
        ([after(ConnectFour(), [3, 3])], {}, (), "`f` was asked about a board with 2 pieces."),
    ],
)
def test_what_was_asked(args: list[Any], settings: Any, call: Any, said: str) -> None:
    """Is it said how deep the state is, and how deep the search was to look?"""
    assert refusal("f", args, settings, call) == said
