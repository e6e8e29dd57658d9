"""Ask whether plain values arrive unharmed, and nothing else arrives as one."""

import contextlib
import sys
from collections import defaultdict, namedtuple
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple
from unittest.mock import Mock

import msgspec
import numpy
import pandas
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from piles import Position
from referee.sandbox.wire.messages import WireError
from referee.sandbox.wire.values import CODECS, MAX_DEPTH, MAX_INTEGER_BITS, Values

LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # no clock in a law
BIGGEST = 2**MAX_INTEGER_BITS - 1


class Point(NamedTuple):
    """A record of some course."""

    row: Any
    column: Any


class Nothing(NamedTuple):
    """A record without fields."""


VALUES = Values([Position, Point, Nothing])

numbers = (
    st.booleans() | st.integers() | st.integers(-BIGGEST, BIGGEST) | st.floats() | st.just(2**63)
    | st.complex_numbers()
)  # fmt: skip
texts = st.text(st.characters(exclude_categories=["Cs"]))
exact = (
    st.fractions() | st.decimals().filter(lambda d: not d.is_snan() and abs(d.adjusted()) < 999)
    | st.dates() | st.times() | st.datetimes() | st.timedeltas()
)  # fmt: skip
atoms = st.none() | numbers | texts | st.binary() | exact
keys = st.recursive(
    atoms,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.frozensets(inner, max_size=3)
        | st.builds(Point, inner, inner)
    ),
    max_leaves=4,
)


plain_values = st.recursive(
    atoms | st.sets(keys, max_size=4) | st.frozensets(keys, max_size=4) | st.builds(Nothing),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(keys, inner, max_size=4)
        | st.builds(Position, inner, inner, inner, inner)
        | st.builds(Point, inner, inner)
    ),
    max_leaves=12,
)

TAGS = [
    "list", "tuple", "set", "frozenset", "dict", "record 0", "record 1", "record 3", "object",
    "remote", "function", "?", *CODECS,
]  # fmt: skip
NUMBERS = ["0x5", "-0x" + "f" * 1024, "0x1/-0x2", "-1", "nan", "sNaN", "1e999", "2024-01-01"]
leaves = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | texts
    | st.binary(max_size=8) | st.sampled_from(TAGS + NUMBERS)
)  # fmt: skip
trees = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(texts, inner, max_size=2)
        | st.tuples(st.sampled_from(TAGS), inner).map(list)
        | st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=5)).map(list)
    ),
    max_leaves=20,
)
"""What a forged message can carry where a value belongs: anything that msgpack knows."""


def unexpected(value: Any) -> Any:
    """Stand for `pack_object` where every value is plain."""
    raise AssertionError(f"{value!r} was taken for an object")


def no_objects(tag: str, number: int) -> Any:
    """Stand for `resolve` where no object is known."""
    raise WireError(f"no object {tag} {number}")


def sent(value: Any) -> Any:
    """Return what arrives of a plain value, bytes on the wire included."""
    body = msgspec.msgpack.encode(VALUES.pack(value, unexpected))
    return VALUES.unpack(msgspec.msgpack.decode(body), no_objects)


def form(value: Any) -> Any:
    """Return what tells values apart more strictly than `==`: exact types, -0.0 from 0.0."""
    match value:
        case dict():
            parts: Any = [(form(key), form(item)) for key, item in value.items()]
        case set() | frozenset():
            parts = sorted(map(form, value), key=repr)
        case list() | tuple():
            parts = [*map(form, value)]
        case numpy.ndarray():
            parts = value.dtype, value.shape, form(value.ravel().tolist())
        case float() | complex() | Decimal():
            parts = repr(value)
        case _:
            parts = value
    return type(value), parts


@LAW
@given(plain_values)
@example([2**63, 2**64, -(2**63) - 1])
@example(datetime(2024, 1, 2, 3, 4, tzinfo=UTC))
def test_a_plain_value_arrives_as_it_was_sent(value: Any) -> None:
    """Do value, exact types and the order of dictionaries survive the way across?

    What the receiver holds shares nothing that can change with what was sent.
    """

    def mutable_parts(part: Any) -> Iterator[int]:
        if isinstance(part, (list, dict, set)):
            yield id(part)
        if isinstance(part, (list, tuple, dict)):
            for item in part.values() if isinstance(part, dict) else part:
                yield from mutable_parts(item)

    arrived = sent(value)
    assert form(arrived) == form(value)
    assert not set(mutable_parts(value)) & set(mutable_parts(arrived))


def test_a_text_that_utf_8_cannot_hold_arrives_readable() -> None:
    """Is a lone surrogate replaced, and the rest as it was?"""
    assert sent("a\ud800\u00e4") == "a?\u00e4"


class Mark(StrEnum):
    CROSS = "X"


Untold = namedtuple("Untold", "row column")

NOT_PLAIN = [
    Mark.CROSS,
    *(
        type(kind.__name__.title(), (kind,), {})(*arguments)
        for kind, *arguments in (
            (int, 3), (float, 3.0), (bytes, b"b"), (tuple, (1,)), (dict, {1: 2}),
            (Position, "X", 0, {}, []),
        )
    ),
    Untold(1, 2),
    defaultdict(int),
    range(3),
    bytearray(b"bytes"),
    type("Share", (Fraction,), {})(1, 3),
    object(),
    numpy.array([object()], dtype=object),
    numpy.zeros(2, dtype=[("x", "f8")]),
    numpy.zeros((1,) * 9),
    numpy.zeros((10**9, 0)),
    len,
    int,
]  # fmt: skip


@pytest.mark.parametrize("value", NOT_PLAIN, ids=lambda value: type(value).__name__)
def test_only_exact_types_are_plain(value: Any) -> None:
    """Is everything that is not of an exact plain type, subclasses too, left to `pack_object`?"""
    pack_object = Mock(return_value=["object", 7])
    assert VALUES.pack([value], pack_object) == ["list", [["object", 7]]]
    ((met,),) = (call.args for call in pack_object.call_args_list)
    assert met is value


def test_only_records_that_were_told_cross_as_themselves() -> None:
    """Are records told apart that are equal as tuples, and is one that nobody told refused?"""
    assert type(sent(Point(1, 2))) is Point
    assert sent([Point(1, Nothing()), (1, ())]) == [Point(1, Nothing()), (1, ())]
    tree = VALUES.pack(Point(1, 2), unexpected)
    with pytest.raises(WireError, match="unknown shape"):
        Values([Position]).unpack(tree, no_objects)
    with pytest.raises(WireError, match="record 1 is not written"):
        Values([Nothing, Position]).unpack(tree, no_objects)
    with pytest.raises(AssertionError, match="was taken for an object"):
        Values().pack(Point(1, 2), unexpected)


@pytest.mark.parametrize("kind", [list, tuple, frozenset])
def test_a_value_may_be_nested_to_the_limit_and_no_deeper(kind: Any) -> None:
    """Where exactly does nesting end, on both sides?"""
    deepest: Any = None
    for _ in range(MAX_DEPTH):
        deepest = kind([deepest])
    assert sent(deepest) == deepest
    with pytest.raises(WireError, match="nested too deeply, or holds itself"):
        VALUES.pack(kind([deepest]), unexpected)
    with pytest.raises(WireError, match="nested too deeply, or holds itself"):
        VALUES.unpack([kind.__name__, [VALUES.pack(deepest, unexpected)]], no_objects)


@settings(LAW, max_examples=500)
@given(trees)
def test_any_tree_is_a_value_that_can_be_sent_or_a_wire_error(tree: Any) -> None:
    """Does a forged tree raise nothing else, and is what was let in what an honest player sends?"""
    try:
        value = VALUES.unpack(tree, no_objects)
    except WireError:
        return
    assert form(sent(value)) == form(value)


@pytest.mark.parametrize(
    "tree",
    [
        ["list", None],
        ["list", [], []],
        ["unknown", []],
        [b"list", []],
        ["object", True],
        ["record 0", [1, 2, 3]],
        ["set", [1, True]],
        ["set", [["list", []]]],
        ["dict", [1, 2, 3]],
        ["dict", [1, 2, 1, 3]],
        ["fraction", [1, 0]],
        ["fraction", ["1e999999999", 1]],
        ["decimal", ["1e5000"]],
        ["decimal", ["sNaN"]],
        ["date", ["soon"]],
        ["array", ["<f8", ["list", [2]], b"12345678"]],
        ["array", ["|O", ["list", [1]], b"12345678"]],
        ["array", ["O", ["list", [1]], ["list", [["object", 0]]]]],
        ["array", ["U", ["list", [1]], ["list", [1]]]],
        ["int", [hex(BIGGEST + 1)]],
        {"list": []},
        ["array", ["<f8", ["list", [1] * 9], b"12345678"]],
        ["array", ["<f8", ["list", [-1]], b"12345678"]],
        ["array", ["|u1", ["list", [9]], None]],
        ["array", ["<i8", ["list", [1]], ["array", ["O", ["list", [1]], ["list", [7]]]]]],
        ["array", ["|b1", ["list", [1]], b"\x02"]],
        # What takes more than was sent: texts as long as the longest, one value for all rows.
        ["array", ["U", ["list", [2]], ["list", [["list", ["a" * 2_000_001]], ["list", [1]]]]]],
        ["array", ["U", ["list", [500]], ["list", ["a" * 9_000] + [""] * 499]]],
        *(
            [what, [["list", [column]], ["list", [0] * 4], ["list", [0]], ["list", [None]]]]
            for what in ("series", "frame")
            for column in ("text", 1)
        ),
    ],
    ids=lambda tree: repr(tree)[:30],
)
def test_what_pack_does_not_write_is_refused(tree: Any) -> None:
    """Is each way to be almost right refused, with the one error that the referee expects?"""
    with pytest.raises(WireError):
        VALUES.unpack(tree, no_objects)


@pytest.mark.parametrize("tag", ["dict", "set", "frozenset"])
def test_keys_that_share_their_hashes_are_refused(tag: str) -> None:
    """Can nobody keep the referee busy with a table that takes ages to build, and is an honest one
    of the same size built?
    """
    for step, fine in [(1, True), (2**61 - 1, False)]:
        keys = [VALUES.pack(step * number, unexpected) for number in range(1, 5_000)]
        tree = [tag, [part for key in keys for part in (key, 0)] if tag == "dict" else keys]
        with contextlib.nullcontext() if fine else pytest.raises(WireError, match="same hash"):
            assert len(VALUES.unpack(tree, no_objects)) == 4_999


def test_sets_in_sets_that_share_their_hashes_are_refused() -> None:
    """Is what is slow to compare refused, in however small tables, and an honest grid built?"""
    grid = {(x, y, z) for x in (-2, -1) for y in (-2, -1, 0) for z in (-2, -1)}
    points = {frozenset([point]) for point in ((-1, -1), (-1, -2), (-2, -1), (-2, -2), (0, 0))}
    for honest in grid, points:
        assert VALUES.unpack(VALUES.pack(honest, unexpected), no_objects) == honest
    nest: list[Any] = [-1, -2]  # they have one hash, and so has what is made of them
    for _ in range(20):
        nest = [["frozenset", [nest[0]]], ["frozenset", [nest[1]]]]
    with pytest.raises(WireError, match="same hash"):
        VALUES.unpack(["set", nest], no_objects)


ARRAYS = [
    numpy.arange(6.0).reshape(2, 3), numpy.zeros((0, 3)), numpy.array(5),
    numpy.array([True, False]), numpy.array([1, 2], dtype="i2"), numpy.array([[1j]]),
    numpy.array(["a", "bcd"]),
    numpy.array([1, "a", None, (2,)], dtype=object), numpy.array(["2024-01-02"], dtype="M8[D]"),
    numpy.arange(12).reshape(3, 4)[::2, ::-1], numpy.array([numpy.nan, numpy.inf]),
]  # fmt: skip


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype} {array.shape}")
def test_an_array_arrives_as_an_array_of_its_own(array: Any) -> None:
    """Do numbers, texts, times and objects keep type and form, and can the copy be written to?"""
    arrived = sent([array])[0]
    assert form(arrived) == form(array)
    assert arrived.flags.writeable and arrived.base is not array


def test_an_array_where_numpy_is_missing_is_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is one refused that nobody can have made, and no error of ours?"""
    tree = VALUES.pack(ARRAYS[0], unexpected)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(WireError, match="array is not written"):
        VALUES.unpack(tree, no_objects)


def test_a_table_arrives_as_a_table() -> None:
    """Do values, labels, names and types of columns survive?"""
    table = pandas.DataFrame({"town": ["A", "B", "A"], "n": [1, 2, 3], "x": [0.5, None, 1.5]})
    days = pandas.date_range("2024-01-01", periods=3)
    for frame in table, table.groupby(["town", "n"]).sum(), table.set_index(days):
        pandas.testing.assert_frame_equal(sent(frame), frame, check_freq=False)
    for series in table.groupby("town")["n"].mean(), table["town"]:
        pandas.testing.assert_series_equal(sent(series), series)
