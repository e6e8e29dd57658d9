"""Keep what was judged, by content: the same work on the same course is not done twice.

The key covers the cells, the course, the limits and the Python that runs them. Results lie in the
folder `.referee` of the course; it can be deleted at any time. Imported by `batch` and
`nbgrader_door`.
"""

import hashlib
import os
import platform
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import msgspec

from referee.course import Assignment
from referee.judge import Judged, judge
from referee.sandbox import Zygote
from referee.submission import Cell, Limits


def judged(
    assignment: Assignment,
    cells: list[Cell],
    zygote: Callable[[], Zygote],
    limits: Limits,
    force: bool = False,
) -> Judged:
    """Return the result that is kept for some cells; judge them if there is none, or by `force`."""
    name = key(assignment, cells, limits)
    found = None if force else load(assignment.root, name)
    if found is None:
        found = judge(assignment, cells, zygote(), limits)
        save(assignment.root, name, found)
    return found


def key(assignment: Assignment, cells: list[Cell], limits: Limits) -> str:
    """Return a digest of everything that a result depends on."""
    parts = (
        assignment.name,
        assignment.fingerprint(),
        platform.python_version(),
        metadata.version("ipython"),
        limits,
        cells,
    )
    return hashlib.sha256(msgspec.msgpack.encode(parts)).hexdigest()


def load(root: Path, name: str) -> Judged | None:
    """Return a kept result, or None; one that cannot be read counts as none."""
    try:
        return msgspec.msgpack.decode(_file(root, name).read_bytes(), type=Judged)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def save(root: Path, name: str, judged: Judged) -> None:
    """Keep a result, unless a check of ours failed in it."""
    if any(check.verdict == "referee-error" for check in judged.checks):
        return
    file = _file(root, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(descriptor, "wb") as out:
        out.write(msgspec.msgpack.encode(judged))
    Path(temporary).replace(file)


def _file(root: Path, name: str) -> Path:
    return root / ".referee" / "results" / f"{name}.msgpack"
