"""Say what became of a cell's checks, for the student: as text and as HTML.

Shows the title of each check, its verdict, points and message, and nothing else of it. Everything
that comes from a submission is escaped.
"""

import re
from html import escape

from referee.model import CellMark, CheckResult, Explanation, Report, Verdict

CODE = re.compile("`([^`\n]+)`")
SIGNS = {  # and their colours
    Verdict.PASS: ("✓", "#1a7f37"),
    Verdict.NOT_RUN: ("–", "#6e7781"),
    Verdict.UNCLEAR: ("?", "#9a6700"),
    Verdict.REFEREE_ERROR: ("?", "#9a6700"),
}
LOST = ("✗", "#cf222e")
NOT_YOURS = "This check failed on our side; your teacher marks the cell by hand."
UNFOLD = "display: list-item; cursor: pointer; color: #0550ae"  # nbgrader's page hides the arrow
NO_FORMULAS = "referee tex2jax_ignore mathjax_ignore"  # what a student's error says is no TeX


def as_text(report: Report, mark: CellMark) -> str:
    """Return the explanation of a cell's mark as plain text."""
    lines = [_summary(mark)]
    seen: set[str] = set()
    for check in _checks(report, mark):
        lines.append(f"{_sign(check)} {check.title} [{_points(check)}]")
        lines += [f"    {line}" for line in message(check, seen).splitlines()]
    if explained := explanation_as_text(report, mark):
        lines += ["", explained]
    return "\n".join(lines)


def explanation_as_text(report: Report, mark: CellMark) -> str:
    """Return what to look at in a cell as plain text, or nothing."""
    parts = []
    for explanation in _explanations(report, mark):
        lines = _hints(explanation)
        if example := explanation.example:
            lines += [line for line in (example.told, example.text, example.values) if line]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def as_html(report: Report, mark: CellMark) -> str:
    """Return the explanation of a cell's mark as HTML."""
    seen: set[str] = set()
    rows = "".join(_row(check, seen) for check in _checks(report, mark))
    more = "".join(map(_explanation_as_html, _explanations(report, mark)))
    head = "<tr><th></th><th>Check</th><th>Points</th></tr>"
    return (
        f'<div class="{NO_FORMULAS}"><p><b>{escape(_summary(mark))}</b></p>{more}'
        '<table style="text-align: left; width: 100%; margin-top: 0.8em">'
        f"{head}{rows}</table></div>"
    )


def repairs_as_text(report: Report) -> str:
    """Return what was put right in the file that was handed in, a line each, or nothing."""
    refused = [] if report.refused is None else [f"The file could not be read: {report.refused}."]
    return "\n".join([*refused, *(f"Repaired: {repair}." for repair in report.repairs)])


def message(check: CheckResult, seen: set[str]) -> str:
    """Return what the student reads of a check, without the hints that were `seen` before."""
    if check.verdict.open:
        return NOT_YOURS
    if not check.hint or check.hint in seen:
        return check.message
    seen.add(check.hint)
    return f"{check.message}\nHint: {check.hint}".strip()


def as_code(text: str) -> str:
    """Return text as HTML, with what stands in backticks as code."""
    return CODE.sub(r"<code>\1</code>", escape(text))


def _row(check: CheckResult, seen: set[str]) -> str:
    sign, colour = SIGNS.get(check.verdict, LOST)
    words = as_code(message(check, seen))
    style = "white-space: pre-wrap; color: #57606a; margin: 0 0 0.6em 0"
    more = f'<div style="{style}">{words}</div>' if words else ""
    return (
        f'<tr style="vertical-align: top"><td style="color: {colour}; width: 7em; '
        f'text-align: left">{sign} {escape(check.verdict)}</td>'
        f'<td style="text-align: left">{as_code(check.title)}{more}</td>'
        f'<td style="text-align: left; width: 5em">{_points(check)}</td></tr>'
    )


def _explanation_as_html(explanation: Explanation) -> str:
    """Return an explanation as HTML: hints to unfold one after the other, then the example."""
    hints = "".join(
        f'<details><summary style="{UNFOLD}">{escape(head)}</summary>'
        f"<p>{as_code(body)}</p></details>"
        for head, _, body in (hint.partition(": ") for hint in _hints(explanation))
    )
    body = ""
    if example := explanation.example:
        words, values = as_code(example.told), as_code(example.values)
        body = f"<p>{words}</p><p>{example.svg}</p><p>{values}</p>"
    return f"<h4>What to look at</h4>{body}{hints}"


def _hints(explanation: Explanation) -> list[str]:
    """Return what is known of the likely misconception, from a nudge to plain words."""
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


def _summary(mark: CellMark) -> str:
    score = "to be marked by hand" if mark.score is None else f"{mark.score:g}"
    return f"{mark.cell}: {score} of {mark.max_score:g} points"


def _checks(report: Report, mark: CellMark) -> list[CheckResult]:
    return [check for check in report.checks if check.cell == mark.cell]


def _sign(check: CheckResult) -> str:
    return SIGNS.get(check.verdict, LOST)[0]


def _points(check: CheckResult) -> str:
    return f"{check.points:g}/{check.max_points:g}"
