"""Write the feedback on a cell's checks for the student, as text and as HTML.

Shows of each check only its title, verdict, points and message. All text from a submission is
escaped.
"""

import re
from collections.abc import Iterable, Sequence
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
SYNTAX = re.compile(r"\b(SyntaxError|TabError|IndentationError)\b")
MOST_TOLD = 300  # characters of a cause in the summary
NOT_YOURS = "This check failed on our side; your teacher marks the cell by hand."
UNFOLD = f"display: list-item; cursor: pointer; padding: 2px 0; {LINK}"  # nbgrader hides the arrow
NO_FORMULAS = "referee tex2jax_ignore mathjax_ignore"  # what a student's error says is no TeX


def as_text(report: Report, mark: CellMark) -> str:
    """Return the explanation of a cell's mark as plain text: the cause first, then the checks."""
    lines = [_summary(mark), *_waits(report, mark)]
    if explained := explanation_as_text(report, mark):
        lines += [explained, ""]
    seen = _general(report, mark)
    for check in _checks(report, mark):
        lines.append(f"{_sign(check)} {check.title} [{_points(check)}]")
        lines += [f"    {line}" for line in message(check, seen).splitlines()]
    return "\n".join(lines)


def explanation_as_text(report: Report, mark: CellMark) -> str:
    """Return a cell's explanation as plain text, or ""."""
    parts = []
    for explanation in _explanations(report, mark):
        lines = _idea(explanation)
        if (example := explanation.example) and example.svg:
            lines += [line for line in (example.told, example.text, example.values) if line]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def as_html(report: Report, mark: CellMark) -> str:
    """Return the explanation of a cell's mark as HTML.

    The cause is on top: a known misconception, else the message that most points were lost for.
    The failed checks that it explains, and others, are folded; those that passed are counted.
    """
    checks, explained = _checks(report, mark), _explanations(report, mark)
    groups, seen = _groups(checks), _general(report, mark)
    cause = "".join(map(_explanation_as_html, explained))
    more = ""
    if groups and not any(map(_idea, explained)):
        if len(groups[0]) == 1:
            cause += _list([_row(groups.pop(0), checks, seen)])
            more = "more "
        else:
            cause += f'<p style="white-space: pre-wrap">{as_code(_said(groups[0][0], seen))}</p>'
    rows = _list(_row(group, checks, seen) for group in groups)
    head = f"{_counted(sum(map(len, groups)), f'{more}failed check')}: what was asked"
    passed = sum(check.verdict is Verdict.PASS for check in checks)
    right = f'<p style="{GOOD}">✓ {_counted(passed, "check")} passed</p>' * bool(passed)
    waits = "".join(f'<p style="{OPEN}">{as_code(why)}</p>' for why in _waits(report, mark))
    return (
        f'<div class="{NO_FORMULAS}"><p class="mark"><b>{escape(_summary(mark))}</b></p>{waits}'
        f'<div id="look-{escape(mark.cell)}">{cause}</div>'
        f"{_folded(head, rows) if rows else ''}{right}</div>"
    )


def outline(report: Report, mark: CellMark) -> dict[str, Any]:
    """Return a cell's entries for the summary of the page, as JSON.

    The `cause` has its place in `as_html`, the points lost, and a sentence; None if nothing is.
    """
    checks = _checks(report, mark)
    passed = sum(check.verdict is Verdict.PASS for check in checks)
    lost = sum(check.max_points for check in checks if check.verdict.lost)
    found: dict[str, Any] = {"cell": mark.cell, "checks": len(checks), "passed": passed}
    cause = {"id": f"look-{mark.cell}", "text": as_code(_cause(report, mark)), "lost": float(lost)}
    return found | {"cause": cause if lost else None}


def _cause(report: Report, mark: CellMark) -> str:
    """Return why a cell has lost points, in a sentence: the misconception, or what a check says."""
    for explanation in _explanations(report, mark):
        if idea := _idea(explanation):
            return idea[0]
    told = (group[0] for group in _groups(_checks(report, mark)) if group[0].verdict.lost)
    check = next(told, None)
    if check is None:
        return ""
    said = check.message.partition("\n")[0] or f"Not as asked: {check.title}"
    return said if len(said) <= MOST_TOLD else f"{said[:MOST_TOLD]} ..."


def _groups(checks: Sequence[CheckResult]) -> list[list[CheckResult]]:
    """Return the checks that did not pass by their messages: first what cost most points.

    An error of syntax comes before all others, and what the student did not cause after them.
    """
    found: dict[str, list[CheckResult]] = {}
    for number, check in enumerate(checks):
        if check.verdict is not Verdict.PASS:
            found.setdefault(check.message or str(number), []).append(check)

    def dearest(group: list[CheckResult]) -> tuple[bool, bool, float]:
        lost = sum(check.max_points for check in group)
        return not group[0].verdict.lost, not SYNTAX.search(group[0].message), -lost

    return sorted(found.values(), key=dearest)


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
    if check.verdict.lost and check.message and not check.unwritten:
        if check.message in seen:
            return "The same as above."
        seen.add(check.message)
    if check.verdict is not Verdict.WRONG or not check.hint or check.hint in seen:
        return check.message
    seen.add(check.hint)
    return f"{check.message}\nHint: {check.hint}".strip()


def as_code(text: str) -> str:
    """Return text as HTML, with text in backticks as code."""
    return CODE.sub(r"<code>\1</code>", escape(text))


def _row(group: list[CheckResult], checks: list[CheckResult], seen: set[str]) -> str:
    """Return the checks with one message as an item of a list, and the hint if it is one check."""
    heads = []
    for check in group:
        sign, colour = SIGNS.get(check.verdict, FAILED)
        heads.append(
            f'<div id="check-{escape(check.cell)}-{checks.index(check)}"><span style="{colour}">'
            f"{sign} {escape(check.verdict)}</span> {as_code(check.title)} ({_points(check)})</div>"
        )
    words = as_code(_said(group[0], seen) if len(group) > 1 else message(group[0], seen))
    more = f'<div style="white-space: pre-wrap; {SOFT}">{words}</div>' if words else ""
    return f'<li style="margin: 0.5em 0">{"".join(heads)}{more}</li>'


def _said(check: CheckResult, seen: set[str]) -> str:
    """Return what all checks of a group say, once; their hints are about each, and left out."""
    seen.add(check.hint)
    return message(check, seen) if check.message not in seen else ""


def _list(rows: Iterable[str]) -> str:
    items = "".join(rows)
    return f'<ul style="list-style: none; padding: 0; margin: 0.5em 0">{items}</ul>' * bool(items)


def _folded(head: str, body: str) -> str:
    return f'<details><summary style="{UNFOLD}">{escape(head)}</summary>{body}</details>'


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _explanation_as_html(explanation: Explanation) -> str:
    """Return an explanation as HTML: the misconception, then the example."""
    idea = [f"<p>{as_code(line)}</p>" for line in _idea(explanation)]
    body = ""
    if (example := explanation.example) and example.svg:
        parts = as_code(example.told), example.svg, as_code(example.values)
        body = "".join(f"<p>{part}</p>" for part in parts if part)
    return f"<p><b>What to look at</b></p>{''.join(idea)}{body}"


def _idea(explanation: Explanation) -> list[str]:
    """Return the likely misconception in sentences: how it behaves, the rule, what to try.

    An example without a picture says itself what happened; only without one there is need to try.
    """
    idea, example = explanation.misconception, explanation.example
    told = [example.told] if example and not example.svg else []
    if idea is None:
        return told
    behaves = f"It behaves like {idea.behaves_like}".rstrip(".") + "."
    more = [] if example else [f"Try by hand: {idea.example}"]
    return [*(told or [behaves]), f"The rule: {idea.principle}", *more]


def _explanations(report: Report, mark: CellMark) -> list[Explanation]:
    return [one for one in report.explanations if one.cell == mark.cell]


def _general(report: Report, mark: CellMark) -> set[str]:
    """Return the checks' hints to leave out, since the misconception is known."""
    named = any(map(_idea, _explanations(report, mark)))
    return {check.hint for check in _checks(report, mark) if named}


def _waits(report: Report, mark: CellMark) -> list[str]:
    """Return the reasons why a human has to decide, each once."""
    return list(dict.fromkeys(one.waits for one in _checks(report, mark) if one.waits))


def _summary(mark: CellMark) -> str:
    score = "to be marked by hand" if mark.score is None else f"{mark.score:g}"
    return f"{mark.cell}: {score} of {mark.max_score:g} points"


def _checks(report: Report, mark: CellMark) -> list[CheckResult]:
    return [check for check in report.checks if check.cell == mark.cell]


def _sign(check: CheckResult) -> str:
    return SIGNS.get(check.verdict, FAILED)[0]


def _points(check: CheckResult) -> str:
    return f"{check.points:g}/{check.max_points:g}"
