"""Run a command in a terminal of its own, as a person at the keyboard would. Imported by tests."""

import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect

SECONDS = 120


@contextmanager
def terminal(folder: Path, *command: str, kind: str = "dumb") -> Iterator[pexpect.spawn]:
    """Start a command of this Python's environment in a pseudo-terminal; end it with the block.

    Its `kind` is the value of TERM: a dumb one shows no colours and nothing that moves.
    """
    keep = {name: text for name, text in os.environ.items() if name != "COLUMNS"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 on: forks among threads
        child = pexpect.spawn(
            str(Path(sys.executable).parent / command[0]),
            list(command[1:]),
            cwd=folder,
            env=keep | {"TERM": kind, "PYTHONWARNINGS": "", "PYTHONIOENCODING": "utf-8"},
            encoding="utf-8",
            timeout=SECONDS,
            dimensions=(50, 100),
            preexec_fn=hear_ctrl_c,
        )
    try:
        yield child
    finally:
        child.close(force=True)


def hear_ctrl_c() -> None:
    """Undo what a shell does to all that it runs in the background: they ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def rest(child: pexpect.spawn) -> str:
    """Return what is still printed until the command ends, and wait for its exit status."""
    child.expect(pexpect.EOF)
    child.wait()
    return str(child.before).replace("\r\n", "\n")
