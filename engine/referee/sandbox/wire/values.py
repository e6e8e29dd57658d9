"""Turn plain values into trees that can cross the pipe, and back.

A value is plain data of an exact type, or the number of an object that stays where it is. What
`numbers` has a codec for is plain, too, and holds no objects; so are the named tuples of a course
that it names as its records. Both ends are strict, and nothing here looks into a live object.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from referee.sandbox.wire import numbers
from referee.sandbox.wire.messages import Tree, WireError

# How many keys of one table may have the same hash, such as (-1, -2) and (-2, -1), by how deep sets
# are nested in them: two sets are compared as slowly as one of them is built, and so on below.
SAME_HASH = {0: 64, 1: 8}
MAX_DEPTH = 40
TOO_DEEP = "a value is nested too deeply, or holds itself"
MAX_INTEGER_BITS = 4096
SEQUENCES: dict[str, Any] = {"tuple": tuple, "list": list, "set": set, "frozenset": frozenset}
TAGS = {kind: tag for tag, kind in SEQUENCES.items()}
PLAIN = (type(None), bool, int, float, complex, str, bytes, *TAGS, dict)

PackObject = Callable[[Any], list[Tree]]
Resolve = Callable[[str, int], Any]


class Values:
    """Packs and unpacks values; both sides of a pipe need the same `plain_types`."""

    def __init__(self, plain_types: Sequence[type] = ()) -> None:
        """Pack named tuples of these types as plain data."""
        self.plain_types = tuple(plain_types)
        self._numbers = {kind: number for number, kind in enumerate(self.plain_types)}

    def pack(self, value: Any, pack_object: PackObject, depth: int = 0) -> Tree:
        """Turn a value into a tree of plain data; `pack_object` packs whatever is not plain.

        Only exact types count as plain: a subclass of `str` goes to `pack_object`.
        """
        kind = type(value)
        if kind is int:
            return value if -(2**63) <= value < 2**63 else ["int", _hexadecimal(value)]
        if kind is str:
            return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
        if value is None or kind is float or kind is bool or kind is bytes:
            return value
        if kind in TAGS:
            return [TAGS[kind], self._pack_parts(value, pack_object, depth)]
        if kind is dict:
            return ["dict", [self._pack_parts(pair, pack_object, depth) for pair in value.items()]]
        if kind in self._numbers:
            return [
                "namedtuple",
                [self._numbers[kind], *self._pack_parts(value, pack_object, depth)],
            ]
        if kind is complex:
            return ["complex", [value.real, value.imag]]
        return self._pack_number(value, depth) or pack_object(value)

    def _pack_number(self, value: Any, depth: int) -> list[Tree] | None:
        """Pack what has a codec; None for anything else, and where it holds an object."""
        written = numbers.write(value)
        if written is None or depth == MAX_DEPTH:
            return None
        tag, parts = written
        try:
            return [tag, [self.pack(parts, _refuse_object, depth + 1)]]
        except _ObjectInsideError:
            return None

    def _pack_parts(self, parts: Any, pack_object: PackObject, depth: int) -> list[Tree]:
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

        Raises WireError for anything that `pack` does not write.
        """
        kind = type(tree)
        if kind is int or kind is str or tree is None or kind is bool or kind is float:
            return tree
        if kind is bytes:  # after the others, which are far more frequent
            return tree
        if kind is not list or len(tree) != 2 or type(tree[0]) is not str:
            raise WireError("a value has an unknown shape")
        tag, body = tree
        if tag == "int" or tag == "complex":
            return _large_integer(body) if tag == "int" else _complex(body)
        if type(body) is int:
            return resolve(tag, body)
        if type(body) is not list:
            raise WireError("a value has an unknown shape")
        match tag:
            case "tuple" | "list" | "set" | "frozenset":
                return _sequence(tag, self._unpack_parts(body, resolve, depth))
            case "dict":
                return self._dictionary(body, resolve, depth)
            case "namedtuple":
                return self._named_tuple(body, resolve, depth)
            case _ if tag in numbers.CODECS and len(body) == 1:
                if depth == MAX_DEPTH:
                    raise WireError(TOO_DEEP)
                return numbers.build(tag, self.unpack(body[0], _no_object, depth + 1))
        raise WireError("a value has an unknown shape")

    def _unpack_parts(self, parts: list[Tree], resolve: Resolve, depth: int) -> list[Any]:
        if depth == MAX_DEPTH and parts:
            raise WireError(TOO_DEEP)
        return [
            part
            if type(part) is int or type(part) is str
            else self.unpack(part, resolve, depth + 1)
            for part in parts
        ]

    def _dictionary(self, pairs: list[Tree], resolve: Resolve, depth: int) -> dict[Any, Any]:
        if not all(type(pair) is list and len(pair) == 2 for pair in pairs):
            raise WireError("a dictionary has an entry that is not a pair")
        entries = [self._unpack_parts(pair, resolve, depth) for pair in pairs]
        try:
            _refuse_same_hashes([key for key, _ in entries])
            table = dict(entries)
        except TypeError as error:
            raise WireError("a dictionary has a key that cannot be one") from error
        if len(table) != len(pairs):
            raise WireError("a dictionary has a key twice")
        return table

    def _named_tuple(self, body: list[Tree], resolve: Resolve, depth: int) -> Any:
        number, *parts = body or [None]
        if type(number) is not int or not 0 <= number < len(self.plain_types):
            raise WireError("a record is none of those that the course names")
        kind: Any = self.plain_types[number]
        if len(parts) != len(kind._fields):
            raise WireError(f"a {kind.__name__} has {len(kind._fields)} fields")
        return kind(*self._unpack_parts(parts, resolve, depth))


def _sequence(tag: str, parts: list[Any]) -> Any:
    """Return the tuple, list or set of some parts."""
    if tag == "list":
        return parts
    try:
        if tag != "tuple":
            _refuse_same_hashes(parts)
        sequence = SEQUENCES[tag](parts)
    except TypeError as error:
        raise WireError("a set has a member that cannot be one") from error
    if len(sequence) != len(parts):
        raise WireError("a set has a member twice")
    return sequence


def _refuse_same_hashes(keys: list[Any]) -> None:
    """Refuse keys that were chosen to share their hashes: a table of many takes ages to build."""
    hashes = [*map(hash, keys)]
    if len(set(hashes)) == len(hashes):
        return
    times = Counter(hashes)
    nested = max(_nested(key) for key in keys if times[hash(key)] > 1)
    if max(times.values()) > SAME_HASH.get(nested, 1):
        raise WireError("too many keys of a table have the same hash")


def _nested(key: Any) -> int:
    """Return how many sets are within each other in a key."""
    if not isinstance(key, (tuple, frozenset)):
        return 0
    return max(map(_nested, key), default=0) + (type(key) is frozenset)


class _ObjectInsideError(WireError):
    """A value that may hold only plain data holds an object."""


def _refuse_object(value: Any) -> list[Tree]:
    raise _ObjectInsideError(f"a {type(value).__name__} is no plain data")


def _no_object(tag: str, number: int) -> Any:
    raise WireError("an object is where plain data should be")


def _complex(body: Tree) -> complex:
    if type(body) is not list or len(body) != 2 or not all(type(part) is float for part in body):
        raise WireError("a complex number is not a pair of floats")
    return complex(*body)


def _large_integer(digits: Tree) -> int:
    if type(digits) is not str or len(digits) > MAX_INTEGER_BITS // 4 + 3:
        raise WireError("an integer is not written as it should be")
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
