"""Start the process that student code lives in, with the isolation that this machine offers.

`Zygote` is a process that has imported everything (`forkserver`), locks itself in (`jail`) and is
forked for each submission; every copy names its layers of isolation. Knows nothing about notebooks
or checks.
"""

import contextlib
import functools
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
import psutil

from referee.model import Limits, Subject, type_called
from referee.sandbox.inside import jail
from referee.sandbox.outside.affinity import follow
from referee.sandbox.outside.between_checks import Restorer
from referee.sandbox.outside.conversation import kill
from referee.sandbox.outside.forkserver import (
    FORK_WALL_SECONDS,
    ForkServer,
    Imports,
    imports,
    shared,
)
from referee.sandbox.wire import messages
from referee.sandbox.wire.values import Values

NAMESPACES = jail.NAMESPACES  # the layers that need them
BASE_LAYERS = ("own process", "own session", "empty environment", "own folder", "memory limit")
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
        server: ForkServer | None = None,
    ) -> None:
        """Prepare the process, which can import the library and the types of a `subject`.

        It starts when the first copy is asked for, which may be never. The `limits` say how much
        memory each copy may use, and whether it may run where student code could read and write
        everything. Without `namespaces` it does not try to have them. `hash_seed` decides the order
        of sets of strings. `server` forks it, and perhaps others; else it has one for itself.
        """
        self._alone = server is None
        self._server = server or ForkServer(imports(limits.memory_bytes, subject, hash_seed))
        self._limits = limits
        self._namespaces = namespaces
        self._process: Copy | None = None
        self.values = Values([type_called(name) for name in subject.records])
        self.refusal = subject.refusal or refusal
        self.remotes = [(type_called(remote.type), remote) for remote in subject.remotes]
        self.without = "" if namespaces else "not asked for"

    def start(self) -> None:
        """Start what forks it, without waiting: for all that are forked off from here."""
        self._server.start()

    def _started(self) -> Copy:
        """Start the process; without namespaces if it cannot have them."""
        channel, greeting = self._server.fork(self._namespaces)
        if isinstance(greeting, messages.Unavailable) and self._namespaces:
            self._namespaces, self.without = False, greeting.why
            channel.close()
            channel, greeting = self._server.fork(self._namespaces)
        if not isinstance(greeting, messages.Ready):
            channel.close()
            raise SandboxError(f"the player process said {greeting!r} where it should be ready")
        return Copy(greeting.pid, channel, [*BASE_LAYERS, *greeting.layers])

    def fork(self, request: messages.Fork) -> Copy:
        """Fork a secluded process for a submission, as `request` says; choose its folder here.

        Raises SandboxError when the process to be forked ends again and again, NoIsolationError
        when nothing keeps the copy from the files of this machine.
        """
        try:
            return self._fork(request)
        except BROKEN:
            self._end()
        try:
            return self._fork(request)
        except BROKEN as error:
            log = self._server.last_words()
            raise SandboxError(f"the player process has ended; its last words: {log}") from error

    def _fork(self, request: messages.Fork) -> Copy:
        if self._process is None:
            self._process = self._started()
        follow(self._process.pid)
        folder = None
        if not self._namespaces:
            folder = Path(tempfile.mkdtemp(dir=self._server.work))
            if "own user" in self._process.layers:
                os.chown(folder, jail.NOBODY, jail.NOBODY)
        place = None if folder is None else str(folder)
        request = msgspec.structs.replace(request, secluded=True, folder=place)
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                copy = fork(self._process.channel, request, theirs)
        except BaseException:
            ours.close()
            raise
        layers = [*self._process.layers, *copy.layers]
        copy = copy._replace(layers=layers, folder=folder, restorer=Restorer(copy.pid, ours))
        if not self._limits.unsafe and not shut_off(copy.layers):
            copy.end()
            raise NoIsolationError(
                "this machine offers no isolation, so that student code could read and change your "
                "files; `referee doctor` says what is missing, and --unsafe grades all the same"
            )
        return copy

    def close(self) -> None:
        """End the process, and the one that has forked it if it has no other."""
        self._end()
        if self._alone:
            self._server.close()

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

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
    return _warm(limits, subject, imports(limits.memory_bytes, subject, hash_seed), os.getpid())


@functools.cache
def _warm(limits: Limits, subject: Subject, needed: Imports, process: int) -> Zygote:
    """Return the zygote of a `process`, by its id: a forked one must not use its parent's."""
    if messages.SCM_CREDENTIALS is None:  # only who has forked them can tell whose copies are whose
        return Zygote(limits, subject, hash_seed=needed.hash_seed)
    return Zygote(limits, subject, server=shared(needed))


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
