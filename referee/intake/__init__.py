"""Turn whatever a student hands in into a notebook that can be graded.

`collect` reads a folder (`folder`), any version and encoding of a notebook is read (`file`), and
`accept` rebuilds it on the released one by a list of small repairs (`repair`). Runs no code.
"""

from referee.course import Assignment
from referee.intake import repair
from referee.intake.file import MAX_BYTES, UnreadableError, parse
from referee.intake.folder import (
    STUDENT,
    File,
    HandedIn,
    choose,
    collect,
    contents,
    notebooks,
    time_stamp,
)
from referee.intake.repair import Intake, code_cells, identities, identity, runnable

__all__ = [
    "MAX_BYTES", "STUDENT", "File", "HandedIn", "Intake", "UnreadableError", "accept",
    "accept_file", "code_cells", "collect", "contents", "identities", "identity", "notebooks",
    "parse", "runnable", "time_stamp",
]  # fmt: skip


def accept(assignment: Assignment, handed_in: HandedIn) -> Intake | None:
    """Return the notebook to grade, rebuilt on the released one; None if nothing was handed in.

    What cannot be read gives the released notebook, and a sentence that says why.
    """
    release = parse(assignment.release.read_bytes())
    return choose(handed_in, assignment.notebook, release)


def accept_file(assignment: Assignment, content: bytes) -> Intake:
    """Return the notebook to grade if what was handed in is this one file."""
    return repair.read(content, parse(assignment.release.read_bytes()))
