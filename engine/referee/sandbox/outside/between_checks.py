"""See to it, from outside, that one check of a submission finds nothing of another.

Each check has a copy of the process that holds the notebook's objects. Before the next one is made,
what the last one started has to be gone, the folders are as the cells left them (`keeper`, beside
the submission), and the process that is copied must have stayed as it was: with no file, thread or
memory that a copy could have written to. Where that is not so, the cells have to run again.
"""

import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.sandbox.inside import folders
from referee.sandbox.outside import meter
from referee.sandbox.wire import messages

ANSWER_SECONDS = 10.0
GONE_SECONDS = 1.0
LET_GO_SECONDS = 0.2
STAYS = ("Threads", "SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt", "Cpus_allowed")
KILLED = str(int(signal.SIGKILL))

Look = dict[str, Any]


class Keeping:
    """Stands for the order that a submission's process is kept in."""

    def __init__(self, pid: int, end: socket.socket) -> None:
        """Watch over the process `pid`, whose keeper listens at the other `end`."""
        self._pid = pid
        self._keeper = end
        self._keeper.settimeout(ANSWER_SECONDS)
        self._parent = next(iter(meter.stat(pid)[1:]), "0")
        self._before = _look(pid)
        self._copies: dict[int, messages.Channel] = {}
        self._begun = False
        self._whole = True

    def renew(self) -> bool:
        """Make everything as the cells have left it; False where they have to run again."""
        if sys.platform != "linux" or not meter.alive(self._pid) or self._is_asked():
            return True
        if not self._begun:
            self._begun = True
            self._whole = self._is_alone() and self._does(folders.KEEP)
            return True
        return self._whole and self._is_alone() and self._does(folders.RESTORE)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Leave the folders as they are, whatever a copy does in the block; end what it starts."""
        kept = sys.platform == "linux" and self._does(folders.KEEP)
        before = set(self._others()) if kept else set()
        yield
        if kept:
            for pid in set(self._others()) - before:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self._does(folders.RESTORE)

    def note(self, pid: int, channel: messages.Channel) -> None:
        """Take note of a copy, and of the channel that is open as long as it is asked."""
        self._copies[pid] = channel

    def close(self) -> None:
        """End what the submission has started, as far as it is found, and the keeper."""
        for pid in self._others():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self._keeper.close()

    def _is_asked(self) -> bool:
        """Return whether a copy is still being asked: two are wanted at once."""
        return any(channel.socket.fileno() != -1 for channel in self._copies.values())

    def _is_alone(self) -> bool:
        """Return whether nothing is there that a copy could have told something.

        A thread that has ended is there until the kernel has let it go.
        """
        if self._before is None or self._others():
            return False
        end = time.monotonic() + LET_GO_SECONDS
        while not (same := _look(self._pid) == self._before) and time.monotonic() < end:
            time.sleep(0.001)
        return same

    def _does(self, command: bytes) -> bool:
        try:
            self._keeper.sendall(command)
            return self._keeper.recv(1) == folders.DONE
        except OSError:
            return False

    def _others(self) -> list[int]:
        """Return what was started beside the copies.

        Of a copy too it is asked that it was ended from here, and has not chosen how.
        """
        end = time.monotonic() + GONE_SECONDS
        while any(map(meter.alive, self._copies)) and time.monotonic() < end:
            time.sleep(0.0005)
        self._copies = {
            pid: channel
            for pid, channel in self._copies.items()
            if _died_by_us(pid) or channel.socket.fileno() != -1
        }
        own = {self._pid, *self._copies}
        return [pid for pid in folders.descendants(int(self._parent)) if pid not in own]


def _look(pid: int) -> Look | None:
    """Return what of a process could carry something on, or None where that cannot be seen."""
    place = f"/proc/{pid}"
    try:
        files = {file.name: file.readlink() for file in Path(place, "fd").iterdir()}
        told = {name: meter.text(f"{place}/fdinfo/{name}") for name in files}
        maps = meter.text(f"{place}/maps")
        lines = [line.partition(":") for line in meter.text(f"{place}/status").splitlines()]
        return {
            "files": files,
            "told": told,
            "shared": [line for line in maps.split("\n") if _is_shared(line)],
            "status": [line for line in lines if line[0] in STAYS],
            "limits": meter.text(f"{place}/limits"),
            "nice": meter.stat(pid)[15:17],
        }
    except (OSError, IndexError):
        return None


def _is_shared(line: str) -> bool:
    """Return whether a line of `maps` is about memory that copies could write to."""
    _, _, told = line.partition(" ")  # such as rw-s
    return told[1:4:2] == "ws"


def _died_by_us(pid: int) -> bool:
    """Return whether a process has ended that way, and was not let go yet."""
    fields = meter.stat(pid)
    return fields[:1] == ["Z"] and fields[-1] in (KILLED, "0")
