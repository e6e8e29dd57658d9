"""Does a copy of a course know what of the common gradebook it has not?"""

import shutil
from pathlib import Path

import pytest
import small_course as small
from formgrading import run
from small_course import NAME

AWAY = (
    "numbers: the gradebook has marks of ada, bob, graded in another copy of this course; copy "
    "autograded/ and .referee/ from there, or run this there"
)
MISSING = ("gradebook.db", "autograded", "feedback", ".referee", "*.jsonl")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Make a course in which two were graded."""
    root = small.make(tmp_path / "course")
    config = root / "nbgrader_config.py"
    url = f"sqlite:///{root}/gradebook.db"
    config.write_text(f"{config.read_text()}\nc.CourseDirectory.db_url = {url!r}\n")
    for student in ("ada", "bob"):
        small.hand_in(root, student)
    small.grade(root)
    return root


@pytest.fixture
def copy(course: Path) -> Path:
    """Copy the course without what grading has made, but for the gradebook, which is common."""
    ignored = shutil.ignore_patterns(*MISSING)
    return Path(shutil.copytree(course, course.parent / "copy", ignore=ignored))


def said(text: str) -> str:
    return " ".join(text.split())


def test_a_copy_says_what_it_has_not_until_it_is_brought(course: Path, copy: Path) -> None:
    """Is the line the same for all commands, and does its advice lead to their end?"""
    commands = [["report", NAME], ["return", NAME, "--for", "folder"]]
    for command in commands:
        assert said(run(copy, "referee", *command, status=2)) == f"referee: {AWAY}"
    assert AWAY in said(run(copy, "referee", "status"))
    run(copy, "referee", "return", NAME, "--table", "cells")  # for which the gradebook is enough
    for name in ("autograded", ".referee"):
        shutil.copytree(course / name, copy / name, dirs_exist_ok=True)
    assert all(AWAY not in said(run(copy, "referee", *one)) for one in (["status"], *commands))


def test_a_copy_that_has_one_student_gives_back_one_and_names_the_other(
    course: Path, copy: Path
) -> None:
    """Is what is here given back, and the rest said?"""
    shutil.copytree(course / "autograded" / "ada", copy / "autograded" / "ada")
    told = said(run(copy, "referee", "return", NAME, "--for", "folder"))
    assert "feedback for 1 students" in told and "has marks of bob, graded in another" in told


def test_feedback_for_a_platform_that_knows_nobody_is_refused_at_once(course: Path) -> None:
    """Is no zip written that gives nobody anything, and does the other way that is named work?"""
    for platform in ("moodle", "canvas"):
        told = said(run(course, "referee", "return", NAME, "--for", platform, status=1))
        assert f"nobody of {NAME} was collected from {platform}" in told and "--for folder" in told
    assert not (course / "feedback").exists() and not list(course.glob("*.zip"))
    assert "feedback for 2 students" in run(course, "referee", "return", NAME, "--for", "folder")


def test_a_course_that_was_never_graded_says_so(tmp_path: Path) -> None:
    """Is nothing about copies said where nobody was graded?"""
    root = small.make(tmp_path)
    small.hand_in(root, "ada")
    for command in (["report"], ["return", "--for", "folder"], ["return", "--table", "cells"]):
        assert "was graded yet" in said(run(root, "referee", *command, status=2))
