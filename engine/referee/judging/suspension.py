"""Run the checks on the reference solution first, and suspend those that it does not pass.

Every command prepares an assignment here before it judges a submission.
"""

import re
from collections.abc import Iterable

from referee import intake
from referee.course import Assignment, CourseError
from referee.intake import testcells
from referee.judging import denials, pipeline
from referee.model import CheckResult, Judged, Limits, Reference, Verdict
from referee.sandbox.outside import importable, server

ACCIDENT = (
    "the instructor's notebook of {} could not be asked, since {} was stopped: {}; no mark has "
    "changed. The machine may be short of memory or stand still: run this again"
)
UNSEEN = (
    "{0} is set in the hidden region of the test cell {1}, and later tests do not find what is set "
    "there: set it in the cell above the region"
)
NAME = re.compile(r"name '(\w+)' is not defined")
FOR_NOTHING = (
    "{0} gives {2} points for the notebook of {1} as it was released, so everybody gets them; make "
    "it fail there"
)
ASK = ": ask what only the solution answers, as in `assert student.f(3) == 9`"


def prepared(assignment: Assignment, limits: Limits) -> Assignment:
    """Return the assignment with the results of its checks on the instructor's notebook.

    Stored results are not judged again. Raises CourseError if a check names a cell that is not in
    the notebook, and if an accident prevents a result. One with a reference is prepared already.
    """
    if assignment.reference is not None:
        return assignment
    server.warm(limits, assignment.subject)  # whose folder is this process's, not a worker's
    judged = of_reference(assignment, limits)
    runs, checks = judged.runs or [], judged.results
    accidents = [
        ("one of its cells", one.error) for one in runs if one.stopped and one.stopped.accident
    ]
    accidents += [(one.id, one.message) for one in checks if one.verdict.accident]
    for accident in accidents:
        raise CourseError(ACCIDENT.format(assignment.key, *accident))
    unknown = misspelt(assignment, (check.cell for check in checks))
    for check in checks:
        if "::" in check.id and (message := unknown.get(check.cell)):
            raise CourseError(f"tests/hidden/{assignment.key}/{check.id}: {message}")
    objects = {path for one in judged.seen.values() for path, data in one.items() if not data}
    data = {path for one in judged.seen.values() for path in one} - objects
    lack = next(filter(None, (denials.missing(run.error or "") for run in runs)), "")
    reasons = {
        one.id: lack or why(assignment, one) for one in checks if one.verdict is not Verdict.PASS
    }
    for name in testcells.unproved(assignment):  # it may fail without a solution
        reasons.pop(name, None)
    return assignment._replace(reference=Reference(tuple(sorted(data)), reasons))


def why(assignment: Assignment, check: CheckResult) -> str:
    """Return one line on why the instructor's notebook does not pass a check."""
    lines = (check.details or check.message or "an assert without a message fails").splitlines()
    line = next((line for line in lines if line.startswith("E ")), lines[0])
    if (match := NAME.search(line)) and (cell := testcells.sets_hidden(assignment, match[1])):
        return UNSEEN.format(match[1], cell)
    return denials.missing(line) or line.removeprefix("E ").strip().rstrip(".")


def for_nothing(assignment: Assignment, limits: Limits) -> list[str]:
    """Return a sentence for each check that gives points for the notebook as released."""
    task = prepared(assignment, limits)._replace(student="")
    cells = intake.accept_file(task, task.release.read_bytes()).cells
    judged = pipeline.judge_or_look_up(task, cells, limits)
    suspended = task.answers.suspended
    return [
        FOR_NOTHING.format(check.id, assignment.key, f"{check.points:g} of {check.max_points:g}")
        + (ASK if "::" in check.id else "")
        for check in judged.results
        if check.points and check.id not in suspended
    ]


def of_reference(assignment: Assignment, limits: Limits) -> Judged:
    """Judge the instructor's notebook; stored results are not judged again.

    Raises CourseError if a package of `c.Course.packages` is not installed.
    """
    importable.expect(assignment.course.settings.packages)
    task = assignment._replace(student="", reference=Reference())
    cells = intake.accept_file(task, task.source.read_bytes()).cells
    return pipeline.judge_or_look_up(task, cells, limits)


def misspelt(assignment: Assignment, names: Iterable[str]) -> dict[str, str]:
    """Return a message for each cell that checks have named and the notebook lacks."""
    cells = [*graded(assignment), *graded(assignment, by_hand=True)]
    there = f"there are: {', '.join(cells)}"
    unknown = (cell for cell in names if cell not in cells)
    return {cell: f"the notebook has no test cell for {cell=}; {there}" for cell in unknown}


def graded(assignment: Assignment, by_hand: bool = False) -> dict[str, float]:
    """Return the points of the released notebook's cells, from hidden checks or by hand."""
    settings = [cell.metadata.get("nbgrader", {}) for cell in intake.released(assignment).cells]
    return {
        data["grade_id"].removeprefix("test_"): data["points"]
        for data in settings
        if data.get("points") is not None
        and bool(data.get("task") or data.get("solution")) == by_hand
    }
