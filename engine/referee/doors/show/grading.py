"""Print the results of grading a class, and of judging it several times."""

from collections import Counter
from collections.abc import Sequence

from rich.console import Console

from referee.commands.terminal import say, some
from referee.doors.show import table
from referee.doors.show.notebook import isolation
from referee.grading import ClassResult, StudentResult
from referee.intake import called
from referee.intake.folder import TIMELESS
from referee.judging import denials
from referee.judging.points import SUSPENDED
from referee.marks import blank

EDITED = (
    "The course was edited while the class was graded: these marks are by the course as it was at "
    "the start. Grade again."
)


def graded(console: Console, result: ClassResult) -> None:
    """Print a graded class: a table of marks, and the students who need the teacher."""
    students = result.students
    if result.preview:
        _changes(console, students)
    table.of_class(console, result)
    for line in (
        *_open(students, result.headings),
        *_blank(students, result.headings),
        *([] if result.preview else _keeping(students)),
        *_problems(students),
        *_suspended(students),
        *_refused(students),
        *_lowered(students),
        *_gone(result.assignment, result.without_folder),
        *_stale(result.stale),
        *_timeless(students),
    ):
        say(console, line)
    entered = sum(one.entered for one in students)
    attention = sum(one.problem is not None for one in students)
    same = len(students) - entered - sum(one.report is None for one in students)
    doing = f"{entered} entered, {same} as before"
    if result.preview:
        doing = "nothing was written (--preview)"
    say(console, f"{len(students)} students: {doing}, {attention} need you.")
    layers = {layer for one in students if one.report for layer in one.report.isolation}
    say(console, isolation(len(layers)))
    if result.edited:
        say(console, EDITED)


def _keeping(results: list[StudentResult]) -> list[str]:
    """Print who keeps an older result because it has more points."""
    return [
        f"{one.student} keeps {one.before:g} points; the new result has {one.automatic:g}."
        for one in results
        if one.lower and not (one.problem or one.entered)
    ]


def _open(results: list[StudentResult], headings: dict[str, str]) -> list[str]:
    """Print the cells in which a student waits for a mark by hand."""
    cells: set[str] = set()
    for result in results:
        standing = result.now or result.standing
        if result.report:
            unscored = {mark.grade_id for mark in result.report.cells if mark.score is None}
            cells |= unscored - set(standing.by_hand if standing else ())
    names = sorted(called(cell, headings) for cell in cells)
    return [f"To be marked by hand: {', '.join(names)}."] if cells else []


def _blank(results: list[StudentResult], headings: dict[str, str]) -> list[str]:
    """Print who has 0 in which cells because nothing was written there."""
    who: dict[str, list[str]] = {}
    for result in results:
        for cell in blank.cells(result.report) if result.report else ():
            who.setdefault(cell, []).append(result.student)
    return [
        f"Left blank, so 0 without a look (c.Course.blank_is_zero), {called(cell, headings)}: "
        f"{some(students)}."
        for cell, students in sorted(who.items())
    ]


def _problems(results: list[StudentResult]) -> list[str]:
    """Print who needs a human, and why: one line for each reason."""
    who: dict[str, list[str]] = {}
    for result in results:
        if result.problem:
            who.setdefault(result.problem, []).append(result.student)
    return [
        f"{names[0]} needs you: {problem}"
        if len(names) == 1
        else f"{len(names)} need you: {problem}: {', '.join(names)}"
        for problem, names in who.items()
    ]


def _gone(assignment: str, students: Sequence[str]) -> list[str]:
    """Print the students with marks and without a folder."""
    if not students:
        return []
    return [
        f"Without a folder submitted/*/{assignment}, with the marks they had: "
        f"{', '.join(students)}. Put the folders back, or take who has left out of the gradebook "
        "(`nbgrader db student remove`)."
    ]


def _stale(students: Sequence[str]) -> list[str]:
    """Print the students whose marks are for an older notebook."""
    return [f"With the marks of an older notebook: {', '.join(students)}."] if students else []


def _timeless(results: list[StudentResult]) -> list[str]:
    """Print the students without a valid time stamp, who are not late."""
    reports = {one.student: one.report.repairs for one in results if one.report}
    names = [who for who, told in reports.items() if any(one.startswith(TIMELESS) for one in told)]
    why = "Not late, since their time stamp does not count (the notebook in autograded/ says why)"
    return [f"{why}: {some(names)}."] if names else []


def _suspended(results: list[StudentResult]) -> list[str]:
    """Print the suspended checks."""
    checks = [check for r in results if r.report for check in r.report.checks]
    reasons = {check.id: check.details for check in checks if check.message == SUSPENDED}
    lacks: dict[str, list[str]] = {}
    for name, why in reasons.items():
        if denials.cure(why):
            lacks.setdefault(why, []).append(name)
    return [
        f"{why}, and without it these cannot be asked: {some(names)}. {denials.cure(why)}, and "
        "grade again; until then a human marks the cells."
        for why, names in lacks.items()
    ] + [
        f"Suspended, since the reference solution does not pass {name}: {why}. Mend the check or "
        "the reference and grade again; until then a human marks the cell."
        for name, why in reasons.items()
        if why not in lacks
    ]


def _refused(results: list[StudentResult]) -> list[str]:
    """Print which packages students import and may not, though they are installed."""
    who: dict[str, list[str]] = {}
    for result in results:
        for failure in result.report.failures if result.report else ():
            rule = denials.missing(failure)
            if rule and denials.LEFT_OUT.removeprefix("{}") in rule:
                who.setdefault(rule, []).append(result.student)
    return [
        f"{rule}, and these import it: {some(sorted(set(names)))}. "
        f"{denials.CURES[denials.LEFT_OUT]}, and grade again."
        for rule, names in who.items()
    ]


def _lowered(results: list[StudentResult]) -> list[str]:
    """Print how many marks are lower than before, and by which checks."""
    lower = [result for result in results if result.report and result.lower]
    if not lower:
        return []
    checks = Counter(name for result in lower for name in _lost(result))
    by = ", ".join(f"{name} ({count})" for name, count in checks.most_common())
    who = ", ".join(f"{one.student} {one.before:g} -> {one.automatic:g}" for one in lower)
    return [f"Lower than before: {len(lower)} of {len(results)}, by {by or 'no check'}: {who}."]


def _lost(result: StudentResult) -> list[str]:
    """Return the checks that are new or give fewer points, in cells with lower marks."""
    if result.report is None:
        return []
    before = result.earlier.checks if result.earlier else []
    taken = {check.id: check.max_points - check.points for check in before}
    scores = _marks(result)
    lower = {
        mark.cell
        for mark in result.report.cells
        if mark.score is not None and mark.score < (scores.get(mark.grade_id) or 0)
    }
    return [
        check.id
        for check in result.report.checks
        if check.cell in lower and check.max_points - check.points > taken.get(check.id, 0)
    ]


def _changes(console: Console, results: list[StudentResult]) -> None:
    """Print the students whose marks would change, by how much, and by which checks."""
    changed = [r for r in results if r.report and _marks(r) != r.report.scores]
    for result in changed:
        old, new = result.before or 0.0, result.automatic or 0.0
        was = "new" if result.standing is None else f"{old:g} points"
        sign = f"{new - old:+g}" if result.standing else f"{new:g}"
        say(console, f"{result.student}: {was}, {sign}")
        for line in _reasons(result):
            say(console, f"    {line}")
    say(console, f"{len(changed)} of {len(results)} would change.")


def _marks(result: StudentResult) -> dict[str, float | None]:
    return {} if result.standing is None else result.standing.scores


def _reasons(result: StudentResult) -> list[str]:
    """Return the cells whose marks change, each with the checks that have another verdict."""
    if result.report is None or result.standing is None:
        return []
    checks = result.earlier.checks if result.earlier else []
    before = {check.id: check.verdict for check in checks}
    lines = []
    for mark in result.report.cells:
        old = result.standing.scores.get(mark.grade_id)
        if old == mark.score:
            continue
        lines.append(f"{mark.cell}: {_points(old)} -> {_points(mark.score)}")
        lines += [
            f"  {check.id}: {before.get(check.id, 'not asked')} -> {check.verdict}"
            for check in result.report.checks
            if check.cell == mark.cell and before.get(check.id) != check.verdict
        ]
    return lines


def _points(score: float | None) -> str:
    return "by hand" if score is None else f"{score:g}"
