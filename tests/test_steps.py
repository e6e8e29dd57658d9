"""Walk through the steps of a search in a page that has no kernel: what a saved notebook holds."""

import json
import random
import re
import zlib
from base64 import b64decode
from html import escape
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from browsing import PATIENCE, in_both
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markup import Page as Markup
from playwright.sync_api import Browser, Page
from solution import AlphaBeta, MiniMax, TicTacToe

from canvas import Canvas_alpha_beta, Canvas_min_max, stepper
from games import Fig52Game, Game, TreeGame, state_from
from referee.marks import sanitise
from referee.sandbox.inside.shell import OUTPUT_CHARACTERS

PAGE = "<!doctype html><html lang=en><meta charset=utf-8><title>A notebook</title><main>"
PLACE = "http://notebook.example/"


def shown(browser: Browser, *parts: str) -> Page:
    """Return a page with outputs; what goes wrong in it, or is asked for, fails the test."""
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    trouble = list[str]()
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.route("**/*", lambda route: route.fulfill(
        body=PAGE + "".join(parts), content_type="text/html"
    ) if route.request.url == PLACE else trouble.append(route.request.url))  # fmt: skip
    page.goto(PLACE)
    page.get_by_role("slider").last.wait_for()
    assert trouble == []
    return page


def figure() -> Canvas_alpha_beta:
    return Canvas_alpha_beta("Figure 5.2", Fig52Game(), AlphaBeta())


def walk(tree: Canvas_alpha_beta) -> list[tuple[str, str]]:
    """Return the pictures that a page holds, and the words for them."""
    (packed,) = re.findall('data-steps="([^"]*)"', tree.html())
    data = json.loads(zlib.decompress(b64decode(packed)))
    return list(zip(data["pictures"], data["words"], strict=True))


def image(html: str) -> str:
    """Return the drawing that stands there without a script."""
    (drawing,) = re.findall('<img src="data:image/svg.xml;base64,([^"]*)"', html)
    return b64decode(drawing).decode()


# --- what is kept ----------------------------------------------------------------------------


def test_the_tree_as_text() -> None:
    """Does each step say what was visited, which values came back, and what was skipped?

    Does the end say what was chosen?
    """
    steps = walk(figure())
    assert steps[0][1] == "MAX is to move at A."
    came_back, words = steps[8]
    assert words == "Back from C with 2. Never looked at: C2, C3."
    assert (
        "  B (MIN) = 3\n    B1 = 3\n    B2 = 12\n    B3 = 8\n"
        "  C (MIN) ≤ 2\n    C1 = 2\n    C2 = 4 pruned\n    C3 = 6 pruned\n"
        "  D (MIN) not looked at\n"
    ) in came_back
    picture, words = steps[-1]
    assert words == "MAX chooses a1: 10 states looked at, 7 of 9 leaves."
    assert "B (MIN) = 3 &lt;- chosen" in picture


def test_of_a_large_tree_the_top_is_drawn() -> None:
    """Does each step change something that is drawn, and does the referee keep the picture?"""
    tree = Canvas_alpha_beta("A search", TicTacToe(), AlphaBeta(9))
    assert "18,296 states looked at" in tree.status()
    assert sum("polygon" in one for one in tree.picture().shapes) == 10
    assert len(walk(tree)) == 1 + 2 * 9 + 1  # the start; nine moves, down and back; the end
    assert sum(map(len, tree._repr_mimebundle_().values())) < OUTPUT_CHARACTERS


@pytest.mark.parametrize(
    ("game", "state"),
    [(Fig52Game(), None), (TicTacToe(), state_from("X . . / . O . / . . ."))],
)
def test_the_step_that_is_told_is_the_one_that_is_marked(game: Game, state: Any) -> None:
    """Is exactly one node yellow at each step, the one that the words are about?"""
    for picture, words in walk(Canvas_alpha_beta("A tree", game, AlphaBeta(9), state))[:-1]:
        assert picture.count('fill="#f0e442"') == 1
        after = picture.partition('fill="#f0e442"')[2]
        name = after.partition('font-size="11"')[2].partition(">")[2].partition("<")[0]
        assert name in words or "root" in words


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(2, 4), st.integers(1, 3), st.integers(0, 200), st.sampled_from([99, 99_999]))
def test_no_two_nodes_overlap(branching: int, plies: int, step: int, most: int) -> None:
    """In trees of all shapes, is each node in the picture, and apart from others with its words?"""
    rng = random.Random(step)
    leaves = [rng.randrange(most) / 2 for _ in range(branching**plies)]
    tree = Canvas_alpha_beta("A tree", TreeGame(leaves, branching), AlphaBeta(9))
    picture, rows = tree.picture(), dict[float, list[tuple[float, float]]]()
    for one in picture.shapes:
        if found := re.search(r'points="([^"]+)"', one):
            x, y = zip(*(map(float, point.split(",")) for point in found[1].split()), strict=True)
            rows.setdefault((min(y) + max(y)) / 2, []).append((min(x), max(x)))
        elif found := re.search(r'x="(.+?)" y="(.+?)" font-size="11".*>(.+)<', one):
            x, wide = float(found[1]), 6 * len(found[3])
            left = {"end": x - wide, "start": x}.get(
                one.partition('anchor="')[2][:-1].partition('"')[0], x - wide / 2
            )
            rows.setdefault(float(found[2]), []).append((left, left + wide))
    for row in rows.values():
        assert row[0][0] >= 0 and row[-1][1] <= picture.width
        assert all(one[1] <= two[0] for one, two in pairwise(sorted(row)))
    assert len({re.search("viewBox=.*?>", svg)[0] for svg, _ in walk(tree)}) == 1  # type: ignore[index]


def test_too_many_steps_are_said_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit, is there the picture of the end, and a word on what is missing?"""
    monkeypatch.setattr(stepper, "MOST_STEPS", 14)  # with the start one less than there are
    html = figure().html()
    assert "15 steps are too many to keep here" in html
    assert "<script" not in html
    assert image(html) == figure().svg()


def test_what_is_safe_of_it_is_a_picture_in_words() -> None:
    """Whatever a student calls a tree, does it stay words?

    Does the referee's sanitiser leave no button, no script and no data, but words?
    """
    evil = "</script><script>stolen()</script><img src=x onerror=stolen()>"
    html = Canvas_min_max(evil, [1, 2, 3], MiniMax()).html()
    assert evil not in html
    assert html.count("<script") == 1
    assert ElementTree.fromstring(image(html))[0].text == evil
    clean = sanitise.html(figure().html())
    assert Markup(clean).tags == ["div", "img"]
    assert "C2 = 4 pruned" in clean and "eJ" not in clean


# --- in a page -------------------------------------------------------------------------------


@in_both
def test_a_tree_steps_without_a_kernel(browser: Browser) -> None:
    """Do the buttons go on and back, never beyond the ends, and is each picture the right one?"""
    tree = figure()
    page = shown(browser, tree.html())
    back, step = (page.get_by_role("button", name=name) for name in ("Back", "Step"))
    said = page.locator("[aria-live=polite]")
    back.click()
    for stop, (picture, words) in enumerate(walk(tree)):
        assert said.inner_text() == f"Step {stop} of 14: {words}"
        assert escape(str(page.locator("div > svg desc").text_content())) in picture
        step.click()
    back.click()
    assert said.inner_text() == "Step 13 of 14: Back from D with 2."
    page.context.close()


@pytest.mark.pages
@in_both
def test_keys_walk_through_the_steps_of_one_output(browser: Browser) -> None:
    """With the keyboard alone, can one get in, go on, back, to both ends, and out again?

    Has another output its own steps, and are there no ids and no names left in the page?
    """
    other = Canvas_min_max("Small", [1, 2, 3], MiniMax())
    page = shown(browser, "<script>window.before = Object.keys(window)</script>",
                 figure().html(), other.html())  # fmt: skip
    said, second = page.locator("[aria-live]").all()
    keyboard = page.keyboard
    stops = []
    for key in ("Tab", "ArrowRight", "Tab", "Enter", "ArrowLeft", "End", "Tab", "Tab", "ArrowLeft",
                "Home", "ArrowUp"):  # fmt: skip
        keyboard.press(key)
        stops.append(int(said.inner_text().split()[1]))
    assert stops == [0, 1, 1, 2, 1, 14, 14, 14, 13, 0, 1]
    slider, _ = page.get_by_role("slider").all()
    assert slider.get_attribute("aria-valuetext") == "1 of 14"
    assert second.inner_text().startswith("Step 0 of 4")
    for key in ("Tab", "ArrowRight"):
        keyboard.press(key)
    assert [one.inner_text().split()[1] for one in (said, second)] == ["1", "1"]
    assert page.locator("[id]").count() == 0
    left = page.evaluate("Object.keys(window).filter(n => !before.includes(n))")
    assert [name for name in left if not name.startswith("__pw_")] == ["before"]
    page.context.close()


@pytest.mark.pages
@in_both
def test_the_clock_of_the_page_plays_the_steps(browser: Browser) -> None:
    """Does it play to the end by itself, without a word for each step, and can it be stopped?"""
    tree = Canvas_min_max("Small", TreeGame([3, 1], 2), MiniMax())
    page = browser.new_page()
    page.clock.install()
    page.set_content(PAGE + tree.html())
    said, play = page.locator("[aria-live]"), page.get_by_role("button", name="Play")
    play.click()
    page.clock.run_for(950)
    assert said.inner_text().startswith("Step 1 of 3")
    assert said.get_attribute("aria-live") == "off"
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(9_000)
    assert said.inner_text().startswith("Step 1 of 3")
    play.click()
    page.clock.run_for(9_000)
    assert "MAX chooses 0" in said.inner_text()
    assert said.get_attribute("aria-live") == "polite"
    play.click()
    assert said.inner_text().startswith("Step 0 of 3")
    page.close()
