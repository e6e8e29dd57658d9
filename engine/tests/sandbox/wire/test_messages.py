"""Ask whether only what was agreed on crosses the pipe, and whether that arrives unharmed."""

import contextlib
import os
import socket
import struct
import threading
from array import array
from collections.abc import Iterator
from typing import Any

import msgspec
import psutil
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from referee.model import Output
from referee.sandbox.wire import messages
from referee.sandbox.wire.messages import Channel, Closed, WireError

LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # no clock in a law

MESSAGES_OF_THE_REFEREE = [
    messages.Fork(),
    messages.Begin(folder="/somewhere", files={"piles.py": b"x = 1"}),
    messages.RunCell("print('ä')", "cell 1"),
    messages.Do("name", ["MiniMax"]),
    messages.Do("call", [["object", 3], ["list", [None]]], {"k": ["tuple", []]}, look=True),
    messages.Do("add", [["object", 3], 1], answer=True),
    messages.Answer(["record 0", ["X", ["dict", []], ["list", []]]]),
    messages.Answer(refused="no such move"),
]
MESSAGES_OF_THE_PLAYER = [
    messages.Ready(4711, ["own user"]),
    messages.Ran([Output("error", "oh", {"name": "ValueError"}, ["line"])], "ValueError: oh"),
    messages.Ran([], None),
    messages.Value(1.5, "printed", [None]),
    messages.Raised(["ValueError", "Exception"], "oh", ["cell 1, line 1"]),
    messages.Missing("AlphaBeta"),
    messages.Ask(0, "actions", ["A"]),
]


@contextlib.contextmanager
def pipe() -> Iterator[tuple[Channel, Channel]]:
    """Give the referee's end and the player's end of a pipe."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours, messages.FromPlayer), Channel(theirs, messages.FromReferee)


def frame(message: Any) -> bytes:
    """Return the bytes that a message is on the wire."""
    body = msgspec.msgpack.encode(message)
    return struct.pack(">I", len(body)) + body


def read_all(channel: Channel) -> list[Any]:
    """Read once, and take every message that is whole."""
    channel.read()
    return list(iter(channel.take, None))


@pytest.mark.parametrize("message", MESSAGES_OF_THE_REFEREE, ids=lambda m: type(m).__name__)
def test_a_player_can_send_no_message_of_the_referees(message: Any) -> None:
    """Is each kind refused that comes the wrong way?"""
    with pipe() as (referee, player):
        player.send(message)
        with pytest.raises(WireError, match="not a message"):
            read_all(referee)


VALUE = frame(messages.Value(1))[4:]


@LAW
@given(st.binary(max_size=60) | st.sampled_from([VALUE, VALUE + b"\x00", b"\x91" * 5000]))
@example(frame(messages.Fork())[4:])  # of the referee's own
@example(b"\x82\xa4type\xa5Value\xa5value\xa1\xff")  # no UTF-8
@example(frame({"type": "Ready", "pid": "1"})[4:])
@example(frame(messages.Ran([Output("stdout", "")], None))[4:].replace(b"stdout", b"stdxxx"))
def test_garbage_is_refused(body: bytes) -> None:
    """Do arbitrary bytes in a frame never raise anything but WireError, deeply nested ones too?"""
    with pipe() as (referee, player):
        player.socket.sendall(struct.pack(">I", len(body)) + body)
        with contextlib.nullcontext() if body == VALUE else pytest.raises(WireError):
            assert read_all(referee) == [messages.Value(1)]


@LAW
@given(st.sampled_from([MESSAGES_OF_THE_REFEREE, MESSAGES_OF_THE_PLAYER]), st.data())
def test_messages_arrive_however_the_bytes_are_cut(known: list[Any], data: st.DataObject) -> None:
    """Is it the same whether bytes come one message at a time, many at once or in pieces?

    Part of a message is none.
    """
    sent = data.draw(st.lists(st.sampled_from(known), max_size=6))
    stream = b"".join(map(frame, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    arrived = []
    with pipe() as (referee, player):
        ends = (player, referee) if known is MESSAGES_OF_THE_PLAYER else (referee, player)
        for piece in filter(None, pieces):
            ends[0].socket.sendall(piece)
            arrived += read_all(ends[1])
    assert arrived == sent


def test_the_largest_message_arrives_and_no_larger_one() -> None:
    """Where exactly does the size of a message end?"""
    room = (
        messages.MAX_MESSAGE_BYTES
        - len(msgspec.msgpack.encode(messages.Value("x" * 70_000)))
        + 70_000
    )
    with pipe() as (referee, player):
        sender = threading.Thread(target=player.send, args=[messages.Value("x" * room)])
        sender.start()
        while (message := referee.take()) is None:
            referee.read()
        sender.join()
        assert len(message.value) == room
        with pytest.raises(WireError, match=f"is over {messages.MAX_MESSAGE_BYTES} bytes"):
            player.send(messages.Value("x" * (room + 1)))
        player.socket.sendall(struct.pack(">I", messages.MAX_MESSAGE_BYTES + 1))
        referee.read()
        with pytest.raises(WireError, match="is over"):  # and its bytes are not waited for
            referee.take()


def test_a_closed_pipe_is_told_apart_from_silence() -> None:
    """Does the end of the other side raise Closed, and its silence TimeoutError?"""
    with pipe() as (referee, player):
        referee.socket.settimeout(0.01)
        with pytest.raises(TimeoutError):
            referee.read()
        player.socket.sendall(frame(messages.Missing("x"))[:-1])  # half a message is none
        player.close()
        assert read_all(referee) == []
        with pytest.raises(Closed, match="closed the pipe"):
            referee.read()
        with pytest.raises(Closed, match="closed the pipe"):
            referee.receive_with(socket.SCM_RIGHTS, 8)
        with pytest.raises(Closed, match="closed the pipe"):
            referee.send(messages.Fork())


def test_only_the_player_takes_file_descriptors_each_with_its_own_message() -> None:
    """Do messages on their way at once keep theirs, and does none stay open in the referee?"""
    me = psutil.Process()
    with pipe() as (referee, player):
        before = me.num_fds()
        for request, *descriptors in (
            (messages.Do("name", ["a"]),),
            (messages.Begin(folder="b"), 0),
            (messages.Do("name", ["c"]),),
            (messages.Begin(folder="d"), 0),
        ):
            referee.send(request, *descriptors)
        arrived = [player.receive_with(socket.SCM_RIGHTS, 8) for _ in range(4)]
        for descriptor in array("i", b"".join(body for _, sent in arrived for body in sent)):
            os.close(descriptor)
        assert [message.folder for message, sent in arrived if sent] == ["b", "d"]
        assert [len(sent) for _, sent in arrived] == [0, 1, 0, 1]
        player.send(messages.Missing("x"), 0)
        assert read_all(referee) == [messages.Missing("x")]
        assert me.num_fds() == before
