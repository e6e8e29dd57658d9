"""Restore a submission's folders before each check to what its cells have left in them.

`supervise` runs beside the submission, in a process that is ours and that student code does not
reach; one byte from the referee is a command. Standard library only, since it runs in the player.
"""

import contextlib
import io
import os
import signal
import tarfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

END_SECONDS = 5.0
ROUNDS = 100  # of a millisecond, in which all must have stopped
REMEMBER, RESTORE = b"m", b"r"
DONE, FAILED = b"y", b"n"


def supervise(child: int, descriptor: int, folders: Sequence[Path], most_bytes: int) -> None:
    """Serve the referee behind `descriptor` until the `child` ends; then end what it has started.

    Never returns. At most `most_bytes` are remembered.
    """

    def reap(*_: object) -> None:
        while (pid := os.waitpid(-1, os.WNOHANG)[0]) not in (0, child):
            pass
        if pid == child:
            _end(descendants(os.getpid()))

    signal.signal(signal.SIGCHLD, reap)
    reap()
    while command := os.read(descriptor, 1):
        try:
            with _stopped():
                if command == REMEMBER:
                    snapshot = remember(folders, most_bytes)
                restore(snapshot, folders)
        except (OSError, MemoryError, RecursionError, tarfile.TarError):
            os.write(descriptor, FAILED)
        else:
            os.write(descriptor, DONE)
    _end([child])  # the referee has gone


def descendants(pid: int) -> list[int]:
    """Return the processes below another one, also those that have ended and were not reaped."""
    members = [pid]
    for member in members:  # which grows; each may end meanwhile, and each of its threads
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{member}/task"):  # noqa: PTH208 - a Path is slow
                with (
                    contextlib.suppress(OSError),
                    open(f"/proc/{member}/task/{task}/children", "rb", buffering=0) as file,  # noqa: PTH123
                ):
                    members += map(int, file.read().split())
    return members[1:]


@contextlib.contextmanager
def _stopped() -> Iterator[None]:
    """Stop the processes of the submission meanwhile: they could put a link in a file's place.

    OSError if they do not stop. With namespaces /proc shows none, and no link leads out.
    """
    stopped_pids = set[int]()
    try:
        for _ in range(ROUNDS):
            running_pids = [pid for pid in descendants(os.getpid()) if _runs(pid)]
            if not running_pids:
                break
            for pid in running_pids:
                _signal(pid, signal.SIGSTOP)
            stopped_pids.update(running_pids)
            time.sleep(0.001)
        else:
            raise OSError("the processes of the submission do not stop")
        yield
    finally:
        for pid in stopped_pids:
            _signal(pid, signal.SIGCONT)


def _runs(pid: int) -> bool:
    """Return whether a thread of a process is neither stopped nor at its end.

    One that waits in the kernel (D) stops before it runs any code of its own.
    """
    states = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            states.append((thread / "stat").read_bytes().rpartition(b") ")[2][:1])
    return any(state not in b"TtZXD" for state in states)


def _signal(pid: int, signal_: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal_)


def _end(processes: Iterable[int]) -> None:
    """End some processes of the submission and all that they have started, and reap them.

    Where /proc shows nothing, this process inherits the others when the one above them ends.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    end = time.monotonic() + END_SECONDS
    with contextlib.suppress(ChildProcessError):  # there are none any more
        while time.monotonic() < end:
            for pid in (*processes, *descendants(os.getpid())):
                _signal(pid, signal.SIGKILL)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            processes = []
            time.sleep(0.001)
    os._exit(0)


def remember(folders: Sequence[Path], most_bytes: int) -> io.BytesIO:
    """Return all that is in some folders, as an archive; OSError if it is too much."""
    snapshot, room = io.BytesIO(), most_bytes

    def make_readable(info: tarfile.TarInfo) -> tarfile.TarInfo:
        """Let a file or folder be read, and count it."""
        nonlocal room
        room -= info.size
        if room < 0:
            raise OSError("there is too much to keep")
        path = Path("/", info.name)
        info.pax_headers = {"ns": str(path.lstat().st_mtime_ns)}  # a tar's own is rounded
        if not info.issym():
            path.chmod(info.mode | (0o500 if info.isdir() else 0o400))
        return info

    with tarfile.open(fileobj=snapshot, mode="w") as archive:
        for folder in folders:
            archive.add(folder, filter=make_readable)
    return snapshot


def restore(snapshot: io.BytesIO, folders: Sequence[Path]) -> None:
    """Make the folders again as a snapshot holds them, with modes and times of change."""
    snapshot.seek(0)
    with tarfile.open(fileobj=snapshot, mode="r:") as archive:
        stay = {f"/{one.name}" for one in archive if one.isdir()}  # processes may be in them
        places = [*folders]
        for place in places:  # which grows
            place.chmod(0o700)  # else it cannot be emptied
            for path in place.iterdir():
                path.unlink() if path.is_symlink() or not path.is_dir() else places.append(path)
            for name in os.listxattr(place):
                os.removexattr(place, name)
        for place in reversed(places):
            if str(place) not in stay:
                place.rmdir()
        archive.extraction_filter = lambda member, _: member
        archive.extractall("/")
        for one in reversed(archive.getmembers()):
            os.utime(f"/{one.name}", ns=(int(one.pax_headers["ns"]),) * 2, follow_symlinks=False)
