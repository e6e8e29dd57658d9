"""Put the assignment that `referee new` writes into a folder."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from referee.course import Assignment
from referee.doors import authoring
from referee.marks import release


def put(root: Path) -> Assignment:
    """Write the assignment `a`, its course and its release."""
    shutil.copytree(_made(), root, dirs_exist_ok=True)
    return Assignment("a", root)


@functools.cache
def _made() -> Path:
    """Make all of it, once for all tests of this process."""
    root = Path(tempfile.mkdtemp(prefix="course-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    for template in ("course", "example"):
        for file, content in authoring.filled(template, "a").items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(content)
    release.make(root, "a")
    return root
