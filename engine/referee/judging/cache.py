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

from referee.course import CourseError, make_private
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


def get(root: Path, work: str, keys: digests.Keys) -> Judged:
    """Return the stored parts of the result of some work that a course with these keys allows."""

    def read(book: sqlite3.Connection) -> Judged:
        judged = _part(book, Judged, work) or Judged()  # the cells
        for name, check in keys.checks.items():
            if part := _part(book, Judged, digests.digest(work, name, check)):
                judged.checks |= part.checks
                judged.costs |= part.costs
                judged.seen |= part.seen
        for cell in judged.unexplained:
            if explained := _part(book, Explanation, digests.digest(work, cell, keys.explaining)):
                judged.explained[cell] = explained
        return judged

    return transact(root, read)


def put(root: Path, work: str, judged: Judged, keys: digests.Keys) -> None:
    """Store the parts of a result, except accidents and errors of the referee.

    Also not stored are checks that were not run because of such a part. The `keys` are those of the
    course that it was judged by.
    """
    if any(run.stopped is not None and run.stopped.accident for run in judged.runs or []):
        return
    cost = {"": judged.costs.get("", Cost())}
    cells = Judged(runs=judged.runs, isolation=judged.isolation, costs=cost)
    parts: dict[str, Judged | Explanation] = {work: cells}
    verdicts = {one.verdict for one in judged.results if one.verdict.accident or one.verdict.open}
    doubtful = {*verdicts, Verdict.NOT_RUN} if verdicts else verdicts
    for name in judged.checks.keys() & keys.checks.keys():
        results = judged.checks[name]
        if not any(result.verdict in doubtful for result in results):
            costs = {r.id: judged.costs[r.id] for r in results if r.id in judged.costs}
            seen = {r.id: judged.seen[r.id] for r in results if r.id in judged.seen}
            part = Judged({name: results}, costs=costs, seen=seen)
            parts[digests.digest(work, name, keys.checks[name])] = part
    for cell, explained in judged.explained.items():
        if not explained.trouble:
            parts[digests.digest(work, cell, keys.explaining)] = explained
    rows = [(key, msgspec.msgpack.encode(value)) for key, value in parts.items()]
    text = "insert or replace into part values (?, ?)"
    transact(root, lambda book: book.executemany(text, rows))


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
                book.execute("begin")  # reading is one, too
                return transaction(book)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the name of a table is no text
        raise CourseError(
            f"{file} cannot be used ({error}); see that the disk has room and that you may write "
            "there, and run this again; if that does not help, the file is damaged: put your last "
            "copy back; without one move it away, and `referee grade` says what that costs"
        ) from error
