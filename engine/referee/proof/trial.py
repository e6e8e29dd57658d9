"""Try an assignment out while it is being written: reference, bank and mutants, in one pass.

All of it is judged as submissions are, and what is kept is not judged again. Mutants of the
reference that pass every check show what the checks do not see; some of them may be no mistakes.
"""

from collections.abc import Callable
from typing import NamedTuple

from referee.course import Assignment
from referee.intake.mutants import Mutant, changed
from referee.judging import suspension
from referee.model import CheckResult, Limits, Verdict
from referee.proof import audit, bank, mutants
from referee.proof.audit import Finding

PASS = Verdict.PASS


class Trial(NamedTuple):
    """What became of the reference's checks and of the bank, what is missing in it, and mutants.

    `survivors` are the mutants that pass all checks, each with the lines that it changes.
    """

    reference: list[CheckResult]
    findings: list[Finding]
    gaps: list[str]
    mutants: int
    survivors: list[tuple[Mutant, list[str]]]

    @property
    def good(self) -> bool:
        """Return whether the assignment can be given to a class; survivors are for an author."""
        return not self.gaps and not any(finding.problems for finding in self.findings)


def run(
    assignment: Assignment, limits: Limits, processes: int, say: Callable[[str], None]
) -> Trial:
    """Judge everything; `say` is told what is judged at the moment."""
    say("the reference")
    assignment = suspension.prepared(assignment, limits)
    results = suspension.results(assignment, limits)
    solutions = bank.read_all(assignment)
    say(f"{len(solutions)} solutions of the bank")
    findings = [*audit.audit(assignment, solutions, limits, processes)]
    findings.sort(key=lambda finding: finding.solution)
    gaps = audit.gaps(assignment, limits)
    if any(check.verdict is not PASS for check in results):
        return Trial(results, findings, gaps, 0, [])
    made = {mutant.name: mutant for mutant in mutants.of_reference(assignment)}
    say(f"{len(made)} mutants of the reference")
    same = mutants.unchanged(assignment)
    jobs = mutants.jobs(assignment, [*same, *made.values()], limits)
    found = dict(audit.judge_all(assignment, jobs, processes, lambda _, one: audit.is_sure(one)))
    if lost := [check for one in same for check in found[one.name] if check.verdict is not PASS]:
        gaps += [audit.UNCHANGED.format(one.id, one.message or one.verdict) for one in lost]
        return Trial(results, findings, gaps, 0, [])
    sources = mutants.solutions(assignment)
    survivors = [
        (one, changed(sources[one.cell], one))
        for name, one in made.items()
        if not any(check.verdict.lost for check in found[name])
    ]
    return Trial(results, findings, gaps, len(made), survivors)
