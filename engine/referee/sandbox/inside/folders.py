"""Restore a submission's folders before each check to what its cells have left in them.

`supervise` runs beside the submission, in a process that is ours and that student code does not
reach; one byte from the referee is a command. Standard library only, since it runs in the player.
"""

import contextlib
import itertools
import os
import shutil
import signal
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

END_SECONDS = 5.0
REMEMBER, RESTORE = b"m", b"r"
DONE, FAILED = b"y", b"n"


class PathState(NamedTuple):
    """A file, folder or link: its path, mode, times and content."""

    path: str
    mode: int
    times: tuple[int, int]
    content: bytes | str | None  # of a file, of a link, or a folder


def supervise(child: int, descriptor: int, folders: Sequence[Path], most_bytes: int) -> None:
    """Serve the referee behind `descriptor` until the `child` ends; then end what it has started.

    Never returns. At most `most_bytes` are remembered.
    """

    def reap(*_: object) -> None:
        while (ended := os.waitpid(-1, os.WNOHANG)[0]) not in (0, child):
            pass
        if ended == child:
            _end(descendants(os.getpid()))

    signal.signal(signal.SIGCHLD, reap)
    reap()
    states: list[PathState] = []
    while command := os.read(descriptor, 1):
        try:
            if command == REMEMBER:
                states = list(path_states(folders, most_bytes))
            restore(states, folders)
        except (OSError, MemoryError):
            os.write(descriptor, FAILED)
        else:
            os.write(descriptor, DONE)
    _end([child])  # the referee has gone


def descendants(pid: int) -> Iterator[int]:
    """Yield the processes below another one, also those that have ended and were not reaped."""
    waiting = [str(pid)]
    while waiting:
        with contextlib.suppress(OSError):  # it may end meanwhile
            for task in list(Path(f"/proc/{waiting.pop()}/task").iterdir()):
                below = (task / "children").read_text().split()
                yield from map(int, below)
                waiting += below


def _end(processes: Iterable[int]) -> None:
    """End some processes of the submission and all that they have started, and reap them.

    Where /proc shows nothing, this process inherits the others when the one above them ends.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    end = time.monotonic() + END_SECONDS
    with contextlib.suppress(ChildProcessError):  # there are none any more
        while time.monotonic() < end:
            for pid in (*processes, *descendants(os.getpid())):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            processes = []
            time.sleep(0.001)
    os._exit(0)


def path_states(folders: Sequence[Path], most_bytes: int) -> Iterator[PathState]:
    """Yield everything in some folders, a folder before its content; OSError if it is too much."""
    room = most_bytes
    for folder in folders:
        for path in itertools.chain([str(folder)], _below(str(folder))):
            status = Path(path).lstat()
            content: bytes | str | None = None
            if stat.S_ISLNK(status.st_mode):
                content = str(Path(path).readlink())
            elif not stat.S_ISDIR(status.st_mode):
                room -= status.st_size
                if room < 0:
                    raise OSError("there is too much to keep")
                content = Path(path).read_bytes()
            times = status.st_atime_ns, status.st_mtime_ns
            yield PathState(path, status.st_mode & 0o7777, times, content)


def restore(states: Sequence[PathState], folders: Sequence[Path]) -> None:
    """Restore the folders to the given states: delete, create and change what differs."""
    for folder in folders:
        _empty(folder)
        for name in os.listxattr(folder):
            os.removexattr(folder, name)
    for state in states:
        path = Path(state.path)
        if isinstance(state.content, str):
            path.symlink_to(state.content)
        elif state.content is not None:
            path.write_bytes(state.content)
        elif path not in folders:
            path.mkdir()
    for state in reversed(states):
        if not isinstance(state.content, str):
            Path(state.path).chmod(state.mode)
        os.utime(state.path, ns=state.times, follow_symlinks=False)


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
            for _ in _below(str(path)):  # this makes closed folders readable
                pass
            shutil.rmtree(path)
        else:
            path.unlink()


def _below(folder: str) -> Iterator[str]:
    """Yield every path below a folder, a folder's own before those in it; make all readable."""
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                yield entry.path
                if entry.is_dir(follow_symlinks=False):
                    Path(entry.path).chmod(0o700)
                    waiting.append(entry.path)
