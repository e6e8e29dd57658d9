"""`referee status`: how far the class has come."""

from collections.abc import Iterator

import msgspec

from referee import intake
from referee.commands import shared, terminal
from referee.marks import entries, groups_and_extensions, standings


class Status(msgspec.Struct):
    """The students by their status with a notebook: the fields are its JSON."""

    assignment: str
    handed_in: list[str]
    graded: list[str]
    to_grade: list[str]
    stale: list[str]  #: whose marks are for another notebook than lies there
    by_hand: list[str]  #: who has a cell that waits for a human
    nothing: list[str]  #: who is in the class's list, and for whom nothing was handed in
    waits: dict[str, str]  #: by student, why a cell waits that is not just without a mark


def run(
    assignment: shared.AssignmentsArgument = None,
    json: shared.JsonOption = None,
    course_folder: shared.CourseOption = None,
) -> int:
    """Show who has handed in, is graded, and waits for your mark."""
    statuses = list[Status]()
    for task in shared.tasks_of_class(course_folder, assignment):
        handed_in = intake.students(task.course, task.name)
        stand, records = standings.of(task), entries.get(task.root, task.key)
        owners = groups_and_extensions.owners(task.course, task.name, handed_in)
        graded = sorted(
            who for who, one in stand.items() if one.marked or (one.waiting and who in records)
        )
        status = Status(
            assignment=task.key,
            handed_in=handed_in,
            graded=graded,
            to_grade=sorted(set(handed_in) - set(graded)),
            stale=standings.stale(task, graded),
            by_hand=[who for who in graded if stand[who].waiting],
            nothing=sorted({*standings.students(task.course, listed=True)} - owners.keys()),
            waits={who: "; ".join(whys) for who in graded if (whys := stand[who].questions)},
        )
        statuses.append(status)
    terminal.said(_lines(statuses), statuses, json)
    return 0


def _lines(notebooks: list[Status]) -> Iterator[str]:
    """Yield a line for each notebook, then the students with work to be done."""
    heads = "handed in", "graded", "to grade", "stale", "by hand"
    first = max(len(one.assignment) for one in notebooks)
    yield "  ".join([" " * first, *heads])
    for status in notebooks:
        people = status.handed_in, status.graded, status.to_grade, status.stale, status.by_hand
        counts = (f"{len(who):>{len(head)}}" for who, head in zip(people, heads, strict=True))
        yield "  ".join([f"{status.assignment:{first}}", *counts])
    for status in notebooks:
        for words, names in (
            ("to grade", status.to_grade),
            ("stale, since another notebook was handed in", status.stale),
            ("with a cell to mark by hand", status.by_hand),
            ("nothing handed in", status.nothing),
        ):
            if names:
                yield f"{status.assignment}, {words}: {terminal.some(names)}"
        waits = [f"{status.assignment}, {name}: {why}" for name, why in status.waits.items()]
        yield from terminal.first(waits, "who wait")
