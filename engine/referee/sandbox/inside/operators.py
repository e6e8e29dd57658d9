"""The operators of Python that a check may apply to a student's objects, by name.

Part of the player: the referee names an operation, and the player carries it out.
"""

import builtins
import copy
import io
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

BINARY = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor",
    "lshift", "rshift",
)  # fmt: skip
ORDER = ("lt", "le", "gt", "ge")
UNARY = ("neg", "pos", "abs", "invert")


def _inplace(name: str) -> str:
    return f"i{name.rstrip('_')}"


def _exit(manager: Any, kind: str, message: str) -> bool:
    """Leave a context, with a built-in exception if the check has raised one."""
    if not kind:
        return bool(type(manager).__exit__(manager, None, None, None))
    try:
        raise getattr(builtins, kind)(message)
    except Exception as error:
        return bool(type(manager).__exit__(manager, type(error), error, error.__traceback__))


OPERATIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(operator, name) for name in (*BINARY, *map(_inplace, BINARY))},
    **{name: getattr(operator, name) for name in ("eq", "ne", *ORDER, *UNARY)},
    **{name: getattr(operator, name) for name in ("contains", "getitem", "setitem", "delitem")},
    **{name: getattr(builtins, name) for name in (
        "divmod", "bool", "int", "float", "complex", "bytes", "str", "repr", "hash", "len", "iter",
        "next", "reversed", "round", "format", "getattr", "setattr", "delattr", "isinstance",
        "issubclass", "slice",
    )},
    **{name: getattr(math, name) for name in ("trunc", "floor", "ceil")},
    "call": operator.call,
    "index": operator.index,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "enter": lambda manager: type(manager).__enter__(manager),
    "exit": _exit,
    "plain": lambda value: value,
}  # fmt: skip


def is_lazy(value: Any) -> bool:
    """Return whether a value is an iterator whose class is written in Python, or a file."""
    methods = (vars(kind).get("__next__") for kind in type(value).__mro__)
    by_hand = isinstance(value, Iterator) and any(type(m) is type(is_lazy) for m in methods)
    return by_hand or isinstance(value, io.IOBase)
