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
KNOWN = Explanation("f", Misconception("x", "a player that stops", "?", "Count.", "f(2)"), None)
ATTACK = "</pre></td><script>stolen()</script><img src=x onerror='stolen()'>&lt;\"'"


def check(
    verdict: str, message: str = "", cell: str = "f", number: int = 1, hint: str = "",
    cause: str = "", most: float = 2.0,
) -> CheckResult:  # fmt: skip
    points = most if verdict == "pass" else 0.0
    title = f"It is right in case {number}"
    name, found = f"test_f.py::test_{number}", Verdict(verdict)
    return CheckResult(name, cell, title, found, points, most, message, hint, cause=cause)


def mark(score: float | None = 0.0) -> CellMark:
    return CellMark("test_f", "f", score, 4.0, needs_manual_grade=score is None)


def report(*checks: CheckResult, **more: Any) -> Report:
    return reports.report(cells=[mark()], checks=list(checks), **more)


@given(st.text() | st.just(ATTACK))
def test_nothing_of_a_students_is_markup(words):
    """Is all that is said text to a browser, whatever it holds, and only the drawing a drawing?

    But for what stands in backticks.
    """
    known = Misconception("wrong/x", words, words, words, words)
    example = Example(words, words, "<svg><title>a board</title></svg>", words)
    explained = Explanation("f", known, example), Explanation("g", known, example)
    drawn = {"details", "summary", "svg", "title"}
    for explanations, tags in ((), TAGS), (explained, TAGS | drawn):
        told = report(check("wrong", f"a{words}z"), explanations=explanations)
        page = Page(feedback.as_html(told, mark()))
        assert set(page.tags) <= tags and page.tags.count("svg") == bool(explanations)
        assert {name for name, _ in page.attributes} <= {"class", "id", "style"}
        assert plain(f"a{words}z") in plain(page.text)


def plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").translate({0: None, ord("`"): None})


@pytest.mark.parametrize("show", [feedback.as_text, feedback.as_html])
def test_each_check_of_the_cell_is_shown_once_with_its_points(show):
    """Are title, points and message of each check there, and nothing of other cells?

    A name in backticks is set as code on a page, and a lone backtick left alone.
    """
    checks = [check("pass"), check("wrong", "`f(1)` is `<b>`, 5` long", number=2, hint="count.")]
    shown = show(report(*checks, check("error", "elsewhere", "g", number=3)), mark(2.0))
    told = "in case 1", "2/2", "`f(1)` is `<b>`, 5` long"
    if show is feedback.as_html:
        told = "1 check passed", "<code>f(1)</code> is <code>&lt;b&gt;</code>, 5` long"
    for words in (*told, "in case 2", "0/2", "Hint: count."):
        assert shown.count(words) == 1
    assert "f: 2 of 4 points" in shown and "✓" in shown and "✗" in shown
    assert "elsewhere" not in shown
    assert "in case 3" not in shown


KEY, HERE = "Your code raised KeyError: {}", "\n  at cell f, line 3: x[n]"
FAILED = "Cell f failed: KeyError: 3"
REASONS: list[tuple[str, list[CheckResult], list[tuple[str, str]]]] = [
    (
        "a hint is read once",
        [check("wrong", f"Case {n}.", number=n, hint="count.") for n in (1, 2)],
        [("1", "Case 1.\nHint: count."), ("2", "Case 2.")],
    ),
    (
        "a hint is about a wrong answer",
        [check("error", "KeyError", hint="a"), check("timeout", "It ran.", number=2, hint="b")],
        [("1", "KeyError"), ("2", "It ran.")],
    ),
    (
        "errors at one line have one reason",
        [check("error", KEY.format(n) + HERE, number=n) for n in (1, 2, 3)],
        [("123", KEY.format(1) + HERE)],
    ),
    (
        "one message is read once, without a hint of a single check, and what costs most first",
        [check("wrong", "else", number=1),
         *(check("wrong", "a pair", number=n, hint=f"hint {n}") for n in (2, 3))],
        [("23", "a pair"), ("1", "else")],
    ),
    (
        "a cell that failed comes before what costs more",
        [check("wrong", "dear", number=1, most=9),
         *(check("wrong", "none", number=n, hint="try.", cause=FAILED) for n in (2, 3))],
        [("23", f"{FAILED}\nnone"), ("1", "dear")],
    ),
    (
        "so does an error of syntax",
        [check("wrong", "dear", number=1, most=9), check("error", "`f`: TabError: t", number=2)],
        [("2", "`f`: TabError: t"), ("1", "dear")],
    ),
    (
        "what is not the student's fault comes last, without its details",
        [check("referee-error", "ZeroDivisionError"), check("wrong", "no", number=2)],
        [("2", "no"), ("1", feedback.NOT_YOURS)],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("law", "checks", "told"), REASONS, ids=[law for law, *_ in REASONS])
def test_reasons_are_told_in_order(
    law: str, checks: list[CheckResult], told: list[tuple[str, str]]
) -> None:
    """Is each reason told once, of all checks that have it, and no hint beside a known mistake?"""
    found = feedback.reasons(checks, [])
    assert [("".join(one.title[-1] for one in group), why) for group, why in found] == told
    assert not any("Hint" in why for _, why in feedback.reasons(checks, ["It behaves like it."]))
    more = feedback.as_text(report(*checks), mark()).count(" more for the same reason")
    assert more == sum(len(numbers) > 1 for numbers, _ in told)


def test_the_cause_is_open_and_the_checks_are_folded():
    """Is what most points were lost for read first, and what passed counted?

    Is a named mistake open in their place, with its rule and what to try, before all that failed?
    """
    checks = [check("pass"), check("wrong", "dear", number=2), check("wrong", "cheap", number=3)]
    checks[2].max_points = 1.0
    page = feedback.as_html(report(*checks), mark())
    shown, _, folded = page.partition("<details>")
    assert "dear" in shown and "case 2" in shown and "cheap" not in shown
    assert "1 more failed check: what was asked" in folded and "cheap" in folded
    assert "1 check passed" in folded and "case 1" not in page
    page = feedback.as_html(report(*checks, explanations=[KNOWN]), mark())
    shown, _, folded = page.partition("<details>")
    for words in ("It behaves like a player that stops.", "The rule: Count.", "Try by hand: f(2)"):
        assert words in shown
    assert "case 2" in folded and "case" not in shown


def test_the_outline_links_to_what_failed():
    """Does the cause of the outline have its place on the page, and say what happened?

    A title says what is right: it is what was asked where a check has no message.
    """
    checks = [check("pass"), check("wrong", "no\nat all", number=2), check("not-run", "-")]
    for explained, text in (([], "no"), ([KNOWN], "It behaves like a player that stops.")):
        one = report(*checks, explanations=explained)
        outline = feedback.outline(one, mark())
        assert (outline["passed"], outline["checks"]) == (1, 3)
        assert outline["cause"] == {"id": "look-f", "text": text, "lost": 2.0}
        assert 'id="look-f"' in feedback.as_html(one, mark())
    assert feedback.outline(report(check("pass"), checks[2]), mark())["cause"] is None
    cause = feedback.outline(report(check("wrong")), mark())["cause"]
    assert cause["text"] == "Not as asked: It is right in case 1"


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
