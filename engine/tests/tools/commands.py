"""Run the course's commands in processes that are forked off one which has imported them.

A command takes seconds to start, and a test asks what it does. That the programs themselves start
is asked in `test_cli.py` and `test_foreign_course.py`.

    python commands.py    is that process: a command a line in, its exit code a line out
"""

import atexit
import functools
import gc
import importlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BIN = Path(sys.executable).parent
MAIN = {"referee": "referee.doors.cli", "nbgrader": "nbgrader.apps.nbgraderapp"}
NEEDED = (*MAIN.values(), "referee.doors.nbgrader", "referee.doors.batch")


def run(root: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, as `subprocess.run` would."""
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
