"""Judge a list of jobs in a process of its own, which has rewritten no asserts before.

python judge_apart.py JOBS    each a course, an assignment, a cell, edits and what to forget
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from referee import course, intake
from referee.intake import repair
from referee.judging import pipeline
from referee.model import Judged, Limits, Reference
from referee.sandbox.outside.server import Server, warm

LIMITS = Limits(check_cpu_seconds=0.5, check_calls=50, memory_bytes=1024**3)


class Everything(tuple[Any, ...]):
    """All questions: the reference has answered each with plain data."""

    __slots__ = ()

    def __contains__(self, question: object) -> bool:
        return True


def main() -> None:
    """Write a line for each job: what was judged, or the error that came instead."""
    jobs = json.loads(sys.argv[1])
    answer: Judged | str = ""
    for job in jobs:
        try:
            answer = judged(answer, *job)
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        print(msgspec.json.encode(answer).decode())


def judged(
    before: Judged | str,
    root: str,
    name: str,
    source: str | None,
    edits: dict[str, str],
    forget: list[str] | None,
) -> Judged:
    """Judge a job, in the light of what was judged before but for what is to be forgotten."""
    for path, text in edits.items():
        Path(root, path).write_text(text)
    reference = Reference(Everything())
    assignment = course.Course(Path(root)).find(name)._replace(reference=reference)
    release = intake.parse(assignment.release.read_bytes())
    cells = intake.code_cells(repair.read(assignment.source.read_bytes(), release).notebook)
    if source is not None:
        cells = [msgspec.structs.replace(cells[0], source=source)]
    known = None
    if forget is not None and isinstance(before, Judged):
        kept = {name: part for name, part in before.checks.items() if name not in forget}
        known = msgspec.structs.replace(before, checks=kept)
    pipeline.warm = none_needed if forget == [] else warm
    return pipeline.judge(assignment, cells, LIMITS, known)


def none_needed(*_: object) -> Server:
    """Stand for the process where nothing is to be run."""
    raise RuntimeError("something was run")


if __name__ == "__main__":
    main()
