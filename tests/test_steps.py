"""Walk through the steps of a search in a page that has no kernel: what a saved notebook holds."""

import json
import re
import zlib
from base64 import b64decode
from typing import Any
from xml.etree import ElementTree

import pytest
from browsing import PATIENCE, in_both
from markup import Page as Markup
from playwright.sync_api import Browser, Locator, Page
from solution import AlphaBeta, MiniMax

from canvas import Canvas_alpha_beta, Canvas_min_max, stepper
from canvas.drawing import svg
from canvas.stepper import sentence
from games import Fig52Game, TreeGame
from referee.marks import sanitise

PAGE = "<!doctype html><html lang=en><meta charset=utf-8><title>A notebook</title><main>"
PLACE = "http://notebook.example/"


def shown(browser: Browser, *parts: str) -> Page:
    """Return a page with outputs; what goes wrong in it, or is asked for, fails the test."""
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    trouble = page.context.pages, list[str]()
    page.on("pageerror", lambda error: trouble[1].append(str(error)))
    page.route("**/*", lambda route: route.fulfill(
        body=PAGE + "".join(parts), content_type="text/html"
    ) if route.request.url == PLACE else trouble[1].append(route.request.url))  # fmt: skip
    page.goto(PLACE)
    page.get_by_role("slider").last.wait_for()
    assert trouble[1] == []
    return page


def html(tree: Any) -> str:
    return str(tree.html())


def image(text: str) -> str:
    """Return the drawing that stands there without a script."""
    (drawing,) = re.findall('<img src="data:image/svg.xml;base64,([^"]*)"', text)
    return b64decode(drawing).decode()


def figure() -> Any:
    return Canvas_alpha_beta("Figure 5.2", Fig52Game(), AlphaBeta())


def buttons(part: Page | Locator) -> list[Locator]:
    return [part.get_by_role("button", name=name) for name in ("Back", "Step", "Play")]


# --- what is kept ----------------------------------------------------------------------------


def test_the_pictures_of_all_steps_are_kept_with_their_words() -> None:
    """Are they those of the record, in its order?"""
    tree = figure()
    (packed,) = re.findall('data-steps="([^"]*)"', html(tree))
    data = json.loads(zlib.decompress(b64decode(packed)))
    assert data["pictures"] == [svg(tree.picture(stop), tree.title) for stop in tree.stops]
    assert data["words"] == [sentence(tree.search, stop) for stop in tree.stops]


def test_too_many_steps_are_said_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit, is there the picture of the end, and a word on what is missing?"""
    monkeypatch.setattr(stepper, "MOST_STEPS", 50)
    tree = Canvas_min_max("27", range(27), MiniMax())
    assert "53 steps are too many to keep here" in html(tree)
    assert "<script" not in html(tree)
    assert image(html(tree)) == tree.svg()


def test_no_title_ends_the_script() -> None:
    """Whatever a student calls a tree, does it stay words?"""
    evil = "</script><script>stolen()</script><img src=x onerror=stolen()>"
    tree = Canvas_min_max(evil, [1, 2, 3], MiniMax())
    assert evil not in html(tree)
    assert html(tree).count("<script") == 1
    assert ElementTree.fromstring(image(html(tree)))[0].text == evil


def test_what_is_safe_of_it_is_a_picture_in_words() -> None:
    """Does the referee's sanitiser leave no button, no script and no data, but words?"""
    clean = sanitise.html(html(figure()))
    assert Markup(clean).tags == ["div", "img"]
    assert "C2 = 4 pruned" in clean and "eJ" not in clean


# --- in a page -------------------------------------------------------------------------------


@in_both
def test_a_tree_steps_without_a_kernel(browser: Browser) -> None:
    """Do the buttons go on and back, never beyond the ends, and is each picture the right one?"""
    tree = figure()
    page = shown(browser, html(tree))
    back, step, _ = buttons(page)
    said = page.locator("[aria-live=polite]")
    assert said.inner_text() == "Step 0 of 14: MAX is to move at A."
    back.click()
    for stop, when in enumerate(tree.stops):
        assert said.inner_text().startswith(f"Step {stop} of 14: ")
        assert page.locator("div > svg desc").text_content() == f"{tree.picture(when).text}\n"
        if stop == 8:
            assert said.inner_text().endswith("Back from C with 2. Never looked at: C2, C3.")
        step.click()
    assert said.inner_text().endswith("MAX chooses a1: 10 states looked at, 7 of 9 leaves.")
    back.click()
    assert said.inner_text() == "Step 13 of 14: Back from D with 2."
    page.context.close()


@pytest.mark.pages
@in_both
def test_keys_walk_through_the_steps(browser: Browser) -> None:
    """With the keyboard alone, can one get in, go on, back, to both ends, and out again?"""
    page = shown(browser, html(figure()), "<a href='#'>after</a>")
    said = page.locator("[aria-live]")
    keyboard = page.keyboard
    stops = []
    for key in ("Tab", "ArrowRight", "Tab", "Enter", "ArrowLeft", "End", "Tab", "Tab", "ArrowLeft",
                "Home", "ArrowUp"):  # fmt: skip
        keyboard.press(key)
        stops.append(int(said.inner_text().split()[1]))
    assert stops == [0, 1, 1, 2, 1, 14, 14, 14, 13, 0, 1]
    assert page.get_by_role("slider").get_attribute("aria-valuetext") == "1 of 14"
    keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "after"
    page.context.close()


@pytest.mark.pages
@in_both
def test_the_clock_of_the_page_plays_the_steps(browser: Browser) -> None:
    """Does it play to the end by itself, without a word for each step, and can it be stopped?"""
    tree = Canvas_min_max("Small", TreeGame([3, 1], 2), MiniMax())
    page = browser.new_page()
    page.clock.install()
    page.set_content(PAGE + html(tree))
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


@pytest.mark.pages
@in_both
def test_two_outputs_of_a_page_do_not_meet(browser: Browser) -> None:
    """Does each have its own steps, and are there no ids and no names left in the page?"""
    other = Canvas_min_max("Small", [1, 2, 3], MiniMax())
    page = shown(browser, "<script>window.before = Object.keys(window)</script>",
                 html(figure()), html(other))  # fmt: skip
    first, second = page.locator("[data-steps]").all()
    buttons(second)[1].click()
    assert first.locator("[aria-live]").inner_text().startswith("Step 0 of 14")
    assert second.locator("[aria-live]").inner_text().startswith("Step 1 of 4")
    assert page.locator("[id]").count() == 0
    left = page.evaluate("Object.keys(window).filter(n => !before.includes(n))")
    assert [name for name in left if not name.startswith("__pw_")] == ["before"]
    page.context.close()
