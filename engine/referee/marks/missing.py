"""Find what marks depend on and is missing: the secret, checks, results, gradebook rows.

It may be missing by accident, for example after a merge or an incomplete copy. Only the instructor
can say whether it is meant, so no mark changes before the instructor does.
"""

import secrets
from collections.abc import Collection, Mapping
from shlex import quote

from referee.course import SEED, Assignment, CourseError, make_private
from referee.intake import testcells
from referee.judging import cache, digests
from referee.marks import entries, files, grade_log
from referee.marks.standings import Standing, some
from referee.model import Record

ACCEPT = "--accept-removed"
QUESTION = (
    f"put it back, or say that it is meant to be gone: `referee grade {{}} {ACCEPT}`; no mark has "
    "changed"
)
GONE = "{} is gone, but marks depend on it: {}"
MADE = (
    "{} was made: what hidden checks draw depends on this secret. Keep it with your marks and show "
    "it to nobody; other copies of the course need the same."
)


def make_secret(assignment: Assignment, accepted: bool = False) -> str:
    """Make the secret that checks draw from if there is none; return a sentence about it, or "".

    Raises a CourseError if marks depend on one that is gone, unless that is `accepted`.
    """
    place = assignment.hidden / SEED
    if not assignment.hidden.is_dir() or (place.exists() and place.stat().st_size):
        return ""
    file = place.relative_to(assignment.root)
    records = entries.get(assignment.root, assignment.key)
    users = [name for name, one in records.items() if any("::" in c.id for c in one.report.checks)]
    if users and not accepted:
        raise _question(assignment, [GONE.format(file, some(users))])
    make_private(place)
    files.save(place, f"{secrets.token_hex(16)}\n".encode())
    return MADE.format(file)


def expect_all(
    assignment: Assignment,
    names: Collection[str],
    records: Mapping[str, Record],
    standings: Mapping[str, Standing],
) -> None:
    """Raise a CourseError if anything is missing that the marks of `names` depend on."""
    known_checks = {*digests.checks(assignment), *testcells.tests(assignment)}
    known_checks |= testcells.checked_cells(assignment)  # a test cell that has got a hidden check
    selection = {name: record for name, record in records.items() if name in names}
    users: dict[str, list[str]] = {}
    for name, record in selection.items():
        scores = standings[name].scores if name in standings else record.report.scores
        cells = {one.cell for one in record.report.cells if scores.get(one.grade_id) is not None}
        checks = (one.id for one in record.report.checks if one.cell in cells)
        for check in dict.fromkeys(map(digests.of_check, checks)):
            if check not in known_checks and testcells.short(check) not in known_checks:
                users.setdefault(check, []).append(name)
    faults = [GONE.format(check, some(students)) for check, students in users.items()]
    if who := selection.keys() - standings.keys():
        faults.append(f"the gradebook has no marks any more that were entered there: {some(who)}")
    graded_names = {one.student for one in grade_log.changes(assignment.root, assignment.key)}
    marked_names = {name for name, one in standings.items() if one.marked and name in names}
    if not records and (lost_names := graded_names & marked_names):
        faults.append(
            f"{cache.FILE} has lost all results, so everything would be judged again "
            f"and each mark by hand be flagged: {some(lost_names)}"
        )
    if faults:
        raise _question(assignment, faults)


def _question(assignment: Assignment, faults: list[str]) -> CourseError:
    """Return the error for what is missing, which asks whether that is meant."""
    first, *others = [f"{fault};" for fault in faults]
    return CourseError(first, [*others, QUESTION.format(quote(assignment.name))])
