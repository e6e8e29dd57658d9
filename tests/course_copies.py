"""Make copies of this course with one of its assignments."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from formgrading import run

from referee.course import files_in

ROOT = Path(__file__).parents[1]
# What is not nbgrader's own, and all that a course needs to be graded.
COURSE_FILES = (
    "games.py", "nbgrader_config.py", "pyproject.toml",
    "source/requirements.txt", "source/searches.py",
    *(f"{name}/{file}" for name in ("handout", "adversarial") for file in files_in(ROOT / name)),
)  # fmt: skip


def make_course(root: Path, name: str) -> Path:
    """Put the course with one of its assignments into a folder: released, with a gradebook."""
    shutil.copytree(_course(name), root, dirs_exist_ok=True)
    return root


def bare_course() -> Path:
    """Return a new folder with the files that every course needs; it is removed at exit."""
    root = Path(tempfile.mkdtemp(prefix="course-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    for file in COURSE_FILES:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, root / file)
    return root


@functools.cache
def _course(name: str) -> Path:
    """Make the course, once for all tests of this process."""
    root = bare_course()
    for folder in ("source", "tests/hidden"):
        shutil.copytree(ROOT / folder / name, root / folder / name)
    (root / "tests" / "hidden" / name / "seed.txt").write_text("the secret of the tests\n")
    run(root, "nbgrader", "generate_assignment", name)
    return root
