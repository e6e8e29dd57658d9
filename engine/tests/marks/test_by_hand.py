"""Mark a written answer on formgrader's page in a real browser, with the items of its scheme."""

import contextlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from browsing import PATIENCE
from classes import Class
from formgrading import formgrader, get, rows
from notebooks import Cell, cell, own
from playwright.sync_api import Browser, Error, Page, Route

from referee.marks import by_hand, grade_log, gradebook

pytestmark = pytest.mark.pages

SCHEME = """\
Explain what you did.

=== BEGIN MARK SCHEME ===

**Idea, 3 points.** (2) The idea is said. (1) It has a reason.

**Words, 1 point.** (0.5) They are plain.

**Model answer.** Add it to itself.

=== END MARK SCHEME ===
"""
FORGED = SCHEME.replace("(2)", "(4) I have earned it.")
SAVED = """() => [...document.querySelectorAll('.by-hand')].every(
    e => !/Saving|Not saved/.test(e.innerText))"""
NOTE = ".question [role=status]"
BUTTON = '<div class="items"><button data-points="4" data-line="x">+4</button></div>'
BY_HAND = "**/by_hand/*"  # what a page asks the server
IDEA = "- 2 points: The idea is said."


def essay(source: str, points: int = 4) -> Cell:
    """Return a question that a human marks."""
    return cell(f"essay{points}", source, points, words=True, task=True)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a question, a long answer, and one that tries to look like a mark scheme."""
    root = small.make(tmp_path_factory.mktemp("by-hand"))
    small.release(root, essay(SCHEME))
    answers = {
        "ada": ["By adding.\n\n" * 60],
        "bob": ["I have added the number to itself, since that is what doubling means."],
        "cid": [],
        "dan": [],
        "eve": [FORGED, BUTTON],
    }
    for student, texts in answers.items():
        cells = [own(text, "markdown", id=f"own{len(text)}") for text in texts]
        cells += [essay(FORGED, 5)] if student == "eve" else []
        small.hand_in(root, student, more=[essay("Explain what you did."), *cells])
    small.grade(root)
    return root


@pytest.fixture(scope="module")
def addresses(root: Path) -> Iterator[dict[str, str]]:
    """The addresses on which an instructor marks the answers, which end with formgrader's ids."""
    with formgrader(root) as place:
        entries = json.loads(get(f"{place}/api/submitted_notebooks/{small.NAME}/{small.NAME}"))
        yield {entry["student"]: f"{place}/submissions/{entry['id']}/" for entry in entries}


@pytest.fixture
def clean(root: Path) -> Path:
    """The course with answers that nobody has marked, and an empty log."""
    course = Class(root)
    course.sql("update grade set manual_score = null, extra_credit = null")
    course.sql("update grade set needs_manual_grade = auto_score is null")
    course.sql("update comment set manual_comment = null")
    course.path(grade_log.FILE).unlink(missing_ok=True)
    return root


@pytest.fixture
def page(clean: Path, browser: Browser, addresses: dict[str, str]) -> Iterator[Page]:
    """The page of ada's long answer."""
    with opened(browser, addresses["ada"]) as page:
        yield page


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """Open a page on a wide screen, without any other host, and wait until it is ready."""
    page = browser.new_page(viewport={"width": 1300, "height": 800})
    page.set_default_timeout(PATIENCE)
    page.route("**/*", lambda route: (
        route.continue_() if "127.0.0.1" in route.request.url else route.abort()
    ))  # fmt: skip
    page.goto(address)
    page.locator(".items button:enabled").first.wait_for()
    yield page
    page.unroute_all()
    page.once("dialog", lambda dialog: dialog.accept())
    page.goto("about:blank")  # it says that it has left the submission
    page.close()


def items(page: Page) -> list[Any]:
    """Return the buttons of the items."""
    return page.locator(".items button").all()


def pressed(page: Page) -> list[str]:
    """Return the items that are marked as given, when all is saved."""
    page.wait_for_function(SAVED)
    return page.locator(".items button[aria-pressed=true]").all_inner_texts()


def opened_up(page: Page) -> list[str]:
    """Return what is unfolded."""
    return page.locator(".folded[open] summary").all_inner_texts()


def note(page: Page) -> str:
    """Return what the page says about saving the mark of the essay, when that has ended."""
    ended = "([place]) => !/Saving|yet/.test(document.querySelector(place).innerText)"
    page.wait_for_function(ended, arg=[NOTE])
    return page.locator(NOTE).inner_text()


def fill(page: Page, box: str, text: str) -> None:
    """Type into a box in place of what stands there, and leave it."""
    page.locator(box).fill(text)
    page.locator(box).blur()


def stored(root: Path) -> tuple[float | None, str]:
    """Return ada's mark and comment in the gradebook."""
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        one = book.find_submission_notebook(small.NAME, small.NAME, "ada")
        (mark,) = (grade.manual_score for grade in one.grades if grade.name == "essay4")
        return mark, "".join(comment.manual_comment or "" for comment in one.comments)


def test_items_fill_the_boxes_and_are_kept(clean: Path, page: Page) -> None:
    """Are points and sentences stored by nbgrader, beside what was typed, and taken back?"""
    fill(page, "#essay4-comment", "Well done.")
    idea, reason, plain = items(page)
    for button in (idea, reason, plain, reason):
        button.click()
    assert pressed(page) == ["+2 The idea is said.", "+0.5 They are plain."]
    assert rows(clean, small.NAME)["ada"]["essay4"] == (None, 2.5, False)
    assert stored(clean) == (2.5, f"Well done.\n{IDEA}\n- 0.5 points: They are plain.")
    page.reload()
    page.locator(".items button:enabled").first.wait_for()
    assert pressed(page) == ["+2 The idea is said.", "+0.5 They are plain."]
    assert page.locator("#essay4").input_value() == "2.5"


def test_all_is_done_by_keyboard(page: Page) -> None:
    """Can one unfold the scheme, press an item, and see where one is, without a mouse?"""
    names = "document.activeElement.innerText || document.activeElement.id"
    page.locator("#essay4_extra_credit").focus()
    seen = []
    for key in (None, "Enter", "Space", None, None, None):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(names))
        if key:
            page.keyboard.press(key)
    assert seen == [
        "Question essay4", "Mark scheme", "+2 The idea is said.", "+1 It has a reason.",
        "+0.5 They are plain.", "essay4-comment",
    ]  # fmt: skip
    assert opened_up(page) == ["Mark scheme"]
    page.keyboard.press("Shift+Tab")
    inside = """() => { const r = document.activeElement.getBoundingClientRect();
        return r.top >= 0 && r.bottom <= innerHeight; }"""
    assert page.evaluate(inside)
    assert pressed(page) == ["+2 The idea is said."]


def test_box_and_answer_stand_side_by_side(page: Page) -> None:
    """Is the box in view beside a long answer, below it on a phone, and large enough to press?"""
    box, answer = page.locator(".question .mark"), page.locator(".question .answer")
    assert opened_up(page) == []
    assert not page.get_by_text("Add it to itself").first.is_visible()
    left, right = box.bounding_box(), answer.bounding_box()
    assert left and right and left["x"] + left["width"] <= right["x"]
    page.evaluate("jQuery('body, html').finish()")  # nbgrader scrolls when a page is opened
    answer.evaluate("e => scrollBy(0, e.getBoundingClientRect().top + 900)")
    middle = box.bounding_box()
    assert middle and middle["y"] > 0 and middle["y"] + middle["height"] < 800
    page.set_viewport_size({"width": 400, "height": 800})
    above, below = box.bounding_box(), answer.bounding_box()
    assert above and below and above["y"] + above["height"] <= below["y"]
    for target in (*page.locator(".items button, .folded summary").all(),):
        size = target.bounding_box()
        assert size and min(size["width"], size["height"]) >= 24


def test_a_student_can_add_no_item(browser: Browser, addresses: dict[str, str]) -> None:
    """Do a forged scheme, a forged task and a forged button stay what they are: text?"""
    with opened(browser, addresses["eve"]) as page:
        assert page.locator(".question").count() == 1
        assert len(items(page)) == 3
        assert page.locator(".answer :is(button, input, textarea)").count() == 0
        assert page.locator(".answer").get_by_text("I have earned it.").count() == 2


def test_two_people_lose_nothing(clean: Path, browser: Browser, addresses: dict[str, str]) -> None:
    """Is who is behind refused and told, and can they replace it, each in turn?"""
    with opened(browser, addresses["ada"]) as first, opened(browser, addresses["ada"]) as second:
        items(first)[0].click()
        assert "Saved" in note(first)
        fill(second, "#essay4-comment", "From B.")
        told = note(second)
        assert "Not saved: meanwhile there is 2 points" in told and "The idea is said." in told
        assert stored(clean) == (2, IDEA)
        second.get_by_role("button", name="Replace it").click()
        assert "Saved" in note(second) and stored(clean) == (None, "From B.")
        items(first)[2].click()
        told = note(first)
        assert "Not saved: meanwhile there is no mark by hand" in told and "From B." in told
        first.get_by_role("button", name="Replace it").click()
        assert "Saved" in note(first) and stored(clean)[0] == 2.5
        assert first.locator("#essay4-comment").input_value() == stored(clean)[1]
    chain = [one.by_hand["essay4"] for one in grade_log.changes(clean, small.NAME)]
    assert len(chain) == 3 and [new for _, new in chain[:-1]] == [old for old, _ in chain[1:]]


def test_what_is_pressed_does_not_scroll_away(page: Page) -> None:
    """Does a button work that is pressed while the page still scrolls?"""
    button = page.locator(".question .full-credit")
    button.evaluate("""button => {
        jQuery("body, html").stop();
        button.scrollIntoView({block: "center"});
        jQuery("body, html").animate({scrollTop: 0}, 6_000_000);
    }""")
    button.hover()  # once it stays where it is
    page.mouse.down()
    assert page.evaluate("jQuery(':animated').length") == 0
    page.mouse.up()
    assert page.locator("#essay4").input_value() == "4" and "Saved" in note(page)


def test_quick_presses_all_count(clean: Path, page: Page, addresses: dict[str, str]) -> None:
    """Are three items pressed at once, and a comment, there after a slow server has answered?

    One goes on then, to the page that was asked for meanwhile, without a question.
    """
    held: list[Route] = []
    page.route(BY_HAND, lambda route: held.append(route))
    page.evaluate("for (const one of document.querySelectorAll('.items button')) one.click()")
    page.locator("#essay4-comment").press_sequentially("Good. ")
    page.locator(".navbar .next a").click()
    page.unroute(BY_HAND)
    for route in held:
        route.continue_()
    page.wait_for_url(lambda url: url.split("?")[0] != addresses["ada"])
    mark, text = stored(clean)
    assert mark == 3.5 and text.count("\n- ") == 2 and "Good. " in text


@pytest.mark.parametrize("fails", ["status", "network"])
def test_a_save_that_fails_is_seen_and_tried_again(clean: Path, page: Page, fails: str) -> None:
    """Does it say so, keep what was typed, ask who leaves the page, and save in the end?"""
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.route(BY_HAND, lambda route: (
        route.fulfill(status=500, body="<h1>500</h1>") if fails == "status" else route.abort()
    ))  # fmt: skip
    items(page)[0].click()
    told = note(page)
    assert ("500" if fails == "status" else "does not answer") in told and "still here" in told
    address = page.url.split("?")[0]
    page.locator(".navbar .next a").click()
    page.locator("#essay4").press("Control+Period")
    assert "Not saved" in note(page) and page.url.split("?")[0] == address
    with contextlib.suppress(Error):
        page.goto("about:blank")
    assert asked == ["beforeunload"] and page.locator("#essay4-comment").input_value() == IDEA
    assert stored(clean) == (None, "")
    page.unroute(BY_HAND)
    page.get_by_role("button", name="Try again").click()
    assert "Saved" in note(page) and stored(clean) == (2, IDEA)
    page.locator("#essay4-comment").press_sequentially("x")  # which was never sent
    with contextlib.suppress(Error):
        page.goto("about:blank")
    assert asked == ["beforeunload"] * 2
    fill(page, "#essay4-comment", "")
    assert "Saved" in note(page)


def test_a_tab_that_closes_saves(clean: Path, browser: Browser, addresses: dict[str, str]) -> None:
    """Is there what was typed a moment before somebody closed the page?"""
    page = browser.new_page()  # whose requests pass through nothing that ends with it
    page.goto(addresses["ada"])
    page.locator(".items button:enabled").first.wait_for()
    page.locator("#essay4-comment").press_sequentially("Typed last")
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    with opened(browser, addresses["ada"]) as page:
        assert page.locator("#essay4-comment").input_value() == "Typed last"


def test_points_are_those_of_the_items_and_an_adjustment(clean: Path, page: Page) -> None:
    """Does an item give its points once, beyond the most and back?"""
    idea, reason, _ = items(page)
    idea.click()
    fill(page, "#essay4-comment", f"Well.\n{IDEA}")
    assert pressed(page) == ["+2 The idea is said."]
    fill(page, "#essay4", "3.5")
    assert "Items 2, adjustment +1.5" in page.locator(".items").inner_text()
    reason.click()
    assert "4.5 is not between 0 and 4" in note(page)
    reason.click()
    idea.click()
    assert "Saved" in note(page) and stored(clean) == (1.5, "Well.")


def test_one_comes_from_answer_to_answer_that_waits(
    clean: Path, page: Page, addresses: dict[str, str]
) -> None:
    """Does a page open at its box and lead on to the last, but to none marked meanwhile?"""
    with gradebook.opened(f"sqlite:///{clean}/gradebook.db") as book:
        ada = addresses["ada"].split("/")[-2]
        first, *others = by_hand.waiting(book, ada)["essay4"][:-1]  # and then ada again
        for grade in book.find_submission_notebook_by_id(first).grades:
            grade.needs_manual_grade, grade.manual_score = False, 1
        book.db.commit()
    at_the_box = "document.activeElement.id === 'essay4'"
    page.wait_for_function(at_the_box)
    for one, left in zip(others, (4, 2, 1), strict=True):
        page.locator("#essay4").fill("1")
        page.get_by_role("button", name=f"Next that waits ({left})").click()
        page.wait_for_url(lambda url, one=one: f"/{one}/" in url)
        page.wait_for_function(at_the_box)
    fill(page, "#essay4", "1")
    assert "Saved" in note(page)
    page.reload()
    page.get_by_text("Nobody else waits here.").wait_for()
    assert not any(cells["essay4"][2] for cells in rows(clean, small.NAME).values())
