"""Green means safe: public checks pass what is right, and few wrong solutions are all green."""

import re
import shutil

import greens
import pytest
from shares import SHARE

from referee import course
from referee.proof import bank

pytestmark = pytest.mark.proof

MOST = 0.08  # of the wrong solutions
UNTOLD = {"break-it"}  # whose public checks ask for the form: what is right is what is asked
NAMES = course.assignments(greens.ROOT)


@pytest.mark.parametrize("name", NAMES)
def test_every_right_solution_passes_all_public_checks(name):
    """Does none of the accepted styles fail any check?"""
    answers = greens.greens(name)
    right = [one.name for one in greens.judged(name) if one.kind == "right"]
    assert {one: answers[one] for one in right if answers[one]} == {}


@pytest.mark.parametrize("name", NAMES)
def test_no_frequent_mistake_is_all_green(name):
    """Does a student with a mistake that many make hear of it, and with another one mostly, too?"""
    answers = greens.greens(name)
    wrong = [one for one in greens.judged(name) if one.kind == "wrong"]
    green = [one for one in wrong if not answers[one.name]]
    assert [one.name for one in green if one.fields.get("Frequent") == "yes"] == []
    by_chance = 3 if SHARE > 1 else 0  # so many more may be among those of a day
    few = len(green) <= MOST * len(wrong) + by_chance
    assert name in UNTOLD or few, [one.name for one in green]


@pytest.mark.parametrize(
    ("old", "new", "title"),
    [
        ("d=4", "d=5", "It looks d plies ahead"),
        (
            """        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.stop(state, depth):
            return self.guess(state)
        for move in self.game.actions(state):
            value = self.max_value""",
            """        if self.stop(state, depth):
            return self.guess(state)
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        for move in self.game.actions(state):
            value = self.max_value""",
            "Where it stops it asks `eval_fn`",
        ),
    ],
)
def test_a_mistake_that_is_not_in_the_bank_is_red(tmp_path, monkeypatch, old, new, title):
    """Is another default depth told, and an estimate of what is over where MIN chooses only?"""
    assignment = course.find_assignment(greens.ROOT, "tic-tac-toe")
    (solution,) = bank.read_all(assignment, ["right/fail_hard"])
    cell, text = next(one for one in solution.sections if one[0] == "AlphaBeta")
    assert text.count(old) == 1
    wrong = solution._replace(sections=[(cell, text.replace(old, new))])
    shutil.copytree(assignment.release.parent, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    cells = greens.code(bank.notebook(wrong, assignment), greens.LONG)
    assert greens.in_a_fork(cells, [cell])[cell].startswith(title)


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_what_is_red_in_public_loses_points(name):
    """Does a student who is told of a mistake lose something for it, in the same cell?"""
    assert greens.unpunished(name) == []


def test_the_page_lists_the_mistakes_that_public_checks_do_not_catch():
    """Does docs/checks.md tell what is all green, of what is due? All of it, with its counts?"""
    text = greens.PAGE.read_text("utf-8")
    for name in NAMES:
        for one in (one for one in greens.judged(name) if one.kind == "wrong"):
            green = not greens.greens(name)[one.name]
            row = f"| {name} | `{one.name.removeprefix('wrong/')}` |"
            assert (row in text) is green, "run: make greens"
    for name in NAMES:
        rows = re.findall(rf"(?m)^\| {name} \| `(\w+)` \|", text)
        all_ = bank.read_all(course.find_assignment(greens.ROOT, name))
        wrong = {one.name.removeprefix("wrong/") for one in all_ if one.kind == "wrong"}
        assert set(rows) <= wrong
        assert f"{len(rows)} of {len(wrong)} in {name}" in text, "run: make greens"
