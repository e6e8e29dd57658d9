"""Hold the courses of the tests to what nbgrader would make of them."""

from pathlib import Path

import nbformat
import nim_course
from nim_course import NAME, NOTEBOOK


def test_the_release_is_what_nbgrader_makes_of_the_source(tmp_path: Path) -> None:
    """Is the release that tests read as it stands that of the course they grade?"""
    made, ours = (
        nbformat.read(folder / NOTEBOOK, 4)
        for folder in (
            nim_course.make(tmp_path) / "release" / NAME,
            nim_course.ASSIGNMENT.release.parent,
        )
    )
    assert [(one.id, one.source) for one in made.cells] == [
        (one.id, one.source) for one in ours.cells
    ]
