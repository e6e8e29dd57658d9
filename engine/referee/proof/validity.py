"""Show which mistakes each hidden check catches: the section of an assignment in a page.

An instructor shows it to a student who objects. It is made of what an audit has found, with the
draws of its first secret; what other secrets change is said below the table.
"""

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from referee.judging.digests import of_check
from referee.proof.audit import Finding, moved
from referee.proof.bank import FOLDERS, WEIGHTS

MISTAKES = ("wrong", "crash", "loop")
HEAD = """| check | points | it asks | catches | and nothing else does |
|---|---|---|---|---|"""
SHARES = """| cell | slips lose | mistakes lose | void ones lose |
|---|---|---|---|"""


def section(name: str, told: Mapping[str, Mapping[str, Any]], rounds: list[list[Finding]]) -> str:
    """Return the section of an assignment in Markdown; `told` is what the markers say."""
    findings = sorted(rounds[0], key=lambda finding: finding.solution)
    counts = [(sum(one.kind == kind for one in findings), kind) for kind in FOLDERS]
    moving = moved(rounds)
    lines = [
        f"## {name}",
        "",
        f"{', '.join(f'{count} {kind}' for count, kind in counts)}: {len(findings)} solutions. "
        f"Secrets tried: {len(rounds)}. Verdicts that another secret changes: {len(moving)}.",
        "",
        HEAD,
        *_rows(told, findings),
        *_shares(told, findings),
        *(["", *(f"* {line}" for line in moving)] if moving else []),
    ]
    return "\n".join(lines) + "\n"


def _rows(told: Mapping[str, Mapping[str, Any]], findings: Sequence[Finding]) -> list[str]:
    """Return a row for each check: how many mistakes it catches, and which it alone catches."""
    lost = {
        one.solution: {of_check(check.id) for check in one.checks if check.verdict.lost}
        for one in findings
        if one.kind in MISTAKES
    }
    titles = {of_check(check.id): check.title for one in findings for check in one.checks}
    rows = []
    for check, marker in told.items():
        caught = [name for name, checks in lost.items() if check in checks]
        alone = [name for name in caught if lost[name] == {check}]
        named = ", ".join(f"`{name}`" for name in alone)
        title = titles.get(check, "").replace("|", "\\|")
        short = check.partition("::")[2]
        rows.append(f"| `{short}` | {marker['points']:g} | {title} | {len(caught)} | {named} |")
    return rows


def _shares(told: Mapping[str, Mapping[str, Any]], findings: Sequence[Finding]) -> list[str]:
    """Return a table of which shares of a cell its wrong solutions lose, by their weight."""
    weighed = [one for one in findings if "Weight" in one.fields]
    if not weighed:
        return []
    lost = defaultdict[tuple[str, str], list[float]](list)
    for one in weighed:
        if one.lost is not None:
            lost[one.fields["Cell"], one.fields["Weight"]].append(one.lost)
    cells = dict.fromkeys(marker["cell"] for marker in told.values())
    rows = [
        f"| `{cell}` | {' | '.join(_spread(lost[cell, weight]) for weight in WEIGHTS)} |"
        for cell in cells
    ]
    excused = [
        f"* `{one.solution}`, a {one.fields['Weight']}, loses {one.lost or 0:.0%}: "
        f"{one.fields['Exception']}"
        for one in weighed
        if "Exception" in one.fields
    ]
    head = ["", "More or less than others of their weight lose, with a reason:", ""]
    return ["", SHARES, *rows, *(head if excused else []), *excused]


def _spread(shares: Sequence[float]) -> str:
    """Return the least, the middle and the largest share, and of how many."""
    if not shares:
        return ""
    least, middle, most = min(shares), statistics.median(shares), max(shares)
    return f"{least:.0%}, {middle:.0%}, {most:.0%} ({len(shares)})"


def merged(page: str, name: str, text: str) -> str:
    """Return a page in which the section of an assignment is new; it is added if there is none."""
    head, *sections = f"\n{page}".split("\n## ")
    others = [one for one in sections if one.partition("\n")[0] != name]
    mine = text.removeprefix("## ")
    parts = [head.strip(), *(f"## {one.strip()}" for one in sorted([*others, mine]))]
    return "\n\n".join(parts) + "\n"
