"""Hold the courses of the tests to what nbgrader would make of them."""

from pathlib import Path

import nim_course
from nim_course import NAME


def test_the_release_is_what_nbgrader_makes_of_the_source(tmp_path: Path) -> None:
    """Is the release that tests read as it stands that of the course they grade?"""
    made = nim_course.make(tmp_path) / "release" / NAME
    kept = nim_course.ASSIGNMENT.release.parent
    for file in ("nim.ipynb", "piles.py"):
        assert (made / file).read_bytes() == (kept / file).read_bytes()
