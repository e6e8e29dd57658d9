"""Write a file whole or not at all, and let one at a time work. Knows nothing of what is in it."""

import contextlib
import datetime
import fcntl
import getpass
import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

from referee.course import CourseError


def save(file: Path, content: bytes) -> None:
    """Write a file beside its place and put it there when it is whole; a device just gets it.

    A link stays, and what it leads to is written. Raises OSError with the name of the file itself,
    whatever could not be done.
    """
    device = file.exists() and not file.is_file()
    if file.is_symlink() and not device:
        file = file.resolve()
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        if file.is_file():
            temporary.touch(0o600)
            temporary.chmod(file.stat().st_mode)  # as readable as it was
        (file if device else temporary).write_bytes(content)
        if not device:
            temporary.replace(file)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


@contextlib.contextmanager
def new_folder(place: Path) -> Iterator[Path]:
    """Give a folder that is still to be made, to be filled; put it into its place when it is whole.

    Raises CourseError for a place that is taken, or that is in no folder.
    """
    if os.path.lexists(place):
        raise CourseError(f"{place} is there already; name a folder that is not")
    if not place.parent.is_dir():
        raise CourseError(f"{place.parent} is no folder; make it first")
    half = half_of(place)
    shutil.rmtree(half, ignore_errors=True)  # of a process that was killed
    try:
        yield half
        half.rename(place)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def half_of(place: Path) -> Path:
    """Return where a new folder is until it is whole."""
    return place.with_name(f".{place.name}.half")


@contextlib.contextmanager
def alone(file: Path, doing: str) -> Iterator[None]:
    """Hold a lock file, which says who is `doing` what since when.

    Raises CourseError with that sentence while somebody else holds it. The lock of a process that
    has died is gone with it.
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


def comma(text: str) -> str:
    """Return what stands between the fields of a table: in some countries a semicolon."""
    head = text.partition("\n")[0]
    return ";" if head.count(";") > head.count(",") else ","
