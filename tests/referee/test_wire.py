"""Ask whether only what was agreed on crosses the pipe, and whether that arrives unharmed."""

import contextlib
import os
import socket
import struct
import threading
from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Any, get_args

import msgspec
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import GameState
from referee.model import Output
from referee.sandbox import wire
from referee.sandbox.wire import Channel, Closed, WireError

LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # no clock in a law

BIGGEST = 2**wire.MAX_INTEGER_BITS - 1

numbers = (
    st.booleans() | st.integers() | st.integers(-BIGGEST, BIGGEST) | st.floats() | st.just(2**63)
)
texts = st.text(st.characters(exclude_categories=["Cs"]))
atoms = st.none() | numbers | texts
keys = st.recursive(atoms, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=4)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw what holds values: a list, a tuple, a dict or a state of a game."""
    return (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(keys, inner, max_size=4)
        | st.builds(GameState, inner, inner, inner, inner)
    )


plain_values = st.recursive(atoms, containers, max_leaves=12)

TAGS = ["list", "tuple", "dict", "state", "int", "handle", "game", "function", "remote", "?"]
leaves = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | texts
    | st.binary(max_size=8) | st.sampled_from(TAGS) | st.sampled_from(["0x5", "-0x" + "f" * 1024])
)  # fmt: skip
trees = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(texts, inner, max_size=2)
        | st.tuples(st.sampled_from(TAGS), inner).map(list)
        | st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=5)).map(list)
        | st.tuples(st.just("dict"), st.lists(st.lists(inner, max_size=3))).map(list)
    ),
    max_leaves=20,
)
"""What a forged message can carry where a value belongs: anything that msgpack knows."""


def unexpected(value: Any) -> Any:
    """Stand for `opaque` where every value is plain."""
    raise AssertionError(f"{value!r} was taken for an object")


def no_objects(tag: str, number: int) -> Any:
    """Stand for `resolve` where no object is known."""
    raise WireError(f"no object {tag} {number}")


def sent(value: Any) -> Any:
    """Return what arrives of a plain value, bytes on the wire included."""
    body = msgspec.msgpack.encode(wire.pack(value, unexpected))
    return wire.unpack(msgspec.msgpack.decode(body), no_objects)


def same(one: Any, other: Any) -> bool:
    """Compare values more strictly than `==`: exact types, -0.0 is not 0.0, a NaN is itself."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return struct.pack(">d", one) == struct.pack(">d", other) or (one != one and other != other)
    if isinstance(one, dict):
        return same(list(one.items()), list(other.items()))
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def nested(levels: int) -> Any:
    """Return None inside so many lists."""
    value = None
    for _ in range(levels):
        value = [value]
    return value


def nested_tree(levels: int) -> Any:
    """Return None inside so many lists, as a tree."""
    tree: Any = None
    for _ in range(levels):
        tree = ["list", [tree]]
    return tree


# --- plain values ----------------------------------------------------------------------------


@LAW
@given(plain_values)
def test_a_plain_value_arrives_as_it_was_sent(value: Any) -> None:
    """Do value, exact types and the order of dictionaries survive the way across?"""
    assert same(sent(value), value)


@pytest.mark.parametrize("value", [2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) - 1, BIGGEST])
def test_an_integer_of_any_agreed_size_arrives(value: int) -> None:
    """Do the integers around the limits of 64 bits, and the largest one, arrive?"""
    assert same(sent([value, -value]), [value, -value])


@LAW
@given(plain_values)
def test_an_arrived_value_is_a_copy(value: Any) -> None:
    """Does what the receiver holds share no list and no dict with what was sent?"""

    def mutable_parts(part: Any) -> Iterator[int]:
        if isinstance(part, (list, dict)):
            yield id(part)
        if isinstance(part, (list, tuple, dict)):
            for item in part.values() if isinstance(part, dict) else part:
                yield from mutable_parts(item)

    whole = [value]
    arrived = sent(whole)
    assert not set(mutable_parts(whole)) & set(mutable_parts(arrived))


@LAW
@given(st.text())
def test_every_text_can_be_sent(text: str) -> None:
    """Does a text that UTF-8 cannot hold (a lone surrogate) still arrive, as readable text?"""
    assert sent(text) == text.encode("utf-8", "replace").decode("utf-8")


class Mark(StrEnum):
    CROSS = "X"


Pair = namedtuple("Pair", "row column")
Grown = type("Grown", (GameState,), {})

NOT_PLAIN = [
    Mark.CROSS,
    type("Int", (int,), {})(3),
    type("Float", (float,), {})(3.0),
    type("List", (list,), {})([1]),
    type("Tuple", (tuple,), {})((1,)),
    type("Dict", (dict,), {})({1: 2}),
    Pair(1, 2),
    Grown("X", 0, {}, []),
    defaultdict(int),
    OrderedDict(),
    {1},
    frozenset(),
    range(3),
    b"bytes",
    1j,
    Fraction(1, 3),
    object(),
    iter([]),
    len,
    int,
]


@pytest.mark.parametrize("value", NOT_PLAIN, ids=lambda value: type(value).__name__)
def test_only_exact_types_are_plain(value: Any) -> None:
    """Is everything that is not of an exact plain type, subclasses too, left to `opaque`?"""
    met = []

    def opaque(value: Any) -> list[Any]:
        met.append(value)
        return ["handle", 7]

    assert wire.pack([value], opaque) == ["list", [["handle", 7]]]
    assert len(met) == 1
    assert met[0] is value


def test_a_handle_is_resolved_by_its_tag_and_number() -> None:
    """Does `resolve` get exactly what `opaque` wrote?"""
    thing = object()
    tree = wire.pack({"it": (thing,)}, lambda value: ["handle", 12])
    assert wire.unpack(tree, lambda tag, number: (tag, number, thing)) == {
        "it": (("handle", 12, thing),)
    }


def test_a_value_may_be_nested_to_the_limit_and_no_deeper() -> None:
    """Where exactly does nesting end, on both sides?"""
    deepest = nested(wire.MAX_DEPTH)
    assert sent(deepest) == deepest
    with pytest.raises(WireError, match=f"nested more than {wire.MAX_DEPTH} levels deep"):
        wire.pack(nested(wire.MAX_DEPTH + 1), unexpected)
    with pytest.raises(WireError, match=f"nested more than {wire.MAX_DEPTH} levels deep"):
        wire.unpack(nested_tree(wire.MAX_DEPTH + 1), no_objects)


def test_a_list_that_holds_itself_cannot_be_sent() -> None:
    """Does an endless value end in a WireError?"""
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(WireError, match="nested"):
        wire.pack(endless, unexpected)


def test_an_integer_over_the_limit_cannot_be_sent() -> None:
    """Is an integer of one bit too many refused, whatever its sign?"""
    for value in (BIGGEST + 1, -BIGGEST - 1):
        with pytest.raises(WireError, match=f"more than {wire.MAX_INTEGER_BITS} bits"):
            wire.pack(value, unexpected)


@settings(LAW, max_examples=300)
@given(trees)
def test_any_tree_is_a_value_or_a_wire_error(tree: Any) -> None:
    """Does a forged tree never raise anything but WireError?"""
    with contextlib.suppress(WireError):
        wire.unpack(tree, no_objects)


@settings(LAW, max_examples=300)
@given(trees)
def test_whatever_unpack_accepts_pack_can_write(tree: Any) -> None:
    """Is a value that was let in one that could have been sent by an honest player?"""
    try:
        value = wire.unpack(tree, no_objects)
    except WireError:
        return
    assert same(sent(value), value)


@pytest.mark.parametrize(
    "tree",
    [
        [],
        ["list"],
        ["list", None],
        ["list", "ab"],
        ["list", [], []],
        ["tuple", {"a": 1}],
        ["unknown", []],
        [[], []],
        ["handle", True],
        ["handle", 1.0],
        ["handle", "1"],
        ["handle", 1, 2],
        ["state", [1, 2, 3]],
        ["state", [1, 2, 3, 4, 5]],
        ["dict", [1]],
        ["dict", [[1]]],
        ["dict", [[1, 2, 3]]],
        ["dict", ["ab"]],
        ["dict", [{"a": 1, "b": 2}]],
        ["dict", [[["list", []], 1]]],
        ["dict", [[1, 2], [1, 3]]],
        ["int", ""],
        ["int", "0xg"],
        ["int", " 0x1_0 "],
        ["int", "0x5"],
        ["int", hex(BIGGEST + 1)],
        ["int", "f" * 1027],
        ["int", 5.0],
        {"list": []},
        b"bytes",
    ],
    ids=lambda tree: repr(tree)[:30],
)
def test_what_pack_does_not_write_is_refused(tree: Any) -> None:
    """Is each way to be almost right refused, with the one error that the referee expects?"""
    with pytest.raises(WireError):
        wire.unpack(tree, no_objects)


# --- framing ---------------------------------------------------------------------------------

MESSAGES_OF_THE_REFEREE = [
    wire.Fork(),
    wire.Fork(secluded=True, folder="/somewhere", files={"games.py": b"x = 1"}),
    wire.Run("print('ä')", "cell 1"),
    wire.Load("rules", "x = 1"),
    wire.Get("MiniMax"),
    wire.Attribute(3, "search"),
    wire.Call(3, [1, ["list", [None]]], {"k": ["tuple", []]}, look=True),
    wire.Each(3, [[1], [], [["tuple", []], None]]),
    wire.Result(["state", ["X", 0, ["dict", []], ["list", []]]]),
    wire.Refusal("no such move"),
]
MESSAGES_OF_THE_PLAYER = [
    wire.Ready(4711, ["own user"]),
    wire.Unavailable("no namespaces"),
    wire.Ran([Output("error", "oh", {"name": "ValueError"}, ["line"])], "ValueError: oh"),
    wire.Ran([], None),
    wire.Value(1.5, "printed", [None]),
    wire.Raised(["ValueError", "Exception"], "oh", ["cell 1, line 1"]),
    wire.Missing("AlphaBeta"),
    wire.Ask(0, "actions", ["A"]),
]


@contextlib.contextmanager
def pipe() -> Iterator[tuple[Channel, Channel]]:
    """Give the referee's end and the player's end of a pipe."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours, wire.FromPlayer), Channel(theirs, wire.FromReferee)


def frame(message: Any) -> bytes:
    """Return the bytes that a message is on the wire."""
    body = msgspec.msgpack.encode(message)
    return struct.pack(">I", len(body)) + body


def read_all(channel: Channel) -> list[Any]:
    """Read once, and take every message that is whole."""
    channel.read()
    return list(iter(channel.take, None))


def test_every_kind_of_message_is_tried_here() -> None:
    """Do the examples leave out no message of either side?"""
    assert set(map(type, MESSAGES_OF_THE_REFEREE)) == set(get_args(wire.FromReferee))
    assert set(map(type, MESSAGES_OF_THE_PLAYER)) == set(get_args(wire.FromPlayer))


@pytest.mark.parametrize("message", MESSAGES_OF_THE_PLAYER, ids=lambda m: type(m).__name__)
def test_a_message_of_the_player_arrives_whole(message: Any) -> None:
    """Does the referee receive each kind of message as it was?"""
    with pipe() as (referee, player):
        player.send(message)
        assert read_all(referee) == [message]


@pytest.mark.parametrize("message", MESSAGES_OF_THE_REFEREE, ids=lambda m: type(m).__name__)
def test_a_message_of_the_referee_arrives_whole(message: Any) -> None:
    """Does the player receive each kind of message as it was?"""
    with pipe() as (referee, player):
        referee.send(message)
        assert player.receive_with_descriptor() == (message, None)


@LAW
@given(st.lists(st.sampled_from(MESSAGES_OF_THE_PLAYER), max_size=6), st.data())
def test_messages_arrive_however_the_bytes_are_cut(
    messages: list[Any], data: st.DataObject
) -> None:
    """Is it the same whether bytes come one message at a time, many at once or in pieces?"""
    stream = b"".join(map(frame, messages))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    arrived = []
    with pipe() as (referee, player):
        for piece in filter(None, pieces):
            player.socket.sendall(piece)
            arrived += read_all(referee)
    assert arrived == messages


def test_part_of_a_message_is_no_message() -> None:
    """Does `take` wait for the last byte?"""
    body = frame(wire.Missing("x"))
    with pipe() as (referee, player):
        for byte in body[:-1]:
            player.socket.sendall(bytes([byte]))
            assert read_all(referee) == []
        player.socket.sendall(body[-1:])
        assert read_all(referee) == [wire.Missing("x")]


def test_the_largest_message_arrives_and_a_larger_one_is_not_sent() -> None:
    """Where exactly does the size of a message end?"""
    room = wire.MAX_MESSAGE_BYTES - len(msgspec.msgpack.encode(wire.Value("x" * 70_000))) + 70_000
    with pipe() as (referee, player):
        sender = threading.Thread(target=player.send, args=[wire.Value("x" * room)])
        sender.start()
        while (message := referee.take()) is None:
            referee.read()
        sender.join()
        assert len(message.value) == room
        with pytest.raises(WireError, match=f"is over {wire.MAX_MESSAGE_BYTES} bytes"):
            player.send(wire.Value("x" * (room + 1)))


def test_a_message_that_says_it_is_too_long_is_refused_before_it_comes() -> None:
    """Is an oversized length an error at once, without waiting for so many bytes?"""
    with pipe() as (referee, player):
        player.socket.sendall(struct.pack(">I", wire.MAX_MESSAGE_BYTES + 1))
        referee.read()
        with pytest.raises(WireError, match="is over"):
            referee.take()


@LAW
@given(st.binary(max_size=60))
def test_garbage_is_a_message_or_a_wire_error(body: bytes) -> None:
    """Do arbitrary bytes in a frame never raise anything but WireError?"""
    with pipe() as (referee, player):
        player.socket.sendall(struct.pack(">I", len(body)) + body)
        with contextlib.suppress(WireError):
            assert isinstance(read_all(referee)[0], wire.FromPlayer)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        b"null",
        b"\x91" * 5000,
        msgspec.msgpack.encode({"type": "Value"}),
        msgspec.msgpack.encode({"type": "Nothing", "value": 1}),
        msgspec.msgpack.encode({"type": "Ready", "pid": "1"}),
        msgspec.msgpack.encode({"type": "Raised", "kinds": "E", "message": "", "where": []}),
        msgspec.msgpack.encode(wire.Missing("x")) + b"\x00",
        b"\x82\xa4type\xa5Value\xa5value\xa1\xff",
        b"\x82\xa4type\xa5Value\xa5value" + b"\x91" * 5000,
    ],
    ids=lambda body: repr(body)[:30],
)  # fmt: skip
def test_what_is_no_message_is_refused(body: bytes) -> None:
    """Is each way to be almost a message refused, deep nesting and broken UTF-8 too?"""
    with pipe() as (referee, player):
        player.socket.sendall(struct.pack(">I", len(body)) + body)
        with pytest.raises(WireError, match="not a message"):
            read_all(referee)


@pytest.mark.parametrize("message", MESSAGES_OF_THE_REFEREE, ids=lambda m: type(m).__name__)
def test_the_player_cannot_speak_for_the_referee(message: Any) -> None:
    """Is a message in the wrong direction refused?"""
    with pipe() as (referee, player):
        player.send(message)
        with pytest.raises(WireError, match="not a message"):
            read_all(referee)


def test_a_closed_pipe_is_told_apart_from_silence() -> None:
    """Does the end of the other side raise Closed, and its silence TimeoutError?"""
    with pipe() as (referee, player):
        referee.socket.settimeout(0.01)
        with pytest.raises(TimeoutError):
            referee.read()
        player.close()
        with pytest.raises(Closed, match="closed the pipe"):
            referee.read()
        with pytest.raises(Closed, match="closed the pipe"):
            referee.receive_with_descriptor()
        with pytest.raises(Closed, match="closed the pipe"):
            referee.send(wire.Fork())


def test_a_pipe_that_closes_within_a_message_is_closed() -> None:
    """Is half a message no message, and no endless wait?"""
    with pipe() as (referee, player):
        player.socket.sendall(frame(wire.Missing("x"))[:-1])
        player.close()
        assert read_all(referee) == []
        with pytest.raises(Closed):
            referee.read()


# --- file descriptors ------------------------------------------------------------------------


@contextlib.contextmanager
def unnamed_pipe() -> Iterator[tuple[int, int]]:
    """Give a file descriptor to read from and one to write to."""
    reading, writing = os.pipe()
    try:
        yield reading, writing
    finally:
        os.close(reading)
        os.close(writing)


def test_a_file_descriptor_comes_with_its_message() -> None:
    """Is what arrives another descriptor of the same open file?"""
    with pipe() as (referee, player), unnamed_pipe() as (reading, writing):
        referee.send(wire.Fork(folder="/somewhere"), writing)
        message, descriptor = player.receive_with_descriptor()
        assert message == wire.Fork(folder="/somewhere")
        assert descriptor not in (None, writing)
        os.write(descriptor, b"through the copy")
        os.close(descriptor)
        assert os.read(reading, 100) == b"through the copy"


def test_each_file_descriptor_comes_with_its_own_message() -> None:
    """Do several messages on their way at once keep their descriptors, and the others none?"""
    with pipe() as (referee, player), unnamed_pipe() as (_, writing):
        referee.send(wire.Get("a"))
        referee.send(wire.Fork(folder="b"), writing)
        referee.send(wire.Get("c"))
        referee.send(wire.Fork(folder="d"), writing)
        arrived = [player.receive_with_descriptor() for _ in range(4)]
        for _, descriptor in arrived:
            if descriptor is not None:
                os.close(descriptor)
        assert [message for message, _ in arrived if isinstance(message, wire.Fork)] == [
            wire.Fork(folder="b"), wire.Fork(folder="d")
        ]  # fmt: skip
        assert [descriptor is not None for _, descriptor in arrived] == [False, True, False, True]


def test_the_referee_takes_no_file_descriptors() -> None:
    """Does a player that sends descriptors leave none open in the referee?"""
    me = psutil.Process()
    with pipe() as (referee, player), unnamed_pipe() as (_, writing):
        before = me.num_fds()
        player.send(wire.Missing("x"), writing)
        assert read_all(referee) == [wire.Missing("x")]
        assert me.num_fds() == before
