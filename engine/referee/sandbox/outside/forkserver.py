"""Start the process that has imported all that student code may need, and fork zygotes of it.

To import takes a quarter of a second, to fork some milliseconds. So all zygotes of a grading, also
those of its workers, are forked by one process, each locks itself in, and none can reach another.
"""

import contextlib
import functools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from referee.model import Remote, Subject
from referee.sandbox.outside.affinity import follow
from referee.sandbox.outside.conversation import kill
from referee.sandbox.outside.importable import chosen
from referee.sandbox.outside.tempfolder import Folder
from referee.sandbox.wire import messages

PACKAGE = Path(__file__).parents[2]
BESIDE = "__init__.py", "model.py", "sandbox/__init__.py", "sandbox/inside", "sandbox/wire"
OPTIONS = ("-B", "-P", "-S", "-X", "faulthandler")  # and nothing that is installed is there
FORK_WALL_SECONDS = 20.0


class Imports(msgspec.Struct, frozen=True):
    """What a process has imported, and how: equal ones are the same to student code.

    `library` are the files of the course by their names, `packages` those of the machine.
    """

    memory_bytes: int
    hash_seed: int
    library: tuple[tuple[str, bytes], ...]
    packages: tuple[tuple[str, Path], ...]
    records: tuple[str, ...]
    remotes: tuple[Remote, ...]


def imports(memory_bytes: int, subject: Subject, hash_seed: int) -> Imports:
    """Return what student code of a `subject` may need, as it is on the disk now."""
    library = tuple((file.name, file.read_bytes()) for file in map(Path, subject.library))
    packages = tuple(chosen(subject.packages).items())
    names = subject.records, subject.remotes
    return Imports(memory_bytes, hash_seed, library, packages, *names)


class ForkServer:
    """A process that has imported what student code may need, and forks a zygote when asked.

    It never runs student code. Processes that are forked off from this one may ask it as well.
    """

    def __init__(self, needed: Imports) -> None:
        """Prepare the process; it starts when the first zygote is asked for."""
        self._home = Folder("referee-")
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self._needed = needed
        self._process: subprocess.Popen[bytes] | None = None
        self.work = Path(self._home.name) / "work"
        _fill(Path(self._home.name), needed)

    def fork(self, namespaces: bool) -> tuple[messages.Channel, Any]:
        """Return the channel of a new zygote, and its greeting when it has locked itself in.

        Raises TimeoutError, WireError or Closed when it ends before or says nothing.
        """
        with contextlib.ExitStack() as stack:
            ours, theirs = socket.socketpair()
            stack.callback(ours.close)
            ours.settimeout(FORK_WALL_SECONDS)
            channel = messages.Channel(ours, messages.FromPlayer)
            with theirs:
                try:
                    self._send(messages.LockIn(namespaces), theirs)
                except messages.Closed:  # something has killed it
                    self._end()
                    self._send(messages.LockIn(namespaces), theirs)
            try:
                greeting = channel.receive()
            except TimeoutError:  # it stands still: whoever asks again asks a new one
                self._end()
                raise
            stack.pop_all()
        return channel, greeting

    def _send(self, message: messages.LockIn, end: socket.socket) -> None:
        self.start()
        if self._process is not None:
            follow(self._process.pid)
        self._channel.send(message, end.fileno())  # in one piece, whoever else sends

    def start(self) -> None:
        """Start the process, if it has not been, without waiting for what it imports."""
        if self._process is not None:
            return
        ours, theirs = socket.socketpair()
        command = [sys.executable, *OPTIONS, "-m", "referee.sandbox.inside.player"]
        home, needed = self._home.name, self._needed
        start = messages.Start(needed.memory_bytes, home, needed.records, needed.remotes)
        with theirs:
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno()), msgspec.json.encode(start).decode()],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                cwd=home,
                env=_environment(home, needed.hash_seed),
                start_new_session=True,
            )
        self._channel = messages.Channel(ours, messages.FromPlayer)

    def last_words(self) -> str:
        """Return what it or a zygote has written where Python writes what ends it."""
        self._log.seek(0)
        return self._log.read().decode("utf-8", "replace").strip() or "it said nothing"

    def close(self) -> None:
        """End the process and remove its folder."""
        self._end()
        self._log.close()
        self._home.cleanup()

    def _end(self) -> None:
        if self._process is not None:
            self._channel.close()
            kill(self._process.pid)
            self._process.wait()
            self._process = None


# The one process of some imports, for this process and all that it forks off; it ends with them.
shared = functools.cache(ForkServer)


def _fill(home: Path, needed: Imports) -> None:
    """Copy the player's own modules to `home/lib`, and nothing else of the referee or course.

    The packages that it may import are linked in `home/packages`.
    """
    home.chmod(0o755)
    (home / "work").mkdir()
    (home / "lib/referee/sandbox").mkdir(parents=True)
    for name, content in needed.library:
        (home / "lib" / name).write_bytes(content)
    for name in BESIDE:
        for file in sorted((PACKAGE / name).glob("*.py")) or [PACKAGE / name]:
            copy = home / "lib/referee" / file.relative_to(PACKAGE)
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(file, copy)
    (home / "packages").mkdir()
    for name, place in needed.packages:
        (home / "packages" / name).symlink_to(place)
    for path in home.rglob("*"):  # another user reads them, whatever the umask is here
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)


def _environment(home: str, hash_seed: int) -> dict[str, str]:
    return {
        "HOME": home,
        "IPYTHONDIR": home,
        "LANG": "C.UTF-8",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",  # figures are pictures
        "NBGRADER_EXECUTION": "autograde",  # as nbgrader says it
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONIOENCODING": "utf-8",
        "OMP_NUM_THREADS": "1",  # numpy's threads would stay, and a check could tell them something
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join([f"{home}/lib", f"{home}/packages"]),
        "TMPDIR": home,
    }
