"""Make sure, from outside, that one check of a submission finds nothing of another.

Each check has a copy of the process that holds the notebook's objects. Before the next copy is
made, every process that the last one has started must be gone, the folders are restored to what the
cells left in them (by `folders`, beside the submission), and the process that is copied must be
unchanged, with no file, thread or memory that a copy could have written to. Otherwise the cells
have to run again.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from referee.sandbox.inside import folders
from referee.sandbox.outside import meter
from referee.sandbox.outside.conversation import Process, kill, request_copy
from referee.sandbox.wire import messages

ANSWER_SECONDS = 10.0
GONE_SECONDS = 1.0
THREAD_GONE_SECONDS = 0.2
UNCHANGED = "Threads", "SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt", "Cpus_allowed"
KILLED = str(int(signal.SIGKILL))

State = dict[str, Any]


class Original(Process):
    """The process that holds a submission's objects, and gives a copy of itself for each check.

    It names its layers of isolation. All that descends from a submission is below its supervisor,
    which inherits what is left behind, and restores the folders.
    """

    def __init__(
        self,
        pid: int,
        channel: messages.Channel,
        memory_bytes: int,
        supervisor: socket.socket,
        layers: Sequence[str] = (),
        folder: str | None = None,
    ) -> None:
        """Talk to the process `pid`, and with its supervisor; the `folder` ends with it, if any."""
        parents = meter.stat(pid)[1:2] if sys.platform == "linux" else []
        super().__init__(pid, channel, int(parents[0]) if parents else pid, memory_bytes)
        self.layers = layers
        self._folder = folder
        self._supervisor = supervisor
        self._supervisor.settimeout(ANSWER_SECONDS)
        self._before = _state(pid)
        self._copies: dict[int, messages.Channel] = {}
        self._begun = False
        self._possible = True

    def copy(self) -> Process:
        """Return a copy for one check; raises one of `BROKEN` if it cannot be made."""
        pid, channel, _ = request_copy(self.channel)
        self._copies[pid] = channel
        return Process(pid, channel, self.family, self.memory_bytes)

    def restore(self) -> bool:
        """Restore everything as the cells left it; False if the cells have to run again."""
        if sys.platform != "linux" or not meter.alive(self.pid):
            return True
        if any(channel.socket.fileno() != -1 for channel in self._copies.values()):
            return True  # a check may need two copies at once
        if not self._begun:
            self._begun = True
            self._possible = self._is_unchanged() and self._command(folders.REMEMBER)
            return True
        return self._possible and self._is_unchanged() and self._command(folders.RESTORE)

    @contextlib.contextmanager
    def copy_between_cells(self) -> Iterator[Process]:
        """Give a copy; then restore the folders and end the processes that it has started."""
        remembered = sys.platform == "linux" and self._command(folders.REMEMBER)
        before = set(self._others()) if sys.platform == "linux" else None
        copy = self.copy()
        try:
            yield copy
        finally:
            copy.close()
            if before is not None:
                _kill(set(self._others()) - before)
            if remembered:
                self._command(folders.RESTORE)

    def close(self) -> None:
        """End the process, its supervisor, and all visible processes that it has started."""
        self.channel.close()
        _kill(self._others())
        self._supervisor.close()
        kill(self.pid)
        if self._folder is not None:
            _remove(self._folder)

    def _is_unchanged(self) -> bool:
        """Return whether files, threads and memory are unchanged, so that no copy left a trace.

        Waits for the kernel to remove threads that have ended.
        """
        if self._before is None or self._others():
            return False
        end = time.monotonic() + THREAD_GONE_SECONDS
        while not (same := _state(self.pid) == self._before) and time.monotonic() < end:
            time.sleep(0.001)
        return same

    def _command(self, command: bytes) -> bool:
        try:
            self._supervisor.sendall(command)
            return self._supervisor.recv(1) == folders.DONE
        except OSError:
            return False

    def _others(self) -> list[int]:
        """Return the processes that were started besides the copies.

        They include copies that ended by themselves: their exit code could carry a message.
        """
        end = time.monotonic() + GONE_SECONDS
        while any(map(meter.alive, self._copies)) and time.monotonic() < end:
            time.sleep(0.0005)
        self._copies = {
            pid: channel
            for pid, channel in self._copies.items()
            if meter.exit_code(pid) in (KILLED, "0") or channel.socket.fileno() != -1
        }
        own_pids = {self.pid, *self._copies}
        return [pid for pid in meter.family(self.family)[1:] if pid not in own_pids]


def _remove(folder: str) -> None:
    """Remove a folder, however deep a submission has made it, and whatever modes it has set."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, folder], capture_output=True, check=False)


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _state(pid: int) -> State | None:
    """Return the parts of a process that could carry data; None if they cannot be read."""
    place = f"/proc/{pid}"
    try:
        files = {file.name: file.readlink() for file in Path(place, "fd").iterdir()}
        positions = {name: meter.text(f"{place}/fdinfo/{name}") for name in files}
        maps = meter.text(f"{place}/maps")
        lines = [line.partition(":") for line in meter.text(f"{place}/status").splitlines()]
        return {
            "files": files,
            "positions": positions,
            "shared": [line for line in maps.split("\n") if line.partition(" ")[2][3:4] == "s"],
            "status": [line for line in lines if line[0] in UNCHANGED],
        }
    except (OSError, IndexError):
        return None
