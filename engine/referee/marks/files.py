"""Write files atomically, and hold locks. Knows nothing of the files' content."""

import contextlib
import datetime
import fcntl
import getpass
import os
import platform
from collections.abc import Iterator
from pathlib import Path

from referee.course import CourseError


def save(file: Path, content: bytes) -> None:
    """Write a file under a temporary name, then rename it; a device is written directly.

    A link is kept, and its target is written. Raises OSError with the name of the file itself.
    """
    device = file.exists() and not file.is_file()
    if file.is_symlink() and not device:
        file = file.resolve()
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        if file.is_file():
            temporary.touch(0o600)
        (file if device else temporary).write_bytes(content)
        if file.is_file():
            temporary.chmod(file.stat().st_mode)  # as readable as it was, and as closed
        if not device:
            temporary.replace(file)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


@contextlib.contextmanager
def alone(file: Path, doing: str) -> Iterator[None]:
    """Hold a lock file, whose text says who is `doing` something since when.

    Raises CourseError with that text while another process holds it. The lock of a process ends
    with the process.
    """
    file.parent.mkdir(exist_ok=True)
    with file.open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            raise CourseError(f"{lock.read().strip()}; wait until that is done") from error
        lock.truncate(0)
        since = datetime.datetime.now().astimezone().isoformat(" ", "seconds")
        who = f"{user()} on {platform.node()}, process {os.getpid()}"
        lock.write(f"{who}, is {doing} since {since}")
        lock.flush()
        yield


def user() -> str:
    """Return who runs this; a user may have no name, as in some containers."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}" if hasattr(os, "getuid") else "unknown"
