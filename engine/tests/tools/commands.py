"""Run the course's commands: those of `referee` in this process, half as dear as in another one.

A command takes seconds to start, and a test asks what it does. Those of nbgrader, and those with an
environment of their own, run in forks of a process which has imported them. That the programs
themselves start is asked in `test_cli.py` and `test_packages.py`.

    python commands.py    is that process: a command a line in, its exit code a line out
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from _pytest.assertion.rewrite import AssertionRewritingHook
from typer.testing import CliRunner

BIN = Path(sys.executable).parent
MAIN = {"referee": "referee.commands", "nbgrader": "nbgrader.apps.nbgraderapp"}
INSTALLED = (sys.prefix, sys.base_prefix, str(Path(__file__).parents[2]), "None")
ROOMS = (
    "commands", "course", "grading", "intake", "judging", "marks", "sandbox.outside.importable",
)  # fmt: skip
KEEPING = tuple(f"referee.{name}" for name in ROOMS)  # whose functions keep what they have read
NEEDED = (*MAIN.values(), "referee.nbgrader", "referee.grading")


def run(root: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, as `subprocess.run` would."""
    if command[0] == "referee" and not environment:
        return called(root, *command[1:])
    changed = os.environ | {"PYTHONWARNINGS": "", "COLUMNS": "100"} | environment
    with tempfile.TemporaryDirectory(prefix="said-") as folder:
        said = [f"{folder}/{name}" for name in ("out", "err")]
        server = _server()
        assert server.stdin and server.stdout
        server.stdin.write(f"{json.dumps([command, str(root), changed, said])}\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        return subprocess.CompletedProcess(
            command, code, *(Path(file).read_text("utf-8") for file in said)
        )


def typed(folder: Path, lines: str, status: int = 0) -> str:
    """Type lines into a shell in a folder, away from git's own settings; return what is said."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-ec", lines], cwd=folder, capture_output=True, encoding="utf-8", check=False,
        env=clean | {"PATH": path, "PYTHONWARNINGS": "", "COLUMNS": "100"},
    )  # fmt: skip
    assert done.returncode == status, f"{lines}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def called(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Be a command of `referee` for a while: afterwards nothing of its course is remembered."""
    from referee.commands import app  # which this process needs, and the one that forks later

    before, path, finders = set(sys.modules), sys.path[:], sys.meta_path[:]
    sys.meta_path[:] = [one for one in finders if not isinstance(one, AssertionRewritingHook)]
    try:
        with contextlib.chdir(root), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            done = CliRunner().invoke(app, arguments, env={"COLUMNS": "100"})
    finally:
        sys.path[:], sys.meta_path[:] = path, finders
        _forget({*sys.modules} - before)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def _forget(imported: set[str]) -> None:
    """Drop the modules that a course has brought, and all that functions keep for the next call."""
    for name in imported:
        if not str(getattr(sys.modules[name], "__file__", None)).startswith(INSTALLED):
            del sys.modules[name]
    for name, module in list(sys.modules.items()):
        if name.startswith(KEEPING):
            for value in vars(module).values():
                getattr(value, "cache_clear", lambda: None)()


@functools.cache
def _server() -> subprocess.Popen[str]:
    """Start the process that has imported everything, once for all tests of this process."""
    server = subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONWARNINGS": "", "COLUMNS": "100"},
    )
    atexit.register(server.communicate)
    return server


def main() -> None:
    """Fork for each line; the child becomes the command."""
    sys.path[0] = str(BIN)
    replies = os.dup(1)
    for name in NEEDED:
        importlib.import_module(name)
    gc.freeze()  # or each command would look through all that at its end
    for line in iter(sys.stdin.readline, ""):
        command, root, environment, said = json.loads(line)
        child = os.fork()
        if child == 0:
            os.close(replies)
            become(command, root, environment, said)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(replies, f"{code}\n".encode())


def become(command: list[str], root: str, environment: dict[str, str], said: list[str]) -> None:
    """Be the command, in its folder, and end."""
    for number, file in enumerate([os.devnull, *said]):
        opened = os.open(file, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(root)
    name, *arguments = command
    sys.argv = [str(BIN / name), *arguments]
    sys.exit(sys.modules[MAIN[name]].main())


if __name__ == "__main__":
    main()
