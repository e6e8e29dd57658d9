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

from formgrading import released

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
