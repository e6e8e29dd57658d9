"""Write the feedback on a cell's checks for the student, as text and as HTML.

Shows of each check only its title, verdict, points and message. All text from a submission is
escaped.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from referee.model import CellMark, CheckResult, Explanation, Report, Verdict, counted

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
LONGEST_CAUSE = 300  # characters of a cause in the summary
NOT_YOURS = "This check failed on our side; your teacher marks the cell by hand."
UNFOLD = f"display: list-item; cursor: pointer; padding: 2px 0; {LINK}"  # nbgrader hides the arrow
NO_FORMULAS = "referee tex2jax_ignore mathjax_ignore"  # what a student's error says is no TeX


def as_text(report: Report, mark: CellMark) -> str:
    """Return the explanation of a cell's mark as plain text: the cause first, then the checks."""
    checks = _checks(report, mark)
    lines = [_summary(mark), *_waits(checks)]
    if explanation := explanation_as_text(report, mark):
        lines += [explanation, ""]
    passes = [([check], "") for check in checks if check.verdict is Verdict.PASS]
    for group, why in [*reasons(checks, _idea(report, mark)), *passes]:
        sign, _ = SIGNS.get(group[0].verdict, FAILED)
        lines.append(f"{sign} {group[0].title} [{_points(group[0])}]")
        lines += [f"    {line}" for line in [*why.splitlines(), *and_more(group)]]
    return "\n".join(lines)


def explanation_as_text(report: Report, mark: CellMark) -> str:
    """Return a cell's explanation as plain text, or ""."""
    lines, example = _idea(report, mark), _explanation(report, mark).example
    if example and example.svg:
        lines += [line for line in (example.told, example.text, example.values) if line]
    return "\n".join(lines)


def as_html(report: Report, mark: CellMark) -> str:
    """Return the explanation of a cell's mark as HTML.

    The cause is on top: a known misconception, else the message that most points were lost for.
    The failed checks that it explains, and others, are folded; those that passed are counted.
    """
    checks, idea = _checks(report, mark), _idea(report, mark)
    groups, more = reasons(checks, idea), ""
    parts, example = [as_code(line) for line in idea], _explanation(report, mark).example
    if example and example.svg:
        parts += [as_code(example.told), example.svg, as_code(example.values)]
    paragraphs = "".join(f"<p>{part}</p>" for part in parts if part)
    cause = f"<p><b>What to look at</b></p>{paragraphs}" if paragraphs else ""
    if groups and not idea:
        (group, why), *others = groups
        if len(group) == 1:
            cause += _list([_row(group, why)])
            groups, more = others, "more "
        else:
            cause += f'<p style="white-space: pre-wrap">{as_code(why)}</p>'
            groups = [(group, ""), *others]
    rows = _list(_row(group, why) for group, why in groups)
    title = counted(sum(len(group) for group, _ in groups), f"{more}failed check")
    head = f'<summary style="{UNFOLD}">{escape(title)}: what was asked</summary>'
    details = f"<details>{head}{rows}</details>" if rows else ""
    passes = sum(check.verdict is Verdict.PASS for check in checks)
    right = f'<p style="{GOOD}">✓ {counted(passes, "check")} passed</p>' * bool(passes)
    waits = "".join(f'<p style="{OPEN}">{as_code(why)}</p>' for why in _waits(checks))
    return (
        f'<div class="{NO_FORMULAS}"><p class="mark"><b>{escape(_summary(mark))}</b></p>{waits}'
        f'<div id="look-{escape(mark.cell)}">{cause}</div>'
        f"{details}{right}</div>"
    )


def outline(report: Report, mark: CellMark) -> dict[str, Any]:
    """Return a cell's entries for the summary of the page, as JSON.

    The `cause` has its place in `as_html`, the points lost, and a sentence: the misconception, or
    what a check says; None if nothing is lost.
    """
    checks, sentence = _checks(report, mark), ""
    if idea := _idea(report, mark):
        sentence = idea[0]
    elif losses := [one for one in reasons(checks, []) if one[0][0].verdict.lost]:
        (check, *_), why = losses[0]
        sentence = why.partition("\n")[0] if check.message else f"Not as asked: {check.title}"
        sentence = sentence if len(sentence) <= LONGEST_CAUSE else f"{sentence[:LONGEST_CAUSE]} ..."
    passes = sum(check.verdict is Verdict.PASS for check in checks)
    loss = sum(check.max_points for check in checks if check.verdict.lost)
    entries: dict[str, Any] = {"cell": mark.cell, "checks": len(checks), "passed": passes}
    cause = {"id": f"look-{mark.cell}", "text": as_code(sentence), "lost": float(loss)}
    return entries | {"cause": cause if loss else None}


def reasons(
    checks: Sequence[CheckResult], idea: Sequence[str]
) -> list[tuple[list[CheckResult], str]]:
    """Return the checks that did not pass by their reason, each group with what a student reads.

    Errors at one line of the student's have one reason. A cell that failed comes first, then what
    cost most points, and last what the student did not cause. A hint is about a wrong answer of
    which no more is known: neither an `idea` of the mistake, nor a reason that several checks have.
    """
    by_reason: dict[str, list[CheckResult]] = {}
    for number, check in enumerate(checks):
        if check.verdict is not Verdict.PASS:
            line = check.message.rpartition("\n")[2]
            where = line if check.verdict is Verdict.ERROR and line.startswith("  at ") else ""
            reason = check.cause or where or check.message or str(number)
            by_reason.setdefault(NOT_YOURS if check.verdict.open else reason, []).append(check)

    def dearest(group: list[CheckResult]) -> tuple[bool, bool, float]:
        first, loss = group[0], sum(check.max_points for check in group)
        return not first.verdict.lost, not (first.cause or SYNTAX.search(first.message)), -loss

    groups, hints = list[tuple[list[CheckResult], str]](), {""}
    for group in sorted(by_reason.values(), key=dearest):
        first, parts = group[0], [group[0].cause, group[0].message]
        is_answer = first.verdict is Verdict.WRONG and not first.cause
        if is_answer and len(group) == 1 and not idea and first.hint not in hints:
            hints.add(first.hint)
            parts.append(f"Hint: {first.hint}")
        why = NOT_YOURS if first.verdict.open else "\n".join(filter(None, parts))
        groups.append((group, why))
    return groups


def and_more(group: Sequence[CheckResult]) -> list[str]:
    """Return a line on the checks that did not pass for the same reason as the first, if any."""
    return [f"and {len(group) - 1} more for the same reason"] if len(group) > 1 else []


def repairs_as_text(report: Report) -> str:
    """Return a line for each repair of the submitted file, or ""."""
    refused = [] if report.refused is None else [f"The file could not be read: {report.refused}."]
    return "\n".join([*refused, *(f"Repaired: {repair}." for repair in report.repairs)])


def as_code(text: str) -> str:
    """Return text as HTML, with text in backticks as code."""
    return CODE.sub(r"<code>\1</code>", escape(text))


def _row(group: list[CheckResult], why: str) -> str:
    """Return the checks of one reason as an item of a list, and the reason."""
    heads = []
    for check in group:
        sign, colour = SIGNS.get(check.verdict, FAILED)
        heads.append(
            f'<div><span style="{colour}">{sign} {escape(check.verdict)}</span> '
            f"{as_code(check.title)} ({_points(check)})</div>"
        )
    more = f'<div style="white-space: pre-wrap; {SOFT}">{as_code(why)}</div>' if why else ""
    return f'<li style="margin: 0.5em 0">{"".join(heads)}{more}</li>'


def _list(rows: Iterable[str]) -> str:
    items = "".join(rows)
    return f'<ul style="list-style: none; padding: 0; margin: 0.5em 0">{items}</ul>' * bool(items)


def _explanation(report: Report, mark: CellMark) -> Explanation:
    """Return the explanation of a cell, or an empty one; a cell has at most one."""
    explanations = (one for one in report.explanations if one.cell == mark.cell)
    return next(explanations, Explanation(mark.cell))


def _idea(report: Report, mark: CellMark) -> list[str]:
    """Return the likely misconception in sentences: how it behaves, the rule, what to try.

    An example without a picture says itself what happened; only without one there is need to try.
    It is empty if no misconception is known.
    """
    explanation = _explanation(report, mark)
    idea, example = explanation.misconception, explanation.example
    sentences = [example.told] if example and not example.svg else []
    if idea is None:
        return sentences
    behaves = f"It behaves like {idea.behaves_like}".rstrip(".") + "."
    more = [] if example else [f"Try by hand: {idea.example}"]
    return [*(sentences or [behaves]), f"The rule: {idea.principle}", *more]


def _waits(checks: Sequence[CheckResult]) -> list[str]:
    """Return the reasons why a human has to decide, each once."""
    return list(dict.fromkeys(one.waits for one in checks if one.waits))


def _summary(mark: CellMark) -> str:
    score = "to be marked by hand" if mark.score is None else f"{round(mark.score, 2):g}"
    return f"{mark.cell}: {score} of {mark.max_score:g} points"


def _checks(report: Report, mark: CellMark) -> list[CheckResult]:
    return [check for check in report.checks if check.cell == mark.cell]


def _points(check: CheckResult) -> str:
    return f"{check.points:g}/{check.max_points:g}"
