"""Start the process that student code lives in, with the isolation that this machine offers.

A `Server` has imported all that student code may need, which takes a quarter of a second, and runs
none of it. It forks a process for each submission, which locks itself in (`jail`) before it sees
their code. Knows nothing about notebooks or checks.
"""

import contextlib
import functools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from multiprocessing.util import Finalize
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee.model import Limits, Subject, type_called
from referee.sandbox.inside import jail
from referee.sandbox.outside.affinity import follow
from referee.sandbox.outside.between_checks import Original
from referee.sandbox.outside.conversation import BROKEN, kill, request_copy
from referee.sandbox.outside.importable import package_places
from referee.sandbox.wire import messages
from referee.sandbox.wire.values import Values

NAMESPACES = jail.NAMESPACES  # the layers that need them
BASE_LAYERS = ("own process", "own session", "empty environment", "own folder", "memory limit")
PACKAGE = Path(__file__).parents[2]
BESIDE = "__init__.py", "model.py", "sandbox/__init__.py", "sandbox/inside", "sandbox/wire"
OPTIONS = ("-B", "-P", "-S", "-X", "faulthandler")  # and nothing that is installed is there


class SandboxError(RuntimeError):
    """The process that student code is to live in cannot be kept alive."""


class NoIsolationError(SandboxError):
    """This machine offers no layer that keeps student code from its files."""


class Folder:
    """A temporary folder that only this user may enter; as a context manager it gives its path."""

    def __init__(self, prefix: str) -> None:
        """Make the folder, whose name begins with `prefix`."""
        self.name = tempfile.mkdtemp(prefix=prefix)
        # A process that was forked off leaves without the finalizers of `tempfile`.
        self.cleanup = Finalize(self, shutil.rmtree, (self.name, True), exitpriority=0)

    def __enter__(self) -> str:
        """Return the path of the folder."""
        return self.name

    def __exit__(self, *_: object) -> None:
        """Remove the folder."""
        self.cleanup()


class Files(NamedTuple):
    """The contents of a course's library by their names, and the places of packages by theirs."""

    library: tuple[tuple[str, bytes], ...]
    packages: tuple[tuple[str, Path], ...]


def files_of(subject: Subject) -> Files:
    """Return what student code of a subject may import, as it is on the disk now."""
    library = tuple((file.name, file.read_bytes()) for file in map(Path, subject.library))
    return Files(library, tuple(package_places(subject.packages).items()))


class Server(contextlib.AbstractContextManager["Server"]):
    """A process that has imported what submissions need; `fork` gives one for each.

    Processes that are forked off from this one may ask it as well.
    """

    def __init__(
        self,
        limits: Limits,
        subject: Subject = Subject(),  # noqa: B008 - it is frozen
        namespaces: bool = True,
        hash_seed: int = 0,
        files: Files | None = None,
    ) -> None:
        """Prepare the process, which can import the library and the types of a `subject`.

        It starts when the first submission is asked for, which may be never. The `limits` say how
        much memory each process may use, and whether student code may run where it could read and
        write everything. Without `namespaces` none are tried. `hash_seed` decides the order of sets
        of strings. The `files` of the subject may have been read before.
        """
        self._limits, self._subject, self._hash_seed = limits, subject, hash_seed
        self._process: subprocess.Popen[bytes] | None = None
        self._home = Folder("referee-")
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self.values = Values([type_called(name) for name in subject.records])
        self.refusal = subject.refusal or refusal
        self.remotes = [(type_called(remote.type), remote) for remote in subject.remotes]
        self.without = "" if namespaces else "not asked for"
        _fill(Path(self._home.name), files or files_of(subject))

    def start(self) -> None:
        """Start the process, if it has not been, without waiting for what it imports."""
        if self._process is not None:
            return
        our_end, their_end = socket.socketpair()
        command = [sys.executable, *OPTIONS, "-m", "referee.sandbox.inside.player"]
        home, subject = self._home.name, self._subject
        start = messages.Start(self._limits.memory_bytes, home, subject.records, subject.remotes)
        with their_end:
            self._process = subprocess.Popen(
                [*command, str(their_end.fileno()), msgspec.json.encode(start).decode()],
                pass_fds=[their_end.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                cwd=home,
                env={
                    "HOME": home,
                    "IPYTHONDIR": home,
                    "LANG": "C.UTF-8",
                    "MPLBACKEND": "module://matplotlib_inline.backend_inline",  # as pictures
                    "NBGRADER_EXECUTION": "autograde",  # as nbgrader says it
                    "PATH": os.environ.get("PATH", os.defpath),
                    "PYTHONHASHSEED": str(self._hash_seed),
                    "PYTHONIOENCODING": "utf-8",
                    "OMP_NUM_THREADS": "1",  # its threads would stay, and tell a check something
                    "OPENBLAS_NUM_THREADS": "1",
                    "PYTHONPATH": os.pathsep.join([f"{home}/lib", f"{home}/packages"]),
                    "TMPDIR": home,
                },
                start_new_session=True,
            )
        self._channel = messages.Channel(our_end, messages.FromPlayer)

    def fork(
        self,
        begin: messages.Begin = messages.Begin(),  # noqa: B008 - it is frozen
        memory_bytes: int = Limits().memory_bytes,
    ) -> Original:
        """Fork a process for a submission, which has locked itself in, as `begin` says.

        All that it starts may have `memory_bytes` together. What has ended or stands still is
        started anew, once. Raises SandboxError if that does not help, NoIsolationError if nothing
        keeps student code from the files of this machine.
        """
        with contextlib.suppress(*BROKEN):
            return self._fork(begin, memory_bytes)
        self._end()
        try:
            return self._fork(begin, memory_bytes)
        except BROKEN as error:
            self._log.seek(0)
            log = self._log.read().decode("utf-8", "replace").strip() or "it said nothing"
            raise SandboxError(f"the player process has ended; its last words: {log}") from error

    def _fork(self, begin: messages.Begin, memory_bytes: int) -> Original:
        self.start()
        work = Path(self._home.name, "work")
        folder = tempfile.mkdtemp(dir=work) if self.without else None
        begin = msgspec.structs.replace(begin, folder=folder)
        our_end, their_end = socket.socketpair()
        with contextlib.ExitStack() as stack:
            stack.callback(our_end.close)
            with their_end:
                pid, channel, reply = request_copy(self._channel, their_end, begin=begin)
            if reply.why:
                channel.close()
                self.without = reply.why
                return self._fork(begin, memory_bytes)
            stack.pop_all()
        follow(pid)
        layers = [*BASE_LAYERS, *reply.layers]
        process = Original(pid, channel, memory_bytes, our_end, layers, folder)
        if not self._limits.unsafe and not shut_off(layers):
            process.close()
            raise NoIsolationError(
                "this machine offers no isolation, so that student code could read and change your "
                "files; `referee doctor` says what is missing, and --unsafe grades all the same"
            )
        return process

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

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self.close()


def refusal(name: str, args: Sequence[object], *_: object) -> str:
    """Return what student code has asked a function of a check, where the course has no words."""
    count = "1 argument" if len(args) == 1 else f"{len(args)} arguments"
    who = f"`{name}`" if name else "A function of this check"
    return f"{who} was called with {count}, and has no answer to that."


def warm(limits: Limits, subject: Subject, hash_seed: int = 0) -> Server:
    """Return the one server of some imports, for this process and all that it forks off.

    It ends with them. Equal files are the same wherever they lie.
    """
    anywhere = msgspec.structs.replace(subject, library=(), explain=None, calls=None)
    return _warm(limits, anywhere, hash_seed, files_of(subject))


@functools.cache
def _warm(limits: Limits, subject: Subject, hash_seed: int, files: Files) -> Server:
    return Server(limits, subject, hash_seed=hash_seed, files=files)


def survey(limits: Limits) -> tuple[list[str], str]:
    """Return the layers that a submission gets here, and why it has no namespaces, or "".

    Raises NoIsolationError as `Server.fork` does.
    """
    with Server(limits) as server:
        process = server.fork()
        process.close()
        return list(process.layers), server.without


def advice(layers: Sequence[str], why: str) -> list[str]:
    """Return a line for each missing layer, with how to get it; `why` is about namespaces."""
    if sys.platform != "linux":
        return [
            f"{sys.platform} offers no isolation that is used here: grade on Linux, in a virtual "
            "machine or in WSL 2, or with --unsafe if you trust what was handed in"
        ]
    lines = []
    if NAMESPACES[0] not in layers:
        lines.append(
            f"{', '.join(NAMESPACES)}: no namespaces ({why}). Ubuntu 24.04 switches them off: "
            "`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`; Docker needs "
            "`--security-opt seccomp=unconfined --cap-add SYS_ADMIN`"
        )
        if "Landlock" not in layers:
            lines.append("Landlock: needs Linux 5.13 or newer with landlock among its LSMs")
    if "own user" not in layers:
        lines.append("own user: only root can give student code one; `sudo` does, where you may")
    if "system call filter" not in layers:
        lines.append("system call filter: needs x86_64 or aarch64 and a kernel with seccomp")
    return lines


def shut_off(layers: Sequence[str]) -> bool:
    """Return whether there is a layer that keeps student code from the files of this machine."""
    return "Landlock" in layers or NAMESPACES[0] in layers


def _fill(home: Path, files: Files) -> None:
    """Copy the player's own modules to `home/lib`, and nothing else of the referee or course.

    The packages that it may import are linked in `home/packages`.
    """
    home.chmod(0o755)
    (home / "work").mkdir()
    (home / "lib/referee/sandbox").mkdir(parents=True)
    for name, content in files.library:
        (home / "lib" / name).write_bytes(content)
    for name in BESIDE:
        for file in sorted((PACKAGE / name).glob("*.py")) or [PACKAGE / name]:
            copy = home / "lib/referee" / file.relative_to(PACKAGE)
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(file, copy)
    (home / "packages").mkdir()
    for name, place in files.packages:
        (home / "packages" / name).symlink_to(place)
    for path in home.rglob("*"):  # another user reads them, whatever the umask is here
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
