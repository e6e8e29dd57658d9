"""Run the course's commands: those of `referee` in this process, half as dear as in another one.

A command takes seconds to start, and a test asks what it does. Those of nbgrader run in forks of a
process which has imported them. That the programs themselves start is asked in `test_cli.py` and
`test_packages.py`.
"""

import contextlib
import multiprocessing
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from _pytest.assertion.rewrite import AssertionRewritingHook
from typer.testing import CliRunner

BIN = Path(sys.executable).parent
ENGINE = str(Path(__file__).parents[2])
NBGRADER = "nbgrader.apps.nbgraderapp"
PACKAGES = sys.prefix, sys.base_prefix
INSTALLED = (*PACKAGES, ENGINE, "None")
ROOMS = (
    "commands", "course", "grading", "intake", "judging", "marks", "sandbox.outside.importable",
)  # fmt: skip
KEEPING = tuple(f"referee.{name}" for name in ROOMS)  # whose functions keep what they have read
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [NBGRADER, "referee.nbgrader", "referee.grading", "typer.testing", "_pytest.assertion"]
)


def run(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, as `subprocess.run` would."""
    if command[0] == "referee":
        return called(root, *command[1:])
    with tempfile.TemporaryDirectory(prefix="said-") as folder:
        said = [f"{folder}/{name}" for name in ("out", "err")]
        child = FORKS.Process(target=become, args=(command, root, environment(), said))
        child.start()
        child.join()
        texts = (Path(file).read_text("utf-8") for file in said)
        return subprocess.CompletedProcess(command, child.exitcode or 0, *texts)


def environment() -> dict[str, str]:
    """Return the environment that commands are run in."""
    return os.environ | {"PYTHONWARNINGS": "", "COLUMNS": "100"}


def typed(folder: Path, lines: str, status: int = 0) -> str:
    """Type lines into a shell in a folder, away from git's own settings; return what is said."""
    clean = {name: value for name, value in environment().items() if not name.startswith("GIT_")}
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-ec", lines], cwd=folder, capture_output=True, encoding="utf-8", check=False,
        env=clean | {"PATH": path},
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


def become(
    command: tuple[str, ...], root: Path, variables: dict[str, str], said: list[str]
) -> None:
    """Be a command of nbgrader's, in its folder, away from what only tests import, and end."""
    for number, file in enumerate([os.devnull, *said]):
        opened = os.open(file, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(root)
    sys.path[:] = [str(BIN), *(one for one in sys.path if one.startswith(PACKAGES)), ENGINE]
    sys.argv = [*command]
    sys.exit(sys.modules[NBGRADER].main())
