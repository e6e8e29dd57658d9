"""Stand in for numpy in the browser, where ipycanvas asks for it and there is no wheel.

Only what ipycanvas needs to send drawing commands is here: flat arrays of numbers that can be sent
as bytes. Never installed anywhere else.
"""

from array import array as _values
from itertools import chain
from numbers import Number

__version__ = "0"
int32, int64, uint8, float16, float32, float64 = (
    "int32", "int64", "uint8", "float16", "float32", "float64",
)  # fmt: skip
_CODES = {"int32": "i", "int64": "q", "uint8": "B", "float32": "f", "float64": "d"}


class ndarray:  # noqa: N801 - the name that is asked for
    """Numbers of one type, in one piece of memory, with a shape."""

    flags = {"C_CONTIGUOUS": True}  # noqa: RUF012

    def __init__(self, numbers, dtype, shape):
        """Keep the numbers."""
        self.dtype, self.shape = str(dtype), tuple(shape)
        self._numbers = _values(_CODES[self.dtype], numbers)

    def __buffer__(self, flags):
        """Show the memory to `memoryview`."""
        return memoryview(self._numbers)

    def astype(self, dtype):
        """Return the same numbers as another type."""
        return ndarray(self._numbers, dtype, self.shape)


def frombuffer(buffer, dtype=uint8):
    """Return the bytes as an array."""
    return ndarray(buffer, dtype, (len(buffer),))


def asarray(numbers, dtype=float64):
    """Return a list of numbers, or of rows of numbers, as an array."""
    if isinstance(numbers, ndarray):
        return numbers
    rows = list(numbers)
    if rows and not isinstance(rows[0], Number):
        return ndarray(chain.from_iterable(rows), dtype, (len(rows), len(rows[0])))
    return ndarray(rows, dtype, (len(rows),))


array = asarray


def isscalar(value):
    """Say whether a value is a number; pytest asks where numpy is loaded."""
    return isinstance(value, (Number, str, bytes))
