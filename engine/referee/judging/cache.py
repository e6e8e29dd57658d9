"""Store results by the digest of what they depend on, so that nothing is judged twice.

`put` stores the parts of a result: the run of the cells, each check, each explanation; `get` finds
those that are still valid.
The store is `.referee/results.db`, an SQLite file. Without it everything is judged again, and it is
unknown for which answer a mark by hand was given.
"""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from referee.course import Assignment, CourseError, make_private
from referee.judging import digests
from referee.model import Cost, Explanation, Judged, Verdict

FILE = Path(".referee") / "results.db"
T = TypeVar("T")
BUSY_SECONDS = 60.0
TABLES = """
create table if not exists part (key text primary key, value blob not null) without rowid;
create table if not exists record (
    assignment text, student text, value blob not null, primary key (assignment, student)
) without rowid;
"""


def get(assignment: Assignment, key: str, keys: digests.Keys | None = None) -> Judged:
    """Return the stored parts of a result that the course still allows.

    The `key` is the digest of the work, or one under which `put` has noted it. `keys` may be given
    for a course that cannot change, such as a copy.
    """
    now = keys or digests.keys(assignment)

    def read(book: sqlite3.Connection) -> Judged:
        work = _part(book, str, key) or key
        found = _part(book, Judged, work) or Judged()  # the cells
        for name, digest in now.checks.items():
            if check := _part(book, Judged, digests.digest(work, name, digest)):
                found.checks |= check.checks
                found.costs |= check.costs
                found.seen |= check.seen
        for cell in found.unexplained:
            if explained := _part(book, Explanation, digests.digest(work, cell, now.explaining)):
                found.explained[cell] = explained
        return found

    return transact(assignment.root, read)


def put(
    assignment: Assignment,
    work: str,
    judged: Judged,
    course: str,
    keys: digests.Keys | None = None,
    noted: str | None = None,
) -> None:
    """Store the parts of a result, except accidents and errors of the referee.

    Also not stored: checks that were not run because of such a part, and all parts if the digest of
    the course is no longer `course`. `keys` are as in `get`. The work is always noted under the key
    `noted`.
    """
    parts: dict[str, Any] = {} if noted is None else {noted: work}
    now, checks, explaining = keys or digests.keys(assignment)
    accident = any(run.stopped is not None and run.stopped.accident for run in judged.runs or [])
    if not accident and now == course:
        parts |= _parts(work, judged, checks, explaining)
    rows = [(key, msgspec.msgpack.encode(value)) for key, value in parts.items()]
    text = "insert or replace into part values (?, ?)"
    transact(assignment.root, lambda book: book.executemany(text, rows))


def _parts(work: str, judged: Judged, checks: dict[str, str], explaining: str) -> dict[str, Any]:
    """Return the parts of a result to store, by their keys."""
    cost = {"": judged.costs.get("", Cost())}
    parts: dict[str, Any] = {work: Judged(runs=judged.runs, isolation=judged.isolation, costs=cost)}
    doubtful = {one.verdict for one in judged.results if one.verdict.accident or one.verdict.open}
    doubtful |= {Verdict.NOT_RUN} if doubtful else set()
    for name, digest in checks.items():
        results = judged.checks.get(name)
        if results is not None and not any(result.verdict in doubtful for result in results):
            costs = {r.id: judged.costs[r.id] for r in results if r.id in judged.costs}
            seen = {r.id: judged.seen[r.id] for r in results if r.id in judged.seen}
            part = Judged({name: results}, costs=costs, seen=seen)
            parts[digests.digest(work, name, digest)] = part
    for cell, explained in judged.explained.items():
        if not explained.trouble:
            parts[digests.digest(work, cell, explaining)] = explained
    return parts


def _part(book: sqlite3.Connection, kind: type[T], key: str) -> T | None:
    """Return the value stored under a key, or None."""
    row = book.execute("select value from part where key = ?", (key,)).fetchone()
    return None if row is None else decoded(row[0], kind)


def decoded(value: Any, kind: type[T]) -> T | None:
    """Return a stored value; None if it cannot be read."""
    try:
        return msgspec.msgpack.decode(value, type=kind)
    except (msgspec.MsgspecError, TypeError, ValueError):  # other data, no bytes, no text
        return None


def transact(root: Path, transaction: Callable[[sqlite3.Connection], T]) -> T:
    """Return the result of a transaction on the store; CourseError if it cannot be used."""
    file = root / FILE
    file.parent.mkdir(0o700, exist_ok=True)
    make_private(file.parent)  # it has submissions, hidden checks and the seed
    make_private(file)
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=BUSY_SECONDS)) as book:
            book.executescript(TABLES)
            with book:
                book.execute("begin")  # one transaction for all reads
                return transaction(book)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the name of a table is no text
        raise CourseError(
            f"{file} cannot be used ({error}); see that the disk has room and that you may write "
            "there, and run this again; if that does not help, the file is damaged: put your last "
            "copy back; without one move it away, and `referee grade` says what that costs"
        ) from error
