"""Define what may cross the pipe between the referee and a player: messages and plain values.

Both ends are strict: a message has one of the shapes below, a value is plain data of an exact
type or a numbered handle for an object that stays where it is. Nothing here looks into a live
object. Imported by `player` and `submission`; imports `games` for `GameState` and nothing else
of the project.
"""

import os
import socket
import struct
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec

from games import GameState

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 40
TOO_DEEP = f"a value is nested more than {MAX_DEPTH} levels deep"
MAX_INTEGER_BITS = 4096
SCM_CREDENTIALS = getattr(socket, "SCM_CREDENTIALS", None)  # Linux only
CREDENTIALS = struct.Struct("iII")  # process, user and group

Tree = Any  # what msgpack carries: None, bool, int, float, str, or a list that starts with a tag


class WireError(ValueError):
    """Something on the pipe is not what the two sides agreed on."""


class Closed(EOFError):  # noqa: N818 - it is an end, not a mistake
    """The other side is gone."""


# --- messages from the referee ---------------------------------------------------------------


class Fork(msgspec.Struct, tag=True, frozen=True):
    """Fork a copy of yourself that serves the socket sent along, and greets on it.

    The first copy for a submission is `secluded`, in a folder with the given `files`: `folder`, or
    one of its own where the player has a file system of its own. It may have that many `processes`
    at a time, and `folder_bytes` of files.
    """

    secluded: bool = False
    folder: str | None = None
    files: dict[str, bytes] = {}
    processes: int = 100
    folder_bytes: int = 64 * 1024**2


class Run(msgspec.Struct, tag=True, frozen=True):
    """Run one code cell of the submission."""

    source: str
    label: str


class Load(msgspec.Struct, tag=True, frozen=True):
    """Make a trusted module from its source and answer with a handle to it."""

    name: str
    source: str


class Get(msgspec.Struct, tag=True, frozen=True):
    """Look up a name that the submission has defined."""

    name: str


class Attribute(msgspec.Struct, tag=True, frozen=True):
    """Look up an attribute of an object behind a handle."""

    target: int
    name: str


class Call(msgspec.Struct, tag=True, frozen=True):
    """Call the object behind a handle; `look` asks for the arguments as they are afterwards."""

    target: int
    args: list[Tree]
    kwargs: dict[str, Tree]
    look: bool = False


class Each(msgspec.Struct, tag=True, frozen=True):
    """Call the object behind a handle with each of the lists of arguments."""

    target: int
    calls: list[list[Tree]]


class Result(msgspec.Struct, tag=True, frozen=True):
    """Answer an `Ask`."""

    value: Tree


class Refusal(msgspec.Struct, tag=True, frozen=True):
    """Answer an `Ask` that cannot be met: the caller gets a ValueError with this message."""

    message: str


# --- messages from the player ----------------------------------------------------------------


class Ready(msgspec.Struct, tag=True, frozen=True):
    """Greet on a new channel: the process id, and the layers of isolation that were put up."""

    pid: int
    layers: list[str] = []


class Unavailable(msgspec.Struct, tag=True, frozen=True):
    """Report that a layer of isolation cannot be had on this machine."""

    why: str


class Output(msgspec.Struct, frozen=True):
    """One output of a cell, in the terms of the notebook format."""

    kind: str  # "stdout", "stderr", "display_data", "execute_result" or "error"
    text: str
    data: dict[str, str] = {}
    traceback: list[str] = []


class Ran(msgspec.Struct, tag=True, frozen=True):
    """Report a finished cell; `error` is one line when it raised."""

    outputs: list[Output]
    error: str | None


class Value(msgspec.Struct, tag=True, frozen=True):
    """Answer a look-up or call, with what it printed on the way, and what became of `args`."""

    value: Tree
    printed: str = ""
    args: list[Tree] = []


class Raised(msgspec.Struct, tag=True, frozen=True):
    """Report that student code raised: built-in class names, message, lines of student code."""

    kinds: list[str]
    message: str
    where: list[str]


class Missing(msgspec.Struct, tag=True, frozen=True):
    """Report that a name or attribute does not exist."""

    name: str


class Ask(msgspec.Struct, tag=True, frozen=True):
    """Call a method of an object that lives in the referee."""

    target: int
    method: str
    args: list[Tree]


FromReferee = Fork | Run | Load | Get | Attribute | Call | Each | Result | Refusal
FromPlayer = Ready | Unavailable | Ran | Value | Raised | Missing | Ask


# --- plain values ----------------------------------------------------------------------------


def pack(value: Any, opaque: Callable[[Any], list[Tree]], depth: int = 0) -> Tree:
    """Turn a value into a tree of plain data; `opaque` packs whatever is not plain.

    Only exact types count as plain: a subclass of `str` goes to `opaque`.
    """
    kind = type(value)
    if kind is int:
        return value if -(2**63) <= value < 2**63 else ["int", _hexadecimal(value)]
    if kind is str:
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if value is None or kind is float or kind is bool:
        return value
    if kind is tuple:
        return ["tuple", _packed(value, opaque, depth)]
    if kind is list:
        return ["list", _packed(value, opaque, depth)]
    if kind is dict:
        return ["dict", [_packed(pair, opaque, depth) for pair in value.items()]]
    if kind is GameState:
        return ["state", _packed(tuple(value), opaque, depth)]
    return opaque(value)


def _packed(parts: Sequence[Any], opaque: Callable[[Any], list[Tree]], depth: int) -> list[Tree]:
    """Pack the parts of a value, those that stay as they are without a call: most of all data."""
    if depth == MAX_DEPTH and parts:
        raise WireError(TOO_DEEP)
    return [
        part
        if (type(part) is int and -(2**63) <= part < 2**63)
        or (type(part) is str and part.isascii())
        else pack(part, opaque, depth + 1)
        for part in parts
    ]


def unpack(tree: Tree, resolve: Callable[[str, int], Any], depth: int = 0) -> Any:
    """Build a fresh value from a tree; `resolve` finds the object for a tag and a number.

    Raises WireError for anything that `pack` does not write.
    """
    kind = type(tree)
    if kind is int or kind is str or tree is None or kind is bool or kind is float:
        return tree
    if kind is list and len(tree) == 2:
        tag, body = tree
        if type(body) is list:
            if tag == "tuple":
                return tuple(_unpacked(body, resolve, depth))
            if tag == "list":
                return _unpacked(body, resolve, depth)
            if tag == "dict":
                return _dictionary(body, resolve, depth)
            if tag == "state" and len(body) == len(GameState._fields):
                return GameState(*_unpacked(body, resolve, depth))
        if tag == "int" and type(body) is str and len(body) <= MAX_INTEGER_BITS // 4 + 3:
            return _large_integer(body)
        if type(tag) is str and type(body) is int:
            return resolve(tag, body)
    raise WireError("a value has an unknown shape")


def _unpacked(parts: list[Tree], resolve: Callable[[str, int], Any], depth: int) -> list[Any]:
    if depth == MAX_DEPTH and parts:
        raise WireError(TOO_DEEP)
    return [
        part if type(part) is int or type(part) is str else unpack(part, resolve, depth + 1)
        for part in parts
    ]


def _dictionary(pairs: list[Tree], resolve: Callable[[str, int], Any], depth: int) -> Any:
    found: dict[Any, Any] = {}
    for pair in pairs:
        if type(pair) is not list or len(pair) != 2:
            raise WireError("a dictionary has an entry that is not a pair")
        key, value = _unpacked(pair, resolve, depth)
        try:
            found[key] = value
        except TypeError as error:
            raise WireError("a dictionary has a key that cannot be one") from error
    if len(found) != len(pairs):
        raise WireError("a dictionary has a key twice")
    return found


def _large_integer(digits: str) -> int:
    try:
        value = int(digits, 16)
    except ValueError:
        raise WireError("an integer is not written in hexadecimal") from None
    if -(2**63) <= value < 2**63 or _hexadecimal(value) != digits:
        raise WireError("an integer is not written as it should be")
    return value


def _hexadecimal(value: int) -> str:
    if value.bit_length() > MAX_INTEGER_BITS:
        raise WireError(f"an integer has more than {MAX_INTEGER_BITS} bits")
    return hex(value)


# --- framing ---------------------------------------------------------------------------------


class Channel:
    """One end of the pipe: whole messages over a stream socket, each behind its length."""

    def __init__(self, sock: socket.socket, incoming: Any) -> None:
        """Serve `sock`; `incoming` is the union of messages that the other side may send."""
        self.socket = sock
        self._decoder = msgspec.msgpack.Decoder(incoming)
        self._encoder = msgspec.msgpack.Encoder()
        self._buffer = bytearray()

    def send(self, message: Any, descriptor: int | None = None) -> None:
        """Send one message, with a file descriptor if one is given."""
        body = self._encoder.encode(message)
        if len(body) > MAX_MESSAGE_BYTES:
            raise WireError(f"a message of {len(body)} bytes is over {MAX_MESSAGE_BYTES} bytes")
        frame = struct.pack(">I", len(body)) + body
        try:
            if descriptor is not None:
                sent = socket.send_fds(self.socket, [frame], [descriptor])
                frame = frame[sent:]
            self.socket.sendall(frame)
        except (BrokenPipeError, ConnectionError) as error:
            raise Closed("the other side has closed the pipe") from error

    def take(self) -> Any | None:
        """Return the next whole message of what was read so far, or None."""
        if len(self._buffer) < 4:
            return None
        (size,) = struct.unpack_from(">I", self._buffer)
        if size > MAX_MESSAGE_BYTES:
            raise WireError(f"a message of {size} bytes is over {MAX_MESSAGE_BYTES} bytes")
        if len(self._buffer) < 4 + size:
            return None
        body = bytes(self._buffer[4 : 4 + size])
        del self._buffer[: 4 + size]
        try:
            return self._decoder.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise WireError(f"not a message: {error}") from error

    def read(self) -> None:
        """Read what has arrived, and wait for it as long as the socket's timeout says.

        Accepts no file descriptors. Raises TimeoutError or Closed.
        """
        self._append(self._receive(lambda: self.socket.recv(1 << 16)))

    def receive(self) -> Any:
        """Wait for the next message, which comes without a file descriptor."""
        while (message := self.take()) is None:
            self.read()
        return message

    def receive_with_descriptor(self) -> tuple[Any, int | None]:
        """Wait for the next message and the file descriptor that came with it, if one did."""
        descriptor = None
        while (message := self.take()) is None:
            data, descriptors, _, _ = self._receive(
                partial(socket.recv_fds, self.socket, self._missing(), 1)
            )
            for received in descriptors:
                os.set_inheritable(received, False)
                descriptor = received
            self._append(data)
        return message, descriptor

    def receive_with_sender(self) -> tuple[Any, int | None]:
        """Wait for the next message; return it with the id of the process that has sent it.

        The kernel tells the id, in this process's own terms, if the socket was asked to pass
        credentials; else it is None.
        """
        sender = None
        while (message := self.take()) is None:
            data, extras, _, _ = self._receive(
                partial(self.socket.recvmsg, self._missing(), socket.CMSG_SPACE(CREDENTIALS.size))
            )
            for level, kind, body in extras:
                if (level, kind) == (socket.SOL_SOCKET, SCM_CREDENTIALS):
                    sender = CREDENTIALS.unpack(body)[0]
            self._append(data)
        return message, sender

    def _missing(self) -> int:
        """Return how many bytes of the next message, or of its length, have not come."""
        if len(self._buffer) < 4:
            return 4 - len(self._buffer)
        (size,) = struct.unpack_from(">I", self._buffer)
        return int(4 + size - len(self._buffer))

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()

    def _receive(self, receive: Callable[[], Any]) -> Any:
        try:
            return receive()
        except ConnectionError as error:
            raise Closed("the other side has closed the pipe") from error

    def _append(self, data: bytes) -> None:
        if not data:
            raise Closed("the other side has closed the pipe")
        self._buffer += data
