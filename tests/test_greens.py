"""Green means safe: public checks pass what is right, and few wrong solutions are all green.

docs/checks.md lists the latter. Of both lists a part is asked each day, and all of them at night.
"""

import functools
import re
import shutil

import greens
import pytest

from referee import course
from referee.proof import bank

MOST = 0.08  # of the wrong solutions
UNTOLD = {"break-it"}  # whose public checks ask for the form: what is right is what is asked
NAMES = course.Course(greens.ROOT).assignments


def line_of(name: str) -> str:
    """Return the line of the page that lists those of an assignment."""
    lines = greens.PAGE.read_text("utf-8").splitlines()
    return next(line for line in lines if line.startswith(f"* {name}, "))


@pytest.mark.proof
@pytest.mark.parametrize("name", NAMES)
def test_what_is_right_and_what_is_listed_is_all_green(name):
    """Does no accepted style fail a check, and of wrong solutions each that is not listed?"""
    answers = greens.greens(name)
    for one in greens.judged(name):
        listed = f"`{one.name.removeprefix('wrong/')}`" in line_of(name)
        is_green = listed or one.kind == "right"
        assert (not answers[one.name]) is is_green, f"{one.name}: {answers[one.name]}; make greens"


@pytest.mark.parametrize("name", NAMES)
def test_no_frequent_mistake_is_all_green(name):
    """Does a student with a mistake that many make hear of it, and with another one mostly, too?"""
    solutions = bank.read_all(course.Course(greens.ROOT).find(name))
    wrong = {one.name.removeprefix("wrong/"): one for one in solutions if one.kind == "wrong"}
    listed = re.findall(r"`(\w+)`", line_of(name))
    assert line_of(name).startswith(f"* {name}, {len(listed)} of {len(wrong)}"), "run: make greens"
    assert [one for one in listed if wrong[one].fields.get("Frequent") == "yes"] == []
    assert name in UNTOLD or len(listed) <= MOST * len(wrong)


OVER = """        if self.game.terminal_test(state):
            return self.game.utility(state, player)
"""
STOPS = """        if self.stop(state, depth):
            return self.guess(state)
"""
MOVES = """        for move in self.game.actions(state):
            value = self.max_value"""


@pytest.mark.proof
@pytest.mark.parametrize(
    ("old", "new", "title"),
    [
        ("d=4", "d=5", "Without a d it looks four"),
        (
            f"{OVER}{STOPS}{MOVES}",
            f"{STOPS}{OVER}{MOVES}",
            "It stops d plies ahead",
        ),
    ],
)
def test_a_mistake_that_is_not_in_the_bank_is_red(tmp_path, monkeypatch, old, new, title):
    """Is another default depth told, and an estimate of what is over where MIN chooses only?"""
    assignment = course.Course(greens.ROOT).find("tic-tac-toe")
    (solution,) = bank.read_all(assignment, ["right/fail_hard"])
    cell, text = next(one for one in solution.sections if one[0] == "AlphaBeta")
    assert text.count(old) == 1
    wrong = solution._replace(sections=[(cell, text.replace(old, new))])
    shutil.copytree(assignment.release.parent, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    cells = greens.code(bank.notebook(wrong, assignment), greens.LONG)
    reds = greens.forked(functools.partial(greens.reds, cells, [cell], 0), greens.SECONDS)
    assert reds[cell].startswith(title)


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_what_is_red_in_public_loses_points(name):
    """Does a student who is told of a mistake lose something for it, in the same cell?"""
    assert greens.unpunished(name) == []
