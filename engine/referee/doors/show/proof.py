"""Print what an audit has found of the hidden checks."""

from collections import Counter

from rich.console import Console

from referee.commands.terminal import say, say_whether
from referee.marks import feedback
from referee.proof import audit, bank

UNCHANGED = "How good the checks are is not known: the solution has no function to change."


def audited(console: Console, result: audit.AuditResult, secrets: int, messages: bool) -> None:
    """Print the results of an audit with so many `secrets`.

    `messages` says whether what students would read of each solution is shown.
    """
    for finding in result.solutions:
        _finding(console, finding, messages)
    counts = Counter(finding.kind for finding in result.solutions)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in bank.FOLDERS)
    bad = sum(bool(finding.problems) for finding in result.solutions)
    say(console, f"{kinds}: {bad} with a problem.")
    if result.mutants:
        caught = result.mutants - len(result.survivors)
        text = f"{caught} of {result.mutants} mutants are caught"
        say_whether(console, not result.survivors, text, "yellow")
    elif result.mutants == 0 and not result.gaps:
        say(console, UNCHANGED, "yellow")
    for name, lines in {} if result.gaps else result.survivors.items():
        cell = name.partition(":")[0]
        say(
            console, "\n        ".join([f"    {name}: no check of {cell} sees this change", *lines])
        )
    for line in (*result.faults, *result.gaps, *result.moved):  # last: what to mend first
        say_whether(console, False, line)
    if secrets > 1:
        say(console, f"{secrets} secrets: {len(result.moved)} verdicts move.")


def _finding(console: Console, finding: audit.Finding, messages: bool) -> None:
    """Print a solution of the bank: what it loses, the faults in that, and the messages."""
    lost = [check for check in finding.checks if check.verdict.lost]
    count = len(finding.checks)
    text = f"{finding.solution} passes {count - len(lost)} of {count} checks"
    if finding.lost:
        text += f" and loses {finding.lost:.0%} of its cell"
    say_whether(console, not finding.problems, text)
    for problem in finding.problems:
        say(console, f"    {finding.solution}: {problem}")
    for group, why in feedback.reasons(lost, []) if messages else ():
        told = "\n      ".join([group[0].title, *why.splitlines(), *feedback.and_more(group)])
        say(console, f"    ✗ {told}")
