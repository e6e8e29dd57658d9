"""Write the feedback on a cell's checks for the student, as text and as HTML.

Shows of each check only its title, verdict, points and message. All text from a submission is
escaped.
"""

import re
from collections.abc import Iterable
from html import escape
from typing import Any

from referee.model import CellMark, CheckResult, Explanation, Report, Verdict

CODE = re.compile("`([^`\n]+)`")
GOOD, SOFT, OPEN, LOST, LINK = (  # colours; a page that can be dark has its own
    f"color: var(--{name}, {colour})"
    for name, colour in (
        ("good", "#1a6f34"), ("soft", "#57606a"), ("open", "#7d4e00"), ("lost", "#b3202a"),
        ("link", "#0550ae"),
    )
)  # fmt: skip
SIGNS = {
    Verdict.PASS: ("✓", GOOD),
    Verdict.NOT_RUN: ("–", SOFT),
    Verdict.UNCLEAR: ("?", OPEN),
    Verdict.REFEREE_ERROR: ("?", OPEN),
}
FAILED = ("✗", LOST)
NOT_YOURS = "This check failed on our side; your teacher marks the cell by hand."
UNFOLD = f"display: list-item; cursor: pointer; padding: 2px 0; {LINK}"  # nbgrader hides the arrow
NO_FORMULAS = "referee tex2jax_ignore mathjax_ignore"  # what a student's error says is no TeX


def as_text(report: Report, mark: CellMark) -> str:
    """Return the explanation of a cell's mark as plain text."""
    lines = [_summary(mark)]
    seen = _general(report, mark)
    for check in _checks(report, mark):
        lines.append(f"{_sign(check)} {check.title} [{_points(check)}]")
        lines += [f"    {line}" for line in message(check, seen).splitlines()]
    if explained := explanation_as_text(report, mark):
        lines += ["", explained]
    return "\n".join(lines)


def explanation_as_text(report: Report, mark: CellMark) -> str:
    """Return a cell's explanation as plain text, or ""."""
    parts = []
    for explanation in _explanations(report, mark):
        lines = _hints(explanation)
        if example := explanation.example:
            lines += [line for line in (example.told, example.text, example.values) if line]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def as_html(report: Report, mark: CellMark) -> str:
    """Return the explanation of a cell's mark as HTML: what is right is folded."""
    seen = _general(report, mark)
    failed: list[str] = []
    passed: list[str] = []
    for number, check in enumerate(_checks(report, mark)):
        rows = passed if check.verdict is Verdict.PASS else failed
        rows.append(_row(check, _anchor(check, number), seen))
    more = "".join(map(_explanation_as_html, _explanations(report, mark)))
    count = "1 check passed" if len(passed) == 1 else f"{len(passed)} checks passed"
    return (
        f'<div class="{NO_FORMULAS}"><p class="mark"><b>{escape(_summary(mark))}</b></p>{more}'
        f"{_list(failed)}{_folded(count, _list(passed)) if passed else ''}</div>"
    )


def outline(report: Report, mark: CellMark) -> dict[str, Any]:
    """Return a cell's entries for the summary of the page, as JSON.

    For each failed check: the anchor in `as_html`, the title, and the points lost.
    """
    checks = _checks(report, mark)
    lost = [
        {
            "id": _anchor(check, number),
            "title": as_code(check.title),
            "lost": float(check.max_points),
        }
        for number, check in enumerate(checks)
        if check.verdict.lost
    ]
    if lost and _explanations(report, mark):
        lost[0]["id"] = f"look-{mark.cell}"
    passed = sum(check.verdict is Verdict.PASS for check in checks)
    return {"cell": mark.cell, "checks": len(checks), "passed": passed, "lost": lost}


def repairs_as_text(report: Report) -> str:
    """Return a line for each repair of the submitted file, or ""."""
    refused = [] if report.refused is None else [f"The file could not be read: {report.refused}."]
    return "\n".join([*refused, *(f"Repaired: {repair}." for repair in report.repairs)])


def message(check: CheckResult, seen: set[str]) -> str:
    """Return the message and hint of a check for the student, without those `seen` before.

    A hint is about a wrong answer, so errors and stopped code get none.
    """
    if check.verdict.open:
        return NOT_YOURS
    if check.verdict is Verdict.ERROR and not check.unwritten:
        if check.message in seen:
            return "The same error as above."
        seen.add(check.message)
    if check.verdict is not Verdict.WRONG or not check.hint or check.hint in seen:
        return check.message
    seen.add(check.hint)
    return f"{check.message}\nHint: {check.hint}".strip()


def as_code(text: str) -> str:
    """Return text as HTML, with text in backticks as code."""
    return CODE.sub(r"<code>\1</code>", escape(text))


def _row(check: CheckResult, anchor: str, seen: set[str]) -> str:
    sign, colour = SIGNS.get(check.verdict, FAILED)
    words = as_code(message(check, seen))
    more = f'<div style="white-space: pre-wrap; {SOFT}">{words}</div>' if words else ""
    return (
        f'<li id="{escape(anchor)}" style="margin: 0.5em 0">'
        f'<span style="{colour}">{sign} {escape(check.verdict)}</span> '
        f"{as_code(check.title)} ({_points(check)}){more}</li>"
    )


def _list(rows: Iterable[str]) -> str:
    items = "".join(rows)
    return f'<ul style="list-style: none; padding: 0; margin: 0.5em 0">{items}</ul>' * bool(items)


def _folded(head: str, body: str) -> str:
    return f'<details><summary style="{UNFOLD}">{escape(head)}</summary>{body}</details>'


def _anchor(check: CheckResult, number: int) -> str:
    return f"check-{check.cell}-{number}"


def _explanation_as_html(explanation: Explanation) -> str:
    """Return an explanation as HTML: the example, then hints to unfold one after the other."""
    hints = "".join(
        _folded(head, f"<p>{as_code(body)}</p>")
        for head, _, body in (hint.partition(": ") for hint in _hints(explanation))
    )
    body = ""
    if example := explanation.example:
        words, values = as_code(example.told), as_code(example.values)
        body = f"<p>{words}</p><p>{example.svg}</p><p>{values}</p>"
    return f'<p id="look-{escape(explanation.cell)}"><b>What to look at</b></p>{body}{hints}'


def _hints(explanation: Explanation) -> list[str]:
    """Return hints at the likely misconception, from vague to explicit."""
    idea = explanation.misconception
    if idea is None:
        return []
    return [
        f"Where to look: {idea.area}.".replace("..", "."),
        f"The rule: {idea.principle}",
        f"What yours looks like: it behaves like {idea.behaves_like}".rstrip(".") + ".",
        f"Try by hand: {idea.example}",
    ]


def _explanations(report: Report, mark: CellMark) -> list[Explanation]:
    return [one for one in report.explanations if one.cell == mark.cell]


def _general(report: Report, mark: CellMark) -> set[str]:
    """Return the checks' hints to leave out, since the misconception is known."""
    named = any(one.misconception for one in _explanations(report, mark))
    return {check.hint for check in _checks(report, mark) if named}


def _summary(mark: CellMark) -> str:
    score = "to be marked by hand" if mark.score is None else f"{mark.score:g}"
    return f"{mark.cell}: {score} of {mark.max_score:g} points"


def _checks(report: Report, mark: CellMark) -> list[CheckResult]:
    return [check for check in report.checks if check.cell == mark.cell]


def _sign(check: CheckResult) -> str:
    return SIGNS.get(check.verdict, FAILED)[0]


def _points(check: CheckResult) -> str:
    return f"{check.points:g}/{check.max_points:g}"
