"""Ask whether the course finds its files, and says what is missing."""

import shutil
from pathlib import Path

import pytest

from referee import course


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The smallest course: one assignment, called sums."""
    for name in ("games.py", "check.py", "nbgrader_config.py", "README.md"):
        (tmp_path / name).write_text(f"# {name}\n")
    for folder, file in {
        "release/sums": "sums.ipynb",
        "source/sums": "sums.ipynb",
        "tests/hidden/sums": "test_sums.py",
        "submitted/ada/sums": "sums.ipynb",
    }.items():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / file).write_text("{}\n")
    return tmp_path


# --- finding things --------------------------------------------------------------------------


@pytest.mark.parametrize("below", [".", "release/sums", "submitted/ada"])
def test_the_course_is_found_from_every_folder_in_it(root, below):
    """Is the root found from the root itself and from below?"""
    assert course.find_root(root / below) == root


def test_outside_of_a_course_the_error_says_where_and_what_to_do(tmp_path):
    """Does the message name the folder, the missing file and the option?"""
    with pytest.raises(course.CourseError) as caught:
        course.find_root(tmp_path / "nowhere")
    for words in (str(tmp_path / "nowhere"), "nbgrader_config.py", "--course"):
        assert words in str(caught.value)


def test_an_unknown_assignment_is_answered_with_the_known_ones(root):
    """Can the reader pick the right name from the message?"""
    (root / "tests/hidden/trees").mkdir()
    with pytest.raises(course.CourseError, match=r"'chess'.*: sums, trees$"):
        course.find_assignment(root, "chess")


def test_a_missing_release_is_named(root):
    """Does the message name the file that has to be made?"""
    (root / "release/sums/sums.ipynb").unlink()
    with pytest.raises(course.CourseError, match=r"release.sums.sums\.ipynb.*missing"):
        course.find_assignment(root, "sums")


def test_what_lies_beside_a_notebook_is_found_in_folders_too(root):
    """Is each file of a release there by its path, but for notebooks and what is left behind?"""
    release = root / "release" / "sums"
    for name in (
        "games.py", "canvas/boards.py", "canvas/deep/a.svg", "other.ipynb", ".hidden",
        "canvas/__pycache__/boards.pyc", ".ipynb_checkpoints/sums-checkpoint.ipynb", ".git/config",
    ):  # fmt: skip
        (release / name).parent.mkdir(parents=True, exist_ok=True)
        (release / name).write_text(name)
    found = course.files_in(release, leave_out="*.ipynb")
    assert found == {name: name.encode() for name in found}
    assert list(found) == ["canvas/boards.py", "canvas/deep/a.svg", "games.py"]


@pytest.mark.parametrize("name", ["__pycache__", ".ipynb_checkpoints", ".pytest_cache"])
def test_what_programs_leave_behind_is_no_assignment(root, name):
    """Are the folders of Python, Jupyter and pytest passed over?"""
    (root / "tests/hidden" / name).mkdir()
    assert course.assignments(root) == ["sums"]


def test_a_course_without_hidden_checks_is_an_error_of_the_course(root):
    """Is the missing folder named in an error that the command line knows?"""
    shutil.rmtree(root / "tests")
    with pytest.raises(course.CourseError, match=r"tests.hidden"):
        course.find_assignment(root, "sums")
