"""Use a course whose five folders have other names: is every command at home there?"""

import json
import zipfile
from pathlib import Path

import small_course as small
from formgrading import run
from small_course import NAME

FOLDERS = {
    "source": "solutions", "release": "for students", "submitted": "handed in",
    "autograded": "marked", "feedback": "given back",
}  # fmt: skip


def test_each_command_finds_folders_of_other_names(tmp_path: Path) -> None:
    """Is everything read and written there, nothing made beside it, and all of her work erased?"""
    root = small.make(tmp_path / "course")
    with (root / "nbgrader_config.py").open("a") as settings:
        for step, name in FOLDERS.items():
            settings.write(f"c.CourseDirectory.{step}_directory = {name!r}\n")
            if (root / step).exists():
                (root / step).rename(root / name)
    given = f"Ada_11_assignsubmission_file/{NAME}.ipynb"
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr(given, json.dumps(small.notebook(**small.SOLVED)))
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
