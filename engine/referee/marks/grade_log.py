"""Keep a log of every change of a mark: who, what, from what to what, by which course and when.

The log is `grades.jsonl` in the course folder, a line of JSON for each submission whose marks
changed, and for each cell that somebody marked by hand. A line is written before the gradebook: if
grading is killed in between, the next run makes the change, so there is never a change without a
line.
"""

import contextlib
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from referee.course import make_private
from referee.marks import files
from referee.model import Record

FILE = "grades.jsonl"
Scores = Mapping[str, float | None]


class HandMark(msgspec.Struct, frozen=True):
    """What stands for a cell: the automatic mark, what was given by hand, and whether it waits."""

    automatic: float | None = None
    score: float | None = None
    extra: float | None = None
    comment: str = ""
    flagged: bool = False


class Change(msgspec.Struct, omit_defaults=True):
    """The automatic marks of a submission before and after, for the cells where they differ.

    Or, `by_hand`, what stood for a cell before and after somebody marked it. `submission` is the
    digest of the work that was graded, `course` that of the course, `handed_in` its time stamp.
    """

    when: str
    who: str
    assignment: str
    student: str
    old: dict[str, float | None]
    new: dict[str, float | None]
    course: str = ""
    by_hand: dict[str, tuple[HandMark, HandMark]] = {}
    submission: str = ""
    handed_in: str = ""


def note(
    root: Path,
    assignment: str,
    student: str,
    old: Scores,
    new: Scores,
    record: Record | None = None,
) -> None:
    """Add a line, unless nothing changes; `record` tells what was graded, and by which course."""
    cells = [cell for cell in new if new[cell] != old.get(cell)]
    if not cells:
        return
    before, after = ({cell: scores.get(cell) for cell in cells} for scores in (old, new))
    change = Change(now(), files.user(), assignment, student, before, after)
    if record:
        change.course, change.submission = record.course, record.submission
        change.handed_in = record.timestamp or ""
    add(root, change)


def add(root: Path, change: Change) -> None:
    """Add a line."""
    file = root / FILE
    make_private(file)
    try:
        with file.open("a+b") as log:
            log.seek(max(log.tell() - 1, 0))
            half = log.read() not in (b"", b"\n")  # a line of a grader that was killed
            log.write(b"\n" * half + msgspec.json.encode(change) + b"\n")
            log.flush()
            os.fsync(log.fileno())
    except OSError as error:  # which does not say of which file
        raise OSError(error.errno, error.strerror, str(file)) from error


def lines(root: Path) -> list[tuple[dict[str, Any], bytes]]:
    """Return the lines of the log, each with what it says, nothing if it cannot be read."""
    file = root / FILE
    pairs = list[tuple[dict[str, Any], bytes]]()
    for line in file.read_bytes().splitlines(keepends=True) if file.is_file() else ():
        try:
            pairs.append((msgspec.json.decode(line, type=dict), line))
        except msgspec.MsgspecError:
            pairs.append(({}, line))
    return pairs


def changes(root: Path, assignment: str) -> list[Change]:
    """Return the changes of an assignment that can be read."""
    all_changes = []
    for entry, _ in lines(root):
        with contextlib.suppress(msgspec.ValidationError):
            all_changes.append(msgspec.convert(entry, Change))
    return [change for change in all_changes if change.assignment == assignment]


def now() -> str:
    """Return the time, in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
