"""Ask whether the command line says what became of it, what is wrong, and what to do about it.

That the program itself starts is asked once; all else is asked in this process, which is faster.
"""

import json
import subprocess
from importlib import metadata
from pathlib import Path
from subprocess import CompletedProcess

import commands
import pytest
import small_course as small
import typer
from classes import Class

from referee.commands import COMMANDS, errors
from referee.course import CourseError
from referee.model import Limits
from referee.sandbox.outside.server import shut_off, survey

CONFIG = "nbgrader_config.py"
ADA = f"submitted/ada/{small.NAME}/{small.NAME}.ipynb"


def run(root: Path, command: str) -> CompletedProcess[str]:
    """Run a command in a folder, in this process."""
    return commands.run(root, "referee", *command.split())


def expect_usage_error(done: CompletedProcess[str], *words: str) -> None:
    """Assert exit status 2 and one sentence on standard error.

    It names the thing, and speaks to a person: no error numbers, no class names of Python.
    """
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("referee: ")
    assert [word for word in words if word not in line] == []
    assert "Errno" not in line and "Traceback" not in line
    assert "Error" not in line or any("Error" in word for word in words)


def test_help_lists_every_command_in_the_order_of_a_course_on_one_screen() -> None:
    """Does the program start, and `--help` have a line for each, in 24 rows of 80 columns?"""
    done = subprocess.run(
        [commands.BIN / "referee", "--help"], env=commands.environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[lines.index("Commands:") + 1 :]] == list(COMMANDS)
    assert len(lines) <= 24 and max(map(len, lines)) <= 80


def test_the_version_and_the_command_that_was_meant_are_told(tmp_path: Path) -> None:
    """Does `--version` say which package is at work? Are names known although none is loaded?"""
    said = run(tmp_path, "--version")
    assert (said.returncode, said.stdout) == (0, f"referee {metadata.version('referee')}\n")
    said = run(tmp_path, "grad")
    assert said.returncode == 2 and "Did you mean 'grade'?" in said.stderr


def test_a_notebook_is_judged_outside_the_class(graded: Class, tmp_path: Path) -> None:
    """Is a right one told by 0, and one as released by 1, with a report that says what to do?"""
    blank = f"release/{small.NAME}/{small.NAME}.ipynb"
    for notebook, status, score in ((ADA, 0, 10), (blank, 1, 0)):
        done = run(graded.root, f"check {notebook} --json {tmp_path}/report.json")
        assert (done.returncode, done.stderr) == (status, "")
        assert f"{score} of 10 points" in done.stdout and "Traceback" not in done.stdout
        assert ("still raises NotImplementedError" in done.stdout) == (not score)
        report = json.loads((tmp_path / "report.json").read_text("utf-8"))
        assert (report["score"], report["max_score"], report["refused"]) == (score, 10, None)
    assert [file.name for file in tmp_path.iterdir()] == ["report.json"]
    (tmp_path / "other").touch()  # who may read this, may read that
    assert (tmp_path / "report.json").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("check {folder}/text.ipynb", ["{folder}/text.ipynb", "no notebook", "hand in"]),
        ("check {folder}/foreign.ipynb", ["--assignment", "numbers"]),
        ("check {root}/source", ["source", "notebook"]),
        ("check {folder}/nowhere.ipynb", ["nowhere.ipynb: No such file"]),
        ("check {ada} --course {folder}", ["{folder}", "nbgrader_config.py", "--course"]),
        ("grade chess", ["'chess'", "numbers"]),
        ("grade numbers --student nobody", ["submitted/nobody/numbers"]),
        ("grade numbers --student adda", ["did you mean ada?"]),
        ("return --for canvas --table canvas --to x", ["--to names one file", "leave it out"]),
        ("adopt numbers", ["`referee adopt ASSIGNMENT --harden CELL`"]),
        ("new a/b", ["'a/b'", "letters, digits"]),
        ("forget ../ada", ["'../ada'", "as the folder in submitted/ is called"]),
    ],
)
def test_every_mistake_of_a_user_is_one_line(
    graded: Class, tmp_path: Path, command: str, words: list[str]
) -> None:
    """Does a command that goes wrong end with status 2 and one helpful line?"""
    (tmp_path / "text.ipynb").write_text("Dear teacher,\n")
    (tmp_path / "foreign.ipynb").write_text('{"cells": [], "nbformat": 4, "nbformat_minor": 5}')
    fill = {"folder": tmp_path, "root": graded.root, "ada": graded.root / ADA}
    done = run(graded.root, command.format(**fill))
    assert done.stdout == ""
    expect_usage_error(done, *(word.format(**fill) for word in words))


def test_a_file_that_cannot_be_written_is_refused_before_any_work(
    graded: Class, tmp_path: Path
) -> None:
    """Is it said of which option, and nothing judged?"""
    for file, why in ("", "is a directory"), ("no/x", "make it first"):
        done = run(graded.root, f"check {ADA} --json {tmp_path}/{file}")
        assert (done.returncode, done.stdout) == (2, "")
        assert "'--json'" in done.stderr and why in done.stderr


def test_faults_of_checks_stand_in_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    """Is every check that cannot be asked on a line of its own?"""
    with pytest.raises(typer.Exit), errors.in_one_line():
        raise CourseError("these cannot be run:", ["test_a", "test_b"])
    assert capsys.readouterr().err == "referee: these cannot be run:\n  test_a\n  test_b\n"


def test_the_doctor_lists_the_layers_of_this_machine(tmp_path: Path) -> None:
    """Is there a line for each layer, and the exit code 0 if there is isolation?"""
    layers, _ = survey(Limits(unsafe=True))
    done = run(tmp_path, "doctor")
    lines = done.stdout.splitlines()
    assert [line.removeprefix("✓ ") for line in lines if line[0] == "✓"] == layers
    assert done.returncode == (0 if shut_off(layers) else 1)


@pytest.mark.parametrize("command", ["grade numbers --workers 1", f"check {ADA}"])
def test_a_machine_without_isolation_judges_only_when_told_to(
    two: Class, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Does no student's code run, with a line that says why and what to do, and stays the class?"""
    monkeypatch.setattr("referee.sandbox.outside.server.shut_off", lambda layers: False)
    two.hand_in("ada", square="never = 'judged before'")  # what was is known, and need not run
    before = two.rows()
    done = run(two.root, command)
    expect_usage_error(done, "offers no isolation", "`referee doctor`", "--unsafe")
    assert two.rows() == before


# --- what is wrong with a course -------------------------------------------------------------


ORDER = """c = get_config()
c.CourseDirectory.directory_structure = "{assignment_id}/{nbgrader_step}/{student_id}"
"""
DAMAGES = {  # a file, its content, a command, and the words of its line
    "the configuration is no Python": (
        CONFIG, "c = get_config()\nc.Limits.unsafe = = True\n", "grade numbers",
        ["{root}/nbgrader_config.py: SyntaxError: invalid syntax (nbgrader_config.py, line 2);"],
    ),
    "the configuration fails": (
        CONFIG, "c = get_config()\n\nc.Limits.x = 1 / 0\n", "grade numbers",
        ["{root}/nbgrader_config.py, line 3: ZeroDivisionError: division by zero; correct it"],
    ),
    "the configuration stops": (
        CONFIG, "raise SystemExit('enough')", f"check {ADA}",
        ["nbgrader_config.py, line 1", "enough", "correct it"],
    ),
    "the configuration is of another type": (
        CONFIG, "c = get_config()\nc.CourseDirectory.db_url = 5\n", "grade numbers",
        ["nbgrader_config.py", "db_url", "Could not parse"],
    ),
    "the folders lie in another order": (
        CONFIG, ORDER, "grade numbers", ["directory_structure is another one than"],
    ),
    "the disk is full": (
        "notes.txt", "", f"check {ADA} --json /dev/full",
        ["/dev/full: No space left on device; put that right and run this again"],
    ),
    "the gradebook is damaged": (
        "gradebook.db", "no database, and long enough to look at\n" * 100, "grade numbers",
        ["the gradebook cannot be used (file is not a database)", "db_url", "last copy",
         "`nbgrader db upgrade`"],
    ),
    "the release is damaged": (
        "release/numbers/numbers.ipynb", '{"cells"', f"check {ADA} --assignment numbers",
        ["{root}/release/numbers/numbers.ipynb belongs to the course", "`referee release"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_what_is_wrong_with_a_course_is_one_line(two: Class, name: str) -> None:
    """Does it say which file, what about it, and what to do, and nothing of other mistakes?"""
    file, text, command, words = DAMAGES[name]
    two.path(file).write_text(text)
    done = run(two.root, command)
    expect_usage_error(done, *(word.format(root=two.root) for word in words))
