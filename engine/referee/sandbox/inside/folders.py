"""Keep what a submission's cells have left in its folders, and put that back before each check.

`stand_by` runs beside the submission, in a process that is ours and that student code does not
reach; the referee tells it when, by a byte. Standard library only, since it runs in the player.
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
KEEP, RESTORE = b"k", b"r"
DONE, FAILED = b"y", b"n"


class Kept(NamedTuple):
    """A file, folder or link: where it lay, its mode and times, and what was in it."""

    path: str
    mode: int
    times: tuple[int, int]
    content: bytes | str | None  # of a file, of a link, or a folder


def stand_by(child: int, descriptor: int, folders: Sequence[Path], most_bytes: int) -> None:
    """Serve the referee behind `descriptor` until the `child` ends, which ends what it left.

    Never returns. At most `most_bytes` are kept.
    """

    def reap(*_: object) -> None:
        while (ended := os.waitpid(-1, os.WNOHANG)[0]) not in (0, child):
            pass
        if ended == child:
            _end(descendants(os.getpid()))

    signal.signal(signal.SIGCHLD, reap)
    reap()
    kept: list[Kept] = []
    while command := os.read(descriptor, 1):
        try:
            if command == KEEP:
                kept = list(keep(folders, most_bytes))
            restore(kept, folders)
        except (OSError, MemoryError):
            os.write(descriptor, FAILED)
        else:
            os.write(descriptor, DONE)
    _end([child])  # the referee has gone


def descendants(pid: int) -> Iterator[int]:
    """Yield the processes below another one, also those that have ended and were not let go."""
    waiting = [str(pid)]
    while waiting:
        with contextlib.suppress(OSError):  # it may end meanwhile
            for task in list(Path(f"/proc/{waiting.pop()}/task").iterdir()):
                below = (task / "children").read_text().split()
                yield from map(int, below)
                waiting += below


def _end(left: Iterable[int]) -> None:
    """End what is left of the submission and whatever that has started; leave no dead behind.

    Where nothing is shown in /proc, what ends last leaves the others to this process.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    end = time.monotonic() + END_SECONDS
    with contextlib.suppress(ChildProcessError):  # there are none any more
        while time.monotonic() < end:
            for pid in (*left, *descendants(os.getpid())):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            left = []
            time.sleep(0.001)
    os._exit(0)


def keep(folders: Sequence[Path], most_bytes: int) -> Iterator[Kept]:
    """Yield what lies in some folders, each before what is in it; OSError if that is too much."""
    room = most_bytes
    for folder in folders:
        for path in itertools.chain([str(folder)], _below(str(folder))):
            told = Path(path).lstat()
            content: bytes | str | None = None
            if stat.S_ISLNK(told.st_mode):
                content = str(Path(path).readlink())
            elif not stat.S_ISDIR(told.st_mode):
                room -= told.st_size
                if room < 0:
                    raise OSError("there is too much to keep")
                content = Path(path).read_bytes()
            yield Kept(path, told.st_mode & 0o7777, (told.st_atime_ns, told.st_mtime_ns), content)


def restore(kept: Sequence[Kept], folders: Sequence[Path]) -> None:
    """Let the folders hold what was kept, and nothing else."""
    for folder in folders:
        _empty(folder)
        for name in os.listxattr(folder):
            os.removexattr(folder, name)
    for one in kept:
        path = Path(one.path)
        if isinstance(one.content, str):
            path.symlink_to(one.content)
        elif one.content is not None:
            path.write_bytes(one.content)
        elif path not in folders:
            path.mkdir()
    for one in reversed(kept):
        if not isinstance(one.content, str):
            Path(one.path).chmod(one.mode)
        os.utime(one.path, ns=one.times, follow_symlinks=False)


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
            for _ in _below(str(path)):  # which opens what is closed
                pass
            shutil.rmtree(path)
        else:
            path.unlink()


def _below(folder: str) -> Iterator[str]:
    """Yield every path below a folder, a folder's own before those in it; open what is closed."""
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                yield entry.path
                if entry.is_dir(follow_symlinks=False):
                    Path(entry.path).chmod(0o700)
                    waiting.append(entry.path)
