"""Ask whether the explanation of a mark says what a student needs, and nothing that runs."""

from typing import Any

import pytest
import reports
from hypothesis import given
from hypothesis import strategies as st
from markup import Page

from referee.marks import feedback
from referee.model import (
    CellMark,
    CheckResult,
    Example,
    Explanation,
    Misconception,
    Report,
    Verdict,
)

TAGS = {"div", "p", "b", "ul", "li", "span", "code"}
ATTACK = "</pre></td><script>stolen()</script><img src=x onerror='stolen()'>&lt;\"'"


def check(
    verdict: str, message: str = "", cell: str = "f", number: int = 1, hint: str = ""
) -> CheckResult:
    points = 2.0 if verdict == "pass" else 0.0
    title = f"It is right in case {number}"
    name, found = f"test_f.py::test_{number}", Verdict(verdict)
    return CheckResult(name, cell, title, found, points, 2.0, message, hint)


def mark(score: float | None = 0.0) -> CellMark:
    return CellMark("test_f", "f", score, 4.0, needs_manual_grade=score is None)


def report(*checks: CheckResult, **more: Any) -> Report:
    return reports.report(cells=[mark()], checks=list(checks), **more)


@given(st.text() | st.just(ATTACK))
def test_nothing_of_a_students_is_markup(message):
    """Is every message text to a browser, whatever it holds, but for what stands in backticks?"""
    page = Page(feedback.as_html(report(check("wrong", f"a{message}z")), mark()))
    assert set(page.tags) <= TAGS
    assert {name for name, _ in page.attributes} <= {"class", "id", "style"}

    def plain(text: str) -> str:
        return text.replace("\r\n", "\n").replace("\r", "\n").translate({0: None, ord("`"): None})

    assert plain(f"a{message}z") in plain(page.text)


def test_what_stands_in_backticks_is_shown_as_code():
    """Is a name in a title or a message set as code, and a lone backtick left alone?"""
    shown = feedback.as_html(report(check("wrong", "`f(1)` gives `<b>`, 5` long")), mark())
    assert "<code>f(1)</code> gives <code>&lt;b&gt;</code>, 5` long" in shown


@given(st.text() | st.just(ATTACK))
def test_nothing_of_an_explanation_is_markup_but_its_picture(words):
    """Are the words about a misconception text to a browser, and only the drawing a drawing?"""
    known = Misconception("wrong/x", words, words, words, words)
    example = Example(words, words, "<svg><title>a board</title></svg>", words)
    explained = Explanation("f", known, example), Explanation("g", known, example)
    page = Page(feedback.as_html(report(check("wrong"), explanations=explained), mark()))
    assert set(page.tags) <= TAGS | {"details", "summary", "svg", "title"}
    assert page.tags.count("svg") == 1


@pytest.mark.parametrize("show", [feedback.as_text, feedback.as_html])
def test_each_check_of_the_cell_is_shown_once_with_its_points(show):
    """Are title, points and message of each check there, and nothing of other cells?"""
    checks = [check("pass"), check("wrong", "Three is not four.", number=2, hint="count.")]
    shown = show(report(*checks, check("error", "elsewhere", "g", number=3)), mark(2.0))
    passed = ("in case 1", "2/2") if show is feedback.as_text else ("1 check passed",)
    for words in (*passed, "in case 2", "0/2", "Three is not four.", "Hint: count."):
        assert shown.count(words) == 1
    assert "f: 2 of 4 points" in shown
    assert "elsewhere" not in shown
    assert "in case 3" not in shown


@pytest.mark.parametrize("show", [feedback.as_text, feedback.as_html])
def test_no_hint_is_shown_twice(show):
    """When two checks fail with the same hint, does the student read it once?"""
    hint = "count from zero."
    checks = [check("wrong", f"Case {n} is wrong.", number=n, hint=hint) for n in (1, 2)]
    shown = show(report(*checks), mark())
    assert shown.count(f"Hint: {hint}") == shown.count(hint) == 1
    assert shown.count("is wrong.") == 2


@pytest.mark.parametrize("show", [feedback.as_text, feedback.as_html])
def test_a_hint_is_about_a_wrong_answer(show):
    """Is there no hint beside an error or a loop, which it does not fit?"""
    checks = [check("error", "Your code raised KeyError.", hint="count from zero.")]
    shown = show(report(*checks, check("timeout", "It ran on.", hint="count.")), mark())
    assert "Hint" not in shown


@pytest.mark.parametrize("show", [feedback.as_text, feedback.as_html])
def test_a_named_mistake_leaves_no_general_hints(show):
    """When the mistake has a name, are its own hints read and not those of the checks?"""
    known = Misconception("wrong/x", "a slip", "the loop", "Count.", "f(2)")
    failed = check("wrong", "Three is not four.", hint="count from zero.")
    for named, hints in ((known, 0), (None, 1)):
        explained = Explanation("f", named, None)
        shown = show(report(failed, explanations=(explained,)), mark())
        assert shown.count("count from zero") == hints
        assert "Three is not four." in shown


@pytest.mark.parametrize("show", [feedback.as_text, feedback.as_html])
def test_an_error_is_told_once(show):
    """When one line fails three checks, is it read once, and how many more there are?"""
    said = "Your code raised KeyError: {}\n  at cell f, line 3: x[n]"
    checks = [check("error", said.format(n), number=n) for n in (1, 2, 3)]
    shown = show(report(*checks), mark())
    assert shown.count("KeyError") == 1
    assert ("and 2 more for the same reason" in shown) == (show is feedback.as_text)
    assert ("3 failed checks" in shown) == (show is feedback.as_html)


@pytest.mark.parametrize("show", [feedback.as_text, feedback.as_html])
def test_a_cell_that_failed_is_told_once_and_first(show):
    """Is what was never reached told by its cause, before what cost more?"""
    checks = [check("wrong", f"no value {n}", number=n, hint="try.") for n in (1, 2, 3)]
    for one in checks[1:]:
        one.cause = "Cell f failed: KeyError: 3"
    checks[0].max_points = 9.0
    shown = show(report(*checks), mark())
    assert shown.count("KeyError") == 1 and "no value 3" not in shown
    assert shown.index("KeyError") < shown.index("no value 1")
    assert feedback.outline(report(*checks), mark())["cause"]["text"] == checks[1].cause


def test_the_cause_is_open_and_the_checks_are_folded():
    """Is what most points were lost for read first, and what passed counted?"""
    checks = [check("pass"), check("wrong", "dear", number=2), check("wrong", "cheap", number=3)]
    checks[2].max_points = 1.0
    page = feedback.as_html(report(*checks), mark())
    shown, _, folded = page.partition("<details>")
    assert "dear" in shown and "case 2" in shown and "cheap" not in shown
    assert "1 more failed check: what was asked" in folded and "cheap" in folded
    assert "1 check passed" in folded and "case 1" not in page


def test_one_cause_is_one_message():
    """Are checks that say the same read once, with no hint of a single one of them?"""
    checks = [check("wrong", "a pair", number=n, hint=f"hint {n}") for n in (1, 2, 3)]
    page = feedback.as_html(report(*checks, check("wrong", "else", number=4)), mark())
    shown, _, folded = page.partition("<details>")
    assert shown.count("a pair") == page.count("a pair") == 1
    assert "in case" not in shown and "hint" not in page
    assert "4 failed checks: what was asked" in folded


def test_a_named_mistake_folds_all_checks():
    """Is the misconception open, with its rule and what to try, and before all that failed?"""
    known = Explanation("f", Misconception("x", "a player that stops", "?", "Count.", "f(2)"), None)
    page = feedback.as_html(report(check("wrong", "no"), explanations=(known,)), mark())
    shown, _, folded = page.partition("<details>")
    for words in ("It behaves like a player that stops.", "The rule: Count.", "Try by hand: f(2)"):
        assert words in shown
    assert "case 1" in folded and "case 1" not in shown


def test_the_outline_links_to_what_failed():
    """Does the cause of the outline have its place on the page, and say what happened?"""
    checks = [check("pass"), check("wrong", "no\nat all", number=2), check("not-run", "-")]
    known = Explanation("f", Misconception("x", "a player that stops", "?", "Count.", "f(2)"), None)
    for explained, text in (((), "no"), ((known,), "It behaves like a player that stops.")):
        one = report(*checks, explanations=explained)
        outline = feedback.outline(one, mark())
        assert (outline["passed"], outline["checks"]) == (1, 3)
        assert outline["cause"] == {"id": "look-f", "text": text, "lost": 2.0}
        assert 'id="look-f"' in feedback.as_html(one, mark())
    assert feedback.outline(report(check("pass"), checks[2]), mark())["cause"] is None


def test_what_happened_is_told_and_never_its_opposite():
    """Is a title, which says what is right, told as what was asked where a check has no message?"""
    assert feedback.outline(report(check("wrong")), mark())["cause"]["text"] == (
        "Not as asked: It is right in case 1"
    )


def test_an_error_of_syntax_is_told_first():
    """Does it come before what cost more points?"""
    dear, cheap = check("wrong", "dear"), check("error", "`f`: TabError: tabs", number=2)
    dear.max_points = 9.0
    outline = feedback.outline(report(dear, cheap), mark())
    assert outline["cause"]["text"] == "<code>f</code>: TabError: tabs"


@pytest.mark.parametrize("show", [feedback.as_text, feedback.as_html])
def test_an_error_of_ours_is_explained_without_its_details(show):
    """Does the student learn that a human marks the cell, and nothing of the check's code?"""
    message = "The check itself failed (ZeroDivisionError: division by zero)."
    shown = show(report(check("referee-error", message)), mark(None))
    assert "our side" in shown
    assert "by hand" in shown
    assert "ZeroDivision" not in shown


def test_repairs_are_a_line_each():
    """Does the student read what was put right, or why the file was refused, a line each?"""
    repairs = ("cell f was missing", "the cells were put back into order")
    assert feedback.repairs_as_text(report()) == ""
    assert feedback.repairs_as_text(report(repairs=repairs)).splitlines() == [
        "Repaired: cell f was missing.",
        "Repaired: the cells were put back into order.",
    ]
    assert feedback.repairs_as_text(report(refused="it is empty")) == (
        "The file could not be read: it is empty."
    )
