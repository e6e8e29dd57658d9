"""Ask whether the log tells of every change of a mark, and of nothing else."""

import getpass
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from class_records import record

from referee.marks import grade_log

OLD = {"test_f": None, "test_g": None, "essay": None}
NEW = {"test_f": 3.0, "test_g": 0.5, "essay": None}


def lines(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / grade_log.FILE).read_text("utf-8").splitlines()]


def test_a_first_grading_is_a_line_with_all_that_is_known(tmp_path):
    """Does it say when, who, whose, from what to what, and by which course?"""
    before = datetime.now(UTC).replace(microsecond=0)
    graded = record("Åsa", {}, timestamp="2027-01-02 10:00")
    graded.course, graded.submission = "c0ffee", "d1ce"
    grade_log.note(tmp_path, "sums", "Åsa", OLD, NEW, graded)
    (line,) = lines(tmp_path)
    when = datetime.strptime(line.pop("when"), "%Y-%m-%d %H:%M:%S UTC").replace(tzinfo=UTC)
    assert before <= when <= datetime.now(UTC)
    assert line == {
        "who": getpass.getuser(),
        "assignment": "sums",
        "student": "Åsa",
        "old": {"test_f": None, "test_g": None},
        "new": {"test_f": 3.0, "test_g": 0.5},
        "course": "c0ffee",
        "submission": "d1ce",
        "handed_in": "2027-01-02 10:00",
    }


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ({}, NEW, {"test_f": (None, 3.0), "test_g": (None, 0.5)}),
        (NEW, NEW | {"test_g": 1.0}, {"test_g": (0.5, 1.0)}),
        (NEW, NEW | {"test_f": None}, {"test_f": (3.0, None)}),
        (NEW, NEW | {"test_f": 0.0, "essay": 0.0}, {"test_f": (3.0, 0.0), "essay": (None, 0.0)}),
        (NEW, dict.fromkeys(NEW), {"test_f": (3.0, None), "test_g": (0.5, None)}),
    ],
    ids=["a new cell", "more", "left to a human", "nothing is not zero", "taken back"],
)
def test_a_line_has_the_cells_that_change(tmp_path, old, new, changed):
    """Is there nothing in a line of cells that stay, and both marks of those that do not?"""
    grade_log.note(tmp_path, "sums", "ada", old, new)
    (line,) = lines(tmp_path)
    assert line["old"] == {cell: pair[0] for cell, pair in changed.items()}
    assert line["new"] == {cell: pair[1] for cell, pair in changed.items()}


@pytest.mark.parametrize("scores", [{}, OLD, NEW])
def test_no_change_is_no_line(tmp_path, scores):
    """Is the log not even made where nothing changes?"""
    grade_log.note(tmp_path, "sums", "ada", scores, scores)
    assert list(tmp_path.iterdir()) == []


def test_a_line_that_cannot_be_read_stands_in_nobodys_way(tmp_path):
    """Are the others read, and is that one still there?"""
    (tmp_path / grade_log.FILE).write_bytes(b"{half\n")
    grade_log.note(tmp_path, "sums", "ada", OLD, NEW)
    assert [one.student for one in grade_log.changes(tmp_path, "sums")] == ["ada"]
    assert [one.get("student") for one, _ in grade_log.lines(tmp_path)] == [None, "ada"]
