"""Put the assignment that `referee new` writes into a folder."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from referee.commands import new
from referee.course import Assignment, Course


def put(root: Path) -> Assignment:
    """Write the assignment `a`, its course and its release."""
    shutil.copytree(_made(), root, dirs_exist_ok=True)
    return Assignment("a", Course(root))


@functools.cache
def _made() -> Path:
    """Make all of it, once for all tests of this process."""
    root = Path(tempfile.mkdtemp(prefix="course-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    new.write(Course(root), "a")
    return root
