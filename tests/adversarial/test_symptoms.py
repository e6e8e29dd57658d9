"""A failed search gets the name of its misconception, and a right one none."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from shares import is_due, sampled

from adversarial import search
from adversarial.diagnosis import questions, slips, symptoms
from adversarial.diagnosis.slips import Observed
from adversarial.games.recorded import Trace
from games import NestedTree
from handout.trees import small_trees
from referee import course
from referee.course import Assignment
from referee.model import Limits
from referee.proof import audit, bank
from referee.sandbox.outside.submission import Submission

ROOT = Path(__file__).parents[2]
NAMES = "tic-tac-toe", "game-trees", "connect-four"
LIMITS = Limits(check_cpu_seconds=10, cell_cpu_seconds=10)
WORDS = {"like", "area", "rule", "try"}


def task(name: str) -> Assignment:
    return course.Course(ROOT).find(name)


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


def running(name: str, solution: bank.Solution) -> Submission:
    return audit.running(task(name), solution, LIMITS)


def test_without_a_slip_our_search_is_right() -> None:
    """Does it answer rightly, and generate what it must, in each style and for each kind?"""
    for kind in questions.KINDS.values():
        for question in questions.asks(kind)[1:]:
            for right in slips.searches((), kind.whole):
                one = Observed(question, Trace(question.game, question.state), None)
                value, move = right(one.trace, question.state, question.depth, one.worth)
                if question.for_good:
                    continue  # a record has no infinite utilities
                answer = Observed(question, one.trace, move, value)
                assert answer.fits(right)
                assert symptoms._is_right(kind, answer), (question, right)


def test_every_misconception_is_told_and_every_slip_shows() -> None:
    """Has each all its words, in our style, and is each slip seen in one of the kinds?"""
    asked = {
        kind: [
            Observed(question, Trace(question.game, question.state), None)
            for question in questions.asks(kind)[1:]
        ]
        for kind in questions.KINDS.values()
    }
    for name, one in slips.known().items():
        assert all(one.words[word] for word in WORDS), name
        assert not re.search(r"\.$", one.words["like"]), name
        for slip in one.slips:
            assert any(shows(slip, kind, some) for kind, some in asked.items()), (name, slip)


def shows(slip: slips.Edits, kind: questions.CallStyle, asked: Sequence[Observed]) -> bool:
    """Return whether a slip can be made, and makes a difference to a right search."""
    right, *_ = slips.searches((), kind.whole)
    return any(
        one.played(wrong) != one.played(right)
        for wrong in slips.searches(slip, kind.whole)
        for one in asked
    )


def test_a_slip_of_max_value_is_mirrored_in_min_value() -> None:
    """Are bounds, signs and comparisons turned, and the order of arguments kept?"""
    slip = slips._edits(
        ["min_value(game.result(state, move), alpha, beta, depth -> best > -infinity, depth >= 0"],
        "either",
        "",
    )[0]
    assert slips.mirrored(slip) == (
        (
            "max_value(game.result(state, move), alpha, beta, depth",
            "worst < infinity, depth >= 0",
        ),
    )


def test_all_names_are_known() -> None:
    """Does every name in the code, and in the bank, have its words?"""
    code = (ROOT / "adversarial/diagnosis/symptoms.py").read_text("utf-8")
    told = {*symptoms.ERRORS, *symptoms.ONLY_IN}
    told |= set(re.findall(r'(?:return|else|found =|if \w+) "(\w+_\w+)"', code)) | {"needs_a_list"}
    for name in NAMES:
        for solution in bank.read_all(task(name)):
            told |= {solution.fields.get("Named", "")} - {""}
    without = {name for name, one in slips.known().items() if not one.slips}
    assert without <= told <= slips.known().keys()


@pytest.mark.parametrize(
    ("name", "file", "cell", "found"),
    [
        ("tic-tac-toe", "crash/syntax_error", "AlphaBeta", ""),
        ("game-trees", "wrong/minmax_both_help", "minmax_decision", "both_help"),
    ],
)  # fmt: skip
def test_a_search_is_named(name: str, file: str, cell: str, found: str) -> None:
    """Is it named right, and what is no search not at all? The bank is asked in the proof below."""
    with running(name, edited(name, file)) as submission:
        one = symptoms.named(submission.student, cell)
    assert (one.name if one else "") == found


STRANGE = ("object()", "float('nan')", "[]", "lambda: 1")


@pytest.mark.parametrize("answer", sampled(STRANGE, STRANGE[0]))
def test_an_answer_from_elsewhere_does_no_harm(answer: str) -> None:
    """Are answers that are no moves, values that are no numbers, told and not believed?"""
    strange = edited("tic-tac-toe", "right/explicit_loops", ("return answer", f"return {answer}"))
    with running("tic-tac-toe", strange) as submission:
        found = symptoms.named(submission.student, "MiniMax")
    assert found is not None
    assert found.name == "wrong_kind_of_answer"


def named(setting: tuple[Assignment, Limits], asked: tuple[bank.Solution, str]) -> str:
    """Return the name that the mistake in a cell of a solution gets."""
    (assignment, limits), (solution, cell) = setting, asked
    with audit.running(assignment, solution, limits) as one:
        found = symptoms.named(one.student, cell)
    return found.name if found else ""


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
        found |= dict(audit.each(named, (task(name), LIMITS), asked, 2))
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
    found = dict(audit.each(named, (task(name), LIMITS), asked, 2))
    judged = {key: one.fields.get("Named", "") for key, (one, _) in asked.items()}
    for key in sorted(asked):
        if found[key] != judged[key]:
            print(f"{name} {key}: {found[key] or 'nothing'}, not {judged[key] or 'nothing'}")
    assert [key for key, (one, _) in asked.items() if one.kind == "right" and found[key]] == []
    expect_rates(found, judged, 0.03)


# --- alpha-beta as text, of which slips are edits ---------------------------------------------


def test_without_edits_it_is_alpha_beta() -> None:
    """Does it play the first best move, and generate no more than it must, in small trees?"""
    for tree in list(small_trees())[::40]:
        game, rules = Trace(NestedTree(tree)), Trace(NestedTree(tree))
        values = rules.values(())
        assert search.edited(())(game, ()) == max(values, key=values.__getitem__)
        assert set(game.generated) <= set(rules.alpha_beta_generates(()))


def test_an_edit_must_have_a_place() -> None:
    """Is what stands nowhere told with the text that was searched, and replaced in all places?"""
    with pytest.raises(ValueError, match="'best > beta' does not stand in") as error:
        search.edited((("best > beta", ""),))
    assert search.SEARCH in str(error.value)
    with pytest.raises(ValueError, match="'alpha' does not stand in"):
        search.edited((("alpha", "low"), ("alpha", "")))
