"""The course on Nim of the tests: where it lies, and copies of it that can be graded.

It has a library, a record, games that stay in the referee, a bank and a written question. Tests
that only read may use `ROOT`; those that grade make a copy.
"""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from formgrading import run

from referee.course import Assignment

NAME = "nim"
NOTEBOOK = f"{NAME}.ipynb"
ROOT = Path(__file__).parents[1] / "courses" / NAME
ASSIGNMENT = Assignment(NAME, ROOT)
POINTS = {"Nim": 20, "MiniMax": 25, "AlphaBeta": 30, "playing": 3, "evaluation_a": 7}


def make(root: Path) -> Path:
    """Put the course into a folder, with its release and a gradebook; return the folder."""
    shutil.copytree(_made(), root, dirs_exist_ok=True)
    return root


@functools.cache
def _made() -> Path:
    """Make the course, once for all tests of this process."""
    root = Path(tempfile.mkdtemp(prefix="course-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    unwanted = shutil.ignore_patterns(".referee", "__pycache__", "gradebook.db*")
    shutil.copytree(ROOT, root, dirs_exist_ok=True, ignore=unwanted)
    (root / "tests" / "hidden" / NAME / "seed.txt").write_text("the secret of the tests\n")
    run(root, "nbgrader", "generate_assignment", NAME, "--create", "--force")
    return root
