"""Keep what was judged, by content, and what was entered for whom: work is not done twice.

`known` finds the parts of a result that still hold: the run of the cells, each check, each
explanation; `save` keeps them. A `Record` is a student's whole result as it stands in the
gradebook. All of it lies in `.referee/results.db`, an SQLite file that can be deleted at any time:
what was judged is then judged again. Imported by `batch`, `nbgrader_door` and those that look back.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from referee import version
from referee.course import Assignment
from referee.judge import Explained, Judged, Report, judge
from referee.plugin import CheckResult
from referee.sandbox import Zygote
from referee.submission import Cell, CellRun, Cost, Limits

FILE = Path(".referee") / "results.db"
T = TypeVar("T")
BUSY_SECONDS = 60.0
TABLES = """
create table if not exists part (key text primary key, value blob not null) without rowid;
create table if not exists record (
    assignment text, student text, value blob not null, primary key (assignment, student)
) without rowid;
"""


class Record(msgspec.Struct):
    """A student's result as it was entered: the marks, on what, by which course, and when.

    `submission` is the digest of what was handed in, `course` that of the course, `basis` of all
    that decided how it was entered; `work` names what is kept of its `cells` and `limits`.
    """

    student: str
    submission: str
    course: str
    basis: str
    work: str
    when: str
    cells: list[Cell]
    limits: Limits
    report: Report
    timestamp: str | None = None
    seconds_late: float = 0.0


class _Run(msgspec.Struct):
    runs: list[CellRun]
    isolation: list[str]
    cost: Cost


class _Check(msgspec.Struct):
    results: list[CheckResult]
    costs: dict[str, Cost]


def judged(
    assignment: Assignment,
    cells: list[Cell],
    zygote: Callable[[], Zygote],
    limits: Limits,
    force: bool = False,
) -> Judged:
    """Return the result of some cells; what is kept is not judged again, unless by `force`."""
    work = version.work(assignment, cells, limits)
    kept = Judged() if force else known(assignment, work)
    found = judge(assignment, cells, zygote, limits, kept)
    save(assignment, work, found)
    return found


def known(assignment: Assignment, work: str) -> Judged:
    """Return the parts that are kept of some work and still hold for the course as it is."""
    found = Judged()
    with _opened(assignment.root) as book:
        if run := _part(book, _Run, work):
            found.runs, found.isolation = run.runs, run.isolation
            found.costs[""] = run.cost
        for name, digest in version.checks(assignment).items():
            if check := _part(book, _Check, version.digest(work, name, digest)):
                found.checks[name] = check.results
                found.costs |= check.costs
        behaviours = version.behaviours(assignment)
        for cell in found.unexplained:
            if explained := _part(book, Explained, version.digest(work, cell, behaviours)):
                found.explained[cell] = explained
    return found


def save(assignment: Assignment, work: str, judged: Judged) -> None:
    """Keep the parts of a result, but for those in which something of ours has failed."""
    if judged.runs is None:
        raise ValueError("a result without the run of its cells cannot be kept")
    run = _Run(judged.runs, judged.isolation, judged.costs.get("", Cost()))
    parts: dict[str, Any] = {work: run}
    for name, digest in version.checks(assignment).items():
        results = judged.checks.get(name)
        if results is not None and all(r.verdict != "referee-error" for r in results):
            costs = {r.id: judged.costs[r.id] for r in results if r.id in judged.costs}
            parts[version.digest(work, name, digest)] = _Check(results, costs)
    behaviours = version.behaviours(assignment)
    for cell, explained in judged.explained.items():
        if not explained.trouble:
            parts[version.digest(work, cell, behaviours)] = explained
    with _opened(assignment.root) as book:
        book.executemany(
            "insert or replace into part values (?, ?)",
            [(key, msgspec.msgpack.encode(value)) for key, value in parts.items()],
        )


def note(root: Path, key: str, work: str) -> None:
    """Note what work a submission has turned out to be; `work_of` finds it by the same key."""
    value = msgspec.msgpack.encode(work)
    with _opened(root) as book:
        book.execute("insert or replace into part values (?, ?)", (key, value))


def work_of(root: Path, key: str) -> str | None:
    """Return the work that was noted under a key."""
    with _opened(root) as book:
        return _part(book, str, key)


def keep(root: Path, course: str, bundle: bytes) -> None:
    """Keep a packed course by its digest, so that its verdicts can be replayed."""
    with _opened(root) as book:
        book.execute("insert or ignore into part values (?, ?)", (course, bundle))


def kept(root: Path, course: str) -> bytes | None:
    """Return a packed course that was kept."""
    with _opened(root) as book:
        row = book.execute("select value from part where key = ?", (course,)).fetchone()
    return None if row is None else bytes(row[0])


def enter(root: Path, assignment: str, record: Record) -> None:
    """Keep a student's result as the one that stands in the gradebook."""
    with _opened(root) as book:
        book.execute(
            "insert or replace into record values (?, ?, ?)",
            (assignment, record.student, msgspec.msgpack.encode(record)),
        )


def forget(root: Path, assignment: str, student: str) -> None:
    """Drop a student's result, which does not stand in the gradebook any more."""
    with _opened(root) as book:
        book.execute(
            "delete from record where assignment = ? and student = ?", (assignment, student)
        )


def records(root: Path, assignment: str) -> dict[str, Record]:
    """Return the results that were entered for an assignment, by student; unreadable ones not."""
    found = {}
    with _opened(root) as book:
        rows = book.execute(
            "select student, value from record where assignment = ? order by student", (assignment,)
        )
        for student, value in rows:
            with contextlib.suppress(msgspec.MsgspecError):
                found[student] = msgspec.msgpack.decode(value, type=Record)
    return found


def _part(book: sqlite3.Connection, kind: type[T], key: str) -> T | None:
    """Return what is kept under a key; what cannot be read counts as not kept."""
    row = book.execute("select value from part where key = ?", (key,)).fetchone()
    try:
        return None if row is None else msgspec.msgpack.decode(row[0], type=kind)
    except msgspec.MsgspecError:
        return None


@contextlib.contextmanager
def _opened(root: Path) -> Iterator[sqlite3.Connection]:
    """Open the file for one transaction; one that is no database is put aside."""
    file = root / FILE
    file.parent.mkdir(exist_ok=True)
    book = sqlite3.connect(file, timeout=BUSY_SECONDS)
    try:
        book.executescript(TABLES)
    except sqlite3.DatabaseError as error:
        book.close()
        if isinstance(error, sqlite3.OperationalError):
            raise
        file.rename(file.with_suffix(".broken"))
        book = sqlite3.connect(file, timeout=BUSY_SECONDS)
        book.executescript(TABLES)
    with contextlib.closing(book), book:
        yield book
