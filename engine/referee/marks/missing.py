"""Tell what marks were made with and is gone: checks, cells, results, rows of the gradebook.

What is gone may be an accident, such as a merge or a copy of half a folder; whether it was meant
only the instructor can tell. So it is a question, and no mark changes before it is answered.
"""

from collections.abc import Collection, Iterator, Mapping

from referee.course import SEED, Assignment, CourseError, draw_seed
from referee.intake import testcells
from referee.judging import cache, digests
from referee.marks import entries, grade_log
from referee.marks.gradebook import Standing
from referee.model import Record

ACCEPT = "--accept-removed"
MOST = 5
QUESTION = (
    f"put it back, or say that it is meant to be gone: `referee grade {{}} {ACCEPT}`; no mark has "
    "changed"
)


class LostError(CourseError):
    """Something is gone that marks were made with; `faults` say what, a line each."""

    def __init__(self, assignment: Assignment, faults: list[str]) -> None:
        """Say all of it in one message."""
        self.faults = [f"{fault};" for fault in faults] + [QUESTION.format(assignment.name)]
        super().__init__("\n".join(self.faults))


def expect_all(
    assignment: Assignment,
    names: Collection[str],
    records: Mapping[str, Record],
    standings: Mapping[str, Standing],
) -> None:
    """Raise a LostError for what the marks of some students were made with and is gone."""
    mine = {name: record for name, record in records.items() if name in names}
    if found := [
        *_checks(assignment, mine),
        *_rows(mine, standings),
        *_results(assignment, names, records, standings),
    ]:
        raise LostError(assignment, found)


def draw_secret(assignment: Assignment, accepted: bool = False) -> bool:
    """Give an assignment a secret if it has none; return whether it had none.

    Raises a LostError where marks were made before, unless that is `accepted`: checks draw by the
    secret, so with a new one these marks may change.
    """
    file = assignment.hidden / SEED
    if assignment.hidden.is_dir() and not file.exists() and not accepted:
        records = entries.get(assignment.root, assignment.key)
        if marked := [name for name, record in records.items() if _has_hidden_checks(record)]:
            place = file.relative_to(assignment.root)
            raise LostError(assignment, [f"{place} is gone, by which checks draw: {some(marked)}"])
    return draw_seed(assignment)


def _has_hidden_checks(record: Record) -> bool:
    """Return whether hidden checks made a mark, and not only a notebook's own asserts."""
    return any("::" in check.id for check in record.report.checks)


def _checks(assignment: Assignment, records: Mapping[str, Record]) -> Iterator[str]:
    """Yield the checks that marks were made by and that are not asked any more.

    A test cell whose asserts counted may have a hidden check now.
    """
    now = {*digests.checks(assignment), *testcells.tests(assignment)}
    now |= testcells.checked_cells(assignment)
    users: dict[str, list[str]] = {}
    for name, record in records.items():
        for check in dict.fromkeys(digests.of_check(one.id) for one in record.report.checks):
            if check not in now and testcells.short(check) not in now:
                users.setdefault(check, []).append(name)
    for check, students in users.items():
        yield f"{check} is gone, by which marks were made: {some(students)}"


def _rows(records: Mapping[str, Record], standings: Mapping[str, Standing]) -> Iterator[str]:
    """Yield whose marks were entered and are in the gradebook no more."""
    if gone := [name for name in records if name not in standings]:
        yield f"the gradebook has no marks any more that were entered there: {some(gone)}"


def _results(
    assignment: Assignment,
    names: Collection[str],
    records: Mapping[str, Record],
    standings: Mapping[str, Standing],
) -> Iterator[str]:
    """Yield whose marks are in the log and the gradebook, where nothing is kept of anybody."""
    if records:
        return
    graded = {one.student for one in grade_log.changes(assignment.root, assignment.key)}
    if gone := sorted(n for n in graded & {*names} if n in standings and standings[n].marked):
        yield (
            f"{cache.FILE} knows nothing any more of what was graded, so all of it would be judged "
            f"anew and each mark by hand be flagged: {some(gone)}"
        )


def some(students: Collection[str]) -> str:
    """Return how many students, and the first of them by name."""
    names, many = sorted(students), len(students) != 1
    more = ", ..." if len(names) > MOST else ""
    return f"{len(names)} student{'s' * many} ({', '.join(names[:MOST])}{more})"
