"""Start the process that student code lives in, with the isolation that this machine offers.

`Zygote` starts a process that has imported everything, locks itself in (`jail`) and is forked for
each submission; every copy names its layers of isolation. Knows nothing about notebooks or checks.
"""

import contextlib
import functools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
import psutil

from referee.model import Limits, Subject, type_called
from referee.sandbox.inside import jail
from referee.sandbox.outside.affinity import follow
from referee.sandbox.outside.between_checks import Restorer
from referee.sandbox.outside.conversation import kill
from referee.sandbox.outside.importable import chosen
from referee.sandbox.outside.tempfolder import Folder
from referee.sandbox.wire import messages
from referee.sandbox.wire.values import Values

NAMESPACES = jail.NAMESPACES  # the layers that need them
BASE_LAYERS = ("own process", "own session", "empty environment", "own folder", "memory limit")
PACKAGE = Path(__file__).parents[2]
BESIDE = "__init__.py", "model.py", "sandbox/__init__.py", "sandbox/inside", "sandbox/wire"
OPTIONS = ("-B", "-P", "-S", "-X", "faulthandler")  # and nothing that is installed is there
FORK_WALL_SECONDS = 20.0
# The exceptions of a conversation with a process that misbehaves.
BROKEN = (messages.Closed, messages.WireError, TimeoutError)


class SandboxError(RuntimeError):
    """The player cannot be kept alive."""


class NoIsolationError(SandboxError):
    """This machine offers no layer that keeps student code from its files."""


class Copy(NamedTuple):
    """A forked process: its id, the channel to it, its isolation and its folder."""

    pid: int
    channel: messages.Channel
    layers: Sequence[str] = ()
    folder: Path | None = None
    restorer: Restorer | None = None  # of the process of a submission

    def restore(self) -> bool:
        """Undo what checks have changed outside of it; False if its cells have to run again."""
        return self.restorer is None or self.restorer.restore()

    def fork(self) -> "Copy":
        """Return a copy for one check; raises what the function `fork` does."""
        copy = fork(self.channel, messages.Fork())
        if self.restorer is not None:
            self.restorer.add(copy.pid, copy.channel)
        return copy

    @contextlib.contextmanager
    def between_cells(self) -> "Iterator[Copy]":
        """Give a copy to run code between two cells, without a trace for the next cell."""
        if self.restorer is None:
            raise SandboxError("only the process of a submission has copies")
        with self.restorer.undone():
            copy = self.fork()
            try:
                yield copy
            finally:
                copy.end()

    def end(self) -> None:
        """End the process, and remove its folder if that is on this machine."""
        self.channel.close()
        if self.restorer is not None:
            self.restorer.close()
        kill(self.pid)
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


class Zygote:
    """A warm process that has imported what a submission needs; `fork` makes one for each."""

    def __init__(
        self,
        limits: Limits,
        subject: Subject = Subject(),  # noqa: B008 - it is frozen
        namespaces: bool = True,
        hash_seed: int = 0,
    ) -> None:
        """Prepare the process, which can import the library and the types of a `subject`.

        It starts when the first copy is asked for, which may be never. The `limits` say how much
        memory each copy may use, and whether it may run where student code could read and write
        everything. Without `namespaces` it does not try to have them. `hash_seed` decides the order
        of sets of strings.
        """
        self._home = Folder("referee-")
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self._limits = limits
        self._subject = subject
        self._namespaces = namespaces
        self._hash_seed = hash_seed
        self._layers: list[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.values = Values([type_called(name) for name in subject.records])
        self.refusal = subject.refusal or refusal
        self.remotes = [(type_called(remote.type), remote) for remote in subject.remotes]
        self.without = "" if namespaces else "not asked for"
        self.say: Callable[[str, float], None] = lambda *_: None  # what runs now, its limit
        _fill(Path(self._home.name), map(Path, subject.library), chosen(subject.packages))

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        command = [sys.executable, *OPTIONS, "-m", "referee.sandbox.inside.player"]
        start = messages.Start(
            self._limits.memory_bytes, self._home.name, self._namespaces,
            self._subject.records, self._subject.remotes,
        )  # fmt: skip
        with theirs:
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno()), msgspec.json.encode(start).decode()],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                cwd=self._home.name,
                env=_environment(self._home.name, self._hash_seed),
                start_new_session=True,
            )
        self._channel = messages.Channel(ours, messages.FromPlayer)
        self._channel.socket.settimeout(FORK_WALL_SECONDS)
        self._layers = None

    def fork(self, request: messages.Fork) -> Copy:
        """Fork a secluded process for a submission, as `request` says; choose its folder here.

        Raises SandboxError when the process to be forked ends again and again, NoIsolationError
        when nothing keeps the copy from the files of this machine.
        """
        if self._process is None:
            self._start()
        else:
            follow(self._process.pid)
        try:
            return self._fork(request)
        except BROKEN:
            self._end()
            self._start()
        try:
            return self._fork(request)
        except BROKEN as error:
            self._log.seek(0)
            log = self._log.read().decode("utf-8", "replace").strip() or "it said nothing"
            raise SandboxError(f"the player process has ended; its last words: {log}") from error

    def _fork(self, request: messages.Fork) -> Copy:
        if self._layers is None:
            self._layers = self._greeted()
        folder = None
        if not self._namespaces:
            folder = Path(tempfile.mkdtemp(dir=Path(self._home.name) / "work"))
            if "own user" in self._layers:
                os.chown(folder, jail.NOBODY, jail.NOBODY)
        place = None if folder is None else str(folder)
        request = msgspec.structs.replace(request, secluded=True, folder=place)
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                copy = fork(self._channel, request, theirs)
        except BaseException:
            ours.close()
            raise
        layers = [*self._layers, *copy.layers]
        copy = copy._replace(layers=layers, folder=folder, restorer=Restorer(copy.pid, ours))
        if not self._limits.unsafe and not shut_off(copy.layers):
            copy.end()
            raise NoIsolationError(
                "this machine offers no isolation, so that student code could read and change your "
                "files; `referee doctor` says what is missing, and --unsafe grades all the same"
            )
        return copy

    def _greeted(self) -> list[str]:
        """Wait until the process is ready; start it without namespaces if it cannot have them."""
        greeting = self._channel.receive()
        if isinstance(greeting, messages.Unavailable) and self._namespaces:
            self._namespaces, self.without = False, greeting.why
            self._end()
            self._start()
            greeting = self._channel.receive()
        if not isinstance(greeting, messages.Ready):
            raise SandboxError(f"the player process said {greeting!r} where it should be ready")
        return [*BASE_LAYERS, *greeting.layers]

    def close(self) -> None:
        """End the process and remove its folder."""
        self._end()
        self._log.close()
        self._home.cleanup()

    def _end(self) -> None:
        if self._process is None:
            return
        self._channel.close()
        kill(self._process.pid)
        self._process.wait()

    def __enter__(self) -> Self:
        """Return the zygote."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self.close()


def refusal(name: str, args: Sequence[object], *_: object) -> str:
    """Return what student code has asked a function of a check, where the course has no words."""
    count = "1 argument" if len(args) == 1 else f"{len(args)} arguments"
    who = f"`{name}`" if name else "A function of this check"
    return f"{who} was called with {count}, and has no answer to that."


def warm(limits: Limits, subject: Subject, hash_seed: int = 0) -> Zygote:
    """Return the one zygote of this process with a hash seed, which ends with it."""
    return _warm(limits, subject, hash_seed, os.getpid())


@functools.cache
def _warm(limits: Limits, subject: Subject, hash_seed: int, process: int) -> Zygote:
    """Return the zygote of a `process`, by its id: a forked one must not use its parent's."""
    return Zygote(limits, subject, hash_seed=hash_seed)


def shut_off(layers: Sequence[str]) -> bool:
    """Return whether there is a layer that keeps student code from the files of this machine."""
    return "Landlock" in layers or jail.NAMESPACES[0] in layers


def fork(channel: messages.Channel, message: messages.Fork, *ends: socket.socket) -> Copy:
    """Ask the player behind `channel` for a copy of itself, which gets the `ends`, too.

    Raises TimeoutError, WireError or Closed when it misbehaves. The id of the copy comes from the
    kernel; where the kernel does not give it, it is one that was started from here.
    """
    with contextlib.ExitStack() as stack:
        ours, theirs = socket.socketpair()
        stack.callback(ours.close)
        copy = messages.Channel(ours, messages.FromPlayer)
        with theirs:
            if messages.SCM_CREDENTIALS is not None:
                ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            ours.settimeout(FORK_WALL_SECONDS)
            channel.socket.settimeout(FORK_WALL_SECONDS)
            channel.send(message, theirs.fileno(), *(end.fileno() for end in ends))
        reply, sender = copy.receive_with_sender()
        if not isinstance(reply, messages.Ready):
            raise messages.WireError(f"expected a new process, got {type(reply).__name__}")
        if messages.SCM_CREDENTIALS is not None:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        pid = _descendant(reply.pid) if sender is None else sender
        stack.pop_all()
    return Copy(pid, copy, reply.layers)


def _descendant(pid: int) -> int:
    """Return an id that a process has sent, if that process was started from here."""
    with contextlib.suppress(psutil.Error, OverflowError, ValueError):
        if os.getpid() in (parent.pid for parent in psutil.Process(pid).parents()):
            return pid
    raise messages.WireError("it named a process that is not its own")


def _fill(home: Path, library: Iterable[Path], packages: Mapping[str, Path]) -> None:
    """Copy the player's own modules to `home/lib`, and nothing else of the referee or course.

    The packages that it may import are linked in `home/packages`.
    """
    home.chmod(0o755)
    (home / "work").mkdir()
    (home / "lib/referee/sandbox").mkdir(parents=True)
    for file in library:
        shutil.copy(file, home / "lib" / file.name)
    for name in BESIDE:
        for file in sorted((PACKAGE / name).glob("*.py")) or [PACKAGE / name]:
            copy = home / "lib/referee" / file.relative_to(PACKAGE)
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(file, copy)
    (home / "packages").mkdir()
    for name, place in packages.items():
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
