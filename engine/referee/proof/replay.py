"""Judge again what was judged: is the verdict still the same?

`again` takes a student's result from the store, with the cells and the limits of that time, and
judges it by the course as it is now. Enters nothing.
"""

from shlex import quote

import msgspec

from referee import intake
from referee.course import Assignment, CourseError, hint
from referee.intake.testcells import tests
from referee.judging import digests, pipeline, suspension
from referee.marks import entries, groups_and_extensions
from referee.model import CheckResult, Record


class Comparison(msgspec.Struct):
    """A check that was asked again; no verdict `now` where it is not asked any more.

    `same` says whether verdict and points are, `result` all that it says now. The fields are its
    JSON.
    """

    check: str
    before: str
    now: str | None
    same: bool
    result: CheckResult | None


class ReplayResult(msgspec.Struct):
    """A student's result that was judged again: the fields are its JSON.

    `edited` says whether the course is another one than that which the result was judged by.
    """

    assignment: str
    student: str
    checks: list[Comparison]
    edited: bool = False

    @property
    def same(self) -> bool:
        """Return whether all is as it was."""
        return all(one.same for one in self.checks)


def entered(assignment: Assignment, student: str) -> Record:
    """Return a student's entered result; CourseError if there is none."""
    record = entries.get(assignment.root, assignment.key, student).get(student)
    if record is None:
        students = intake.students(assignment.course, assignment.name)
        names = {*students, *entries.get(assignment.root, assignment.key)}
        advice = hint(student, names)
        owners = groups_and_extensions.owners(assignment.course, assignment.name, names)
        if student in owners:
            advice = f"; {owners[student]} has handed in for the group"
        if student in students:
            advice = f"; `referee grade {quote(assignment.name)}` judges and keeps it"
        raise CourseError(f"nothing is kept of {student} and {assignment.key}{advice}")
    return record


def again(assignment: Assignment, student: str, check: str | None = None) -> ReplayResult:
    """Judge a student's entered result again, all of it or one check, by the course as it is."""
    record = entered(assignment, student)
    checks, limits = record.report.checks, record.limits
    results = [one for one in checks if check in (None, one.id, one.id.partition("::")[2])]
    if not results:
        raise CourseError(
            f"there is no check {check} in {student}'s result; name one as it is printed by "
            f"`referee why {quote(student)} {quote(assignment.key)} --again`"
        )
    now = suspension.prepared(assignment, limits).of(student)
    folder = now.submitted(student)
    accepted = intake.accept(now, intake.collect(folder, now.notebook, now.others))
    if accepted is not None:
        now = pipeline.with_files(now, accepted, limits)
    asserts = tests(now)
    cells = [
        msgspec.structs.replace(cell, test=asserts.get(cell.test.name)) if cell.test else cell
        for cell in record.cells
    ]
    selection = pipeline.Selection(frozenset(digests.of_check(one.id) for one in results))
    judged = pipeline.judge(now, cells, limits, selection=selection)
    new_results = pipeline.as_they_count(now, judged, record.report.refused)
    by_id = {one.id: one for one in new_results}
    comparisons = []
    for old in results:
        new, same = by_id.get(old.id), False
        if new is not None:
            # Shares, since a report has them in points of the cell, as `new` is then.
            shares = [round(one.points / (one.max_points or 1), 3) for one in (old, new)]
            same = old.verdict == new.verdict and shares[0] == shares[1]
            points = new.points * old.max_points / (new.max_points or 1)
            new = msgspec.structs.replace(new, points=points, max_points=old.max_points)
        comparisons.append(Comparison(old.id, old.verdict, new.verdict if new else None, same, new))
    edited = record.course != digests.keys(assignment).course
    return ReplayResult(assignment.key, student, comparisons, edited)
