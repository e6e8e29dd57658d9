"""Print tests of the hidden checks: an audit, and an assignment that is being written."""

from collections import Counter
from collections.abc import Sized

from rich.console import Console

from referee.doors.show import say, say_whether
from referee.marks import feedback
from referee.model import Verdict
from referee.proof import audit, bank
from referee.proof.trial import Trial

UNCHANGED = "How good the checks are is not known: the solution has no function to change."
LOSING = ("wrong", "crash", "loop", bank.MUTANT)
LETTERS: dict[str, str] = dict(zip(Verdict, "·XETCMKI!-~?", strict=True))  # of an audit's table


def audited(console: Console, result: audit.AuditResult, secrets: int) -> None:
    """Print the results of an audit; `secrets` is the number of secrets that were tried."""
    findings = result.solutions
    _matrix(console, findings)
    for finding in findings:
        for problem in finding.problems:
            say(console, f"{finding.solution}: {problem}")
    counts = Counter(finding.kind for finding in findings)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in bank.FOLDERS)
    bad = sum(bool(finding.problems) for finding in findings)
    say(console, f"{kinds}: {bad} with a problem.")
    made = [finding for finding in findings if finding.kind == bank.MUTANT]
    free = [finding.solution for finding in made if not finding.lost]
    if made:
        say(console, f"{len(made)} mutants, of which {len(free)} lose nothing:")
        say(console, "\n".join(f"  {name}" for name in free))
    for line in (*result.gaps, *result.moved):
        say(console, line)
    if secrets > 1:
        say(console, f"{secrets} secrets: {len(result.moved)} verdicts move.")


def _matrix(console: Console, findings: list[audit.Finding]) -> None:
    """Print a table of the solutions that each check caught, a column for each check.

    Before the columns stand a solution's weight and the share of its cell that it loses.
    """
    ids, rows = audit.matrix(findings)
    told = {finding.solution: _share(finding) for finding in findings}
    width = max((len(finding.solution) for finding in findings), default=0)
    aside = max(map(len, told.values()), default=0)
    for name, verdicts in rows:
        letters = "".join(" " if verdict is None else LETTERS[verdict] for verdict in verdicts)
        say(console, f"{name:{width}}  {told[name]:{aside}}  {letters}")
    for number, name in enumerate(ids, start=1):
        say(console, f"  column {number}: {name}")
    legend = "   ".join(f"{letter} {verdict}" for verdict, letter in LETTERS.items())
    say(console, f"  {legend}")


def _share(finding: audit.Finding) -> str:
    """Return a solution's weight and the share of its cell that it loses, as far as known."""
    lost = "" if finding.lost is None else f"{finding.lost:4.0%}"
    return f"{finding.fields.get('Weight', ''):7} {lost:4}" if finding.kind in LOSING else ""


def faults(console: Console, assignment: str, lines: list[str]) -> None:
    """Print the faults in the files of an assignment."""
    for line in lines:
        say(console, line)
    say(console, f"{assignment}: {len(lines) or 'no'} faults.")


def trial(console: Console, result: Trial) -> None:
    """Print the results of testing an assignment that is being written."""
    lost = [check for check in result.reference if check.verdict is not Verdict.PASS]
    say_whether(console, not lost, f"the reference passes {_of(result.reference, lost)} checks")
    for check in lost:
        say(console, f"    {check.id}: {check.message} {check.details}")
    for finding in result.findings:
        _finding(console, finding)
    if result.mutants:
        caught = f"{result.mutants - len(result.survivors)} of {result.mutants} mutants are caught"
        say_whether(console, not result.survivors, caught, "yellow")
    elif not lost and not result.gaps:
        say(console, UNCHANGED, "yellow")
    for mutant, lines in () if result.gaps else result.survivors:
        text = f"    {mutant.name}: no check of {mutant.cell} sees this change"
        say(console, "\n        ".join([text, *lines]))
    for gap in result.gaps:  # last, since they are what to mend first
        say_whether(console, False, gap)


def _of(everything: Sized, lost: Sized) -> str:
    return f"{len(everything) - len(lost)} of {len(everything)}"


def _finding(console: Console, finding: audit.Finding) -> None:
    """Print a solution of the bank: the faults in its result, or the student's messages."""
    lost = [check for check in finding.checks if check.verdict.lost]
    passes = f"passes {_of(finding.checks, lost)} checks"
    said = "; ".join(finding.problems) or passes
    say_whether(console, not finding.problems, f"{finding.solution} {said}")
    seen: set[str] = set()
    for check in lost:
        text = f"{check.title}\n{feedback.message(check, seen)}".strip().replace("\n", "\n      ")
        say(console, f"    ✗ {text}")
