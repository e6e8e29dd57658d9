"""The course on Nim of the tests: where it lies, and copies of it that can be graded.

It has a library, a record, games that stay in the referee, a bank and a written question. Tests
that only read may use `ROOT`, a copy with the release; those that grade `make` another one.
"""

import atexit
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from formgrading import released

from referee import intake
from referee.course import Assignment, Course

NAME = "nim"
NOTEBOOK = f"{NAME}.ipynb"
COURSE = Path(__file__).parents[1] / "courses" / NAME
POINTS = {"Nim": 20, "MiniMax": 25, "AlphaBeta": 30, "playing": 3, "evaluation_a": 7}
SOLUTION = re.compile(r"(?s)( *)### BEGIN SOLUTION.*?### END SOLUTION")
STUB = r"\1# YOUR CODE HERE\n\1raise NotImplementedError()"


def make(root: Path) -> Path:
    """Put the course into a folder, with its release and a gradebook; return the folder."""
    shutil.copytree(released(COURSE, NAME), root, dirs_exist_ok=True)
    (root / "tests" / "hidden" / NAME / "seed.txt").write_text("the secret of the tests\n")
    return root


def _copied() -> Path:
    """Make a copy with a release, in no time: all of nbgrader's, but for its checksums."""
    root = Path(tempfile.mkdtemp(prefix="nim-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    shutil.copytree(COURSE, root, dirs_exist_ok=True)
    notebook = json.loads((root / "source" / NAME / NOTEBOOK).read_text("utf-8"))
    for cell in notebook["cells"]:
        text = SOLUTION.sub(STUB, "".join(cell["source"]))
        text = re.sub(r"(?s)\n(### BEGIN HIDDEN|=== BEGIN MARK).*", "", text)
        cell["source"] = text.splitlines(keepends=True)
    (root / "release" / NAME).mkdir(parents=True)
    (root / "release" / NAME / NOTEBOOK).write_text(json.dumps(notebook), encoding="utf-8")
    shutil.copy(root / "piles.py", root / "release" / NAME)
    return root


ROOT = _copied()
ASSIGNMENT = Assignment(NAME, Course(ROOT))
RELEASED = ASSIGNMENT.release.read_bytes()
RELEASE = intake.parse(RELEASED)
IDENTIFIED = {intake.identity(cell): cell for cell in RELEASE.cells if intake.identity(cell)}


def grade_id(cell: Any) -> Any:
    """Return how a cell calls itself, whatever stands in the place of its metadata."""
    said = cell.get("metadata")
    data = said.get("nbgrader") if isinstance(said, dict) else None
    return data.get("grade_id") if isinstance(data, dict) else None


def expect_gradable(notebook: Any) -> None:
    """Assert the law of all intakes: every cell of ours once and in order, locked ones ours.

    Metadata, type and id are ours in every cell that the release has.
    """
    ours = [cell for cell in notebook.cells if intake.identity(cell)]
    assert [intake.identity(cell) for cell in ours] == list(IDENTIFIED)
    for cell, original in zip(ours, IDENTIFIED.values(), strict=True):
        assert (cell.id, cell.cell_type) == (original.id, original.cell_type)
        assert cell.metadata == original.metadata
        if original.metadata.nbgrader.locked:
            assert cell.source == original.source
