"""Is feedback given to those who can have it, and said where there is none?"""

from pathlib import Path

import pytest
import small_course as small
from formgrading import run
from small_course import NAME


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Make a course in which two were graded."""
    root = small.make(tmp_path / "course")
    for student in ("ada", "bob"):
        small.hand_in(root, student)
    small.grade(root)
    return root


def said(text: str) -> str:
    return " ".join(text.split())


def test_feedback_for_a_platform_that_knows_nobody_is_refused_at_once(course: Path) -> None:
    """Is no zip written that gives nobody anything, and does the other way that is named work?"""
    for platform in ("moodle", "canvas"):
        told = said(run(course, "referee", "return", NAME, "--for", platform, status=1))
        assert f"nobody of {NAME} was collected from {platform}" in told and "--for folder" in told
    assert not (course / "feedback").exists() and not list(course.glob("*.zip"))
    assert "feedback for 2 students" in run(course, "referee", "return", NAME, "--for", "folder")


def test_a_course_that_was_never_graded_says_so(tmp_path: Path) -> None:
    """Is that one sentence, for the page, the feedback and the table?"""
    root = small.make(tmp_path)
    small.hand_in(root, "ada")
    for command in (["report"], ["return", "--for", "folder"], ["return", "--table", "cells"]):
        assert "was graded yet" in said(run(root, "referee", *command, status=2))
