"""Ask whether a new assignment overwrites nothing."""

from pathlib import Path

import pytest

from referee.commands import new
from referee.course import Course, CourseError


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """Does an assignment that is there in any of its folders stay as it is?"""
    for folder in ("source/a", "tests/hidden/a", "bank/a", "release/a"):
        root = tmp_path / folder.replace("/", "-")
        (root / folder).mkdir(parents=True)
        with pytest.raises(CourseError, match=f"{folder} is there already"):
            new.write(Course(root), "a")
        assert [file for file in root.rglob("*") if file.is_file()] == []
