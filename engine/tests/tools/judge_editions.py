"""Judge a cell, and judge it again after each of many edits of a file of checks.

python judge_editions.py COURSE < JOBS    the cell, edits and damages; answers come as JSON
"""

import contextlib
import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from referee import course
from referee.course import Assignment
from referee.judging import cache, digests, pipeline
from referee.model import Cell, Judged, Limits, Reference
from referee.sandbox.outside.zygote import Zygote

LIMITS = Limits(check_cpu_seconds=0.5, check_calls=50, memory_bytes=1024**3)
CHECK = "test_it.py::test_double"
Edit = tuple[str, str]


class Counted(Zygote):
    """Counts the processes of a student."""

    started = 0

    def fork(self, request: Any) -> Any:
        """Count one more."""
        self.started += 1
        return super().fork(request)


class Editions:
    """The editions of one file of checks, and what is kept of each."""

    def __init__(self, assignment: Assignment, cell: str, zygote: Counted) -> None:
        self._assignment, self._zygote = assignment, zygote
        self._cells = [Cell(cell, "cell f")]
        self._file = assignment.hidden / "test_it.py"
        self._original = self._file.read_text()
        self._kept = assignment.root / cache.FILE
        self._work = digests.work(assignment, self._cells, LIMITS)

    def answers(self, edits: dict[str, Edit], damages: list[str]) -> Iterator[tuple[str, Any]]:
        """Give how many processes each edition took and what it said, then and afresh."""
        yield "", self._judged()
        before = self._kept.read_bytes()
        for name, edit in edits.items():
            self._kept.write_bytes(before)
            self._edit(*edit)
            known = cache.get(self._assignment, self._work)
            silent = msgspec.structs.replace(known, transcripts={})
            fresh = pipeline.judge(
                self._assignment, self._cells, lambda: self._zygote, LIMITS, silent
            )
            yield name, (*self._judged(), plain(fresh))
        self._edit(*edits["its title"])
        for name in damages:
            self._kept.write_bytes(before)
            self._damage(name)
            yield name, self._judged()

    def _edit(self, old: str, new: str) -> None:
        self._file.write_text(self._original.replace(old, new))
        assert old == "" or self._file.read_text() != self._original, old

    def _judged(self) -> tuple[int, Any]:
        started = self._zygote.started
        found = pipeline.judge_or_look_up(
            self._assignment, self._cells, lambda: self._zygote, LIMITS
        )
        return self._zygote.started - started, plain(found)

    def _damage(self, how: str) -> None:
        said = cache.get(self._assignment, self._work).transcripts[CHECK]
        over = said[:20] + bytes(9) + said[29:]
        damaged = {"cut off": said[:-9], "emptied": b"", "overwritten": over}[how]
        types = self._assignment.subject.records, self._assignment.subject.remotes
        key = digests.digest(self._work, CHECK, "said", *types)
        value = msgspec.msgpack.encode({CHECK: damaged})
        with contextlib.closing(sqlite3.connect(self._kept)) as book, book:
            changed = book.execute("update part set value = ? where key = ?", (value, key))
            assert changed.rowcount == 1


def plain(judged: Judged) -> Any:
    """Return all that was judged, but for the seconds it took."""
    costs = {name: cost.calls for name, cost in judged.costs.items()}
    return msgspec.to_builtins(
        [judged.results, judged.runs, judged.explained, judged.isolation, costs]
    )


def main() -> None:
    """Write what each edition has come to."""
    root, (cell, edits, damages) = Path(sys.argv[1]), json.load(sys.stdin)
    os.chdir(root)
    assignment = course.find_assignment(root, "a")._replace(reference=Reference())
    with Counted(LIMITS, assignment.subject) as zygote:
        print(json.dumps(dict(Editions(assignment, cell, zygote).answers(edits, damages))))


if __name__ == "__main__":
    main()
