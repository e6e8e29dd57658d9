"""Ask whether the command line says what it found, what is wrong, and what to do about it.

The commands of each kind are run in processes of their own, two at a time; more mistakes of the
same kinds are made in this process, which is faster.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
from typer.testing import CliRunner

from referee.doors import cli
from referee.sandbox.zygote import shut_off, survey

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "source" / "tic-tac-toe" / "tic-tac-toe.ipynb"
RELEASE = ROOT / "release" / "tic-tac-toe" / "tic-tac-toe.ipynb"
POINTS = {"TicTacToe": 20, "MiniMax": 25, "AlphaBeta": 30, "playing": 3, "evaluation_a": 7}


class Case(NamedTuple):
    """A command, the folder to run it in, and what it must say on standard error."""

    arguments: tuple[str | Path, ...]
    folder: Path = ROOT
    words: tuple[str, ...] = ()


class Done(NamedTuple):
    """What became of a command."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside of any course, with files that are handed in by mistake."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "empty.ipynb").touch()
    (folder / "text.ipynb").write_text("Dear teacher,\n")
    (folder / "picture.ipynb").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "data.ipynb").write_text('{"points": 100}')
    nbformat.write(nbformat.v4.new_notebook(), folder / "foreign.ipynb")
    return folder


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a hidden check that is no Python."""
    root = tmp_path_factory.mktemp("broken")
    for name in ("games.py", "check.py", "nbgrader_config.py", "pyproject.toml"):
        shutil.copy(ROOT / name, root)
    shutil.copytree(RELEASE.parent, root / "release" / "tic-tac-toe")
    (root / "tests/hidden/tic-tac-toe").mkdir(parents=True)
    (root / "tests/hidden/tic-tac-toe/test_broken.py").write_text("def test_it(:\n")
    return root


@pytest.fixture(scope="module")
def cases(folder: Path, broken: Path) -> dict[str, Case]:
    """All commands that are run in processes of their own."""
    return {
        "source": Case(("check", SOURCE, "--json", folder / "source.json")),
        "blank": Case(
            ("check", RELEASE.name, "--json", folder / "blank.json", "--assignment", "tic-tac-toe"),
            RELEASE.parent,
        ),
        "help": Case(("--help",)),
        "no such file": Case(("check", "nowhere.ipynb"), words=("nowhere.ipynb",)),
        "a directory": Case(("check", "source"), words=("source", "notebook")),
        "a text": Case(("check", folder / "text.ipynb"), words=("not a notebook", "hand it in")),
        "a notebook of no assignment": Case(
            ("check", folder / "foreign.ipynb"), words=("--assignment", "tic-tac-toe")
        ),
        "an unknown assignment": Case(
            ("check", RELEASE, "--assignment", "chess"), words=("'chess'", "tic-tac-toe")
        ),
        "outside of any course": Case(
            ("check", RELEASE), folder, words=(str(folder), "nbgrader_config.py", "--course")
        ),
        "a broken hidden check": Case(
            ("check", RELEASE, "--course", broken), words=("test_broken.py", "SyntaxError")
        ),
    }


ERRORS = [
    "no such file", "a directory", "a text", "a notebook of no assignment",
    "an unknown assignment", "outside of any course", "a broken hidden check",
]  # fmt: skip


@pytest.fixture(scope="module")
def done(cases: dict[str, Case]) -> Iterator[dict[str, Done]]:
    """Run all commands, two at a time."""
    program = Path(sys.executable).parent / "referee"
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1"}
    running: dict[str, subprocess.Popen[str]] = {}
    found: dict[str, Done] = {}

    def finish(name: str) -> None:
        process = running.pop(name)
        out, err = process.communicate()
        found[name] = Done(process.returncode, out, err)

    for name, case in cases.items():
        if len(running) == 2:
            finish(next(iter(running)))
        running[name] = subprocess.Popen(
            [str(program), *map(str, case.arguments)],
            cwd=case.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
    for name in list(running):
        finish(name)
    yield found


@pytest.fixture(scope="module")
def source_report(done: dict[str, Done], folder: Path) -> Any:
    """The JSON report on the reference solution."""
    assert done["source"].status == 0
    return json.loads((folder / "source.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def blank_report(done: dict[str, Done], folder: Path) -> Any:
    """The JSON report on the notebook as released."""
    assert done["blank"].status == 1
    return json.loads((folder / "blank.json").read_text("utf-8"))


# --- reports ---------------------------------------------------------------------------------


def test_the_reference_has_full_marks(done, source_report):
    """Is the exit status 0, with 85 of 85 points and every check passed?"""
    status, out, err = done["source"]
    assert (status, err) == (0, "")
    assert "85 of 85 points" in out
    assert (source_report["score"], source_report["max_score"]) == (85, 85)
    assert {check["verdict"] for check in source_report["checks"]} == {"pass"}
    assert source_report["repairs"] == []
    assert source_report["refused"] is None


def test_the_blank_notebook_has_no_points_and_a_friendly_report(done, blank_report):
    """Is the exit status 1, and does the student read what to do, without any traceback?"""
    status, out, err = done["blank"]
    assert (status, err) == (1, "")
    assert "0 of 85 points" in out
    assert "Not written yet" in out
    assert "Traceback" not in out
    assert (blank_report["score"], blank_report["max_score"]) == (0, 85)
    assert all(check["points"] == 0 for check in blank_report["checks"])
    assert not {"referee-error", "tampered"} & {
        check["verdict"] for check in blank_report["checks"]
    }


@pytest.mark.parametrize("name", ["source_report", "blank_report"])
def test_the_report_has_the_documented_fields_and_no_others(request, name):
    """Can a program rely on the names of all fields?"""
    report = request.getfixturevalue(name)
    documented = {"assignment", "score", "max_score", "cells", "checks", "repairs"}
    assert set(report) == documented | {"explanations", "failures", "isolation", "refused"}
    assert report["assignment"] == "tic-tac-toe"
    for cell in report["cells"]:
        assert set(cell) == {"grade_id", "cell", "score", "max_score", "needs_manual_grade"}
    fields = {"id", "cell", "title", "verdict", "points", "max_points", "message", "details"}
    for check in report["checks"]:
        assert set(check) == fields
        assert check["title"]
    ids = [check["id"] for check in report["checks"]]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", ["source_report", "blank_report"])
def test_the_written_answer_waits_for_a_human(request, name):
    """Is evaluation_b, and nothing else, without a score?"""
    report = request.getfixturevalue(name)
    waiting = [cell for cell in report["cells"] if cell["needs_manual_grade"]]
    assert [(cell["grade_id"], cell["score"]) for cell in waiting] == [("evaluation_b", None)]


def test_the_points_of_the_checks_are_those_of_the_cells(source_report):
    """Do the checks of each cell add up to the cell's points?"""
    cells = {cell["cell"]: cell["max_score"] for cell in source_report["cells"]}
    assert cells == POINTS | {"evaluation_b": 15}
    for cell, points in POINTS.items():
        mine = [check for check in source_report["checks"] if check["cell"] == cell]
        assert sum(check["max_points"] for check in mine) == points


def test_every_check_is_on_the_screen(done, blank_report):
    """Does the report for the reader tell of each check that the report for programs has?"""
    shown = " ".join(done["blank"].out.split())
    for check in blank_report["checks"]:
        assert " ".join(check["title"].split()) in shown


def test_the_report_is_a_file_like_any_other(source_report, folder):
    """May the same people read the JSON file as a file that the shell makes, and is it alone?"""
    (folder / "other.json").touch()
    assert (folder / "source.json").stat().st_mode == (folder / "other.json").stat().st_mode
    assert [file.name for file in folder.iterdir() if file.name.startswith("tmp")] == []


# --- help and errors -------------------------------------------------------------------------


def test_help_is_there_for_the_asking(done):
    """Does `--help` list the commands?"""
    status, out, err = done["help"]
    assert (status, err) == (0, "")
    for command in ("check", "grade"):
        assert f"{command} " in out


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("check", ["notebook", "--assignment", "--json", "--course"]),
        ("grade", ["assignment", "--student", "--workers"]),
    ],
)
def test_every_command_explains_its_options(command, words):
    """Does the help of a command name what it takes?"""
    result = CliRunner().invoke(cli.app, [command, "--help"])
    assert result.exit_code == 0
    for word in words:
        assert word in result.stdout.lower()


def expect_usage_error(done: Done, words: Iterable[str]) -> None:
    """Assert exit status 2, nothing on standard output, and one sentence on standard error.

    It names the thing, and speaks to a person: no error numbers, no class names of Python.
    """
    assert (done.status, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith("referee: ")
    assert [word for word in words if word not in line] == []
    assert "Errno" not in line
    assert "Traceback" not in line
    assert "Error" not in line or "SyntaxError" in words


@pytest.mark.parametrize("name", ERRORS)
def test_what_cannot_be_carried_out_is_one_line_that_says_what_to_do(done, cases, name):
    """Does each command that goes wrong end with status 2 and one helpful line?"""
    expect_usage_error(done[name], cases[name].words)


def test_every_command_is_asked_about(cases):
    """Is there no command above that no test looks at?"""
    assert set(cases) == {*ERRORS, "source", "blank", "help"}


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("check {folder}/empty.ipynb", ["notebook", "hand it in"]),
        ("check {folder}/picture.ipynb", ["UTF-8", "save it"]),
        ("check {folder}/data.ipynb", ["no notebook", "hand it in"]),
        ("check {release} --course {folder}", ["{folder}", "nbgrader_config.py"]),
        ("check {release} --course {folder}/nowhere", ["{folder}/nowhere", "nbgrader_config.py"]),
        ("check {release} --json {folder}/no/report.json", ["report.json"]),
        ("grade chess", ["'chess'", "tic-tac-toe"]),
        ("grade tic-tac-toe --student nobody", ["submitted/nobody/tic-tac-toe"]),
        ("grade tic-tac-toe --student ../../etc", ["../../etc"]),
    ],
)
def test_every_mistake_of_a_user_is_one_line(folder, command, words):
    """Are the same things true of every other mistake?"""
    fill = {"folder": str(folder), "release": str(RELEASE)}
    arguments = [word.format(**fill) for word in command.split()]
    if "--course" not in arguments:
        arguments += ["--course", str(ROOT)]
    result = CliRunner().invoke(cli.app, arguments)
    done = Done(result.exit_code, result.stdout, result.stderr)
    expect_usage_error(done, [word.format(**fill) for word in words])


def test_the_doctor_lists_the_layers_of_this_machine():
    """Is there a line for each layer, and the exit code 0 if there is isolation?"""
    layers, _ = survey(2**30, unsafe=True)
    done = CliRunner().invoke(cli.app, ["doctor"])
    lines = [line.removeprefix("✓ ") for line in done.stdout.splitlines() if line[0] == "✓"]
    assert lines == layers
    assert done.exit_code == (0 if shut_off(layers) else 1)


def test_a_machine_without_isolation_judges_only_when_told_to(monkeypatch, tmp_path):
    """Does no student's code run, with a line that says why and what to do?"""
    monkeypatch.setattr("referee.sandbox.zygote.shut_off", lambda layers: False)
    notebook = nbformat.read(RELEASE, as_version=4)
    (cell,) = (cell for cell in notebook.cells if cell.id == "MiniMax")
    cell.source = "never = 'judged before'"  # what was is known, and need not run
    nbformat.write(notebook, tmp_path / RELEASE.name)
    command = ["check", str(tmp_path / RELEASE.name), f"--course={ROOT}"]
    done = CliRunner().invoke(cli.app, command)
    assert done.exit_code == 2
    assert "offers no isolation" in done.stderr
    assert "`referee doctor`" in done.stderr
    assert "--unsafe" in done.stderr
