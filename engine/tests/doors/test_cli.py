"""Ask whether the command line says what became of it, what is wrong, and what to do about it.

A command of each kind is run in a process of its own, two at a time; more mistakes are made in this
process, which is faster.
"""

import contextlib
import errno
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
import small_course as small
from nim_course import ASSIGNMENT, POINTS, ROOT
from typer.main import get_command
from typer.testing import CliRunner

from referee.commands import COMMANDS, app, errors
from referee.marks import files
from referee.model import Limits
from referee.sandbox.outside.isolation import survey
from referee.sandbox.outside.server import shut_off

SOURCE, RELEASE = ASSIGNMENT.source, ASSIGNMENT.release


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
    (root / "nbgrader_config.py").touch()
    for name in ("release", "source"):
        shutil.copytree(ROOT / name / "nim", root / name / "nim")
    (root / "tests/hidden/nim").mkdir(parents=True)
    (root / "tests/hidden/nim/test_broken.py").write_text("def test_it(:\n")
    return root


@pytest.fixture(scope="module")
def done(folder: Path) -> Iterator[dict[str, Done]]:
    """Run commands in processes of their own, two at a time."""
    blank = ("check", RELEASE.name, "--json", folder / "blank.json", "--assignment", "nim")
    cases = {
        "source": (ROOT, ("check", SOURCE, "--json", folder / "source.json")),
        "blank": (RELEASE.parent, blank),
        "help": (ROOT, ("--help",)),
        "outside of any course": (folder, ("check", RELEASE)),
    }
    program = Path(sys.executable).parent / "referee"
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1"}
    running: dict[str, subprocess.Popen[str]] = {}
    results: dict[str, Done] = {}

    def finish(name: str) -> None:
        process = running.pop(name)
        out, err = process.communicate()
        results[name] = Done(process.returncode, out, err)

    for name, (place, arguments) in cases.items():
        if len(running) == 2:
            finish(next(iter(running)))
        running[name] = subprocess.Popen(
            [str(program), *map(str, arguments)],
            cwd=place,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
    for name in list(running):
        finish(name)
    yield results


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
    assert "still raises NotImplementedError" in out
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
    assert set(report) == documented | {
        "costs",
        "explanations",
        "failures",
        "isolation",
        "refused",
        "trouble",
    }
    assert report["assignment"] == "nim"
    for cell in report["cells"]:
        assert set(cell) == {"grade_id", "cell", "score", "max_score", "needs_manual_grade"}
    fields = {"id", "cell", "title", "verdict", "points", "max_points", "message", "hint"}
    for check in report["checks"]:
        assert set(check) == fields | {"cause", "details", "waits"}
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
    """Is each check in the report for the reader, or counted below one that has its reason?"""
    shown = " ".join(done["blank"].out.split())
    titles = [" ".join(check["title"].split()) for check in blank_report["checks"]]
    counted = map(int, re.findall(r"and (\d+) more for the same reason", shown))
    assert sum(title in shown for title in titles) + sum(counted) == len(titles)


def test_the_report_is_a_file_like_any_other(source_report, folder):
    """May the same people read the JSON file as a file that the shell makes, and is it alone?"""
    (folder / "other.json").touch()
    assert (folder / "source.json").stat().st_mode == (folder / "other.json").stat().st_mode
    assert [file.name for file in folder.iterdir() if file.name.startswith("tmp")] == []


# --- help and errors -------------------------------------------------------------------------


def test_help_lists_every_command_in_the_order_of_a_course_on_one_screen(done):
    """Does `--help` have a whole line for each, and fit into 24 rows of 80 columns?"""
    status, out, err = done["help"]
    assert (status, err) == (0, "")
    lines = out.splitlines()
    listed = lines[lines.index("Commands:") + 1 :]
    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert all(line.endswith((".", "/")) and "..." not in line for line in listed)
    assert len(lines) <= 24 and max(map(len, lines)) <= 80


LOADED = """
import sys
from referee.commands import main
try:
    main()
finally:
    print(*sorted({"distributed", "hypothesis", "xdist"} & sys.modules.keys()))
"""


@pytest.mark.parametrize("command", ["status", f"grade {small.NAME}"])
def test_a_command_waits_for_no_library_that_it_does_not_need(command: str, tmp_path: Path) -> None:
    """Does grading, where nothing has changed, begin without what clusters and tests need?"""
    root = small.make(tmp_path)
    small.hand_in(root, "ada")
    small.grade(root)
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *command.split()], cwd=root, env=small.environment(),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert small.NAME in done.stdout
    assert done.stdout.splitlines()[-1] == ""


def test_the_version_is_told():
    """Does `--version` say which package is at work, and end well?"""
    said = CliRunner().invoke(app, ["--version"])
    assert (said.exit_code, said.stdout) == (0, f"referee {metadata.version('referee')}\n")


def test_a_mistyped_command_is_told_the_one_that_was_meant():
    """Are names known although no command is loaded?"""
    said = CliRunner().invoke(app, ["grad"])
    assert said.exit_code == 2 and "Did you mean 'grade'?" in said.stderr


def test_every_command_explains_its_options():
    """Is there a sentence for each command, argument and option?"""
    group = get_command(app)
    for name, line in COMMANDS.items():
        command = group.get_command(None, name)
        assert command.help.partition("\n")[0] == line, name
        silent = [one.name for one in command.params if not getattr(one, "help", None)]
        assert silent in ([], ["help"]), name


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
    assert "Error" not in line or any("Error" in word for word in words)


def test_what_cannot_be_carried_out_is_one_line_that_says_what_to_do(done, folder):
    """Does a command that goes wrong end with status 2 and one helpful line?"""
    words = str(folder), "nbgrader_config.py", "--course"
    expect_usage_error(done["outside of any course"], words)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("check {folder}/empty.ipynb", ["{folder}/empty.ipynb", "notebook", "hand it in"]),
        ("check {folder}/picture.ipynb", ["{folder}/picture.ipynb", "no notebook", "hand in"]),
        ("check {folder}/data.ipynb", ["no notebook", "hand it in"]),
        ("check {folder}/text.ipynb", ["no notebook", "hand in"]),
        ("check {folder}/foreign.ipynb", ["--assignment", "nim"]),
        ("check {root}/source", ["source", "notebook"]),
        ("check {release} --assignment chess", ["'chess'", "nim"]),
        ("check {release} --course {broken}", ["test_broken.py", "SyntaxError"]),
        ("check {folder}/nowhere.ipynb", ["nowhere.ipynb", "name a notebook file"]),
        ("check {release}/no.ipynb", ["no.ipynb", "Not a directory", "name a notebook file"]),
        ("gradescope nim {folder}", ["it is a folder; name a file"]),
        ("audit nim --solution wrong/no", ["wrong/no", "bank/nim", "never_cuts"]),
        ("check {release} --course {folder}", ["{folder}", "nbgrader_config.py"]),
        ("check {release} --course {folder}/nowhere", ["{folder}/nowhere", "nbgrader_config.py"]),
        ("check {release} --json {folder}/no/report.json", ["report.json"]),
        ("grade chess", ["'chess'", "nim"]),
        ("audit chess", ["'chess'", "nim"]),
        ("return --for canvas --table canvas --to x", ["--to names one file", "leave it out"]),
        ("adopt nim", ["`referee adopt ASSIGNMENT --harden CELL`"]),
        ("new nim", ["source/nim is there already", "another name"]),
        ("new a/b", ["'a/b'", "letters, digits"]),
        ("status chess", ["'chess'", "nim"]),
        ("status --json {folder}", ["it is a folder; name a file"]),
        ("forget ../ada", ["'../ada'", "as the folder in submitted/ is called"]),
        ("grade nim --student nobody", ["submitted/nobody/nim"]),
        ("grade nim --student ../../etc", ["../../etc"]),
    ],
)
def test_every_mistake_of_a_user_is_one_line(folder, broken, command, words):
    """Are the same things true of every other mistake?"""
    fill = {"folder": folder, "broken": broken, "release": RELEASE, "root": ROOT}
    arguments = [word.format(**fill) for word in command.split()]
    if "--course" not in arguments:
        arguments += ["--course", str(ROOT)]
    result = CliRunner().invoke(app, arguments)
    done = Done(result.exit_code, result.stdout, result.stderr)
    expect_usage_error(done, [word.format(**fill) for word in words])


def test_the_doctor_lists_the_layers_of_this_machine():
    """Is there a line for each layer, and the exit code 0 if there is isolation?"""
    layers, _ = survey(Limits(unsafe=True))
    done = CliRunner().invoke(app, ["doctor"])
    lines = [line.removeprefix("✓ ") for line in done.stdout.splitlines() if line[0] == "✓"]
    assert lines == layers
    assert done.exit_code == (0 if shut_off(layers) else 1)
    can = "You can grade here" if shut_off(layers) else "You cannot grade here"
    assert done.stdout.splitlines()[-1].startswith(can)


def test_a_machine_without_isolation_judges_only_when_told_to(monkeypatch, tmp_path):
    """Does no student's code run, with a line that says why and what to do?"""
    monkeypatch.setattr("referee.sandbox.outside.server.shut_off", lambda layers: False)
    notebook = nbformat.read(RELEASE, as_version=4)
    (cell,) = (cell for cell in notebook.cells if cell.id == "MiniMax")
    cell.source = "never = 'judged before'"  # what was is known, and need not run
    nbformat.write(notebook, tmp_path / RELEASE.name)
    command = ["check", str(tmp_path / RELEASE.name), f"--course={ROOT}"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 2
    assert "offers no isolation" in done.stderr
    assert "`referee doctor`" in done.stderr
    assert "--unsafe" in done.stderr


# --- what is wrong with a course -------------------------------------------------------------


def small_course(root: Path) -> Path:
    """Put the small course with a submission and a broken file of the bank into a folder."""
    small.make(root)
    small.hand_in(root, "ada")
    write(f"bank/{small.NAME}/wrong/two.py", "no docstring\n")(root)
    return root


def write(path: str, text: str | bytes) -> Callable[[Path], None]:
    """Give a damage: a file of this content, in the place of whatever is there."""

    def damage(root: Path) -> None:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_dir():
            shutil.rmtree(place)
        place.write_bytes(text.encode() if isinstance(text, str) else text)

    return damage


def subject(name: str, text: str) -> Callable[[Path], None]:
    """Give a damage: a subject of this name, whose module holds this text."""

    def damage(root: Path) -> None:
        write(f"{name}/__init__.py", "")(root)
        write(f"{name}/subject.py", text)(root)
        write("nbgrader_config.py", f"c = get_config()\nc.Course.subject = {name!r}\n")(root)

    return damage


def folder_at(path: str) -> Callable[[Path], None]:
    """Give a damage: a folder in the place of a file."""

    def damage(root: Path) -> None:
        (root / path).unlink(missing_ok=True)
        (root / path).mkdir(parents=True)

    return damage


CONFIG = "nbgrader_config.py"
LOST = "from referee.model import Subject\nSUBJECT = Subject(library=('lost.py',))\n"
DAMAGES: dict[str, tuple[Callable[[Path], None], str, list[str]]] = {
    "results are a file": (
        write(".referee", ""), "grade numbers",
        ["{root}/.referee", "put that right and run this again"],
    ),
    "autograded is a file": (
        write("autograded", ""), "grade numbers --workers 1 --unsafe",
        ["autograded", "put that right and run this again"],
    ),
    "the library is lost": (
        subject("lossy", LOST), "check submitted/ada/numbers/numbers.ipynb",
        ["{root}/lost.py is missing", "lossy/subject.py names", "put it back"],
    ),
    "the subject is broken": (
        subject("badly", "SUBJECT = no"), "check submitted/ada/numbers/numbers.ipynb",
        ["c.Course.subject names 'badly'", "NameError: name 'no' is not defined", "correct"],
    ),
    "the configuration is no Python": (
        write(CONFIG, "c = get_config()\nc.Limits.unsafe = = True\n"), "grade numbers",
        ["{root}/nbgrader_config.py, line 2: this is no Python (invalid syntax); correct it"],
    ),
    "the configuration fails": (
        write(CONFIG, "c = get_config()\n\nc.Limits.x = 1 / 0\n"), "grade numbers",
        ["{root}/nbgrader_config.py, line 3: ZeroDivisionError: division by zero; correct it"],
    ),
    "the configuration stops": (
        write(CONFIG, "raise SystemExit('enough')"), "check submitted/ada/numbers/numbers.ipynb",
        ["nbgrader_config.py, line 1", "enough", "correct it"],
    ),
    "the configuration is of another type": (
        write(CONFIG, "c = get_config()\nc.CourseDirectory.db_url = 5\n"), "grade numbers",
        ["nbgrader_config.py", "db_url", "Could not parse"],
    ),
    "a limit is of another type": (
        write(CONFIG, "c = get_config()\nc.Limits.processes = 'many'\n"), "grade numbers",
        ["nbgrader_config.py: c.Limits is not as it should be", "processes"],
    ),
    "the disk is full": (
        lambda root: None,
        "check submitted/ada/numbers/numbers.ipynb --unsafe --json /dev/full",
        ["/dev/full: the disk is full; free some space and run this again"],
    ),
    "the gradebook is damaged": (
        write("gradebook.db", "no database, and long enough to look at\n" * 100), "grade numbers",
        ["the gradebook cannot be used (file is not a database)", "db_url", "last copy"],
    ),
    "the gradebook is a folder": (
        folder_at("gradebook.db"), "grade numbers", ["the gradebook cannot be used", "db_url"],
    ),
    "the release is damaged": (
        write("release/numbers/numbers.ipynb", '{"cells"'),
        "check submitted/ada/numbers/numbers.ipynb --assignment numbers",
        [
            "{root}/release/numbers/numbers.ipynb belongs to the course", "line 1",
            "`referee release",
        ],
    ),
    "a solution of the bank is damaged": (
        write("bank/numbers/wrong/two.py", "x = 2\n"), "audit numbers",
        ["{root}/bank/numbers/wrong/two.py: expected a docstring"],
    ),
    "what was handed in leads to itself": (
        lambda root: (root / "loop.ipynb").symlink_to("loop.ipynb"), "check loop.ipynb/n.ipynb",
        ["loop.ipynb/n.ipynb", "name a notebook file that can be read"],
    ),
}  # fmt: skip


def run(root: Path, command: str) -> Done:
    """Run a command in a course folder, in this process."""
    with contextlib.chdir(root):
        result = CliRunner().invoke(app, command.split())
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return Done(result.exit_code, result.stdout, result.stderr)


@pytest.mark.parametrize("name", DAMAGES)
def test_what_is_wrong_with_a_course_is_one_line(tmp_path, name):
    """Does it say which file, what about it, and what to do, and nothing of other mistakes?"""
    damage, command, words = DAMAGES[name]
    root = small_course(tmp_path / "course")
    damage(root)
    done = run(root, command)._replace(out="")
    expect_usage_error(done, [word.format(root=root) for word in words])
    assert ("name a notebook file" in done.err) == ("name a notebook file" in " ".join(words))


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Give up the right to read what is closed, if this user has it."""
    if os.geteuid() != 0:
        yield
        return
    "".encode("utf-8-sig")  # read now, since Python itself may be out of reach then
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(
    ("place", "command"),
    [
        ("submitted", "grade numbers"),
        ("tests/hidden", "check {root}/submitted/ada/numbers/numbers.ipynb"),
        ("nbgrader_config.py", "grade numbers"),
    ],
)
def test_what_may_not_be_read_is_one_line(place, command):
    """Is a closed folder never taken for an empty one?"""
    with tempfile.TemporaryDirectory() as folder:
        root = small_course(Path(folder).resolve())
        for path in (root, *root.rglob("*")):
            path.chmod(0o777 if path.is_dir() else 0o666)
        (root / place).chmod(0)
        with as_nobody():
            done = run(root, command.format(root=root))
        (root / place).chmod(0o777)
    expect_usage_error(done, [place, "you may not read or write it; change its permissions"])


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EDQUOT, "the disk is full; free some space"),
        (errno.EIO, "Input/output error; put that right and run this again"),
    ],
)
def test_what_the_system_refuses_is_a_sentence(number, words):
    """Is there advice for each error that a disk or a machine may give, and for any other one?"""
    line = errors.sentence(OSError(number, os.strerror(number), "a/grades.jsonl"))
    assert line.startswith("a/grades.jsonl: ")
    assert words in line
    assert "notebook" not in line


def test_a_device_is_written_to_and_not_replaced():
    """Is /dev/null still a device when a report has gone there?"""
    files.save(Path("/dev/null"), b"x")
    assert Path("/dev/null").is_char_device()


def test_a_link_is_written_through(tmp_path: Path) -> None:
    """Does a file that is a link, as /dev/stdout is, stay one?"""
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to("file")
    files.save(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"
