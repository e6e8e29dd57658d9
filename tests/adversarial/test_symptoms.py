"""A failed search gets the name of its misconception, and a right one none."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from shares import is_due
from typer.testing import CliRunner

from adversarial.__main__ import _named, app, diagnosed
from adversarial.diagnosis import explain, functions, slips, symptoms
from adversarial.diagnosis.slips import Observed, Play, Style, TreeQuestion
from adversarial.games.recorded import Trace
from games import NestedTree
from referee import course
from referee.course import Assignment
from referee.model import Limits
from referee.proof import audit, bank
from referee.sandbox.outside.submission import Submission

ROOT = Path(__file__).parents[2]
NAMES = "tic-tac-toe", "game-trees", "connect-four"
LIMITS = Limits(check_cpu_seconds=10, cell_cpu_seconds=10)
WORDS = {"like", "area", "rule", "try"}
TREE = [[[3, 12], [8, 2]], [[4, 6], [14, 5]], [[7, 1], [9, 10]]]


def task(name: str) -> Assignment:
    return course.find_assignment(ROOT, name)


def edited(name: str, file: str, *edits: Sequence[str]) -> bank.Solution:
    """Return a solution of the bank in which some words are others."""
    solution = bank.read(ROOT / "bank" / name / f"{file}.py")
    sections = []
    for cell, text in solution.sections:
        for old, new in edits:
            text = text.replace(old, new)
        if cell in ("+", *symptoms.KINDS) or not edits:  # games need not be played
            sections.append((cell, text))
    assert not edits or any(one not in solution.sections for one in sections)
    return solution._replace(sections=sections)


def running(name: str, solution: bank.Solution) -> Submission:
    return audit.running(task(name), solution, LIMITS)


def test_right_slips_play_as_the_trace_says() -> None:
    """Does a search without a slip play the best move and see what alpha-beta does at most?"""
    for question in [*slips.questions(), *slips.limited()]:
        trace = Trace(question.game, question.state)

        def worth(state: tuple[int, ...], player: str, question: TreeQuestion = question) -> float:
            told = question.worth(state) if question.worth else 0
            if question.game.terminal_test(state):
                told = question.game.utility(state, "MAX")
            return told if player == "MAX" else -told

        play = Play(Observed(question, trace, None), slips.RIGHT, Style(strict=True))
        values = trace.values(question.state, question.depth, worth)
        most = trace.alpha_beta_generates(question.state, question.depth, worth)
        assert play.seen is not None
        assert values[play.seen.answer] == play.value == max(values.values())
        assert play.seen.generated == set(most)


def test_every_misconception_is_told_and_every_slip_can_be_made() -> None:
    """Has each all its words, in our style, and does each slip change what is known, and exist?"""
    for name, one in slips.known().items():
        assert set(one.words) - {"kind"} == WORDS, name
        assert all(one.words.values()), name
        assert not re.search(r"\.$", one.words["like"]), name
        for slip in one.slips:
            assert slip.keys() <= slips.RIGHT.keys(), name


def test_every_slip_shows() -> None:
    """Does each make a search move, or look, otherwise than a right one, in one of the kinds?"""
    asked = [
        (kind, Observed(question, Trace(question.game, question.state), None))
        for kind in symptoms.KINDS.values()
        for question in symptoms._questions(kind)
    ]
    right = [Play(one, kind.right).seen for kind, one in asked]
    for name, misconception in slips.known().items():
        for slip in misconception.slips:
            assert any(
                Play(one, {**kind.right, **slip}).seen != seen
                for (kind, one), seen in zip(asked, right, strict=True)
            ), (name, slip)


def test_all_names_are_known() -> None:
    """Does every name in the code, and in the bank, have its words?"""
    code = (ROOT / "adversarial/diagnosis/symptoms.py").read_text("utf-8")
    table = {*symptoms.ERRORS, *symptoms.ONLY_IN, *(name for _, name in symptoms.ELSEWHERE)} - {""}
    told = {*table, *re.findall(r'(?:return|else) "(\w+_\w+)"', code)}
    for name in NAMES:
        for solution in bank.read_all(task(name)):
            told |= set(solution.fields.get("Named", "").split(", ")) - {""}
    assert len(told) > 40
    assert told <= slips.known().keys() | slips.known(functions.TEXTS).keys()


def test_an_endless_search_of_ours_ends() -> None:
    """Is a slip by which a search would never end told from all that has ended?"""
    question = slips.estimated(TreeQuestion("usual", NestedTree(TREE)))
    play = Play(Observed(question, Trace(question.game), None), {**slips.RIGHT, "step": 0})
    assert play.seen is None


@pytest.mark.parametrize(
    ("name", "file", "cell", "found"),
    [
        ("tic-tac-toe", "wrong/never_cuts", "AlphaBeta", "never_cuts"),
        ("tic-tac-toe", "wrong/alphabeta_keeps_its_first_game", "AlphaBeta", "something_is_kept"),
        ("tic-tac-toe", "wrong/alphabeta_ignores_cutoff_test", "AlphaBeta",
         "cutoff_test_is_not_used"),
        ("tic-tac-toe", "wrong/minimax_counts_the_moves", "MiniMax", "needs_a_list"),
        ("tic-tac-toe", "wrong/minimax_takes_the_centre", "MiniMax", "moves_of_its_own"),
        ("tic-tac-toe", "crash/alphabeta_depth_left_out", "AlphaBeta", "wrong_arguments"),
        ("tic-tac-toe", "crash/syntax_error", "AlphaBeta", ""),
        ("tic-tac-toe", "right/negamax", "MiniMax", ""),
        ("tic-tac-toe", "right/random_best", "AlphaBeta", ""),
        ("game-trees", "wrong/minmax_both_help", "minmax_decision", "both_help"),
        ("game-trees", "wrong/alpha_beta_shared_beta", "alpha_beta_search", "window_is_shared"),
        ("connect-four", "wrong/alphabeta_one_ply_more", "alphabeta", "one_ply_too_deep"),
        ("connect-four", "right/fail_hard", "alphabeta", ""),
    ],
)  # fmt: skip
def test_a_search_is_named(name: str, file: str, cell: str, found: str) -> None:
    """Is it named right, and a right one not at all?"""
    with running(name, edited(name, file)) as submission:
        assert ", ".join(one.name for one in symptoms.named(submission.student, cell)) == found


def test_two_mistakes_at_once_are_both_told() -> None:
    """Is a search named for both, in one explanation with the words of both?"""
    twice = edited(
        "tic-tac-toe",
        "right/explicit_loops",
        ("self.game.utility(state, player)", "self.game.utility(state, self.game.to_move(state))"),
        ("best = -infinity\n        for", "best = 0\n        for"),
    )
    with running("tic-tac-toe", twice) as submission:
        found = symptoms.named(submission.student, "MiniMax")
    assert {one.name for one in found} == {"leaf_for_the_side_to_move", "best_starts_at_zero"}
    said = explain.in_words(found)
    assert said is not None
    assert ", and like " in said.behaves_like
    assert all(one.words["rule"] in said.principle for one in found)


GUESS = ("    best = None\n", "    guess = evaluate(state, me)\n    best = None\n")
NO_CUT = ("if alpha >= beta:", "if False:")
HALF = (
    "        if best is None or",
    "        value = (value + guess) / 2\n        if best is None or",
)


@pytest.mark.parametrize(
    ("edits", "named"),
    [((GUESS, NO_CUT), False), ((GUESS, NO_CUT, HALF), False), ((GUESS, HALF), True)],
)
def test_estimates_on_the_way_are_blamed_only_where_they_matter(edits: Any, named: bool) -> None:
    """Is it no name for a search that cuts nothing, or whose values are right?"""
    with running("connect-four", edited("connect-four", "right/negamax", *edits)) as submission:
        found = [one.name for one in symptoms.named(submission.student, "alphabeta")]
    assert ("estimates_on_the_way" in found) == named


def test_an_answer_from_elsewhere_does_no_harm() -> None:
    """Are answers that are no moves, values that are no numbers, told and not believed?"""
    for answer in ("object()", "float('nan')", "[]", "lambda: 1"):
        strange = edited(
            "tic-tac-toe", "right/explicit_loops", ("return answer", f"return {answer}")
        )
        with running("tic-tac-toe", strange) as submission:
            found = symptoms.named(submission.student, "MiniMax")
        assert [one.name for one in found] == ["value_for_a_move"]


@pytest.mark.proof
def test_mistakes_in_searches_of_any_style_are_named() -> None:
    """Are slips in right searches of the bank, none of them a wrong one of it, named as judged?"""
    mistakes = json.loads((Path(__file__).parent / "unseen_edits.json").read_text("utf-8"))
    differ = []
    for name in NAMES:
        due = [one for one in mistakes if one["assignment"] == name and is_due(one["mistake"])]
        mine = {one["mistake"]: one for one in due}
        asked = {
            key: (edited(name, f"right/{one['right']}", *one["edits"]), one["cell"])
            for key, one in mine.items()
        }
        found = dict(audit.each(_named, (task(name), LIMITS), asked, 2))
        differ += [(key, found[key]) for key, one in mine.items() if found[key] != one["named"]]
    assert differ == []
    assert sum(bool(one["named"]) for one in mistakes) > 0.85 * len(mistakes)


@pytest.mark.proof
@pytest.mark.parametrize("name", NAMES)
def test_mistakes_of_others_are_named(name: str) -> None:
    """Are mistakes that were made by who knew nothing of the slips named as they say?"""
    files = sorted((Path(__file__).parent / "unseen" / name).rglob("*.py"))
    solutions = {file.stem: bank.read(file) for file in files}
    asked = {stem: (one, one.fields["Cell"]) for stem, one in solutions.items()}
    found = dict(audit.each(_named, (task(name), LIMITS), asked, 2))
    assert found == {stem: one.fields["Named"] for stem, one in solutions.items()}


@pytest.mark.proof
@pytest.mark.parametrize("name", NAMES)
def test_all_that_can_be_diagnosed_in_the_bank_has_its_name(name: str) -> None:
    """Is each that is due today named as it says?"""
    asked = {key: one for key, one in diagnosed(task(name)).items() if is_due(key)}
    found = dict(audit.each(_named, (task(name), LIMITS), asked, 2))
    assert found == {key: one.fields.get("Named", "") for key, (one, _) in asked.items()}


@pytest.mark.parametrize("name", NAMES)
def test_most_wrong_solutions_of_a_bank_have_a_name_and_no_right_one(name: str) -> None:
    """Is that what the bank says of all that can be diagnosed, whatever is due today?"""
    solutions = [one for one, _ in diagnosed(task(name)).values()]
    right = [one for one in solutions if one.kind == "right"]
    wrong = [one for one in solutions if one.kind != "right"]
    assert [one.name for one in right if one.fields.get("Named")] == []
    assert sum(bool(one.fields.get("Named")) for one in wrong) > 0.7 * len(wrong)


def test_the_command_names_the_mistakes_of_a_bank(tmp_path: Path) -> None:
    """Does it say what is not named as it says, count, and exit with 1 for that?"""
    root = tmp_path / "course"
    name = "tic-tac-toe"
    for folder in ("release", "source", "tests/hidden"):
        (root / folder).mkdir(parents=True)
        (root / folder / name).symlink_to(ROOT / folder / name)
    (root / "nbgrader_config.py").write_text("c = get_config()\nc.Course.subject = 'adversarial'\n")
    for file in ("adversarial", "handout", "games.py"):
        (root / file).symlink_to(ROOT / file)
    (root / "bank" / name / "wrong").mkdir(parents=True)
    shutil.copy(ROOT / "bank" / name / "tables.py", root / "bank" / name)
    for file in ("minimax_first_move", "never_cuts"):
        text = (ROOT / f"bank/{name}/wrong/{file}.py").read_text()
        text = text.replace("Named: never_cuts", "Named: too_little")
        (root / "bank" / name / "wrong" / f"{file}.py").write_text(text)
    done = CliRunner().invoke(app, ["diagnose", name, "--course", str(root), "--workers", "1"])
    assert done.exit_code == 1, done.output
    assert "wrong/never_cuts AlphaBeta: never_cuts, not too_little\n" in done.output
    assert "2 of 2 wrong solutions have a name; 0 right ones have one." in done.output


def test_a_bank_without_searches_is_said(tmp_path: Path) -> None:
    """Is there one line, and exit code 2, where there is nothing to name?"""
    for folder in ("source", "release", "tests/hidden"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "game-trees").symlink_to(ROOT / folder / "game-trees")
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    done = CliRunner().invoke(app, ["diagnose", "game-trees", "--course", str(tmp_path)])
    assert done.exit_code == 2
    assert done.stderr.startswith("python -m adversarial: no solution in ")
    assert "nothing to name" in done.stderr
