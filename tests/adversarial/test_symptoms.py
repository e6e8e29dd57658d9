"""A failed search gets the name of its misconception, and the smallest example of it."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from shares import is_due, sampled
from solution import sources

from adversarial import search
from adversarial.diagnosis import explain, questions, slips, symptoms
from adversarial.diagnosis.slips import SearchRecord
from adversarial.solvers.tictactoe import Oracle, shown
from adversarial.subject import refusal
from games import ConnectFour, after, state_from
from referee import course, intake
from referee.course import Assignment
from referee.intake import repair
from referee.judging import pipeline
from referee.model import Cell, Limits, Reference
from referee.proof import audit, bank
from referee.sandbox.outside.server import warm
from referee.sandbox.outside.submission import Submission

ROOT = Path(__file__).parents[2]
NAMES = "tic-tac-toe", "game-trees", "connect-four"
LIMITS = Limits(check_cpu_seconds=10, cell_cpu_seconds=10)
WORDS = {"like", "area", "rule", "try"}


def task(name: str) -> Assignment:
    return course.Course(ROOT).find(name)


TASK = task("tic-tac-toe")


def edited(name: str, file: str, *edits: Sequence[str]) -> bank.Solution:
    """Return a solution of the bank in which some words are others."""
    (solution,) = bank.read_all(task(name), [file])
    sections = []
    for cell, text in solution.sections:
        for old, new in edits:
            text = text.replace(old, new)
        if cell in ("+", *questions.KINDS) or not edits:  # games need not be played
            sections.append((cell, text))
    assert not edits or any(one not in solution.sections for one in sections)
    return solution._replace(sections=sections)


def running(assignment: Assignment, solution: bank.Solution) -> Submission:
    """Run the cells of a solution."""
    cells, limits = audit.prepared(assignment, solution, LIMITS)
    server = warm(limits, assignment.subject)
    return Submission(server, cells, assignment.support, limits)


def of_source(source: str) -> Submission:
    """Run a cell that needs no file."""
    return Submission(warm(LIMITS, TASK.subject), [Cell(source, "cell 1")], {}, LIMITS)


def test_our_search_is_right_and_every_slip_of_it_shows() -> None:
    """Does it answer rightly, and generate what it must, in each style and for each kind?

    Has each misconception all its words, in our style, and is each slip seen in one of the kinds?
    """
    asked = list[tuple[questions.CallStyle, list[SearchRecord]]]()
    for kind in questions.KINDS.values():
        for right in reversed(slips.searches((), kind.whole)):
            records = [SearchRecord(one).replay(right) for one in questions.asks(kind)[1:]]
            assert all(ours.fits(right) and symptoms._is_right(kind, ours) for ours in records)
        asked.append((kind, records))  # of the first style
    for name, one in slips.known_mistakes().items():
        assert all(one.words[word] for word in WORDS), name
        assert not re.search(r"\.$", one.words["like"]), name
        for slip in one.slips:
            assert any(
                not record.fits(wrong)
                for kind, records in asked
                for wrong in slips.searches(slip, kind.whole)
                for record in records
            ), (name, slip)


def test_all_names_are_known() -> None:
    """Does every name in the code, and in the bank, have its words?"""
    code = (ROOT / "adversarial/diagnosis/symptoms.py").read_text("utf-8")
    told = set(re.findall(r'(?:return|else|found =|if \w+) "(\w+_\w+)"', code)) | {"needs_a_list"}
    for name in NAMES:
        for solution in bank.read_all(task(name)):
            told |= {solution.fields.get("Named", "")} - {""}
    without = {
        name
        for name, one in slips.known_mistakes().items()
        if not (one.slips or one.words.keys() & {"errors", "only_in"})
    }
    assert without <= told <= slips.known_mistakes().keys()


def named(assignment: Assignment, asked: tuple[bank.Solution, str]) -> str:
    """Return the name that the mistake in a cell of a solution gets."""
    solution, cell = asked
    with running(assignment, solution) as one:
        found = symptoms.likely_mistake(one.student, cell)
    return found.name if found else ""


def test_a_search_is_named() -> None:
    """Is it named right, and what is no search not at all? The bank is asked in the proof below."""
    for name, file, cell, found in (
        ("tic-tac-toe", "crash/syntax_error", "AlphaBeta", ""),
        ("game-trees", "wrong/minmax_both_help", "minmax_decision", "both_help"),
    ):
        assert named(task(name), (edited(name, file), cell)) == found


STRANGE = ("object()", "float('nan')", "[]", "lambda: 1")


@pytest.mark.parametrize("answer", sampled(STRANGE, STRANGE[0]))
def test_an_answer_from_elsewhere_does_no_harm(answer: str) -> None:
    """Are answers that are no moves, values that are no numbers, told and not believed?"""
    strange = edited(TASK.name, "right/explicit_loops", ("return answer", f"return {answer}"))
    assert named(TASK, (strange, "MiniMax")) == "wrong_kind_of_answer"


def expect_rates(found: Mapping[str, str], judged: Mapping[str, str], most: float) -> None:
    """Expect 75 % of the names, and no more than a share of `most` that are wrong."""
    named = [key for key, name in judged.items() if name]
    right = [key for key in named if found[key] == judged[key]]
    wrong = {key: name for key, name in found.items() if name and name != judged[key]}
    assert len(right) >= 0.75 * len(named), sorted(set(named) - set(right))
    assert len(wrong) <= most * len(found), wrong


@pytest.mark.nightly
def test_mistakes_that_nobody_has_tuned_to_are_named() -> None:
    """Are slips of others, made in right searches of the bank, named as was judged?"""
    edits = json.loads((Path(__file__).parent / "unseen_edits.json").read_text("utf-8"))
    found = {}
    for name in NAMES:
        asked = {
            one["mistake"]: (edited(name, f"right/{one['right']}", *one["edits"]), one["cell"])
            for one in edits
            if one["assignment"] == name
        }
        found |= dict(audit.each(named, task(name), asked, 2))
    expect_rates(found, {one["mistake"]: one["named"] for one in edits}, 0.03)


@pytest.mark.proof
@pytest.mark.parametrize("name", NAMES)
def test_what_can_be_diagnosed_in_the_bank_has_its_name(name: str) -> None:
    """Are those that are due today named as they say, hardly one otherwise, and no right one?

    Prints what is named otherwise.
    """
    asked = {}
    for one in bank.read_all(task(name)):
        cells = [cell for cell, _ in one.sections] if one.kind == "right" else [one.fields["Cell"]]
        for cell in questions.KINDS.keys() & {*cells}:
            if one.kind != "cheat" and is_due(key := f"{one.name} {cell}"):
                asked[key] = one, cell
    found = dict(audit.each(named, task(name), asked, 2))
    judged = {key: one.fields.get("Named", "") for key, (one, _) in asked.items()}
    for key in sorted(asked):
        if found[key] != judged[key]:
            print(f"{name} {key}: {found[key] or 'nothing'}, not {judged[key] or 'nothing'}")
    assert [key for key, (one, _) in asked.items() if one.kind == "right" and found[key]] == []
    expect_rates(found, judged, 0.03)


# --- alpha-beta as text, of which slips are edits ---------------------------------------------


def test_an_edit_must_have_a_place_and_has_a_mirror_image() -> None:
    """Is what stands nowhere told with the text that was searched, and replaced in all places?

    In `min_value`, are signs and comparisons turned, and the order of arguments kept?
    """
    call = "min_value(game.result(state, move), alpha, beta, depth"
    mirror = "max_value(game.result(state, move), alpha, beta, depth"
    assert slips.mirrored(((call, "best > -infinity"),)) == ((mirror, "worst < infinity"),)
    with pytest.raises(ValueError, match="'best > beta' does not stand in") as error:
        search.edited((("best > beta", ""),))
    assert search.SEARCH in str(error.value)
    with pytest.raises(ValueError, match="'alpha' does not stand in"):
        search.edited((("alpha", "low"), ("alpha", "")))


# --- the smallest example of what a failed search does wrong ------------------------------------


def test_the_example_is_the_smallest_and_not_a_secret() -> None:
    """Is the position shown one that no check draws, with as few free squares as can be?"""
    wrong = running(TASK, edited(TASK.name, "wrong/leaf_for_the_side_to_move"))
    with wrong as submission, submission.student() as student:
        example = explain.counterexample(student, "MiniMax")
    assert example is not None
    position = state_from("/".join(line[3:12] for line in example.text.splitlines()[1:4]))
    assert shown(position)
    assert len(position.moves) == 2  # with fewer there is no choice
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
    asked = running(task(assignment), edited(assignment, f"wrong/{name}"))
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
    (solution,) = bank.read_all(TASK, ["wrong/minimax_first_move"])
    notebook = json.dumps(bank.notebook(solution, TASK, bank.tables(TASK)))
    accepted = repair.read(notebook.encode(), intake.parse(TASK.release.read_bytes()))
    asked = TASK._replace(reference=Reference())
    found = pipeline.judge(asked, accepted.cells, LIMITS)
    assert "wrong" in {check.verdict for check in found.results}
    assert pipeline.report(asked, accepted, found).trouble == ["MiniMax: KeyError: 'ours'"]


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        pytest.param("right/explicit_loops", "AlphaBeta", marks=pytest.mark.proof),
        ("crash/index_error", "MiniMax"),
    ],
)
def test_a_search_that_is_right_or_broken_has_no_example(name: str, cell: str) -> None:
    """Is nothing shown where nothing is wrong, nor where each answer is an error?"""
    with running(TASK, edited(TASK.name, name)) as submission:
        assert explain.explain(TASK.name, cell, submission.student) is None


@pytest.mark.parametrize("move", [[2, 0], ([2], 0), {}, None, "2, 0", (7, 7)], ids=repr)
def test_an_answer_of_any_kind_can_be_explained(move: Any) -> None:
    """Does an answer that cannot be a key, such as a list, get a sentence and not an error?"""
    state = state_from("X O X / X . O / . . O")
    example = explain._wrong_move(Oracle(), state, move)
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
        (" board = {**", " state.moves.sort(reverse=True); board = {**", "has changed"),
    ],
)  # fmt: skip
def test_the_first_wrong_answer_of_the_rules_is_shown(old: str, new: str, said: str) -> None:
    """Is a board shown with what was answered and what is right, and nothing for right rules?"""
    source = "from games import *\n" + sources()[1].replace(old, new)
    with of_source(source) as one, one.student() as student:
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
def test_what_outlives_a_call_is_named(cell: str, more: str, said: str) -> None:
    """Is it named if it changes the answers of later calls, as `check` does, and else not?"""
    source = "\n".join([*sources()[:3], more]).replace("from check import check", "")
    with of_source(source) as one:
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
