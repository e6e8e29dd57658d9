"""Mark a written answer on formgrader's page in a real browser, with the items of its scheme."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from browsing import PATIENCE
from formgrading import formgrader, get, rows, run
from playwright.sync_api import Browser, Page

from referee.marks import gradebook

pytestmark = pytest.mark.pages

SCHEME = """\
Explain what you did.

=== BEGIN MARK SCHEME ===

**Idea, 3 points.** (2) The idea is said. (1) It has a reason.

**Words, 1 point.** (0.5) They are plain.

**Model answer.** Add it to itself.

=== END MARK SCHEME ===
"""
FORGED = "(4) I have earned it."
BUTTON = '<div class="items"><button data-points="4" data-line="x">+4</button></div>'


def essay(source: str, points: int = 4) -> dict[str, Any]:
    """Return a question that a human marks."""
    data = {
        "grade": False, "grade_id": f"essay{points}", "locked": True, "points": points,
        "schema_version": 3, "solution": False, "task": True,
    }  # fmt: skip
    name = data["grade_id"]
    return {
        "cell_type": "markdown", "id": name, "metadata": {"nbgrader": data}, "source": source,
    }  # fmt: skip


def written(text: str) -> dict[str, Any]:
    """Return a cell of a student's."""
    return {"cell_type": "markdown", "id": f"own{len(text)}", "metadata": {}, "source": text}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a question, a long answer, and one that tries to look like a mark scheme."""
    root = small.make(tmp_path_factory.mktemp("by-hand"))
    source = small.notebook()
    source["cells"].append(essay(SCHEME))
    (root / "source" / small.NAME / f"{small.NAME}.ipynb").write_text(json.dumps(source))
    run(root, "nbgrader", "generate_assignment", small.NAME, "--force")
    forged = SCHEME.replace("(2)", FORGED)
    answers = {
        "ada": [written("By adding.\n\n" * 60)],
        "eve": [written(forged), written(BUTTON), essay(forged, 5)],
    }
    for student, cells in answers.items():
        answer = small.notebook(**small.SOLVED)
        answer["cells"] += [essay("Explain what you did."), *cells]
        small.hand_in(root, student, json.dumps(answer).encode())
    small.grade(root)
    return root


@pytest.fixture(scope="module")
def addresses(root: Path) -> Iterator[dict[str, str]]:
    """The addresses on which an instructor marks the answers."""
    with formgrader(root) as place:
        entries = json.loads(get(f"{place}/api/submitted_notebooks/{small.NAME}/{small.NAME}"))
        yield {entry["student"]: f"{place}/submissions/{entry['id']}/" for entry in entries}


@pytest.fixture
def page(browser: Browser, addresses: dict[str, str]) -> Iterator[Page]:
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
    page.close()


def pressed(page: Page) -> list[str]:
    """Return the items that are marked as given, when all is saved."""
    page.wait_for_function("() => !jQuery.active")
    return page.locator(".items button[aria-pressed=true]").all_inner_texts()


def opened_up(page: Page) -> list[str]:
    """Return what is unfolded."""
    return page.locator(".folded[open] summary").all_inner_texts()


def comments(root: Path) -> list[str]:
    """Return the comments by hand on ada's answer."""
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        one = book.find_submission(small.NAME, "ada")
        found = [comment.manual_comment for comment in one.notebooks[0].comments]
        return [text for text in found if text]


def test_items_fill_the_boxes_and_are_kept(root: Path, page: Page) -> None:
    """Are points and sentences stored by nbgrader, beside what was typed, and taken back?"""
    page.locator("#essay4-comment").fill("Well done.")
    page.locator("#essay4-comment").blur()
    idea, reason, plain = page.locator(".items button").all()
    for button in (idea, reason, plain, reason):
        button.click()
    assert pressed(page) == ["+2 The idea is said.", "+0.5 They are plain."]
    assert rows(root, small.NAME)["ada"]["essay4"] == (None, 2.5, False)
    text = "Well done.\n- 2 points: The idea is said.\n- 0.5 points: They are plain."
    assert comments(root) == [text]
    page.reload()
    page.locator(".items button:enabled").first.wait_for()
    assert pressed(page) == ["+2 The idea is said.", "+0.5 They are plain."]
    assert page.locator("#essay4").input_value() == "2.5"


def test_feedback_says_what_was_pressed_only(root: Path, page: Page) -> None:
    """Does the student read the comment, and nothing else of the mark scheme?"""
    page.locator("#essay4").fill("3")
    page.locator("#essay4-comment").fill("Well done.\n- 2 points: The idea is said.")
    page.locator("#essay4-comment").blur()
    assert pressed(page) == ["+2 The idea is said."]
    run(root, "nbgrader", "generate_feedback", small.NAME, "--force")
    shown, forged = (
        (root / f"feedback/{student}/{small.NAME}/{small.NAME}.html").read_text("utf-8")
        for student in ("ada", "eve")
    )
    told = shown.partition("Comment:")[2].partition("</section>")[0]
    assert "<p>Well done.</p>" in told and "<li>2 points: The idea is said.</li>" in told
    assert "It has a reason" not in shown and "Add it to itself" not in shown
    assert "Not marked yet" not in shown and "essay4: 3 of 4 points" in shown
    head = forged.partition("</header>")[0]
    assert "Not marked yet:" in head and head.count("to be marked by hand") == 1
    assert "essay4: ? of 4 points" in forged
    assert forged.count("I have earned it") == 2  # in both cells: her own words stay hers


def test_an_unchanged_answer_is_not_asked_about_again(root: Path, page: Page) -> None:
    """When another cell's check was mended, do mark and comment stay, without a flag?"""
    page.locator("#essay4").fill("1.5")
    page.locator("#essay4-comment").fill("Half of it.")
    page.locator("#essay4-comment").blur()
    assert pressed(page) == []
    check = root / "tests" / "hidden" / small.NAME / "test_square.py"
    check.write_text(check.read_text("utf-8").replace("square(7) == 49", "square(9) == 81"))
    small.grade(root)
    assert rows(root, small.NAME)["ada"]["essay4"][1:] == (1.5, False)
    assert comments(root) == ["Half of it."]


def test_all_is_done_by_keyboard(page: Page) -> None:
    """Can one unfold the scheme, press an item, and see where one is, without a mouse?"""
    names = "document.activeElement.innerText || document.activeElement.id"
    page.locator("#essay4_extra_credit").focus()
    before = pressed(page)
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
    assert {*pressed(page)} ^ {*before} == {"+2 The idea is said."}


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
        assert page.locator(".items button").count() == 3
        assert page.locator(".answer :is(button, input, textarea)").count() == 0
        assert page.locator(".answer").get_by_text("I have earned it.").count() == 2
