"""Define the messages that cross the pipe between the referee and a player, and the pipe itself.

Both ends are strict: a message has one of the shapes below, and its values are trees as `values`
makes them. Nothing here looks into a live object.
"""

import socket
import struct
from typing import Any

import msgspec

from referee.model import Output, Remote

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
MAX_SENT_BYTES = 1024**3  # by the referee, with the files beside a notebook
SCM_CREDENTIALS = getattr(socket, "SCM_CREDENTIALS", None)  # Linux only
CREDENTIALS = struct.Struct("iII")  # process, user and group

Tree = Any  # what msgpack carries: None, bool, int, float, str, bytes, or a list: tag and body


class WireError(ValueError):
    """A message on the pipe breaks the protocol."""


class Closed(EOFError):  # noqa: N818 - it is an end, not a mistake
    """The other side is gone."""


class Start(msgspec.Struct, frozen=True):
    """The command line of a player, as JSON.

    Its memory limit and home, and the types that a course names: `plain_types` cross the pipe as
    themselves, objects of `remotes` stay in the referee.
    """

    memory_bytes: int
    home: str
    plain_types: tuple[str, ...]
    remotes: tuple[Remote, ...]


# --- messages from the referee ---------------------------------------------------------------


class Fork(msgspec.Struct, tag=True, frozen=True):
    """Fork a copy of yourself that serves the socket sent along, and greets on it.

    The process of a submission gets a second socket, for the supervisor of its folders, and before
    it greets it is told how to `Begin`.
    """


class Begin(msgspec.Struct, tag=True, frozen=True):
    """Lock yourself in, and work in a folder with the given `files`.

    It is `folder`, or else one of its own, with namespaces. If the machine offers none, say so. The
    submission may have that many `processes` at a time, and `folder_bytes` of files.
    """

    folder: str | None = None
    files: dict[str, bytes] = {}
    processes: int = 100
    folder_bytes: int = 64 * 1024**2


class RunCell(msgspec.Struct, tag=True, frozen=True):
    """Run one code cell of the submission."""

    source: str
    label: str


class Do(msgspec.Struct, tag=True):
    """Do something with objects of the submission: one of `operators.OPERATIONS`, or `name`.

    To `load` is to make a trusted module of a name and a source. An object is known by its number.
    `named` are arguments of a call by their names; `look` asks for the operands as they are
    afterwards. An instance of a subclass of a plain type stays an object where the `answer` and its
    `parts` may be objects; else the plain data that it holds is sent in its place.
    """

    operation: str
    operands: list[Tree]
    named: dict[str, Tree] = {}
    look: bool = False
    answer: bool = False
    parts: bool = False


class Answer(msgspec.Struct, tag=True, frozen=True):
    """Answer an `Ask`; `facts` are what methods of the same object return for the value.

    If it is `refused`, the caller gets a ValueError with that message.
    """

    value: Tree = None
    facts: dict[str, Tree] = {}
    refused: str | None = None


# --- messages from the player ----------------------------------------------------------------


class Ready(msgspec.Struct, tag=True, frozen=True):
    """Greet on a new channel: the process id, and the layers of isolation that were put up.

    `why` says that this machine has no namespaces; the process ends then.
    """

    pid: int
    layers: list[str] = []
    why: str = ""


class Ran(msgspec.Struct, tag=True, frozen=True):
    """Report a finished cell; `error` is one line when it raised."""

    outputs: list[Output]
    error: str | None


class Value(msgspec.Struct, tag=True, frozen=True):
    """Answer a `Do`, with what it printed on the way, and what became of its operands."""

    value: Tree
    printed: str = ""
    args: list[Tree] = []


class Raised(msgspec.Struct, tag=True, frozen=True):
    """Report that student code raised: names of its classes, message, lines of student code."""

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


FromReferee = Fork | Begin | RunCell | Do | Answer
FromPlayer = Ready | Ran | Value | Raised | Missing | Ask


# --- framing ---------------------------------------------------------------------------------


class Channel:
    """One end of the pipe: whole messages over a stream socket, each behind its length."""

    def __init__(self, sock: socket.socket, incoming_types: Any) -> None:
        """Serve `sock`; `incoming_types` is the union of messages from the other side."""
        self.socket = sock
        self._decoder = msgspec.msgpack.Decoder(incoming_types)
        self._encoder = msgspec.msgpack.Encoder()
        self._buffer = bytearray()
        # Where a player runs out of stack it is its own: the message stays, to be read later.
        self._depth_errors = () if incoming_types is FromReferee else (RecursionError,)
        limits = MAX_MESSAGE_BYTES, MAX_SENT_BYTES
        self._most_in, self._most_out = limits if incoming_types is FromPlayer else limits[::-1]

    def send(self, message: Any, *descriptors: int) -> None:
        """Send one message, with file descriptors if they are given."""
        body = self._encoder.encode(message)
        if len(body) > self._most_out:
            raise WireError(f"a message of {len(body)} bytes is over {self._most_out} bytes")
        frame = struct.pack(">I", len(body)) + body
        try:
            if descriptors:
                count = socket.send_fds(self.socket, [frame], descriptors)
                frame = frame[count:]
            self.socket.sendall(frame)
        except (BrokenPipeError, ConnectionError) as error:
            raise Closed("the other side has closed the pipe") from error

    def take(self) -> Any | None:
        """Return the next whole message of those read so far, or None."""
        if len(self._buffer) < 4:
            return None
        (size,) = struct.unpack_from(">I", self._buffer)
        if size > self._most_in:
            raise WireError(f"a message of {size} bytes is over {self._most_in} bytes")
        if len(self._buffer) < 4 + size:
            return None
        try:
            message = self._decoder.decode(self._buffer[4 : 4 + size])
        except (msgspec.MsgspecError, UnicodeDecodeError, *self._depth_errors) as error:
            del self._buffer[: 4 + size]
            raise WireError("not a message") from error
        del self._buffer[: 4 + size]
        return message

    def read(self, most: int = 1 << 16, room: int = 0) -> list[tuple[int, int, bytes]]:
        """Read what has arrived, and wait for it as long as the socket's timeout says.

        Return what the kernel has sent along with it, in `room` bytes: without them no file
        descriptor is accepted. Raises TimeoutError or Closed.
        """
        extras: list[tuple[int, int, bytes]] = []
        try:
            if room:
                data, extras, *_ = self.socket.recvmsg(most, room)
            else:
                data = self.socket.recv(most)  # which takes less time
        except ConnectionError:
            data = b""
        if not data:
            raise Closed("the other side has closed the pipe")
        self._buffer += data
        return extras

    def receive(self) -> Any:
        """Wait for the next message, which comes without a file descriptor."""
        while (message := self.take()) is None:
            self.read()
        return message

    def receive_with(self, kind: int | None, size: int) -> tuple[Any, list[bytes]]:
        """Wait for the next message; return it with what the kernel has sent along with it.

        That is of one `kind`, such as SCM_RIGHTS, and at most of so many bytes.
        """
        bodies: list[bytes] = []
        while (message := self.take()) is None:
            missing_bytes = 4 - len(self._buffer)  # of its length, or else of the message
            if missing_bytes <= 0:
                missing_bytes += struct.unpack_from(">I", self._buffer)[0]
            extras = self.read(missing_bytes, socket.CMSG_SPACE(size))
            bodies += [body for _, body_kind, body in extras if body_kind == kind]
        return message, bodies

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()
