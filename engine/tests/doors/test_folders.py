"""Ask whether folders of other names and places are found, and nothing of persons goes into git."""

import json
import zipfile
from pathlib import Path

import pytest
import small_course as small
from classes import Class
from commands import typed
from formgrading import run
from small_course import NAME

from referee.commands import new
from referee.course import Course, CourseError
from referee.marks import ignored

FOLDERS = {
    "source": "teacher/solutions", "release": "for students", "submitted": "handed in",
    "autograded": "marked", "feedback": "given back",
}  # fmt: skip


def test_each_command_finds_folders_of_other_names(tmp_path: Path) -> None:
    """Is all read and written there, nobody graded who is left out, and all of her work erased?"""
    root = small.make(tmp_path / "course")
    (root / "teacher").mkdir()
    with (root / "nbgrader_config.py").open("a") as settings:
        settings.write("c.CourseDirectory.student_id_exclude = 'guest, tester'\n")
        for step, name in FOLDERS.items():
            settings.write(f"c.CourseDirectory.{step}_directory = {name!r}\n")
            if (root / step).exists():
                (root / step).rename(root / name)
    text = json.dumps(small.notebook(**small.SOLVED))
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for number, student in enumerate(("Ada", "guest")):
            archive.writestr(f"{student}_{number}_assignsubmission_file/{NAME}.ipynb", text)
    page = f"{FOLDERS['source']}/{NAME}/{NAME}.ipynb"
    for command in (
        f"release {NAME} --yes", f"collect {NAME} {tmp_path}/all.zip", f"grade {NAME} --workers 1",
        f"why Ada {NAME}", f"report {NAME}", "return", f"return {NAME} --for moodle",
        f"viva {NAME} --workers 1", "new other", f"gradescope {NAME} {tmp_path}/autograder.zip",
    ):  # fmt: skip
        run(root, "referee", *command.split())
    run(root, "referee", "check", page)
    assert "1       1" in run(root, "referee", "status", NAME)
    for step, name in FOLDERS.items():
        assert (root / name).is_dir() and not (root / step).exists(), step
    made = root / FOLDERS["feedback"] / "Ada" / NAME / f"{NAME}.html"
    assert made.is_file() and "Ada" in (root / "grades.csv").read_text("utf-8-sig")
    said = run(root, "referee", "forget", "Ada", "--yes", status=1)
    assert "Erased: " in said
    assert not [file for name in FOLDERS.values() for file in (root / name).glob("Ada")]


def test_what_a_command_writes_lies_in_the_course_wherever_it_is_run(two: Class) -> None:
    """Is nothing about persons put where git takes it, or beside what students get?"""
    inside = two.path(f"source/{NAME}")
    before = sorted(inside.iterdir())
    for command in "return", "return --for folder", f"gradescope {NAME}", "report":
        said = run(inside, "referee", *command.split())
        assert "../../" in said
    assert sorted(inside.iterdir()) == before
    for name in "grades.csv", "feedback-numbers.zip", "autograder.zip", "report-numbers.html":
        assert two.path(name).is_file()


@pytest.mark.parametrize("where", ["class", "elsewhere"])
def test_folders_may_lie_in_a_folder_of_the_course(two: Class, where: str) -> None:
    """Is a root inside the course read from wherever a command is run, and no other root?"""
    inside = where == "class"
    root = where if inside else str(two.root.parent / where)
    with (two.root / "nbgrader_config.py").open("a") as settings:
        settings.write(f"c.CourseDirectory.root = {root!r}\n")
    two.path(where).mkdir()
    for name in ("source", "release", "submitted", "gradebook.db"):
        two.path(name).rename(two.path(where) / name)
    options = ("grade", NAME, "--workers", "1", "--force", "--course", str(two.root))
    said = run(two.root.parent, "referee", *options, status=0 if inside else 2)
    assert ("c.CourseDirectory.root names another folder" in said) != inside
    assert (two.path(where) / "autograded/ada" / NAME / f"{NAME}.ipynb").is_file() == inside
    assert {"source", "gradebook.db"}.isdisjoint(one.name for one in two.root.iterdir())


# --- what git is told to leave out -------------------------------------------------------------

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
    command = ("why", student, NAME, "--again", "--check", "x")
    told = run(two.root, "referee", *command, status=2).split("`")[1]
    assert "4 judged again, 0 changed." in typed(two.root, told)
