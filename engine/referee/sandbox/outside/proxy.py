"""Stand for objects of the student's in a check: what is done to a `Proxy` is done to the object.

Whatever the object's class decides is decided in the student's process and is worth what the class
is worth. What decides a mark is decided here: a `Proxy` is never equal to plain data by its own
`__eq__`, only by the data that it holds. It behaves as an object where the reference solution has
an object, too; where that has plain data an object is a mistake.
"""

import builtins
import dis
import functools
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

from referee.model import Remote, Verdict
from referee.sandbox.inside.operators import BINARY, ORDER, UNARY
from referee.sandbox.outside.conversation import Tampered

MAX_ITEMS = 10_000
MAX_LENGTH = 10_000_000  # Python reserves so many places for a list
OWN = ("_student_", "_number_", "_path_", "_wanted_", "_data_")
NO_BASE = {"StopIteration", "StopAsyncIteration", "ExceptionGroup"}  # raised here, they do things
RAISE = dis.opmap["RAISE_VARARGS"]
COMPARED = (
    "an object of the submission is compared with plain data ({}); its own __eq__ is not asked. "
    "Ask for data: an attribute, a method, or .plain() of an instance of a list, dict, int, str "
    "or tuple; or compare it with another object of the submission"
)
NO_PLAIN = (
    ".plain() is for instances of subclasses of int, float, str, bytes, complex, list, tuple, "
    "dict, set and frozenset; ask this object for an attribute or call a method"
)


class ObjectError(TypeError):
    """A check takes an object for data; the message is for the check's author."""


class StudentError(Exception):
    """Student code raised an exception; `kinds` are its classes, `where` its lines."""

    def __init__(self, message: str, kinds: Sequence[str] = (), where: Sequence[str] = ()) -> None:
        """Keep the exception's text, class names and places."""
        Exception.__init__(self, message)
        self.kinds = tuple(kinds)
        self.where = tuple(where)

    def __str__(self) -> str:
        """Return the text, whatever the built-in class would make of it."""
        return str(self.args[0])

    @property
    def verdict(self) -> Verdict:
        """Return what a check says that ended in it."""
        return Verdict.MEMORY if "MemoryError" in self.kinds else Verdict.ERROR


class MissingNameError(StudentError, AttributeError):
    """The notebook does not define a name; the message is ours."""


def raised(message: str, kinds: Sequence[str], where: Sequence[str]) -> StudentError:
    """Return a StudentError that is also of the built-in class that student code raised."""
    return raised_as(next(filter(is_base, kinds), None))(message, kinds, where)


@functools.cache
def raised_as(name: str | None) -> type[StudentError]:
    """Return the StudentError that a check may expect as the built-in exception of that name."""
    if name is None:
        return StudentError
    return type(f"Student{name}", (StudentError, getattr(builtins, name)), {})


def is_base(name: str) -> bool:
    """Return whether a check may expect the built-in exception of that name."""
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, Exception) and name not in NO_BASE


StudentValueError = raised_as("ValueError")


class Proxy:
    """An object of the student's that stays in its process."""

    def __init__(
        self, student: Any, number: int, path: str = "", wanted: bool = False, data: bool = False
    ) -> None:
        """Stand for the object that the player keeps under `number`.

        It has come as the answer to what `path` names, where an object is `wanted` or not; it is
        like plain `data` if it is an instance of a subclass of a plain type.
        """
        for name, value in zip(OWN, (student, number, path, wanted, data), strict=True):
            object.__setattr__(self, name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the object; games and functions among the arguments are called across the pipe."""
        return self._student_._called(self, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute, as plain data or as a proxy."""
        if name.startswith("__"):
            raise AttributeError(name)
        return self._student_._attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute of the object."""
        self._ask("setattr", name, value)

    def __delattr__(self, name: str) -> None:
        """Delete an attribute of the object."""
        self._ask("delattr", name)

    def plain(self) -> Any:
        """Return the plain data that an instance of a list, dict, int, str or tuple holds.

        No method of its class is asked. Raises ObjectError for any other object.
        """
        if not self._data_:
            raise ObjectError(NO_PLAIN)
        return self._ask("plain")

    def _ask(self, operation: str, *others: Any) -> Any:
        if not self._wanted_:
            return self._no_data()
        return self._student_._applied(operation, self, *others)

    def _told(self, kind: Any, operation: str, *others: Any) -> Any:
        """Ask for what Python expects to be of one type, exactly."""
        if not self._wanted_:
            return self._no_data()
        answer = self._student_._applied(operation, self, *others, flat=True)
        if type(answer) is not kind:
            raise Tampered(f"its process answered {operation}() with something else")
        return answer

    def _no_data(self) -> Any:
        text = "an object of a class of its own is where plain data should be"
        raise StudentError(text, ["TypeError"])

    # --- what is decided here ----------------------------------------------------------------

    def __eq__(self, other: object) -> Any:
        """Compare with another object there, with plain data here, by the data that it holds."""
        if isinstance(other, Proxy):
            return self is other if not self._wanted_ else self._ask("eq", other)
        return self._equals(other)

    def __ne__(self, other: object) -> Any:
        """Return what `==` does not say."""
        if isinstance(other, Proxy):
            return self is not other if not self._wanted_ else self._ask("ne", other)
        return not self._equals(other)

    def _equals(self, other: object) -> Any:
        if not self._wanted_ or other is None:
            return False
        if not self._data_:
            raise ObjectError(COMPARED.format(type(other).__name__))
        return self.plain() == other

    def __hash__(self) -> int:
        """Return the hash of the data that it holds, else what the object says."""
        if not self._wanted_:
            return object.__hash__(self)
        return hash(self.plain()) if self._data_ else int(self._told(int, "hash"))

    def __repr__(self) -> str:
        """Say what it is; only where an object is wanted the object itself is asked."""
        if not self._wanted_:
            return "<an object of the submission>"
        return str(self._told(str, "repr"))

    # --- what is asked there -----------------------------------------------------------------

    def __str__(self) -> str:
        """Return the object's text."""
        return str(self._told(str, "str")) if self._wanted_ else repr(self)

    def __format__(self, spec: str) -> str:
        """Return the object's text in a form."""
        return str(self._told(str, "format", spec)) if self._wanted_ else repr(self)

    def __bytes__(self) -> bytes:
        """Return the object's bytes."""
        return bytes(self._told(bytes, "bytes"))

    def __bool__(self) -> bool:
        """Return its truth."""
        return bool(self._told(bool, "bool"))

    def __len__(self) -> int:
        """Return its length."""
        length = max(0, int(self._told(int, "len")))
        if length > MAX_LENGTH:
            raise StudentError(f"a length is over {MAX_LENGTH:,}", ["OverflowError"])
        return length

    def __int__(self) -> int:
        """Return it as an integer."""
        return int(self._told(int, "int"))

    def __index__(self) -> int:
        """Return it as an index."""
        return int(self._told(int, "index"))

    def __float__(self) -> float:
        """Return it as a float."""
        return float(self._told(float, "float"))

    def __complex__(self) -> complex:
        """Return it as a complex number."""
        return complex(self._told(complex, "complex"))

    def __contains__(self, item: Any) -> bool:
        """Ask whether something is in it."""
        return bool(self._told(bool, "contains", item))

    def __iter__(self) -> Iterator[Any]:
        """Walk through its items, which are asked for one by one."""
        return _items(self, self._ask("iter"))

    def __reversed__(self) -> Iterator[Any]:
        """Walk through its items from the last to the first."""
        return _items(self, self._ask("reversed"))

    def __next__(self) -> Any:
        """Return its next item."""
        if not self._wanted_:
            return self._no_data()
        return _next(self, self)

    def __instancecheck__(self, instance: Any) -> bool:
        """Ask whether something is an instance of this class of the student's."""
        return isinstance(instance, Proxy) and bool(
            instance._wanted_ and instance._told(bool, "isinstance", self)
        )

    def __subclasscheck__(self, subclass: Any) -> bool:
        """Ask whether another class of the student's is below this one."""
        return isinstance(subclass, Proxy) and bool(
            subclass._wanted_ and subclass._told(bool, "issubclass", self)
        )

    def __enter__(self) -> Any:
        """Enter the context."""
        return self._ask("enter")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType
    ) -> bool:
        """Leave the context; it holds back only what the check itself raises there by `raise`.

        So no `__exit__` keeps a failed assertion, or what student code has raised, from pytest.
        """
        if kind is None:
            return bool(self._told(bool, "exit", "", "")) and False
        own = kind.__module__ == "builtins" and is_base(kind.__name__)
        by_raise = own and kind is not AssertionError and _is_raise(trace)
        names = [kind.__name__] if own else getattr(error, "kinds", ())
        name = next(filter(is_base, names), "Exception")
        return bool(self._told(bool, "exit", name, str(error) if by_raise else "")) and by_raise


def _items(proxy: Proxy, walk: Proxy) -> Iterator[Any]:
    for number in range(MAX_ITEMS + 1):
        try:
            item = _next(proxy, walk)
        except StopIteration:
            return
        if number < MAX_ITEMS:
            yield item
    kinds = ["EndlessError", "ValueError"]
    raise StudentError(f"more than {MAX_ITEMS:,} items were generated", kinds)


def _next(proxy: Proxy, walk: Proxy) -> Any:
    try:
        return proxy._student_._applied("next", walk, path=f"{label(proxy)}[]")
    except StudentError as error:
        if "StopIteration" not in error.kinds:
            raise
    raise StopIteration


def _is_raise(trace: TracebackType) -> bool:
    """Return whether an exception comes from a `raise` in the block itself."""
    return trace.tb_next is None and trace.tb_frame.f_code.co_code[trace.tb_lasti] == RAISE


def label(operand: Any) -> str:
    """Return what the path of an operation calls an operand: not what it is, but how it came."""
    if not isinstance(operand, Proxy):
        return ""
    path = str(operand._path_)
    return path.partition(" ")[0] if path.startswith("<") else path


def _asking(name: str, reflected: bool = False) -> Any:
    """Make the method of an operation that is done there."""

    def ask(self: Proxy, *others: Any) -> Any:
        if not self._wanted_:
            return self._no_data()
        operands = (*others, self) if reflected else (self, *others)
        return self._student_._applied(name, *operands)

    return ask


for _name in (*BINARY, "divmod"):
    _plain_name = _name.rstrip("_")
    setattr(Proxy, f"__{_plain_name}__", _asking(_name))
    setattr(Proxy, f"__r{_plain_name}__", _asking(_name, reflected=True))
    if _name != "divmod":
        setattr(Proxy, f"__i{_plain_name}__", _asking(f"i{_plain_name}"))
for _name in (
    *ORDER, *UNARY, "getitem", "setitem", "delitem", "round", "trunc", "floor", "ceil", "copy",
):  # fmt: skip
    setattr(Proxy, f"__{_name}__", _asking(_name))
setattr(Proxy, "__deepcopy__", lambda self, memo: self._ask("deepcopy"))  # noqa: B010


class Returned(Proxy):
    """An object of the check's own that came back as an answer; nothing can be done with it."""

    def __init__(self, student: Any, number: int, remote: Remote) -> None:
        """Stand for the object that was handed over under `number`."""
        super().__init__(student, number)
        object.__setattr__(self, "_remote_", remote)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: it is not the student's."""
        return self._no_data()

    def __getattr__(self, name: str) -> Any:
        """Refuse, as for a call."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self._no_data()
