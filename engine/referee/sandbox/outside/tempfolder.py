"""Make temporary folders that only this user may enter, and that end with the process.

A process that is killed cannot tidy up. So each folder holds a file that its process has locked;
the next process that makes a folder removes those of the same kind whose lock nobody holds.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from multiprocessing.util import Finalize
from pathlib import Path

LOCK = ".lock"


class Folder(tempfile.TemporaryDirectory[str]):
    """A folder whose name begins with `prefix`; what dead processes have left is removed."""

    def __init__(self, prefix: str) -> None:
        """Make the folder, which only this user may enter."""
        sweep(prefix)
        super().__init__(prefix=prefix)
        new = Path(self.name) / f"{LOCK}.new"
        self._held = _held(new, os.O_CREAT)
        new.rename(Path(self.name) / LOCK)  # a sweep that comes in between finds no lock to take
        # A process that was forked off leaves without the finalizers of `tempfile`.
        Finalize(self, shutil.rmtree, (self.name, True), exitpriority=0)

    def cleanup(self) -> None:
        """Remove the folder."""
        if self._held is not None:
            os.close(self._held)
            self._held = None
        super().cleanup()


def sweep(prefix: str) -> None:
    """Remove this user's folders of that kind that no living process holds."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            lock = _held(folder / LOCK)
            if lock is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)


def _held(file: Path, create: int = 0) -> int | None:
    """Return a descriptor that holds the lock of a file, or None where another one does."""
    descriptor = os.open(file, os.O_RDWR | os.O_NOFOLLOW | create, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
