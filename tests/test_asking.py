"""Ask the tree of a lesson what it asks: the reader is MIN, and alpha-beta wants to skip."""

from collections.abc import Iterator
from pathlib import Path

import axe
import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.pages
ROOT = Path(__file__).parents[1]
STATIC = ROOT / "docs" / "_static"
BOX = '<div class="try-tree" data-ask="None" data-leaves="3 12 8, 2 4 6, 14 5 2">A picture</div>'


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page with figure 5.2, and what reacts in it."""
    found = browser.new_page(viewport={"width": 800, "height": 700})
    trouble: list[str] = []
    found.on("pageerror", lambda error: trouble.append(str(error)))
    style = (STATIC / "site.css").read_text("utf-8")
    found.set_content(
        f"<!doctype html><html lang=en><title>x</title><style>{style}</style>"
        f"<main><h1>Lesson</h1>{BOX}"
        f"<script>{(STATIC / 'tree.js').read_text('utf-8')}</script></main>"
    )
    yield found
    assert trouble == []
    found.close()


def said(page: Page) -> str:
    return page.locator("output").inner_text()


def press(page: Page, name: str) -> str:
    button = page.get_by_role("button", name=name)
    button.focus()
    page.keyboard.press("Enter")
    return said(page)


def refute(page: Page, leaf: str, number: int) -> str:
    page.get_by_label(f"Leaf {leaf}").fill(str(number))
    return press(page, "No: this leaf proves it")


def test_who_judges_as_alpha_beta_does_is_right_each_time(page: Page) -> None:
    """Is the story of the lesson the one that is asked, and counted?"""
    assert (
        said(page) == "B is worth 3 so far, and MAX is sure of nothing yet. May I skip B2 and B3?"
    )
    assert refute(page, "B3", -1).startswith(
        "Right: with −1 there B is worth −1, and not 3. I look."
    )
    assert said(page).endswith("May I skip B3?")
    assert refute(page, "B3", 2).endswith(
        "C is worth 2 so far, and MAX is sure of 3. May I skip C2 and C3?"
    )
    assert press(page, "Yes, skip").startswith("Right: C is worth 2 or less, whatever you have")
    assert "D is worth 14 so far, and MAX is sure of 3. May I skip D2 and D3?" in said(page)
    assert "D is worth 5 so far" in refute(page, "D2", -50)
    last = refute(page, "D3", 4)
    assert "A is worth 3, with 2 leaves skipped. You judged 5 of 5 times" in last
    assert page.get_by_role("button", name="Yes, skip").is_disabled()
    assert "May I skip B2 and B3?" in press(page, "From the start")


def test_what_proves_nothing_is_told(page: Page) -> None:
    """Is a leaf refused that is too large, or that MAX does not come to, and a rash yes as well?"""
    assert press(page, "No: this leaf proves it").startswith("Which leaf proves it?")
    assert refute(page, "B2", 3).startswith("That proves nothing: with 3 there B stays 3.")
    assert press(page, "Yes, skip").startswith(
        "No! You could have a 2 there: then B is not worth 3."
    )
    refute(page, "B3", 0)
    assert refute(page, "C2", -99).startswith(
        "That proves nothing: with −99 there MAX has 3 elsewhere and does not come here."
    )
    assert "May I skip C2 and C3?" in said(page)
    press(page, "Yes, skip")
    press(page, "Yes, skip")
    assert "You judged 2 of 7 times" in press(page, "Yes, skip")
    assert page.locator("svg .pruned").count() == 2


def test_it_shuts_nobody_out(page: Page) -> None:
    """Does axe-core find nothing, before and after a cut?"""
    for _ in range(4):
        assert axe.violations(page) == []
        press(page, "Yes, skip")
