"""`referee grade`: grade the class into the gradebook."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from referee import course, grading, intake
from referee.commands import shared, terminal
from referee.commands.terminal import some
from referee.course import Assignment, CourseError
from referee.grading import ClassResult, StudentResult
from referee.intake.folder import TIMELESS, UNNAMED
from referee.judging import denials, digests, suspension, testcells
from referee.marks import autograded, groups_and_extensions, missing
from referee.model import Limits, Verdict, counted
from referee.proof import lint

EDITED = (
    "The course was edited while the class was graded: these marks are by the course as it was at "
    "the start. Grade again."
)
NOTHING = "nothing was handed in: there is no folder submitted/{}/{}"
MOST_ROWS = 60  # of a table; of more students only those are shown whom to look at
LEAST = 24  # cells for a student's id and a note


def run(
    assignment: shared.AssignmentsArgument = None,
    student: shared.StudentsOption = None,
    workers: shared.WorkersOption = shared.CORES,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Work on the dask cluster at this address, as tcp://10.0.0.1:8786."),
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show whose marks would change; write nothing.")
    ] = False,
    never_lower: Annotated[
        bool, typer.Option("--never-lower", help="Keep the older result where it has more points.")
    ] = False,
    accept_removed: Annotated[
        bool,
        typer.Option(
            "--accept-removed",
            help="Grade although checks, notebooks or results that marks depend on are gone.",
        ),
    ] = False,
    force: shared.ForceOption = False,
    unsafe: shared.UnsafeOption = False,
    json: shared.JsonOption = None,
    course_folder: shared.CourseOption = None,
) -> int:
    """Grade the class: gradebook and autograded notebooks."""
    tasks, results = shared.tasks_of_class(course_folder, assignment), list[ClassResult]()
    course_ = tasks[0].course
    handed_in = {task.name: intake.students(course_, task.name) for task in tasks}
    everybody = {one for names in handed_in.values() for one in names}
    if (unknown := sorted(set(student or []) - everybody)) or not everybody:
        where = tasks[0].name if len(handed_in) == 1 else "*"
        whose = unknown[0] if unknown else "*"
        raise CourseError(NOTHING.format(whose, where) + course.hint(whose, everybody))
    to_grade = {
        name: [one for one in names if one in (student or names)]
        for name, names in handed_in.items()
    }
    limits = course_.limits(unsafe)
    extensions, strays = groups_and_extensions.reading(course_, to_grade)
    terminal.said(terminal.first(extensions, "lines of extensions.csv"), json=json)
    terminal.said(terminal.first(strays, "lines of what reaches nobody"), json=json)
    options = grading.Options(workers, scheduler, force, preview, never_lower, accept_removed)
    for task in tasks:
        if reason := intake.other_language(task):
            terminal.said([reason], json=json)
        elif names := to_grade[task.name]:
            doing = f"grading {task.name}"
            with shared.alone(course_, [task.name] * (not preview), doing):
                results.append(_grade(task, names, limits, options, not student, json))
    terminal.said([], results, json)
    return 0 if all(one.well for one in results) else 1


def _grade(
    task: Assignment,
    names: list[str],
    limits: Limits,
    options: grading.Options,
    everybody: bool,
    json: Path | None,
) -> ClassResult:
    """Grade one notebook of the class and show what became of it."""
    console = terminal.console(json)
    if not options.preview and (sentence := missing.make_secret(task, options.accepted)):
        terminal.said([sentence], json=json)
    task = suspension.prepared(task, limits)
    for_nothing = suspension.for_nothing(task, limits)
    suspensions = [  # which checks count for nobody, and why
        f"Suspended, since the reference solution does not pass {some(names)}: {why}. Mend that "
        "and grade again; until then a human marks what they decide."
        for why, names in _group((why, name) for name, why in task.answers.suspended.items())
    ]
    warnings = *lint.warnings(task), *for_nothing, *suspensions
    terminal.said((Text(one, "yellow") for one in warnings), json=json)
    results, edition = list[StudentResult](), digests.keys(task).course
    with terminal.Ticker(console, f"Grading {task.key}", len(names)) as ticker:
        for result in grading.grade(task, names, limits, options, ticker.waiting):
            results.append(result)
            ticker.done(result.problem is None)
    class_ = grading.class_result(task, results, options.preview, everybody)
    class_.for_nothing, class_.edited = for_nothing, digests.keys(task).course != edition
    headings = intake.headings(intake.course_notebook(task.release))
    terminal.said(lines(class_, headings, console.width, options.preview), json=json)
    return class_


# --- what it says --------------------------------------------------------------------------------


def lines(
    result: ClassResult, headings: dict[str, str], width: int, preview: bool
) -> Iterator[RenderableType]:
    """Yield a graded class: a table of marks, and the students who need the teacher."""
    students = result.students
    if preview:
        yield from _changes(students)
    yield f"{result.assignment}: {counted(len(students), 'student')}\n"
    todo = [one for one in students if one.problem or one.lower or (one.now and one.now.questions)]
    rows = todo if len(students) > MOST_ROWS else students
    if rows:
        yield from table(msgspec.structs.replace(result, students=rows), headings, width)
    if rows is not students:
        yield f"and {len(students) - len(rows)} more: `referee return` writes a table of all"
    yield ""
    yield from _cell_lines(students, headings)
    for problem, names in _group((one.problem, one.student) for one in students if one.problem):
        if len(names) == 1:
            yield f"{names[0]} needs you: {problem}"
        else:
            yield f"{len(names)} need you: {problem}: {', '.join(names)}"
    yield from _check_lines(students, preview)
    reports = {one.student: one.report for one in students if one.report}
    repairs = [(name, one) for name, report in reports.items() for one in report.repairs]
    for names, words in (
        (
            result.without_folder,
            f"Without a folder submitted/*/{result.assignment}, with the marks they had (put it "
            "back, or take who has left out: `nbgrader db student remove ID --force`)",
        ),
        (result.stale, "With the marks of an older notebook"),
        (
            [name for name, one in repairs if one.startswith(TIMELESS)],
            "Not late, since their time stamp does not count (the notebook in autograded/ says "
            "why)",
        ),
        (
            [f"{n} ({one.partition(': ')[2]})" for n, one in repairs if one.startswith(UNNAMED)],
            f"Look into submitted/ for {UNNAMED}",
        ),
    ):
        if names:
            yield f"{words}: {some(names)}."
    count = sum(one.entered for one in students)
    doing = f"{count} entered, {len(reports) - count} as before"
    if preview:
        doing = "nothing was written (--preview)"
    attention = sum(one.problem is not None for one in students)
    yield f"{counted(len(students), 'student')}: {doing}, {attention} need you."
    yield terminal.isolation(len({one for report in reports.values() for one in report.isolation}))
    if result.edited:
        yield EDITED


def _group(pairs: Iterable[tuple[str, str]]) -> Iterable[tuple[str, list[str]]]:
    """Return for each first of a pair all that come second, each once."""
    groups: dict[str, list[str]] = {}
    for first, second in dict.fromkeys(pairs):
        groups.setdefault(first, []).append(second)
    return groups.items()


def _cell_lines(students: list[StudentResult], headings: dict[str, str]) -> Iterator[str]:
    """Yield the cells in which somebody waits for a mark by hand, and those that were blank."""
    waiting = set[str]()
    for student in students:
        if student.now:
            waiting.update(student.now.waiting)
        elif student.report:  # of a preview, which enters nothing
            by_hand = student.standing.by_hand if student.standing else {}
            unscored = {cell for cell, score in student.report.scores.items() if score is None}
            waiting |= unscored - by_hand.keys()
    if waiting:
        names = sorted(intake.called(cell, headings) for cell in waiting)
        yield f"To be marked by hand: {', '.join(names)}."
    for student in students:
        questions = student.now.questions if student.now else []
        yield from (
            f"{student.student}: {why}" for why in questions if why not in (student.problem or "")
        )
    reports = [(student.student, student.report) for student in students if student.report]
    blanks = [(cell, name) for name, report in reports for cell in autograded.blank(report)]
    for cell, names in sorted(_group(blanks)):
        name = intake.called(cell, headings)
        yield f"Left blank, so 0 without a look (c.Course.blank_is_zero), {name}: {some(names)}."


def _check_lines(students: list[StudentResult], preview: bool) -> Iterator[str]:
    """Yield the packages that student code may not import, and which checks lower marks."""
    reports = {one.student: one.report for one in students if one.report}
    rules = [(denials.missing(why), name) for name, one in reports.items() for why in one.failures]
    left_out = denials.LEFT_OUT.removeprefix("{}")
    for rule, names in _group(one for one in rules if left_out in one[0]):
        yield f"{rule}, and grade again. These import it: {some(sorted(names))}."
    if lower := [one for one in students if one.lower]:
        losses = Counter[str]()  # of checks that are new and take points, or give fewer than before
        for one in lower:
            before = one.earlier.checks if one.earlier else []
            deductions = {check.id: check.max_points - check.points for check in before}
            now = one.report.checks if one.report else []
            losses.update(
                check.id
                for check in now
                if check.max_points - check.points > deductions.get(check.id, 0)
            )
        by = some([f"{name} ({count})" for name, count in losses.most_common()]) or "no check"
        who = some([f"{one.student} {one.before:g} -> {one.automatic:g}" for one in lower])
        yield f"Lower than before: {len(lower)} of {len(students)}, by {by}:"
        note = "`--never-lower` keeps the older marks."
        if older := [one.student for one in lower if not one.entered]:
            whose = f" of {some(older)}" if len(older) < len(lower) else ""
            note = f"The older marks stand{whose}."
        yield f"    {who}. {'' if preview else note}".rstrip()


def _changes(students: list[StudentResult]) -> Iterator[str]:
    """Yield the students whose marks would change, by how much, and by which checks."""
    count = 0
    for student in students:
        scores = student.standing.scores if student.standing else {}
        if student.report is None or scores == student.report.scores:
            continue
        count += 1
        if student.standing is None:
            yield f"{student.student}: new, {student.automatic:g}"
            continue
        gain = (student.automatic or 0.0) - (student.before or 0.0)
        yield f"{student.student}: {student.before:g} points, {gain:+g}"
        before = (
            {check.id: check.verdict for check in student.earlier.checks} if student.earlier else {}
        )
        for mark in student.report.cells:
            old, new = scores.get(mark.grade_id), mark.score
            if old == new:
                continue
            marks = ("by hand" if score is None else f"{score:g}" for score in (old, new))
            yield f"    {mark.cell}: {' -> '.join(marks)}"
            for check in student.report.checks:
                earlier = before.get(check.id, "not asked")
                if check.cell == mark.cell and earlier != check.verdict:
                    yield f"      {check.id}: {earlier} -> {check.verdict}"
    yield f"{count} of {len(students)} would change."


def table(result: ClassResult, headings: dict[str, str], width: int) -> Iterator[RenderableType]:
    """Yield a table of marks, the ones that were entered last, and notes.

    Headings that do not fit are replaced by numbers; ids and notes that do not are folded.
    """
    reports = [one.report for one in result.students if one.report]
    ids = {cell for one in reports for cell, score in one.scores.items() if score is not None}
    cells = [mark for mark in (reports[0].cells if reports else []) if mark.grade_id in ids]
    entered = any(one.now for one in result.students)
    sums = ["auto", "mark"][: 1 + entered] if reports else []
    most = [*(mark.max_score for mark in cells), *(one.max_score for one in reports[:1])]
    worth = [f"/{number:g}" for number in (*most, result.max_score)][: len(cells) + len(sums)]
    names = [headings.get(m.grade_id, m.grade_id.removeprefix("test_")) for m in cells]
    rows = [_row(one, ids, entered) for one in result.students]
    first = max(cell_len(one) for one in ("student", *(one.student for one in result.students)))
    numbers = [str(number) for number, _ in enumerate(names, start=1)]
    for heads in names, numbers:
        texts = [[*heads, *sums], worth, *([one.plain for one in row] for row, _ in rows if row)]
        marks = sum(2 + max(map(cell_len, column)) for column in zip(*texts, strict=True))
        if first + marks <= width:
            break
    grid = Table.grid(padding=(0, 2, 0, 0))
    if marks + LEAST > width:
        grid.width = marks + LEAST  # rather than without marks
    grid.add_column(overflow="fold")
    for _ in worth:
        grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("student", *heads, *sums)
    grid.add_row("", *worth)
    for student, (row, note) in zip(result.students, rows, strict=True):
        grid.add_row(student.student, *(row or [Text()] * len(worth)), note)
    yield grid
    if heads is numbers and names:
        yield "\n" + ", ".join(map(" ".join, zip(numbers, names, strict=True)))


def _row(result: StudentResult, cells: set[str], entered: bool) -> tuple[list[Text], str]:
    """Return a student's marks, and short notes on anything unusual.

    `entered` says whether anybody has a sum.
    """
    if (report := result.report) is None:
        return [], "not graded"
    row = []
    for mark in report.cells:
        if mark.grade_id in cells:
            colour = "green" if mark.score == mark.max_score else "yellow" if mark.score else "red"
            text = "?" if mark.score is None else f"{round(mark.score, 2):g}"
            row.append(Text(text, "bold" if mark.score is None else colour))
    row.append(Text(f"{round(report.score, 2):g}"))
    if entered:
        row.append(Text(result.now.mark if result.now else "–", "bold"))
    if report.refused is not None:
        return row, ", ".join([*result.why, "unreadable"])
    verdicts = {check.verdict for check in report.checks if not check.unwritten}
    unusual = verdicts - {Verdict.PASS, Verdict.WRONG, Verdict.NOT_RUN}
    notes = [*result.why, *sorted(unusual)]
    if any(check.unwritten for check in report.checks):
        notes.append("code that still raises NotImplementedError")
    if any("stopped" in failure for failure in report.failures):
        notes.append("a cell was stopped")
    if any(failure.endswith(testcells.CHANGING) for failure in report.failures):
        notes.append("a library was changed")
    if report.repairs:
        notes.append(counted(len(report.repairs), "repair"))
    return row, ", ".join(notes)
