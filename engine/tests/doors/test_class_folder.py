"""Ask whether a class's folder is safe: nothing of it goes into git, and commands can be pasted."""

from pathlib import Path

import pytest
import small_course as small
from classes import Class
from commands import typed
from formgrading import run

from referee.commands import new
from referee.course import Course, CourseError
from referee.marks import ignored

PERSONS = [
    "submitted/Ada O'Brien/ps1/ps1.ipynb", "autograded/ada/ps1/ps1.ipynb", "feedback/ada/ps1.html",
    "submitted/.ps1-collected.json", "gradebook.db", "gradebook.db.before-adopt", "grades.jsonl",
    "gradebook.db-journal", "groups.csv", "extensions.csv", "students.csv", "canvas.csv",
    "report-ps1.html", "viva-ps1.html",  "feedback-ps1.zip", "ALL.zip", ".referee/results.db",
    ".nbgrader.log", "grade.log", "downloaded/ps1/archive/all.zip", "tests/hidden/ps1/seed.txt",
]  # fmt: skip
COURSE = ["source/ps1/data.csv", "towns.csv", "tests/hidden/ps1/test_a.py", "notes.md"]


def seen(root: Path) -> set[str]:
    """Return the files that `git add -A` would take."""
    said = typed(root, "git init --quiet; git ls-files -z --others --exclude-standard")
    return set(said.split("\0"))


def put(root: Path, names: list[str]) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")


@pytest.mark.parametrize("folder", ["source", "tests/hidden", "bank", "release"])
def test_nothing_is_overwritten(tmp_path: Path, folder: str) -> None:
    """Does an assignment that is there in any of its folders stay as it is?"""
    (tmp_path / folder / "a").mkdir(parents=True)
    with pytest.raises(CourseError, match=f"{folder}/a is there already"):
        new.write(Course(tmp_path), "a")
    assert not any(file.is_file() for file in tmp_path.rglob("*"))


def test_nothing_of_a_class_is_added_to_a_history(tmp_path: Path) -> None:
    """Is each kind of file ignored that holds persons, and none that makes the course?"""
    new.write(Course(tmp_path), "ps1")
    with (tmp_path / "nbgrader_config.py").open("a") as settings:
        settings.write("c.IncludeLibrary.files = {'*': {'towns.csv': 'towns.csv'}}\n")
    ignored.add(Course(tmp_path))
    put(tmp_path, [*PERSONS, *COURSE])
    found = seen(tmp_path)
    assert found & set(PERSONS) == set()
    assert found >= {*COURSE, "nbgrader_config.py", "source/ps1/ps1.ipynb", ".gitignore"}


def test_folders_of_a_courses_own_are_ignored_too(tmp_path: Path) -> None:
    """Are they those that the configuration names, and is a line of somebody's kept?"""
    (tmp_path / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.submitted_directory = 'handed in'\n"
    )
    (tmp_path / ".gitignore").write_bytes(b"\xff/\n*.pyc")
    ignored.add(Course(tmp_path))
    put(tmp_path, own := ["handed in/ada/ps1/x.ipynb", "a.pyc"])
    assert seen(tmp_path).isdisjoint(own)
    assert not ignored.add(Course(tmp_path))


def test_a_command_with_a_blank_in_a_name_can_be_pasted(two: Class) -> None:
    """Does the shell read the student's name as one word, whatever is in it?"""
    student = "Ada O'Brien; echo $HOME"
    two.hand_in(student)
    two.grade()
    command = ("why", student, small.NAME, "--again", "--check", "x")
    told = run(two.root, "referee", *command, status=2).split("`")[1]
    assert "4 judged again, 0 changed." in typed(two.root, told)
