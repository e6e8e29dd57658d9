"""Read from the gradebook who is in a course, and what stands for them: the only reader of marks.

It asks in SQL, without nbgrader, which takes a second to be imported. An `assignment` in the
gradebook is a key, which also names the notebook if that has another name.
"""

import contextlib
import datetime
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import Connection, DateTime, Interval, make_url, text
from sqlalchemy.orm import Session, scoped_session

from referee import intake
from referee.course import CONFIG, Assignment, Course, CourseError, remake
from referee.intake import database
from referee.judging import digests
from referee.marks import entries
from referee.model import Record, counted

MOST = 5  # names
NO_MARK = "it has no mark yet"
WAITS = "{} waits for your mark: {}"
NONE: Any = MappingProxyType({})
STUDENTS = text("SELECT id, first_name, last_name, email FROM student ORDER BY id")
DUES = text("SELECT name, duedate FROM assignment").columns(duedate=DateTime)
NOTEBOOKS = text(
    "SELECT notebook.name FROM notebook JOIN assignment ON notebook.assignment_id = assignment.id"
    " WHERE assignment.name = :name"
)
GRADES = text(
    "SELECT student_id, timestamp, extension, duedate, notebook.name AS page,"
    " base_cell.name AS cell, auto_score, manual_score, extra_credit, needs_manual_grade,"
    " late_submission_penalty"
    " FROM submitted_assignment"
    " JOIN assignment ON submitted_assignment.assignment_id = assignment.id"
    " LEFT JOIN submitted_notebook ON submitted_notebook.assignment_id = submitted_assignment.id"
    " LEFT JOIN notebook ON submitted_notebook.notebook_id = notebook.id"
    " LEFT JOIN grade ON grade.notebook_id = submitted_notebook.id"
    " LEFT JOIN base_cell ON grade.cell_id = base_cell.id"
    " WHERE assignment.name = :name AND :student IN ('', student_id)"
    " ORDER BY student_id, notebook.name, base_cell.name"
).columns(timestamp=DateTime, extension=Interval, duedate=DateTime)


class Standing(NamedTuple):
    """What the gradebook says of a submission, in points, and how many seconds late it is.

    By cell: `scores` are automatic, `by_hand` replace them, `extra` is added, and `waiting` says
    why a human has to look. The `penalties` of its notebooks are taken off the sum.
    """

    scores: dict[str, float | None]
    seconds_late: float
    by_hand: dict[str, float] = NONE
    extra: dict[str, float] = NONE
    penalties: dict[str, float] = NONE
    waiting: dict[str, str] = NONE
    timestamp: datetime.datetime | None = None

    @property
    def total(self) -> float:
        """Return the sum of the automatic marks."""
        return sum(score or 0 for score in self.scores.values())

    @property
    def marks(self) -> dict[str, float | None]:
        """Return what counts for each cell, extra points included; None while it has no mark."""
        own = {**self.scores, **self.by_hand}
        return {n: None if mark is None else mark + self.extra.get(n, 0) for n, mark in own.items()}

    @property
    def marked(self) -> bool:
        """Return whether any cell has a mark."""
        return any(mark is not None for mark in self.marks.values())

    @property
    def penalty(self) -> float:
        """Return what is taken off for being late."""
        return sum(self.penalties.values(), 0.0)

    @property
    def raw(self) -> float:
        """Return the sum of what counts, before the penalty."""
        return sum((mark or 0.0 for mark in self.marks.values()), 0.0)

    @property
    def final(self) -> float:
        """Return the score as nbgrader computes it: never below zero."""
        return max(0.0, self.raw - self.penalty)

    @property
    def mark(self) -> str:
        """Return the score as text, with a question mark if a cell waits for a human."""
        return f"{round(self.final, 2):g}{' + ?' if self.waiting else ''}"

    @property
    def reasons(self) -> list[str]:
        """Return the reasons, a few words each, why the score is not the automatic one."""
        pairs = {name: (self.scores.get(name), score) for name, score in self.by_hand.items()}
        parts = {
            "by hand": sum(new for old, new in pairs.values() if old is None),
            "override": sum(new - old for old, new in pairs.values() if old is not None),
            "extra": sum(self.extra.values()),
            "late": -self.penalty,
        }
        return [f"{word} {round(points, 2):+g}" for word, points in parts.items() if points]

    @property
    def questions(self) -> list[str]:
        """Return a sentence for each cell that waits for more than its first mark."""
        return [WAITS.format(*one) for one in self.waiting.items() if one[1] != NO_MARK]


def of(assignment: Assignment) -> dict[str, Standing]:
    """Return what the gradebook says now, by student; CourseError unless it knows the assignment.

    The records of what was entered say why a check has left a mark to a human.
    """
    with database.reading(assignment.course.db_url, "grade") as book:
        names = book.execute(NOTEBOOKS, {"name": assignment.name}).scalars() if book else ()
        if book is None or (assignment.part or assignment.name) not in names:
            raise unknown(assignment)
        return read(book, assignment.key, entries.get(assignment.root, assignment.key))


def unknown(assignment: Assignment) -> CourseError:
    """Return the error for a gradebook that does not know an assignment."""
    place = make_url(assignment.course.db_url).database
    lacks = f"the gradebook {place} does not know {assignment.key}"
    if not (names := sorted(entries.get(assignment.root, assignment.key))):
        return CourseError(f"{lacks}; {remake(assignment.name)} puts it there")
    return CourseError(
        f"{lacks}, where results of {some(names)} were entered: see that "
        f"c.CourseDirectory.db_url in {CONFIG} names the right one, or put your last copy "
        "back; a new one would lack all marks by hand"
    )


def read(
    book: "Connection | scoped_session[Session]",
    assignment: str,
    records: Mapping[str, Record] = NONE,
    student: str = "",
) -> dict[str, Standing]:
    """Return what an open gradebook says of an assignment, by student, or of one `student`.

    The cells are those of all its notebooks, called `notebook/cell` if there are several, unless
    the key names one. `records` know why a check leaves a mark to a human.
    """
    name, _, notebook = assignment.partition("/")
    many = not notebook and len(book.execute(NOTEBOOKS, {"name": name}).all()) > 1
    standings: dict[str, Standing] = {}
    for row in book.execute(GRADES, {"name": name, "student": student}):
        if row.student_id not in standings:
            due = row.duedate and row.duedate + (row.extension or datetime.timedelta())
            over = (row.timestamp - due).total_seconds() if due and row.timestamp else 0
            standings[row.student_id] = Standing({}, max(0, over), {}, {}, {}, {}, row.timestamp)
        if row.cell is None or notebook not in ("", row.page):
            continue
        standing, cell = standings[row.student_id], f"{row.page}/{row.cell}" if many else row.cell
        score, by_hand = row.auto_score, row.manual_score
        if row.late_submission_penalty:
            standing.penalties[row.page] = row.late_submission_penalty
        standing.scores[cell] = score
        if by_hand is not None:
            standing.by_hand[cell] = by_hand
        if row.extra_credit and (by_hand, score) != (None, None):  # else nbgrader counts none
            standing.extra[cell] = row.extra_credit
        if is_open(score, by_hand, row.needs_manual_grade):
            whys = records[row.student_id].report.waits if row.student_id in records else NONE
            standing.waiting[cell] = _why(score, by_hand, whys.get(row.cell, ""))
    return standings


def is_open(score: float | None, by_hand: float | None, flagged: bool) -> bool:
    """Return whether a cell waits for a human: it has no mark, or one to be looked at again."""
    return flagged or (score is None and by_hand is None)


def _why(score: float | None, by_hand: float | None, reason: str) -> str:
    """Return why a cell waits that `is_open`; a check may give a `reason`."""
    if by_hand is None:
        return reason or (NO_MARK if score is None else f"{score:g} is to be looked at again")
    if score is not None and by_hand < score:
        return f"{by_hand:g} by hand is below {score:g}, which it would have without"
    return f"answer or points have changed since it got {by_hand:g} by hand"


def students(course: Course, listed: bool = False) -> list[str]:
    """Return the ids of all students in the gradebook, or of those with a name or an address."""
    with database.reading(course.db_url, "student") as book:
        rows = book.execute(STUDENTS).all() if book else ()
    return [str(one) for one, *person in rows if any(person) or not listed]


def dues(course: Course) -> dict[str, datetime.datetime | None]:
    """Return when each assignment in the gradebook is due."""
    with database.reading(course.db_url, "assignment") as book:
        return {row.name: row.duedate for row in book.execute(DUES)} if book else {}


def stale(assignment: Assignment, among: Collection[str]) -> list[str]:
    """Return who has another notebook in their folder than the one whose marks were entered."""
    names = []
    for name, record in entries.get(assignment.root, assignment.key).items():
        folder = assignment.submitted(name)
        with contextlib.suppress(OSError):  # the grading has said so
            if name in among and folder.is_dir():
                handed_in = intake.collect(folder, assignment.notebook, assignment.others)
                if digests.digest(handed_in) != record.submission:
                    names.append(name)
    return names


def some(students: Collection[str]) -> str:
    """Return the number of students, and the first `MOST` names."""
    names, more = sorted(students), ", ..." * (len(students) > MOST)
    return f"{counted(len(names), 'student')} ({', '.join(names[:MOST])}{more})"
