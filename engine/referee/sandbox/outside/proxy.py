"""Give checks a `Proxy` for each object of the student's: it passes operations on to the object.

The student's process carries them out, so their results can be forged. Equality with plain data is
decided here: by the data that an object holds, never by its own `__eq__`. If the reference solution
answers a question with plain data, an object is a wrong answer, and its proxy refuses operations.
"""

import builtins
import dis
import functools
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

from referee.model import Verdict
from referee.sandbox.inside.operators import BINARY, ORDER, UNARY
from referee.sandbox.outside.conversation import Stopped

MAX_ITEMS = 10_000
MAX_LENGTH = 10_000_000  # items; list() reserves memory for all of them
OWN = ("_student_", "_number_", "_path_", "_tag_")
OBJECTS = ("object", "data")  # the tags of the student's
NO_BASE = {"StopIteration", "StopAsyncIteration", "ExceptionGroup"}  # special to Python
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
    """A check uses an object as plain data; the message is for the author of the check."""


class StudentError(Exception):
    """Student code raised an exception; `kinds` are its classes, `where` its lines."""

    def __init__(self, message: str, kinds: Sequence[str] = (), where: Sequence[str] = ()) -> None:
        """Keep the exception's text, class names and places."""
        Exception.__init__(self, message)
        self.kinds = tuple(kinds)
        self.where = tuple(where)

    def __str__(self) -> str:
        """Return the text unchanged; some built-in classes format it."""
        return str(self.args[0])

    @property
    def verdict(self) -> Verdict:
        """Return the verdict on a check that ended with this exception."""
        return Verdict.MEMORY if "MemoryError" in self.kinds else Verdict.ERROR


class MissingNameError(StudentError, AttributeError):
    """The notebook does not define a name; the message does not come from student code."""


class RefusedError(StudentError, ValueError):
    """Student code asked a function of a check for what it does not answer; the message is ours."""


def student_error(message: str, kinds: Sequence[str], where: Sequence[str]) -> StudentError:
    """Return a StudentError that is also an instance of the built-in class that was raised."""
    return error_class(next(filter(is_base, kinds), None))(message, kinds, where)


@functools.cache
def error_class(name: str | None) -> type[StudentError]:
    """Return the subclass of StudentError and of the built-in exception of that name."""
    if name is None:
        return StudentError
    return type(f"Student{name}", (StudentError, getattr(builtins, name)), {})


def is_base(name: str) -> bool:
    """Return whether a check may expect the built-in exception of that name."""
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, Exception) and name not in NO_BASE


class Proxy:
    """An object in the student's process."""

    def __init__(self, student: Any, number: int, path: str = "", tag: str = "object") -> None:
        """Keep the `number` of the object in the player; it answers the question named `path`.

        The `tag` of an instance of a subclass of a plain type is "data". That of an object of the
        check that came back as an answer is the type of its `Remote`: it can only be passed as an
        argument.
        """
        for name, value in zip(OWN, (student, number, path, tag), strict=True):
            object.__setattr__(self, name, value)

    @property
    def _allowed_(self) -> bool:
        """Return whether it may be an object, as far as the reference has told."""
        return self._tag_ in OBJECTS and bool(self._student_._allows_object(self._path_))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the object; games and functions among the arguments are called across the pipe."""
        self._refuse_where_data_is_known()
        return self._student_._do("call", [self, *args], f"{label(self)}()", kwargs)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute, as plain data or as a proxy."""
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse_where_data_is_known()
        return self._student_._do("getattr", [self, name], f".{name}")

    def plain(self) -> Any:
        """Return the data of an instance of a subclass of a plain type, such as list or int.

        No method of its class is called. Raises ObjectError for any other object.
        """
        if self._tag_ != "data":
            raise ObjectError(NO_PLAIN)
        return self._ask("plain")

    def _ask(self, operation: str, *others: Any) -> Any:
        return self._apply(operation, self, *others)

    def _apply(self, operation: str, *operands: Any, path: str | None = None) -> Any:
        """Apply an operation in the student's process; StudentError if this should be data."""
        if not self._allowed_:
            self._refuse()
        if path is None:
            path = f"<{operation} {','.join(map(label, operands))}>"
        return self._student_._do(operation, operands, path)

    def _ask_for(self, kind: Any, operation: str, *others: Any) -> Any:
        """Apply an operation; raise Stopped unless the answer is exactly of type `kind`."""
        answer = self._apply(operation, self, *others, path="")
        if type(answer) is not kind:
            why = f"its process answered {operation}() with something else"
            raise Stopped(Verdict.TAMPERED, why)
        return answer

    def _refuse(self) -> Any:
        text = "an object of a class of its own is where plain data should be"
        raise StudentError(text, ["TypeError"])

    def _refuse_where_data_is_known(self) -> None:
        if self._path_ in (self._student_._data or ()) or self._tag_ not in OBJECTS:
            self._refuse()

    # --- operations decided in this process --------------------------------------------------

    def __eq__(self, other: object) -> Any:
        """Compare with an object in the student's process, with plain data in this one."""
        if isinstance(other, Proxy):
            return self is other if not self._allowed_ else self._ask("eq", other)
        return self._equals(other)

    def __ne__(self, other: object) -> Any:
        """Return the opposite of `==`."""
        if isinstance(other, Proxy):
            return self is not other if not self._allowed_ else self._ask("ne", other)
        return not self._equals(other)

    def _equals(self, other: object) -> Any:
        if not self._allowed_ or other is None:
            return False
        if self._tag_ != "data":
            raise ObjectError(COMPARED.format(type(other).__name__))
        return self.plain() == other

    def __hash__(self) -> int:
        """Return the hash of the data that the object holds, else the object's own hash."""
        if not self._allowed_:
            return object.__hash__(self)
        return hash(self.plain()) if self._tag_ == "data" else int(self._ask_for(int, "hash"))

    # --- operations done in the student's process --------------------------------------------

    def __len__(self) -> int:
        """Return the object's length; StudentError if it is over `MAX_LENGTH`."""
        length = max(0, int(self._ask_for(int, "len")))
        if length > MAX_LENGTH:
            raise StudentError(f"a length is over {MAX_LENGTH:,}", ["OverflowError"])
        return length

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the object; each item is a request."""
        return _items(self, self._ask("iter"))

    def __next__(self) -> Any:
        """Return the object's next item."""
        return _next(self, self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType
    ) -> bool:
        """Leave the context; only an exception that the check raises by `raise` is suppressed.

        So no student's `__exit__` can hide a failed assertion or a StudentError from pytest.
        """
        if kind is None:
            return bool(self._ask_for(bool, "exit", "", "")) and False
        is_builtin = kind.__module__ == "builtins" and is_base(kind.__name__)
        by_raise = is_builtin and kind is not AssertionError and _is_raise(trace)
        names = [kind.__name__] if is_builtin else getattr(error, "kinds", ())
        name = next(filter(is_base, names), "Exception")
        return bool(self._ask_for(bool, "exit", name, str(error) if by_raise else "")) and by_raise


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
        return proxy._apply("next", walk, path=f"{label(proxy)}[]")
    except StudentError as error:
        if "StopIteration" not in error.kinds:
            raise
    raise StopIteration


def _is_raise(trace: TracebackType) -> bool:
    """Return whether an exception was raised by a `raise` statement in the block itself."""
    return trace.tb_next is None and trace.tb_frame.f_code.co_code[trace.tb_lasti] == RAISE


def label(operand: Any) -> str:
    """Return an operand's name in the path of an operation: its own path, "" for plain data."""
    if not isinstance(operand, Proxy):
        return ""
    path = str(operand._path_)
    return path.partition(" ")[0] if path.startswith("<") else path


def _method(name: str, reflected: bool = False) -> Any:
    """Make a method that applies an operation in the student's process."""
    if reflected:
        return lambda self, other: self._apply(name, other, self)
    return lambda self, *others: self._apply(name, self, *others)


def _typed_method(kind: type, name: str) -> Any:
    """Make a method whose answer must be exactly of type `kind`."""
    return lambda self, *others: self._ask_for(kind, name, *others)


def _text_method(name: str) -> Any:
    """Make a method that answers with the object's own text, where an object is allowed."""
    text = "<an object of the submission>"
    return lambda self, *spec: self._ask_for(str, name, *spec) if self._allowed_ else text


def _membership_method(name: str) -> Any:
    """Make a method of a class of the student's that tells whether another object is of it."""
    return lambda self, other: (
        isinstance(other, Proxy) and (other._allowed_ and other._ask_for(bool, name, self))
    )


for _name in (*BINARY, "divmod"):
    _plain_name = _name.rstrip("_")
    setattr(Proxy, f"__{_plain_name}__", _method(_name))
    setattr(Proxy, f"__r{_plain_name}__", _method(_name, reflected=True))
    if _name != "divmod":
        setattr(Proxy, f"__i{_plain_name}__", _method(f"i{_plain_name}"))
for _kind, *_names in (
    (bool, "bool", "contains"), (int, "int", "index"), (float, "float"), (complex, "complex"),
    (bytes, "bytes"),
):  # fmt: skip
    for _name in _names:
        setattr(Proxy, f"__{_name}__", _typed_method(_kind, _name))
for _make, *_names in (
    (_text_method, "repr", "str", "format"),
    (_method, *ORDER, *UNARY, "getitem", "setitem", "delitem", "setattr", "delattr", "round",
     "trunc", "floor", "ceil", "copy", "enter"),
):  # fmt: skip
    for _name in _names:
        setattr(Proxy, f"__{_name}__", _make(_name))
for _name in "instance", "subclass":
    setattr(Proxy, f"__{_name}check__", _membership_method(f"is{_name}"))
setattr(Proxy, "__reversed__", lambda self: _items(self, self._ask("reversed")))  # noqa: B010
setattr(Proxy, "__deepcopy__", lambda self, memo: self._ask("deepcopy"))  # noqa: B010
