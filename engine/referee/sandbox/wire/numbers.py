"""Write numbers, dates, arrays and tables as plain data, and build them anew from it.

`write` gives the tag and the plain parts of such a value, `build` the value; both look at exact
types only, and nothing is unpickled. numpy and pandas are used where they are: what is written of
them is numbers as bytes or a list, a form and labels. Without them an array is built as nested
lists, a table as a dict of its columns.
"""

import importlib
import importlib.util
import math
import re
import sys
from collections import deque
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from referee.sandbox.wire.messages import WireError

MAX_DIGITS = 1000  # of a Decimal, and of its exponent's distance from 0
MAX_AXES = 8
MAX_CHARACTERS = 4_000_000  # of an array of texts, each as long as the longest
NUMBERS = re.compile(r"[<>|](b1|[iu][1248]|f[248]|c8|c16|[mM]8\[(ns|us|ms|s|m|h|D)\])")
FORMATS = {  # of memory, by numpy's names of kinds
    "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I",
    "u8": "Q", "f4": "f", "f8": "d",
}  # fmt: skip
NOT_PARTS = (ArithmeticError, TypeError, ValueError, LookupError, AttributeError, MemoryError)


class Codec(NamedTuple):
    """How values of a type are written and built; a library's type by its module and name."""

    kind: type | tuple[str, str]
    write: Callable[[Any], Any]
    build: Callable[[Any], Any]


def write(value: Any) -> tuple[str, Any] | None:
    """Return the tag of a value and its parts, which are plain; None where it has no codec.

    Raises WireError for one that is too large to be sent.
    """
    kind = type(value)
    for tag, codec in CODECS.items():
        if kind is _type(codec):
            parts = codec.write(value)
            return None if parts is None else (tag, parts)
    return None


def build(tag: str, parts: Any) -> Any:
    """Return the value of a tag and its parts; WireError if they are no value."""
    codec = CODECS[tag]
    try:
        value = codec.build(parts)
        if isinstance(codec.kind, type) and codec.write(value) != parts:
            raise ValueError("the same value is written otherwise")
        return value
    except NOT_PARTS as error:
        raise WireError(f"a {tag} is not written as it should be") from error


def plain_value(value: Any) -> Any:
    """Return the plain value that an instance of a subclass of these types, or the like, holds.

    A value of one of the types themselves is returned as another one; of anything else None.
    """
    match value:
        case bytearray() | memoryview():
            return bytes(value)
        case deque():
            return list(value)
        case Fraction():
            return Fraction(value.numerator, value.denominator)
        case Decimal():
            return Decimal(value)
        case date() if value != value:  # pandas has a moment that is none
            return None
        case datetime():
            return datetime.combine(value.date(), value.timetz())
        case date():
            return date(value.year, value.month, value.day)
        case timedelta():
            return timedelta(value.days, value.seconds, value.microseconds)
    for tag in ("array", "series", "frame"):
        kind = _type(CODECS[tag])
        if kind is not None and isinstance(value, kind):
            return value.view(kind) if tag == "array" else kind(value)
    row = getattr(sys.modules.get("sqlite3"), "Row", ())
    return tuple(value) if isinstance(value, row) else None


def _type(codec: Codec) -> Any:
    """Return the type of a codec; None where its library is not loaded."""
    if isinstance(codec.kind, type):
        return codec.kind
    library, name = codec.kind
    return getattr(sys.modules.get(library), name, None)


# --- numbers and times -----------------------------------------------------------------------


def _fraction(parts: Any) -> Fraction:
    return Fraction(*map(_whole, parts))


def _decimal(text: str) -> Decimal:
    if type(text) is not str or len(text) > 2 * MAX_DIGITS:
        raise ValueError("no text")
    return Decimal(text)


def _decimal_text(value: Decimal) -> str:
    """Write a Decimal; WireError if it is slow to compute with, or raises when compared."""
    large = value.is_finite() and max(len(value.as_tuple().digits), abs(value.adjusted()))
    if value.is_snan() or large > MAX_DIGITS:
        raise WireError(f"a Decimal has more than {MAX_DIGITS} digits, or is a signal")
    return str(value)


def _timedelta(parts: Any) -> timedelta:
    days, seconds, microseconds = map(_whole, parts)
    return timedelta(days, seconds, microseconds)


def _whole(part: Any) -> int:
    if type(part) is not int:
        raise ValueError("no whole number")
    return part


# --- arrays and tables -----------------------------------------------------------------------


def _array_parts(value: Any) -> list[Any] | None:
    """Write numbers as they lie in memory, everything else as a list of its items."""
    kind, shape = value.dtype.str, list(value.shape)
    if len(shape) > MAX_AXES or value.dtype.names:
        return None
    if NUMBERS.fullmatch(kind):
        return [kind, shape, value.tobytes()]
    return ["U" if value.dtype.kind == "U" else "O", shape, value.ravel().tolist()]


def _column(values: Any) -> Any:
    """Write a column or an index: numbers as an array, labels of several levels as tuples."""
    if NUMBERS.fullmatch(getattr(values.dtype, "str", "")) and getattr(values, "nlevels", 1) == 1:
        return values.to_numpy()
    return [None if value is sys.modules["pandas"].NA else value for value in values.tolist()]


def _series_parts(value: Any) -> list[Any]:
    names = list(value.index.names)
    return [_column(value), _column(value.index), getattr(value, "name", None), names]


def _frame_parts(value: Any) -> list[Any]:
    columns = [_column(value.iloc[:, place]) for place in range(value.shape[1])]
    return [columns, _column(value.index), list(value.columns), list(value.index.names)]


def _array(parts: Any) -> Any:
    kind, shape, items = parts
    if type(shape) is not list or len(shape) > MAX_AXES or min(map(_whole, shape), default=0) < 0:
        raise ValueError("no shape")
    if kind in ("U", "O"):
        if type(items) is not list or len(items) != math.prod(shape):
            raise ValueError("another number of items")
        return _listed(kind, shape, items)
    if not NUMBERS.fullmatch(kind) or type(items) is not bytes:
        raise ValueError("no numbers")
    if kind.endswith("b1") and items.strip(b"\0\1"):
        raise ValueError("no truths")
    numpy = _library("numpy")
    if numpy is None:
        view: Any = memoryview(items)
        return view.cast(FORMATS[kind[1:]], tuple(shape)).tolist()
    if len(items) != math.prod(shape) * numpy.dtype(kind).itemsize:
        raise ValueError("another number of bytes")
    return numpy.ndarray(shape, kind, items).copy()


def _listed(kind: str, shape: list[int], items: list[Any]) -> Any:
    """Build an array of texts or of anything."""
    numpy = _library("numpy")
    if numpy is None:
        for length in reversed(shape[1:]):
            items = [items[n : n + length] for n in range(0, len(items), length or 1)]
        return items if shape else items[0]
    if kind == "U":
        if not all(type(item) is str for item in items):
            raise ValueError("no texts")
        if len(items) * max(map(len, items), default=0) > MAX_CHARACTERS:  # all take as much room
            raise ValueError("too long")
        return numpy.array(items, dtype=str).reshape(shape)
    made = numpy.empty(len(items), dtype=object)
    for place, item in enumerate(items):
        made[place] = item
    return made.reshape(shape)


def _series(parts: Any) -> Any:
    values, index, name, names = parts
    pandas = _library("pandas")
    if pandas is None:
        return dict(zip(index, values, strict=True))
    _expect_as_many(index, values)
    return pandas.Series(values, index=_index(pandas, index, names), name=name)


def _frame(parts: Any) -> Any:
    columns, index, labels, names = parts
    pandas = _library("pandas")
    if pandas is None:
        return dict(zip(labels, columns, strict=True))
    _expect_as_many(index, *columns)
    made = pandas.DataFrame(dict(enumerate(columns)), index=_index(pandas, index, names))
    made.columns = _index(pandas, labels, [None]) if labels else made.columns
    return made


def _expect_as_many(index: Any, *columns: Any) -> None:
    """Raise WireError for a number in place of a column: it would be repeated in each row."""
    if any(type(column) is str or len(column) != len(index) for column in columns):
        raise ValueError("no column")


def _index(pandas: Any, labels: Any, names: list[Any]) -> Any:
    if len(names) > 1:
        return pandas.MultiIndex.from_tuples(labels, names=names)
    return pandas.Index(labels, name=names[0])


def _library(name: str) -> Any:
    """Return numpy or pandas where it is installed."""
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


CODECS = {
    "fraction": Codec(Fraction, lambda value: [value.numerator, value.denominator], _fraction),
    "decimal": Codec(Decimal, _decimal_text, _decimal),
    "timedelta": Codec(
        timedelta, lambda value: [value.days, value.seconds, value.microseconds], _timedelta
    ),
    "date": Codec(date, date.isoformat, date.fromisoformat),
    "time": Codec(time, time.isoformat, time.fromisoformat),
    "datetime": Codec(datetime, datetime.isoformat, datetime.fromisoformat),
    "array": Codec(("numpy", "ndarray"), _array_parts, _array),
    "series": Codec(("pandas", "Series"), _series_parts, _series),
    "frame": Codec(("pandas", "DataFrame"), _frame_parts, _frame),
}
