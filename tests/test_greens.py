"""Green means safe: public checks pass what is right, and few wrong solutions are all green."""

import greens
import pytest

from referee import course

pytestmark = pytest.mark.proof

MOST = 0.08  # of the wrong solutions
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
    assert [one.name for one in green if one.frequent] == []
    assert len(green) <= MOST * len(wrong), [one.name for one in green]


def test_the_page_lists_the_mistakes_that_public_checks_do_not_catch():
    """Does docs/checks.md tell what is all green today?"""
    text = greens.PAGE.read_text("utf-8")
    assert greens.table().join(greens.MARKS) in text, "run: make greens"
