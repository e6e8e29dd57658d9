"""Find the notebook in what a student handed in.

Opens regular files of a bounded size and nothing else: no links, pipes or devices, which could
show a student what is not theirs, or never end. Imported by `batch`, `cli` and `nbgrader_door`.
"""

import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from referee import intake, ipynb
from referee.intake import Intake
from referee.ipynb import UnreadableError

STUDENT = re.compile(r"[^\x00-\x1f\x7f<>&\"'`*?\[\]{}\\/]{1,200}")
MOST_FILES = 20


class _Candidate(NamedTuple):
    name: str
    accepted: Intake
    work: int  # cells in which something was done; -1 when the file cannot be read


def contents(file: Path) -> bytes:
    """Return what is in a file; raise UnreadableError unless it is a regular file of good size."""
    if not stat.S_ISREG(file.lstat().st_mode):
        raise UnreadableError(
            f"{shown(file.name)} is a link, a folder or a device, no file; "
            "hand in the notebook itself"
        )
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(file, flags | getattr(os, "O_BINARY", 0)), "rb") as opened:
        ipynb.check_size(os.fstat(opened.fileno()).st_size)
        return opened.read(ipynb.MAX_BYTES + 1)


def read(folder: Path, wanted: str, release: NotebookNode) -> Intake | None:
    """Rebuild the notebook of a folder, or return None if there is nothing like a notebook.

    It is the one called `wanted`, unless that is missing, unreadable or without work and another
    one is not.
    """
    if folder.is_symlink():
        return intake.refuse("the folder is a link; hand in the notebook itself", release)
    names = notebooks(folder)
    if not names:
        return None
    names.sort(key=lambda name: name != wanted)  # the wanted one first, the others by name
    candidates = []
    for name in names[:MOST_FILES]:
        candidates.append(_candidate(folder / name, release))
        if name == wanted and candidates[0].work > 0:
            break
    best = max(candidates, key=lambda candidate: candidate.work)
    told = []
    if best.name != wanted:
        told.append(f"the file {shown(best.name)} was graded as {wanted}")
    if others := [shown(name) for name in names if name != best.name]:
        told.append(f"there are other notebooks, which were not graded: {', '.join(others)}")
    return best.accepted._replace(repairs=[*told, *best.accepted.repairs])


def notebooks(folder: Path) -> list[str]:
    """Return the names of the notebooks in a folder, as nbgrader sees them, sorted."""
    return sorted(file.name for file in folder.glob("*.ipynb") if not file.name.startswith("."))


def shown(name: str) -> str:
    """Return a file name as one short word to read."""
    return name if name.isprintable() and len(name) <= 80 else ascii(name)[:80]


def _candidate(file: Path, release: NotebookNode) -> _Candidate:
    try:
        accepted = intake.read(contents(file), release)
    except (UnreadableError, OSError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        accepted = intake.refuse(str(said), release)
    if accepted.refused is not None:
        return _Candidate(file.name, accepted, -1)
    blank = {intake.identity(cell): cell.source for cell in release.cells}
    given = {intake.identity(cell): cell.source for cell in accepted.notebook.cells}
    work = sum(name is not None and given[name] != source for name, source in blank.items())
    return _Candidate(file.name, accepted, work)
