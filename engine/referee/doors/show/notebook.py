"""Print the report on one notebook, and the verdicts when it is judged again."""

from rich.console import Console

from referee.doors.show import say
from referee.marks import feedback
from referee.model import Report
from referee.proof.replay import ReplayResult


def report(console: Console, report: Report) -> None:
    """Print the report on a notebook."""
    if repairs := feedback.repairs_as_text(report):
        say(console, repairs, "yellow")
    for failure in report.failures:
        say(console, f"While the notebook ran, {failure}", "red")
    for mark in report.cells:
        say(console, f"{feedback.as_text(report, mark)}\n")
    say(console, isolation(len(report.isolation)))
    console.print(
        f"[bold]{report.score:g} of {report.max_score:g} points[/] without a human's help."
    )


def isolation(layers: int) -> str:
    """Print the number of layers of isolation; `referee doctor` lists them."""
    return f"sandboxed: {layers} layers" if layers else "not sandboxed"


def why(console: Console, result: ReplayResult) -> None:
    """Print the verdict of each check that was judged again; a single check in full."""
    for one in result.checks:
        verdict = one.now or "not asked any more"
        say(console, f"{'=' if one.same else '≠'} {one.check}: {one.before} -> {verdict}")
        if one.result is not None and len(result.checks) == 1:
            texts = one.result.title, one.result.message, one.result.hint, one.result.details
            say(console, "\n".join(texts).strip())
    changed = sum(not one.same for one in result.checks)
    say(console, f"{len(result.checks)} judged again, {changed} changed.")
