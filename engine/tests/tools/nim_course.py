"""The course on Nim of the tests: where it lies, and copies of it that can be graded.

It has a library, a record, games that stay in the referee, a bank and a written question. Tests
that only read may use `ROOT`, a copy with the release; those that grade `make` another one.
"""

import shutil
from pathlib import Path

from formgrading import released

from referee import intake
from referee.course import Assignment, Course

NAME = "nim"
NOTEBOOK = f"{NAME}.ipynb"
COURSE = Path(__file__).parents[1] / "courses" / NAME
POINTS = {"Nim": 20, "MiniMax": 25, "AlphaBeta": 30, "playing": 3, "evaluation_a": 7}


def make(root: Path) -> Path:
    """Put the course into a folder, with its release and a gradebook; return the folder."""
    unwanted = shutil.ignore_patterns(".referee")  # of tests that judge in `ROOT`
    shutil.copytree(ROOT, root, dirs_exist_ok=True, ignore=unwanted)
    (root / "tests" / "hidden" / NAME / "seed.txt").write_text("the secret of the tests\n")
    return root


ROOT = released(COURSE, NAME)
ASSIGNMENT = Assignment(NAME, Course(ROOT))
RELEASED = ASSIGNMENT.release.read_bytes()
RELEASE = intake.parse(RELEASED)
