"""Ask whether a class's folder is safe: nothing of it goes into git, and commands can be pasted."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
import small_course as small
from formgrading import run

from referee import course
from referee.doors import authoring, ignored, year

ENGINE = Path(authoring.__file__).parents[1]
PERSONS = [
    "submitted/Ada O'Brien/ps1/ps1.ipynb", "autograded/ada/ps1/ps1.ipynb", "feedback/ada/ps1.html",
    "submitted/.ps1-collected.json", "gradebook.db", "gradebook.db.before-adopt", "grades.jsonl",
    "gradebook.db-journal", "groups.csv", "extensions.csv", "students.csv", "canvas.csv",
    "report-ps1.html", "ladder-ps1.html", "feedback-ps1.zip", "ALL.zip", ".referee/results.db",
    ".nbgrader.log", "grade.log", "downloaded/ps1/archive/all.zip", "tests/hidden/ps1/seed.txt",
    ".closing",
]  # fmt: skip
COURSE = ["source/ps1/data.csv", "towns.csv", "tests/hidden/ps1/test_a.py", "notes.md"]


def seen(root: Path) -> set[str]:
    """Return the files that `git add -A` would take."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    run_git = {"cwd": root, "env": clean, "check": True, "capture_output": True, "text": True}
    subprocess.run(["git", "init", "--quiet"], **run_git)
    done = subprocess.run(["git", "ls-files", "-z", "--others", "--exclude-standard"], **run_git)
    return set(done.stdout.split("\0"))


def put(root: Path, names: list[str]) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")


def test_nothing_of_a_class_is_added_to_a_history(tmp_path: Path) -> None:
    """Is each kind of file ignored that holds persons, and none that makes the course?"""
    authoring.write(tmp_path, "ps1")
    with (tmp_path / "nbgrader_config.py").open("a") as settings:
        settings.write("c.IncludeLibrary.files = {'*': {'towns.csv': 'towns.csv'}}\n")
    ignored.add(tmp_path)
    put(tmp_path, [*PERSONS, *COURSE])
    found = seen(tmp_path)
    assert found & set(PERSONS) == set()
    assert found >= {*COURSE, "nbgrader_config.py", "source/ps1/ps1.ipynb", ".gitignore"}


def test_folders_of_a_courses_own_are_ignored_too(tmp_path: Path) -> None:
    """Are they those that the configuration names, and is a line of somebody's kept?"""
    (tmp_path / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.submitted_directory = 'handed in'\n"
    )
    (tmp_path / ".gitignore").write_text("*.pyc")
    ignored.add(tmp_path)
    put(tmp_path, ["handed in/ada/ps1/x.ipynb", "a.pyc", "submitted/README.md"])
    assert seen(tmp_path) & {"handed in/ada/ps1/x.ipynb", "a.pyc"} == set()
    assert not ignored.add(tmp_path)
    ignored.take_out(tmp_path)
    assert (tmp_path / ".gitignore").read_text() == "*.pyc"


@pytest.mark.parametrize("before", [None, b"", b"*.pyc\n", b"a\r\n\xff/\n", b"no end"])
def test_adopting_says_what_it_ignores_and_undo_takes_it_out(tmp_path: Path, before: bytes) -> None:
    """Is the file as it was, byte for byte, and gone if there was none?"""
    root = tmp_path / "course"
    (root / "source").mkdir(parents=True)
    if before is not None:
        (root / ".gitignore").write_bytes(before)
    said = run(root, "referee", "adopt", "--yes")
    assert "named in .gitignore" in said
    assert "named in .gitignore" not in run(root, "referee", "adopt", "--yes")
    put(root, PERSONS)
    assert seen(root) & set(PERSONS) == set()
    run(root, "referee", "adopt", "--undo")
    file = root / ".gitignore"
    assert (file.read_bytes() if file.exists() else None) == (before or None)


def test_all_that_a_year_takes_away_is_ignored() -> None:
    """Is nothing that is known to be about a class forgotten here?"""
    lines = {line.strip("/") for line in (*year.MADE, *ignored.MORE)}
    assert {*year.MADE, year.RESULTS, year.BEGUN, course.SEED} <= lines


def test_names_in_printed_commands_are_quoted() -> None:
    """Is each value in a command that somebody is told to type put through `quote`?"""
    open_: list[str] = []
    for file in sorted(ENGINE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                open_ += [f"{file.name}: {one}" for one in unquoted(node)]
    assert open_ == []


def unquoted(node: ast.JoinedStr) -> list[str]:
    """Return the values of an f-string that stand in a command between backticks, unquoted."""
    inside, command, found = False, "", []
    for part in node.values:
        if isinstance(part, ast.Constant):
            for number, piece in enumerate(str(part.value).split("`")):
                inside ^= number > 0
                command = piece if number else command + piece
        elif isinstance(part, ast.FormattedValue) and inside:
            text = ast.unparse(part.value)
            if command.startswith(("referee ", "nbgrader ")) and not (
                text.startswith("quote(") or text.isupper()
            ):
                found.append(text)
    return found


def test_a_command_with_a_blank_in_a_name_can_be_pasted(tmp_path: Path) -> None:
    """Does the shell read the student's name as one word, whatever is in it?"""
    root = small.make(tmp_path / "course")
    student = "Ada O'Brien; echo $HOME"
    small.hand_in(root, student)
    run(root, "referee", "grade", small.NAME)
    said = run(root, "referee", "why", student, small.NAME, "--again", "--check", "x", status=2)
    told = said.split("`")[1]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", told], cwd=root, capture_output=True, check=False, text=True,
        env=os.environ | {"PATH": path, "PYTHONWARNINGS": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "4 judged again, 0 changed." in done.stdout
