"""Start the process that student code lives in, with the isolation that this machine offers.

The layers are named in `LAYERS`. Today they are a process and session of its own, an emptied
environment, a folder of its own and resource limits; that stops accidents, not attackers.
Knows nothing about notebooks or checks. Imported by `submission`.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from referee import wire

LAYERS = ("own process", "own session", "empty environment", "own folder", "memory limit")
FORK_WALL_SECONDS = 60.0


class Zygote:
    """A warm process that has imported what a submission needs; `fork` makes one for each."""

    def __init__(self, memory_bytes: int) -> None:
        """Start the process; each copy may use `memory_bytes` of address space."""
        self._home = tempfile.TemporaryDirectory(prefix="referee-")
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self._memory_bytes = memory_bytes
        self._start()

    def _start(self) -> None:
        memory_bytes = self._memory_bytes
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-B", "-X", "faulthandler", "-m", "referee.player"]
        with theirs:
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno()), str(memory_bytes)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                cwd=self._home.name,
                env=_environment(self._home.name),
                start_new_session=True,
            )
        self._channel = wire.Channel(ours, wire.FromPlayer)

    def fork(self, directory: Path) -> tuple[int, wire.Channel]:
        """Fork a process that runs in `directory`; return its id and the channel to it."""
        try:
            return fork(self._channel, directory, session=True)
        except wire.Closed:
            self._end()
            self._start()
        try:
            return fork(self._channel, directory, session=True)
        except wire.Closed as error:
            self._log.seek(0)
            log = self._log.read().decode("utf-8", "replace").strip() or "it said nothing"
            raise RuntimeError(f"the player process has ended; its last words: {log}") from error

    def close(self) -> None:
        """End the process and remove its folder."""
        self._end()
        self._log.close()
        self._home.cleanup()

    def _end(self) -> None:
        self._channel.close()
        kill(self._process.pid)
        self._process.wait()

    def __enter__(self) -> Self:
        """Return the zygote."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """End the process."""
        self.close()


def fork(
    channel: wire.Channel, directory: Path | None = None, session: bool = False
) -> tuple[int, wire.Channel]:
    """Ask the player behind `channel` for a copy of itself; return its id and its channel.

    Raises TimeoutError, WireError or Closed when it does not behave.
    """
    with contextlib.ExitStack() as stack:
        ours, theirs = socket.socketpair()
        stack.callback(ours.close)
        with theirs:
            channel.socket.settimeout(FORK_WALL_SECONDS)
            where = None if directory is None else str(directory)
            channel.send(wire.Fork(where, session), theirs.fileno())
        reply = channel.receive()
        if not isinstance(reply, wire.Forked):
            raise wire.WireError(f"expected the id of a new process, got {type(reply).__name__}")
        stack.pop_all()
    return reply.pid, wire.Channel(ours, wire.FromPlayer)


def belongs(pid: int, session: int) -> bool:
    """Return whether a process is one of a session's, other than its leader."""
    try:
        return pid != session and pid > 1 and os.getsid(pid) == session
    except (ProcessLookupError, OverflowError):
        return False


def alive(pid: int) -> bool:
    """Return whether a process exists and has not ended."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used, in seconds; 0 when it is gone."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def interrupt(pid: int) -> None:
    """Ask a process to stop what it is doing."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGINT)


def kill(pid: int) -> None:
    """End a process and all others of its process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _environment(home: str) -> dict[str, str]:
    return {
        "HOME": home,
        "IPYTHONDIR": home,
        "LANG": "C.UTF-8",
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "TMPDIR": home,
    }
