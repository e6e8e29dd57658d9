"""Turn plain values into trees that can cross the pipe, and back.

A value is plain data of an exact type, or the number of an object that stays where it is. What
msgpack does not know crosses as a tag and parts: containers, numbers and times of the standard
library, arrays and tables of numpy and pandas, and the named tuples that a course names as its
records. Both ends are strict: nothing here looks into a live object, and nothing is unpickled.
"""

import importlib
import re
import sys
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import chain
from operator import attrgetter, index
from typing import Any, NamedTuple

from referee.sandbox.wire.messages import Tree, WireError

# How many keys of one table may have the same hash, such as (-1, -2) and (-2, -1), by how deep sets
# are nested in them: two sets are compared as slowly as one of them is built, and so on below.
SAME_HASH = {0: 64, 1: 8}
MAX_DEPTH = 40
TOO_DEEP = "a value is nested too deeply, or holds itself"
MAX_INTEGER_BITS = 4096
MAX_DIGITS = 1000  # of a Decimal, and of its exponent's distance from 0
MAX_AXES = 8
MAX_EMPTY = 10_000  # rows of an array that has no numbers: each becomes an object in a list
MAX_CHARACTERS = 4_000_000  # of an array of texts, each as long as the longest
ARRAY = re.compile(r"[<>|](b1|[iu][1248]|f[248]|c8|c16|[mM]8\[(ns|us|ms|s|m|h|D)\])")
CONTAINERS = {kind.__name__: kind for kind in (tuple, list, set, frozenset, dict)}
PLAIN = (type(None), bool, int, float, complex, str, bytes, *CONTAINERS.values())
NOT_PARTS = (  # an ImportError if nobody can have made it, without the library
    ArithmeticError, TypeError, ValueError, LookupError, AttributeError, MemoryError, ImportError,
)  # fmt: skip

PackObject = Callable[[Any], list[Tree]]
Resolve = Callable[[str, int], Any]


class Values:
    """Packs and unpacks values; both sides of a pipe need the same `plain_types`."""

    def __init__(self, plain_types: Sequence[type] = ()) -> None:
        """Pack named tuples of these types as plain data."""
        self.plain_types = tuple(plain_types)
        records: dict[str, Any] = {
            f"record {number}": kind for number, kind in enumerate(self.plain_types)
        }
        numbers = {tag: codec.kind for tag, codec in CODECS.items() if tag not in LIBRARIES}
        self._tags = {kind: tag for tag, kind in (CONTAINERS | records | numbers).items()}
        self._builders: dict[str, Callable[[Any], Any]] = {
            "tuple": tuple,
            "list": list,
            **{tag: partial(_table, CONTAINERS[tag]) for tag in ("set", "frozenset", "dict")},
            **{tag: kind._make for tag, kind in records.items()},
        }

    def pack(self, value: Any, pack_object: PackObject, depth: int = 0) -> Tree:
        """Turn a value into a tree of plain data; `pack_object` packs whatever is not plain.

        Only exact types count as plain: a subclass of `str` goes to `pack_object`. Raises WireError
        for a value that is too large to be sent.
        """
        kind = type(value)
        if kind is int and -(2**63) <= value < 2**63:
            return value
        if kind is str:
            return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
        if value is None or kind is float or kind is bool or kind is bytes:
            return value
        tag = self._tags.get(kind) or next(filter(lambda t: kind is _type_of(t), LIBRARIES), None)
        if codec := CODECS.get(tag or ""):
            try:
                body = codec.write(value)
                parts = [body] if type(body) is str else body
                return [tag, self._pack_parts(parts, _refuse_object, depth)]
            except _ObjectInsideError:
                return pack_object(value)
        if tag:
            parts = [*chain.from_iterable(value.items())] if kind is dict else value
            return [tag, self._pack_parts(parts, pack_object, depth)]
        return pack_object(value)

    def _pack_parts(
        self, parts: Collection[Any], pack_object: PackObject, depth: int
    ) -> list[Tree]:
        """Pack the parts of a value; most stay as they are, and need no call."""
        if depth == MAX_DEPTH and parts:
            raise WireError(TOO_DEEP)
        return [
            part
            if (type(part) is int and -(2**63) <= part < 2**63)
            or (type(part) is str and part.isascii())
            else self.pack(part, pack_object, depth + 1)
            for part in parts
        ]

    def unpack(self, tree: Tree, resolve: Resolve, depth: int = 0) -> Any:
        """Build a new value from a tree; `resolve` returns the object for a tag and a number.

        Raises WireError for anything that is no value.
        """
        kind = type(tree)
        if kind is int or kind is str or tree is None or kind is bool or kind is float:
            return tree
        if kind is bytes:  # after the others, which are far more frequent
            return tree
        if kind is not list or len(tree) != 2 or type(tree[0]) is not str:
            raise WireError("a value has an unknown shape")
        tag, body = tree
        if type(body) is int:
            return resolve(tag, body)
        if codec := CODECS.get(tag):
            resolve = _refuse_object
        elif tag not in self._builders:
            raise WireError("a value has an unknown shape")
        if type(body) is not list:
            raise WireError("a value has an unknown shape")
        if depth >= MAX_DEPTH and body:
            raise WireError(TOO_DEEP)
        parts = [
            part
            if type(part) is int or type(part) is str
            else self.unpack(part, resolve, depth + 1)
            for part in body
        ]
        try:
            if codec is None:
                return self._builders[tag](parts)
            value = codec.build(*parts)
            if tag not in LIBRARIES:
                codec.write(value)  # which refuses what is too large
            return value
        except WireError:
            raise
        except NOT_PARTS as error:
            raise WireError(f"a {tag} is not written as it should be") from error


class _ObjectInsideError(WireError):
    """A value that may hold only plain data holds an object."""


def _refuse_object(*_: Any) -> Any:
    raise _ObjectInsideError("an object is where plain data should be")


# --- containers ------------------------------------------------------------------------------


def _table(kind: Any, parts: list[Any]) -> Any:
    """Return a set of some parts, or a dict of keys and values in turn."""
    keys = parts[::2] if kind is dict else parts
    _refuse_same_hashes(keys)
    table = kind(zip(keys, parts[1::2], strict=False) if kind is dict else keys)
    if len(table) != len(keys):
        raise WireError("a table has a key twice, or one without a value")
    return table


def _refuse_same_hashes(keys: list[Any]) -> None:
    """Refuse keys that were chosen to share their hashes: a table of many takes ages to build."""
    hashes = [*map(hash, keys)]
    if len(set(hashes)) == len(hashes):
        return
    times = Counter(hashes)
    depth = max(_set_depth(key) for key in keys if times[hash(key)] > 1)
    if max(times.values()) > SAME_HASH.get(depth, 1):
        raise WireError("too many keys of a table have the same hash")


def _set_depth(key: Any) -> int:
    """Return how many sets are within each other in a key."""
    if not isinstance(key, (tuple, frozenset)):
        return 0
    return max(map(_set_depth, key), default=0) + (type(key) is frozenset)


# --- numbers, times, arrays and tables -------------------------------------------------------


class Codec(NamedTuple):
    """How values of a type are written, as a text or as parts, and built of it."""

    kind: Any
    write: Callable[[Any], Any]
    build: Callable[..., Any]


def plain_value(value: Any, records: Sequence[type] = ()) -> Any:
    """Return the plain value that an instance of a subclass of these types, or the like, holds.

    No method of its class is used. A value of one of the types themselves is returned as another
    one; of anything else None.
    """
    if is_scalar(value):
        item = value.item()
        return item if type(item) is not type(value) else float(value)  # longer than a float
    match value:
        case int():
            return int.__int__(value)
        case float():
            return float.__float__(value)
        case complex():
            return complex.__pos__(value)
        case str():
            return str.__str__(value)
        case bytearray() | memoryview():
            return bytes(value)
        case dict():
            return dict(dict.items(value))
        case tuple():
            record = next((kind for kind in records if isinstance(value, kind)), None)
            return record(*tuple.__iter__(value)) if record else tuple(tuple.__iter__(value))
        case list() | set() | frozenset() | bytes():
            kind: Any = next(kind for kind in PLAIN if isinstance(value, kind))
            return kind(kind.__iter__(value))
        case deque():
            return list(value)
        case date() if value != value:  # pandas has a moment that is none
            return None
    for tag in LIBRARIES:
        library = _type_of(tag)
        if library is not None and isinstance(value, library):
            return value.view(library) if tag == "array" else library(value)
    for kind, write, build in (codec for tag, codec in CODECS.items() if tag not in LIBRARIES):
        if isinstance(value, kind):
            body = write(value)
            return build(body) if type(body) is str else build(*body)
    row = getattr(sys.modules.get("sqlite3"), "Row", ())
    return tuple(value) if isinstance(value, row) else None


def is_scalar(value: Any) -> bool:
    """Return whether a value is a scalar of numpy's."""
    return isinstance(value, getattr(sys.modules.get("numpy"), "generic", ()))


def _type_of(tag: str) -> Any:
    """Return the type of an array or table; None where its library is not loaded."""
    library, name = LIBRARIES[tag]
    return getattr(sys.modules.get(library), name, None)


def _hexadecimal(value: int) -> str:
    if value.bit_length() > MAX_INTEGER_BITS:
        raise WireError(f"an integer has more than {MAX_INTEGER_BITS} bits")
    return hex(value)


def _decimal_text(value: Decimal) -> str:
    """Write a Decimal; WireError if it is slow to compute with, or raises when compared."""
    large = value.is_finite() and max(len(value.as_tuple().digits), abs(value.adjusted()))
    if value.is_snan() or large > MAX_DIGITS:
        raise WireError(f"a Decimal has more than {MAX_DIGITS} digits, or is a signal")
    return Decimal.__str__(value)


def _array_parts(value: Any) -> list[Any]:
    """Write numbers as they lie in memory, everything else as a list of its items."""
    kind, shape = value.dtype.str, list(value.shape)
    if len(shape) > MAX_AXES or value.dtype.names or _is_long_and_empty(shape):
        raise _ObjectInsideError(
            "an array of records, of too many axes, or of rows without numbers"
        )
    if ARRAY.fullmatch(kind):
        return [kind, shape, value.tobytes()]
    return ["U" if value.dtype.kind == "U" else "O", shape, value.ravel().tolist()]


def _column(values: Any) -> Any:
    """Write a column or an index: numbers as an array, labels of several levels as tuples."""
    if ARRAY.fullmatch(getattr(values.dtype, "str", "")) and getattr(values, "nlevels", 1) == 1:
        return values.to_numpy()
    return [None if value is sys.modules["pandas"].NA else value for value in values.tolist()]


def _frame_parts(value: Any) -> list[Any]:
    """Write a frame, or a series as a frame of one column."""
    columns, labels = [value], [getattr(value, "name", None)]
    if value.ndim == 2:
        columns = [value.iloc[:, place] for place in range(value.shape[1])]
        labels = list(value.columns)
    return [[*map(_column, columns)], _column(value.index), labels, list(value.index.names)]


def _array(kind: str, shape: list[int], items: Any) -> Any:
    numpy = importlib.import_module("numpy")
    if ARRAY.fullmatch(kind):
        if type(items) is not bytes:  # of None numpy makes an array of what lies in memory
            raise TypeError("no numbers")
        array = numpy.frombuffer(items, kind).reshape(shape).copy()
        if array.dtype == bool and array.view("u1").max(initial=0) > 1:
            raise ValueError("sums would count such a truth more than once")
    else:
        if kind == "U" and not all(type(item) is str for item in items):
            raise ValueError("no texts")
        if kind == "U" and len(items) * max(map(len, items), default=0) > MAX_CHARACTERS:
            raise ValueError("all take as much room as the longest")
        array = numpy.fromiter(items, object, len(items)).reshape(shape)
        array = array.astype({"O": object, "U": str}[kind])
    if array.shape != tuple(shape) or array.ndim > MAX_AXES or _is_long_and_empty(shape):
        raise ValueError("no shape")
    return array


def _is_long_and_empty(shape: list[int]) -> bool:
    return 0 in shape and max(shape) > MAX_EMPTY


def _series(columns: Any, index: Any, labels: Any, names: Any) -> Any:
    series = _frame(columns, index, [0], names)[0]
    (series.name,) = labels
    return series


def _frame(columns: Any, index: Any, labels: Any, names: Any) -> Any:
    pandas = importlib.import_module("pandas")
    if any(type(column) is str or len(column) != len(index) for column in columns):
        raise ValueError("no column")  # a number would be repeated in each row
    frame = pandas.DataFrame(dict(enumerate(columns)), index=_index(pandas, index, names))
    frame.columns = _index(pandas, labels, [None]) if labels else frame.columns
    return frame


def _index(pandas: Any, labels: Any, names: list[Any]) -> Any:
    if len(names) > 1:
        return pandas.MultiIndex.from_tuples(labels, names=names)
    return pandas.Index(labels, name=names[0])


LIBRARIES = {  # types that need not be loaded
    "array": ("numpy", "ndarray"),
    "series": ("pandas", "Series"),
    "frame": ("pandas", "DataFrame"),
}
CODECS = {
    "int": Codec(int, _hexadecimal, lambda text: int(text, 16)),
    "complex": Codec(complex, attrgetter("real", "imag"), complex),
    "fraction": Codec(
        Fraction,
        attrgetter("numerator", "denominator"),
        lambda *parts: Fraction(*map(index, parts)),
    ),
    "decimal": Codec(Decimal, _decimal_text, Decimal),
    "timedelta": Codec(timedelta, attrgetter("days", "seconds", "microseconds"), timedelta),
    "datetime": Codec(datetime, datetime.isoformat, datetime.fromisoformat),
    "date": Codec(date, date.isoformat, date.fromisoformat),
    "time": Codec(time, time.isoformat, time.fromisoformat),
    "array": Codec(None, _array_parts, _array),
    "series": Codec(None, _frame_parts, _series),
    "frame": Codec(None, _frame_parts, _frame),
}
