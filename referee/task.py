"""Judge one submission from bytes to bytes: the whole work of a worker, on whatever machine.

A course travels as a `Bundle`, is unpacked once per worker and version, and nothing else of the
grader's machine is needed. Knows no cluster and no gradebook. Imported by `batch`
and by what packs a course or keeps a warm process, as `audit`, `replay` and `gradescope`.
"""

import functools
import hashlib
import tempfile
from pathlib import Path

import msgspec
import nbformat

from referee import autograded, handin, intake, ipynb, judge, version
from referee.course import LIBRARY, Assignment
from referee.handin import HandedIn
from referee.judge import Judged, Report
from referee.sandbox import Zygote
from referee.submission import Cell, Limits


class Bundle(msgspec.Struct, frozen=True):
    """What judging an assignment takes: files of the course, and the engine it is judged by.

    `originals` are the cells to show instead of those that were released.
    """

    assignment: str
    engine: str
    files: dict[str, bytes]
    originals: dict[str, autograded.Original]


class Request(msgspec.Struct, frozen=True):
    """What a student has handed in, the limits to judge it within, and what is known of it."""

    student: str
    handed_in: HandedIn
    limits: Limits
    known: Judged


class Outcome(msgspec.Struct, frozen=True):
    """A judged submission: the report, the notebook to show, and what is to be kept.

    `work` is the digest that the `judged` parts belong to.
    """

    work: str
    cells: list[Cell]
    judged: Judged
    report: Report
    unanswered: set[str]
    notebook: bytes


class OtherEngineError(RuntimeError):
    """This worker would judge by another engine than the one that asks."""


def pack(assignment: Assignment, originals: dict[str, autograded.Original]) -> bytes:
    """Return the bundle of an assignment as it is now."""
    content = files(assignment)
    return msgspec.msgpack.encode(Bundle(assignment.name, version.engine(), content, originals))


def files(assignment: Assignment) -> dict[str, bytes]:
    """Return the files of the course that judging an assignment takes, by their paths in it."""
    root = assignment.root
    folders = (assignment.hidden, assignment.release.parent, root / "bank" / assignment.name)
    found = [file for folder in folders[:2] for file in folder.rglob("*") if _wanted(file)]
    found += [root / name for name in (*LIBRARY, "pyproject.toml")]
    found += folders[2].glob("behaviours.json")
    return {
        file.relative_to(root).as_posix(): file.read_bytes() for file in found if file.is_file()
    }


def work(bundle: bytes, request: bytes) -> bytes:
    """Judge what a request holds by a packed course; return an `Outcome`, packed."""
    assignment, originals = unpacked(bundle)
    wanted = msgspec.msgpack.decode(request, type=Request)
    return msgspec.msgpack.encode(_outcome(assignment.of(wanted.student), originals, wanted))


def _outcome(
    assignment: Assignment, originals: dict[str, autograded.Original], request: Request
) -> Outcome:
    release = ipynb.parse(assignment.release.read_bytes())
    accepted = handin.choose(request.handed_in, assignment.notebook, release)
    if accepted is None:
        raise ipynb.UnreadableError("no notebook was handed in")
    cells = intake.code_cells(accepted.notebook)
    warm = functools.partial(zygote, request.limits.memory_bytes, request.limits.unsafe)
    judged = judge.judge(assignment, cells, warm, request.limits, request.known)
    report = judge.report(assignment, accepted, judged)
    autograded.restore(accepted.notebook, originals)
    notebook = autograded.make(accepted, judged, report)
    return Outcome(
        version.work(assignment, cells, request.limits),
        cells,
        judged,
        report,
        autograded.unanswered(notebook),
        f"{nbformat.writes(notebook)}\n".encode(),
    )


@functools.cache
def zygote(memory_bytes: int, unsafe: bool) -> Zygote:
    """Return the warm process of this worker; it ends with the worker."""
    return Zygote(memory_bytes, unsafe)


@functools.lru_cache(4)
def unpacked(bundle: bytes) -> tuple[Assignment, dict[str, autograded.Original]]:
    """Write a course into a folder of this process's own; return it, and the cells to show.

    Raises OtherEngineError when it would be judged otherwise here.
    """
    course = msgspec.msgpack.decode(bundle, type=Bundle)
    if course.engine != version.engine():
        raise OtherEngineError(
            "a worker runs another version of the referee, of Python or of a library than this "
            "machine; install the same requirements.txt on both"
        )
    root = Path(_home().name) / hashlib.sha256(bundle).hexdigest()
    for name, content in course.files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return Assignment(course.assignment, root), course.originals


@functools.cache
def _home() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="referee-course-")


def _wanted(file: Path) -> bool:
    return file.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & set(file.parts)
