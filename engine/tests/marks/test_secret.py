"""Is an assignment's secret made by every door, and the same in all copies on one gradebook?"""

import shutil
from pathlib import Path

import pytest
import small_course as small
from formgrading import run
from small_course import NAME

ZIP = ["referee", "gradescope", "zip", NAME]
SEED = Path("tests") / "hidden" / NAME / "seed.txt"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Make a course with a gradebook that copies of it share, and one submission."""
    root = small.make(tmp_path / "course")
    small.hand_in(root, "ada")
    config = root / "nbgrader_config.py"
    url = f"sqlite:///{root}/gradebook.db"
    config.write_text(f"{config.read_text()}\nc.CourseDirectory.db_url = {url!r}\n")
    return root


def copied(root: Path) -> Path:
    """Copy what a version of the course has, and the submissions."""
    copy = root.parent / "copy"
    kept = shutil.ignore_patterns("seed.txt", "gradebook.db", "autograded", ".referee", "*.jsonl")
    shutil.copytree(root, copy, ignore=kept)
    return copy


def said(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    "door",
    [["referee", "grade", NAME, "--workers", "1"], ["nbgrader", "autograde", NAME],
     ZIP],
)  # fmt: skip
def test_every_door_makes_the_secret_and_says_so_once(course: Path, door: list[str]) -> None:
    """Does each way to marks make it in a fresh copy, and is it then the same?"""
    assert f"{SEED} was made" in said(run(course, *door))
    secret = (course / SEED).read_bytes()
    assert "was made" not in run(course, *door, *["--force"] * (door[0] == "nbgrader"))
    assert (course / SEED).read_bytes() == secret


@pytest.mark.parametrize(
    "door", [["referee", "grade", NAME], ["referee", "gradescope", "zip", NAME]]
)
def test_a_copy_without_the_secret_asks_for_that_of_the_first(
    course: Path, door: list[str]
) -> None:
    """Does a copy on a gradebook that has marks draw none, and go on with the one it is given?"""
    small.grade(course)
    copy = copied(course)
    told = said(run(copy, *door, status=2))
    assert f"{SEED} is not here, but in the copy of this course that graded first" in told
    assert "put it back" in told and not (copy / SEED).exists()
    shutil.copy(course / SEED, copy / SEED)
    assert "seed.txt" not in run(copy, *door)


def test_a_copy_with_another_secret_is_told_before_a_mark_changes(course: Path) -> None:
    """Do both doors stop, and does the other secret count once the instructor says so?"""
    small.grade(course)
    copy = copied(course)
    (copy / SEED).write_text("another\n")
    for door in (["referee", "grade", NAME], ["nbgrader", "autograde", NAME]):
        told = said(run(copy, *door, status=2 if door[0] == "referee" else 1))
        assert f"{SEED} is not the one of the copy of this course that graded first" in told
    assert not (copy / "grades.jsonl").exists()
    small.grade(copy, "--accept-removed")
    assert "not the one" in small.grade(course, status=2)


def test_a_new_year_has_other_secrets(course: Path) -> None:
    """Does the next year's first grading go through with the secret that closing has drawn?"""
    config = course / "nbgrader_config.py"
    config.write_text("\n".join(config.read_text().splitlines()[:-1]) + "\n")
    small.grade(course)
    old = (course / SEED).read_bytes()
    run(course, "referee", "year", str(course.parent / "archive"))
    assert (course / SEED).read_bytes() != old
    small.hand_in(course, "bob")
    small.grade(course)
