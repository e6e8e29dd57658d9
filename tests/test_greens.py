"""Green means safe: public checks pass what is right, and few wrong solutions are all green.

docs/checks.md lists the latter. Of both lists a part is asked each day, and all of them at night.
"""

import re

import greens
import pytest

from referee import course
from referee.proof import audit, bank

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
        (f"{OVER}{STOPS}{MOVES}", f"{STOPS}{OVER}{MOVES}", "It stops d plies ahead"),
    ],
)
def test_a_mistake_that_is_not_in_the_bank_is_red(old, new, title):
    """Is another default depth told, and an estimate of what is over where MIN chooses only?"""
    assignment = course.Course(greens.ROOT).find("tic-tac-toe")
    (solution,) = bank.read_all(assignment, ["right/fail_hard"])
    cell, text = next(one for one in solution.sections if one[0] == "AlphaBeta")
    assert text.count(old) == 1
    wrong = solution._replace(sections=[(cell, text.replace(old, new))])
    (reds,) = greens.ask("tic-tac-toe", [wrong]).values()
    assert reds[cell].startswith(title)


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_what_is_red_in_public_loses_points(name):
    """Does a student who is told of a mistake lose something for it, in the same cell?

    Of the wrong solutions that fill several cells: each of the others loses points in its only one.
    """
    wrong = [one for one in greens.judged(name) if one.kind == "wrong"]
    written = {one.name: cells for one in wrong if len(cells := greens.written_in(one)) > 1}
    asked = [one for one in wrong if one.name in written]
    whole = course.Course(greens.ROOT)
    for found in audit.audit(whole.find(name), asked, whole.limits(unsafe=True), 2):
        lost = {one.cell for one in found.checks if one.verdict.lost or one.verdict.open}
        red = greens.greens(name)[found.solution].keys()
        assert red & written[found.solution] <= lost, found.solution
