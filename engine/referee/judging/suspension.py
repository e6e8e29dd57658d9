"""Ask the instructor's own notebook first: a check that it does not pass says nothing of students.

Every door prepares an assignment here, and nobody is judged by one that was not prepared.
"""

import functools
from collections.abc import Iterator

from referee import intake
from referee.course import Assignment, CourseError
from referee.intake import testcells
from referee.judging import pipeline
from referee.model import CheckResult, Judged, Limits, Reference, Verdict
from referee.sandbox.outside import zygote

ACCIDENT = (
    "the instructor's notebook of {} could not be asked, since {}: {}; no mark has changed. The "
    "machine may be short of memory or stand still: run this again"
)
FOR_NOTHING = (
    "{0} gives {2} points for the notebook of {1} as it was released: everybody has them, as if it "
    "asked nothing; let it fail there"
)


def prepared(assignment: Assignment, limits: Limits) -> Assignment:
    """Return the assignment with what the instructor's own notebook says to its checks.

    What is kept of the notebook is not judged again. Raises CourseError where a check is for a cell
    that it does not have, and where an accident has happened to it, which says nothing of a check.
    A packed assignment, which comes without it, was prepared before.
    """
    if assignment.reference is not None:
        return assignment
    judged = _judged(assignment, limits)
    for said in _accidents(assignment, judged):
        raise CourseError(said)
    for check in judged.results:
        if "::" in check.id and (said := misspelt(assignment, check.cell)):
            raise CourseError(f"tests/hidden/{assignment.key}/{check.id}: {said}")
    objects = {path for one in judged.seen.values() for path, data in one.items() if not data}
    data = {path for one in judged.seen.values() for path in one} - objects
    failed = {one.id: _why(one) for one in judged.results if one.verdict is not Verdict.PASS}
    for name in testcells.unproved(assignment):  # that it fails shows nothing
        failed.pop(name, None)
    return assignment._replace(reference=Reference(tuple(sorted(data)), failed))


def _accidents(assignment: Assignment, judged: Judged) -> Iterator[str]:
    """Yield what was no fault of the notebook's in asking it: in its cells, and in the checks."""
    for run in judged.runs or []:
        if run.stopped is not None and run.stopped.accident:
            yield ACCIDENT.format(assignment.key, "one of its cells was stopped", run.error)
    for check in judged.results:
        if check.verdict.accident:
            what = f"{check.id} was stopped"
            yield ACCIDENT.format(assignment.key, what, check.message)


def _why(check: CheckResult) -> str:
    """Return in a line why the instructor's own notebook does not pass a check."""
    lines = (check.details or check.message or "an assert without a message fails").splitlines()
    told = next((line for line in lines if line.startswith("E ")), lines[0])
    return told.removeprefix("E ").strip().rstrip(".")


def results(assignment: Assignment, limits: Limits) -> list[CheckResult]:
    """Return what the checks say of the instructor's own notebook."""
    return _judged(assignment, limits).results


def for_nothing(assignment: Assignment, limits: Limits) -> list[str]:
    """Return a sentence on each check that gives points for the notebook as it was released."""
    asked = prepared(assignment, limits)._replace(student="")
    judged = _ask(asked, asked.release.read_bytes(), limits)
    suspended = asked.answers.suspended
    return [
        FOR_NOTHING.format(one.id, assignment.key, f"{one.points:g} of {one.max_points:g}")
        for one in judged.results
        if one.points and one.id not in suspended
    ]


def _judged(assignment: Assignment, limits: Limits) -> Judged:
    """Judge the instructor's own notebook, whose objects may be anywhere."""
    asked = assignment._replace(student="", reference=Reference())
    return _ask(asked, asked.source.read_bytes(), limits)


def _ask(assignment: Assignment, content: bytes, limits: Limits) -> Judged:
    """Judge a notebook of the course's own; what is kept of it is not judged again."""
    accepted = intake.accept_file(assignment, content)
    warm = functools.partial(zygote.warm, limits, assignment.subject)
    return pipeline.judge_or_look_up(assignment, accepted.cells, warm, limits)


def misspelt(assignment: Assignment, cell: str) -> str:
    """Return what is wrong with the cell that a check names, or nothing."""
    cells = [*graded(assignment), *graded(assignment, by_hand=True)]
    if cell in cells:
        return ""
    return f"the notebook has no test cell for {cell=}; there are: {', '.join(cells)}"


def graded(assignment: Assignment, by_hand: bool = False) -> list[str]:
    """Return the cells of the released notebook that get points, by hidden checks or by hand."""
    found = [cell.metadata.get("nbgrader", {}) for cell in intake.released(assignment).cells]
    return [
        data["grade_id"].removeprefix("test_")
        for data in found
        if data.get("points") is not None
        and bool(data.get("task") or data.get("solution")) == by_hand
    ]
