"""Run a submission: the process that student code lives in.

It is started by `server`, answers messages, and holds the student's objects; only plain data leaves
it. Every process is made in one way: as a copy that serves a socket of its own. The first process
has imported IPython and the course's library, and runs no student code. A copy of it locks itself
in and runs the cells of one submission; a copy of that answers the questions of one check and is
thrown away with everything that the check did to it. Holds no check, no expected value and no path
to the course.
"""

import contextlib
import faulthandler
import itertools
import os
import random
import resource
import signal
import site
import socket
import sys
import threading
import time
import types
from array import array
from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from numbers import Integral, Real
from os import close, fork, getpid, setpgid, waitpid  # as they are before student code runs
from pathlib import Path
from typing import Any

import msgspec

from referee.model import Remote, type_called
from referee.sandbox.inside import jail
from referee.sandbox.inside.operators import OPERATIONS, is_lazy
from referee.sandbox.inside.shell import NotebookShell, describe_error
from referee.sandbox.wire import messages
from referee.sandbox.wire.values import PackObject, Values, is_scalar, plain_value

MAX_ITEMS = 10_000
MAX_LISTED = 1_000  # items of an iterator that may stay an object
MAX_FACTS = 1_000  # values whose facts are remembered
MAX_RECURSION = 3_000
GONE_SECONDS = 5.0


class Player:
    """Serve one channel until the other side closes it."""

    def __init__(self, channel: messages.Channel, start: messages.Start) -> None:
        """Begin with an empty notebook namespace; `start` is the command line."""
        self.channel = channel
        self._home = Path(start.home)
        self.values = Values([type_called(name) for name in start.plain_types])
        self._remotes = {remote.type: _remote(remote) for remote in start.remotes}
        self.shell = NotebookShell.instance()
        self.names: dict[str, Any] = self.shell.user_ns
        self.objects: list[Any] = []
        self._functions: dict[int, RemoteFunction] = {}  # each number stays the same object
        self._modules: dict[str, types.ModuleType] = {}  # of ours: each keeps what it was told
        # What methods return for a value from the referee. Each answers one question, so that those
        # in a loop are counted there. Student code can reach them, and no mark depends on them.
        self._facts: dict[Any, dict[str, messages.Tree]] = {}
        self._questions = 0
        self._late_answers = 0  # still to come, to questions that a deep recursion has given up
        self._one_at_a_time = threading.RLock()
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def serve(self) -> None:
        """Answer one message after the other."""
        while True:
            message, bodies = self.channel.receive_with(socket.SCM_RIGHTS, 2 * array("i").itemsize)
            if self._is_late(message):
                continue
            if isinstance(message, messages.Fork) and bodies:
                self._fork(*array("i", b"".join(bodies)))
            else:
                self._reply(message)

    def ask(self, target: int, method: str, *args: Any) -> Any:
        """Call a method of an object in the referee, and serve its questions until it answers."""
        with self._one_at_a_time:
            trees = [self.values.pack(arg, self._pack_plain) for arg in args]
            self.channel.send(messages.Ask(target, method, trees))
            self._questions += 1
            answered = False
            try:
                while True:
                    message = self.channel.receive()
                    if self._is_late(message):
                        continue
                    answered = isinstance(message, messages.Answer)
                    if not answered:
                        self._reply(message)
                        continue
                    if message.refused is not None:
                        raise ValueError(message.refused)
                    value = self.values.unpack(message.value, self._resolve)
                    if message.facts and (key := _key(target, value)):
                        self._facts[key] = message.facts
                        if len(self._facts) > MAX_FACTS:
                            del self._facts[next(iter(self._facts))]
                    return value
            finally:
                self._questions -= 1
                self._late_answers += not answered

    def _is_late(self, message: Any) -> bool:
        """Return whether a message answers a question that was given up; count it if it does."""
        late = self._late_answers > 0 and isinstance(message, messages.Answer)
        self._late_answers -= late
        return late

    def recall(self, target: int, method: str, *args: Any) -> Any:
        """Return a fact that came with an earlier answer of the referee's; else ask."""
        facts = self._facts.get(_key(target, *args), {}) if len(args) == 1 else {}
        if method in facts:
            return self.values.unpack(facts.pop(method), self._resolve)
        return self.ask(target, method, *args)

    def _fork(self, descriptor: int, *supervisors: int) -> None:
        """Fork a copy that serves a socket: with a second one it becomes that of a submission."""
        random_state = random.getstate()
        if _forked():
            for end in (descriptor, *supervisors):
                close(end)
            return
        self.channel.close()
        sock = socket.socket(fileno=descriptor)
        sock.set_inheritable(False)  # by what student code starts
        self.channel = messages.Channel(sock, messages.FromReferee)
        layers: list[str] = []
        if supervisors:
            os.setsid()
            layers = self._lock_in(self.channel.receive(), *supervisors)
            random.seed(0)
        else:
            setpgid(0, 0)
            random.setstate(random_state)
        self.channel.send(messages.Ready(getpid(), layers))

    def _lock_in(self, begin: messages.Begin, supervisor: int) -> list[str]:
        """Become the process of one submission; return the layers."""
        folder = begin.folder or jail.WORK
        limits = begin.processes, begin.folder_bytes
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # which student code cannot change
        try:
            layers = jail.enter(self._home, Path(folder), not begin.folder, *limits, supervisor)
        except jail.UnavailableError as error:
            self.channel.send(messages.Ready(getpid(), why=str(error)))
            os._exit(1)
        os.chdir(folder)
        sys.path.append("")  # nothing of a student's hides a package
        os.environ |= {"HOME": folder, "TMPDIR": folder, "USER": "student"}
        for name, content in begin.files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(content)
        return layers

    def _reply(self, message: Any) -> None:
        try:
            reply = self._answer(message)
            self.channel.send(reply)
        except messages.WireError as error:
            self.channel.send(
                messages.Raised(["ValueError"], f"the answer cannot be sent: {error}", [])
            )

    def _answer(self, message: Any) -> Any:
        match message:
            case messages.RunCell(source, label):
                with self._student_code():
                    error = self.shell.run(source, label)
                return messages.Ran(self.shell.recorder.outputs(), error)
            case messages.Do():
                return self._do(message)
        raise messages.WireError(f"a player has no answer to {type(message).__name__}")

    def _do(self, ask: messages.Do) -> Any:
        """Do something with the student's objects; whatever is raised becomes a message."""
        operands = [self.values.unpack(part, self._resolve) for part in ask.operands]
        kwargs = {key: self.values.unpack(part, self._resolve) for key, part in ask.named.items()}
        if ask.operation == "name" and operands[0] not in self.names:
            return messages.Missing(operands[0])
        if not self._questions:
            self.shell.recorder.clear()
        try:
            with self._student_code(), self.shell.recording():
                match ask.operation:
                    case "name":
                        tree = self._pack(self.names[operands[0]], ask)
                    case "each":
                        target, calls = operands
                        answers = [_list_items(target(*args), ask.answer) for args in calls]
                        tree = ["list", [self._pack(answer, ask) for answer in answers]]
                    case "load":
                        name, source = operands
                        if name not in self._modules:
                            module = self._modules[name] = types.ModuleType(name)
                            exec(compile(source, f"<{name}>", "exec"), vars(module))  # noqa: S102
                            vars(module)["notebook"] = self.names
                        tree = self._pack_plain(self._modules[name])
                    case "iter" | "reversed":  # asked for the items one by one
                        tree = self._pack_object(OPERATIONS[ask.operation](*operands))
                    case _:
                        value = OPERATIONS[ask.operation](*operands, **kwargs)
                        tree = self._pack(value, ask)
        except AttributeError as error:
            if ask.operation == "getattr" and error.name == operands[1]:
                return messages.Missing(operands[1])
            return describe_error(error)
        except (messages.WireError, messages.Closed):
            raise
        except BaseException as error:
            return describe_error(error)
        args = [self.values.pack(arg, self._pack_plain) for arg in operands[1:] if ask.look]
        return messages.Value(tree, self.shell.recorder.printed(), args)

    def _pack(self, value: Any, ask: messages.Do) -> Any:
        """Pack an answer; the question says where an instance of a subclass stays an object."""
        answer = _list_items(value, ask.answer)

        def pack_part(part: Any) -> list[Any]:
            stays = ask.answer if part is answer else ask.parts
            return self._pack_object(part) if stays else self._pack_plain(part, pack_part)

        return self.values.pack(answer, pack_part)

    def _pack_plain(self, value: Any, pack_part: PackObject | None = None) -> list[Any]:
        """Pack the plain data that a value holds, if any, else its number as an object."""
        plain = plain_value(value, self.values.plain_types)
        if plain is None and isinstance(value, Real):
            plain = int(value) if isinstance(value, Integral) else float(value)
        if plain is None or type(plain) is type(value):
            return self._number(value, "object")
        return self.values.pack(plain, pack_part or self._pack_plain)  # type: ignore[no-any-return]

    def _pack_object(self, value: Any) -> list[Any]:
        """Pack a value as an object; the tag says whether it is an instance of a plain type."""
        if is_scalar(value):
            return self._pack_plain(value)
        return self._number(value, "object" if plain_value(value) is None else "data")

    def _number(self, value: Any, tag: str) -> list[Any]:
        """Give an object a number, by which the referee names it from now on."""
        if isinstance(value, RemoteObject):
            return ["remote", value.target_]
        self.objects.append(value)
        return [tag, len(self.objects) - 1]

    def _resolve(self, tag: str, number: int) -> Any:
        if tag == "object":
            return self.objects[number]
        if tag == "function":
            return self._functions.setdefault(number, RemoteFunction(self, number))
        if tag in self._remotes:
            return self._remotes[tag](self, number)
        raise messages.WireError(f"a value has the unknown tag {tag!r}")

    @contextlib.contextmanager
    def _student_code(self) -> Iterator[None]:
        """Let an interrupt through while the block runs, and only then."""
        handler = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, handler)


class EndlessError(ValueError):
    """An answer has more items than allowed."""


def _key(target: int, value: Any) -> Any:
    """Return a key of a value as it is now, for an object in the referee; None if there is none."""
    try:
        return target, type(value), msgspec.msgpack.encode(value)
    except Exception:
        return None


class RemoteObject:
    """An object that lives in the referee; each course's remotes are subclasses."""

    def __init__(self, player: Player, target: int) -> None:
        """Keep the number of the object in the referee, `target`."""
        self.player_ = player
        self.target_ = target


class RemoteFunction(RemoteObject):
    """A function of the referee's, called across the pipe."""

    def __call__(self, *args: Any) -> Any:
        """Call the function with plain values."""
        return self.player_.ask(self.target_, "__call__", *args)


def _remote(remote: Remote) -> type[RemoteObject]:
    """Make the type of an object that lives in the referee: it is asked across the pipe."""

    def method(name: str) -> Any:
        def ask(self: RemoteObject, *args: Any) -> Any:
            question = self.player_.recall if name in remote.facts else self.player_.ask
            return question(self.target_, name, *args)

        return ask

    def attribute(name: str) -> property:
        return property(lambda self: self.player_.ask(self.target_, name))

    members = {name: method(name) for name in remote.methods}
    members |= {name: attribute(name) for name in remote.attributes}
    kind = type_called(remote.type)
    return type(f"Remote{kind.__name__}", (RemoteObject, kind), members)


def _list_items(value: Any, as_object: bool) -> Any:
    """List the items of a lazy iterable, such as a generator; return any other value as it is."""
    if as_object and is_lazy(value):
        return value
    if as_object and isinstance(value, Iterator):
        items = list(itertools.islice(value, MAX_LISTED + 1))
        return items if len(items) <= MAX_LISTED else itertools.chain(items, value)
    if isinstance(value, (Iterator, range)):
        items = list(itertools.islice(value, MAX_ITEMS + 1))
    elif isinstance(value, (KeysView, ValuesView, ItemsView)):
        items = list(value)
    else:
        return value
    if len(items) > MAX_ITEMS:
        raise EndlessError(f"more than {MAX_ITEMS:,} items were generated")
    return items


def _forked() -> int:
    """Fork; while there are too many processes, wait until those of the last check are gone."""
    end = time.monotonic() + GONE_SECONDS
    while True:
        with contextlib.suppress(ChildProcessError):  # each counts as one until it is reaped
            while waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        try:
            return fork()
        except BlockingIOError:
            if time.monotonic() > end:
                raise
            time.sleep(0.005)


def _settle_signals() -> None:
    """Remove all signal handlers but libc's own, which comes with a first thread.

    Any other handler after the cells have run could carry data from one check to the next, and
    makes `between_checks` run the cells again; a remainder of an ended thread does not.
    """
    faulthandler.disable()
    thread = threading.Thread(target=getpid)
    thread.start()
    thread.join()


def main() -> None:
    """Serve a socket; the command line holds its file descriptor and a `Start`."""
    descriptor, start = int(sys.argv[1]), msgspec.json.decode(sys.argv[2], type=messages.Start)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):  # macOS does not limit the address space
        resource.setrlimit(resource.RLIMIT_AS, (start.memory_bytes, start.memory_bytes))
    site.sethelper()  # Python was started without what is installed, and what comes with that
    site.setquit()
    sys.setrecursionlimit(MAX_RECURSION)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    channel = messages.Channel(socket.socket(fileno=descriptor), messages.FromReferee)
    player = Player(channel, start)
    with contextlib.suppress(messages.Closed):
        _settle_signals()
        jail.readable(Path(start.home))  # is looked up once, and not for each submission
        jail.layout(Path(start.home))
        player.serve()
    os._exit(0)


if __name__ == "__main__":
    main()
