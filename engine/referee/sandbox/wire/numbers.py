"""Write numbers, dates, arrays and tables as plain data, and build them anew from it.

`written` gives the word and the plain parts of such a value, `built` the value; both look at exact
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
from typing import Any

from referee.sandbox.wire.messages import WireError

MAX_DIGITS = 1000  # of a Decimal, and of its exponent's distance from 0
MAX_AXES = 8
MAX_CHARACTERS = 4_000_000  # of an array of texts, each as long as the longest
NUMBERS = re.compile(r"[<>|](b1|[iu][1248]|f[248]|c8|c16|[mM]8\[(ns|us|ms|s|m|h|D)\])")
CODES = {
    "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I",
    "u8": "Q", "f4": "f", "f8": "d",
}  # fmt: skip
TEXTS = ("date", "time", "datetime")
WORDS = ("fraction", "decimal", "timedelta", *TEXTS, "array", "series", "frame")


def written(value: Any) -> tuple[str, Any] | None:
    """Return the word for a value and its parts, which are plain; None where it is no such value.

    Raises WireError for one that is too large to be sent.
    """
    kind = type(value)
    if kind is Fraction:
        return "fraction", [value.numerator, value.denominator]
    if kind is Decimal:
        _fit(value)
        return "decimal", str(value)
    if kind is timedelta:
        return "timedelta", [value.days, value.seconds, value.microseconds]
    if kind in (date, time, datetime):
        return kind.__name__, value.isoformat()
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if kind is getattr(numpy, "ndarray", None):
        return _array(value)
    if kind is getattr(pandas, "Series", None):
        return "series", [_column(value), _column(value.index), *_names(value)]
    if kind is getattr(pandas, "DataFrame", None):
        columns = [_column(value.iloc[:, place]) for place in range(value.shape[1])]
        return "frame", [columns, _column(value.index), list(value.columns), *_names(value)[1:]]
    return None


def held(value: Any) -> Any:
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
    for library, name in (("numpy", "ndarray"), ("pandas", "Series"), ("pandas", "DataFrame")):
        kind = getattr(sys.modules.get(library), name, None)
        if kind is not None and isinstance(value, kind):
            return value.view(kind) if name == "ndarray" else kind(value)
    row = getattr(sys.modules.get("sqlite3"), "Row", ())
    return tuple(value) if isinstance(value, row) else None


def built(word: str, parts: Any) -> Any:
    """Return the value that a word and its parts stand for; raises WireError if there is none."""
    try:
        value = _MAKERS[word](parts)
        if word in TEXTS and value.isoformat() != parts:
            raise ValueError("written otherwise")
        return value
    except (
        ArithmeticError, TypeError, ValueError, LookupError, AttributeError, MemoryError,
    ) as error:  # fmt: skip
        raise WireError(f"a {word} is not written as it should be") from error


# --- numbers and times -----------------------------------------------------------------------


def _fraction(parts: Any) -> Fraction:
    value = Fraction(*map(_whole, parts))
    if [value.numerator, value.denominator] != parts:
        raise ValueError("not in lowest terms")
    return value


def _decimal(text: str) -> Decimal:
    if type(text) is not str or len(text) > 2 * MAX_DIGITS:
        raise ValueError("no text")
    value = Decimal(text)
    _fit(value)
    if str(value) != text:
        raise ValueError("written otherwise")
    return value


def _fit(value: Decimal) -> None:
    """Refuse what would take ages to compute with, or raises when it is compared."""
    large = value.is_finite() and max(len(value.as_tuple().digits), abs(value.adjusted()))
    if value.is_snan() or large > MAX_DIGITS:
        raise WireError(f"a Decimal has more than {MAX_DIGITS} digits, or is a signal")


def _timedelta(parts: Any) -> timedelta:
    days, seconds, microseconds = map(_whole, parts)
    value = timedelta(days, seconds, microseconds)
    if [value.days, value.seconds, value.microseconds] != parts:
        raise ValueError("written otherwise")
    return value


def _whole(part: Any) -> int:
    if type(part) is not int:
        raise ValueError("no whole number")
    return part


# --- arrays and tables -----------------------------------------------------------------------


def _array(value: Any) -> tuple[str, Any] | None:
    """Write numbers as they lie in memory, everything else as a list of its items."""
    kind, shape = value.dtype.str, list(value.shape)
    if len(shape) > MAX_AXES or value.dtype.names:
        return None
    if NUMBERS.fullmatch(kind):
        return "array", [kind, shape, value.tobytes()]
    return "array", ["U" if value.dtype.kind == "U" else "O", shape, value.ravel().tolist()]


def _column(values: Any) -> Any:
    """Write a column or an index: numbers as an array, labels of several levels as tuples."""
    if NUMBERS.fullmatch(getattr(values.dtype, "str", "")) and getattr(values, "nlevels", 1) == 1:
        return values.to_numpy()
    return [None if value is sys.modules["pandas"].NA else value for value in values.tolist()]


def _names(value: Any) -> list[Any]:
    name = getattr(value, "name", None) if value.ndim == 1 else None
    return [name, list(value.index.names)]


def _made_array(parts: Any) -> Any:
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
        return view.cast(CODES[kind[1:]], tuple(shape)).tolist()
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
    """Refuse a number in the place of a column: it would be written as often as there are rows."""
    if any(type(column) is str or len(column) != len(index) for column in columns):
        raise ValueError("no column")


def _index(pandas: Any, labels: Any, names: list[Any]) -> Any:
    if len(names) > 1:
        return pandas.MultiIndex.from_tuples(labels, names=names)
    return pandas.Index(labels, name=names[0])


def _library(name: str) -> Any:
    """Return numpy or pandas where it is installed."""
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


_MAKERS: dict[str, Callable[[Any], Any]] = {
    "fraction": _fraction,
    "decimal": _decimal,
    "timedelta": _timedelta,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "datetime": datetime.fromisoformat,
    "array": _made_array,
    "series": _series,
    "frame": _frame,
}
