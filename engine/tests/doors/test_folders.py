"""Use a course whose folders have other names or places: is every command at home there?"""

import json
import zipfile
from pathlib import Path

import pytest
import small_course as small
from classes import Class
from formgrading import run
from small_course import NAME

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
