"""Let a check ask what a notebook defines as if its objects were here.

A `Student` talks to a copy of a submission's process; its attributes are what the notebook defines.
Every answer is rebuilt from plain data; what is not plain stays there, behind a `Proxy`. No reply
is trusted, and nothing of the student's is compared, printed, hashed or unpickled here.
"""

import contextlib
import inspect
import itertools
import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn, Protocol

from referee.model import Cost, Remote
from referee.sandbox.inside import fixtures
from referee.sandbox.outside import proxy as proxies
from referee.sandbox.outside.conversation import Process, Stopped, Tampered, WorkLimit
from referee.sandbox.outside.proxy import MissingNameError as MissingNameError
from referee.sandbox.outside.proxy import ObjectError as ObjectError
from referee.sandbox.outside.proxy import Proxy as Proxy
from referee.sandbox.outside.proxy import Returned
from referee.sandbox.outside.proxy import StudentError as StudentError
from referee.sandbox.outside.proxy import StudentValueError as StudentValueError
from referee.sandbox.outside.transcript import Recorded, Retold
from referee.sandbox.outside.zygote import Zygote
from referee.sandbox.wire import messages

MAX_NESTED = 20
MESSAGE_CHARACTERS = 4000
CONTROLS = dict.fromkeys((*range(32), *range(127, 160)), "�") | {9: 9, 10: 10}
CALLS_AT_ONCE = 500
REMEMBERED = 5  # answers
MAX_PARTS = 100_000  # of them
CONTAINERS = (list, tuple, set, frozenset, dict)
FUNCTION = Remote("function", ("__call__",))
BAD_ARGUMENTS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)


class Notebook(Protocol):
    """What an error message needs to know about the notebook that was handed in."""

    @property
    def failure(self) -> str:
        """The error that its first failed cell has ended in, or ""."""

    def own_line(self, where: Sequence[str]) -> list[str]:
        """Return the last of some places in a traceback that is in a cell, as it stands there."""


class Student:
    """What the notebook defines: `student.MiniMax` is its class, `student.results` its value.

    Attributes raise StudentError when the notebook does not define them.
    """

    def __init__(
        self,
        process: Process,
        zygote: Zygote,
        calls: int,
        notebook: Notebook,
        data: Collection[str] | None = None,
    ) -> None:
        """Ask `process`, a copy of a submission's, which may call objects here `calls` times.

        `data` names the questions that want plain data, as `Submission.student` says.
        """
        self._process = process
        self._values = zygote.values
        self._remotes = zygote.remotes
        self._allowed = self._calls = calls
        self._notebook = notebook
        self._data = data
        self._seen: dict[str, bool] = {}
        self._here: list[tuple[Remote, Any]] = []
        self._meeting = 0
        self._printed = ""
        self._looks = False
        self._after: list[Any] = []
        self._last: deque[Any] = deque(maxlen=REMEMBERED)

    def __getattr__(self, name: str) -> Any:
        """Return the value of a name, as plain data or as a proxy."""
        if name.startswith("__"):
            raise AttributeError(name)
        return self._value(messages.Get(name, self._keep(name)), name)

    @contextlib.contextmanager
    def raises(
        self, kind: type[Exception] | str | Proxy, match: str = ""
    ) -> Iterator[SimpleNamespace]:
        """Expect that student code raises an exception of a class, of its own by name.

        Its text has to agree with the regular expression `match`, as for `pytest.raises`; after the
        block it is the `value` of what this gives.
        """
        info = SimpleNamespace(value=None)
        name = kind if isinstance(kind, str) else getattr(kind, "__name__", "")
        name = proxies.label(kind) if isinstance(kind, Proxy) else name
        try:
            yield info
        except StudentError as error:
            if name not in error.kinds:
                raise
            info.value = error
        else:
            raise AssertionError(f"It should raise {name} here, and does not.")
        if not re.search(match, str(info.value)):
            raise AssertionError(f"The text of its {name} is not the one that is asked for.")

    def _attribute(self, proxy: Proxy, name: str) -> Any:
        self._must_be_wanted(proxy)
        path = f".{name}"
        return self._value(messages.Attribute(proxy._number_, name, self._keep(path)), path)

    def _called(self, proxy: Proxy, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        self._must_be_wanted(proxy)
        path = f"{proxies.label(proxy)}()"
        call = self._call(proxy, args, kwargs, self._looks)
        answer, *self._after = self._answers(call, path)
        return answer

    def _call(
        self, proxy: Proxy, args: Sequence[Any], kwargs: Mapping[str, Any], look: bool = False
    ) -> messages.Call:
        pack, export = self._values.pack, self._export
        packed = [pack(arg, export) for arg in args]
        named = {key: pack(arg, export) for key, arg in kwargs.items()}
        keep = self._keep(f"{proxies.label(proxy)}()")
        return messages.Call(proxy._number_, packed, named, look, keep)

    def _applied(
        self, operation: str, *operands: Any, path: str | None = None, flat: bool = False
    ) -> Any:
        """Apply an operation of Python's there; a `flat` answer is none of an object."""
        path = path or f"<{operation} {','.join(map(proxies.label, operands))}>"
        packed = [self._values.pack(one, self._export) for one in operands]
        if flat:
            return self._value(messages.Apply(operation, packed))
        keep = messages.Keep(False, True) if operation == "plain" else self._keep(path)
        return self._value(messages.Apply(operation, packed, keep), path)

    def _keep(self, path: str) -> messages.Keep:
        return messages.Keep(self._wants(path), self._wants(f"{path}[]"))

    def _wants(self, path: str) -> bool:
        """Return whether an object may be the answer to what a path names."""
        return self._data is not None and path not in self._data

    def _must_be_wanted(self, proxy: Proxy) -> None:
        """Refuse an object that has come where the reference solution is known to have data."""
        if proxy._path_ in (self._data or ()):
            proxy._no_data()

    def _value(self, request: Any, path: str = "") -> Any:
        return self._answers(request, path)[0]

    def _answers(self, request: Any, path: str = "") -> list[Any]:
        """Return the value that answers a request, and the arguments if it asked to look."""
        try:
            reply = self._process.exchange(request, self._meet)
        except Stopped as stop:
            where = stop.reply.where if isinstance(stop.reply, messages.Raised) else []
            place = self._notebook.own_line(where)
            raise type(stop)(", at: ".join([str(stop), *place])) from stop
        match reply:
            case messages.Value(tree, printed, args):
                self._printed = printed
                try:
                    with self._process.at_our_cost():
                        after = [self._values.unpack(part, self._resolve) for part in args]
                        many = isinstance(request, messages.Each)
                        answer = (self._each if many else self._answer)(tree, path)
                except messages.WireError as error:
                    raise Tampered(f"its process sent no proper value: {error}") from error
                self._last.append([answer, *after])
                return [answer, *after]
            case messages.Raised(kinds, message, where):
                raise proxies.raised(message, kinds, self._notebook.own_line(where))
            case messages.Missing() if isinstance(request, messages.Get | messages.Attribute):
                raise self._missing(request.name)
        raise Tampered(f"its process answered a question with {type(reply).__name__}")

    def _each(self, tree: messages.Tree, path: str) -> list[Any]:
        """Rebuild the answers to many questions."""
        if type(tree) is not list or tree[:1] != ["list"] or type(tree[-1]) is not list:
            raise messages.WireError("many questions have no list of answers")
        return [self._answer(part, path) for part in tree[-1]]

    def _answer(self, tree: messages.Tree, path: str) -> Any:
        """Rebuild an answer; note whether it, and what is in it, is plain data."""
        is_object = type(tree) is list and len(tree) == 2 and type(tree[1]) is int
        place = path if is_object else f"{path}[]"
        objects: list[str] = []

        def resolve(tag: str, number: int) -> Any:
            objects.append(tag)
            return self._returned(tag, number, place)

        value = self._values.unpack(tree, resolve)
        if path and value is not None:
            self._note(path, not is_object)
            if objects or (isinstance(value, CONTAINERS) and value):
                self._note(place, not objects)
        return value

    def _note(self, path: str, data: bool) -> None:
        self._seen[path] = data and self._seen.get(path, True)

    def _missing(self, name: str) -> StudentError:
        failure = self._notebook.failure
        cause = f" A cell failed before: {failure}" if failure else ""
        return MissingNameError(f"`{name}` is not defined.{cause}", ["NameError"])

    def _meet(self, ask: messages.Ask) -> messages.Result | messages.Refusal:
        """Answer a question of the player's about an object that is here."""
        self._calls -= 1
        if self._calls < 0:
            raise WorkLimit("it made more game calls than this check allows")
        if not 0 <= ask.target < len(self._here):
            raise messages.WireError("a question about nothing")
        remote, target = self._here[ask.target]
        args = [self._values.unpack(arg, self._resolve) for arg in ask.args]
        self._meeting += 1
        if self._meeting > MAX_NESTED:
            raise WorkLimit("its questions to a game are nested without end")
        try:
            value = _perform(remote, target, ask.method, args)
            facts = self._facts(remote, target, value) if ask.method in remote.sources else {}
        except BAD_ARGUMENTS as error:
            if isinstance(error, ObjectError) or (
                isinstance(error, StudentError) and not isinstance(error, ValueError)
            ):
                raise
            return messages.Refusal(str(error))
        finally:
            self._meeting -= 1
        return messages.Result(self._values.pack(value, self._export), facts)

    def _facts(self, remote: Remote, target: Any, value: Any) -> dict[str, messages.Tree]:
        """Return what the player need not ask about an answer; what is refused it has to ask."""
        found = {}
        for name in remote.facts:
            with contextlib.suppress(*BAD_ARGUMENTS):
                found[name] = self._values.pack(_perform(remote, target, name, [value]), _unsent)
        return found

    def _resolve(self, tag: str, number: int) -> Any:
        if tag == "handle":
            return Proxy(self, number)
        if tag == "remote" and 0 <= number < len(self._here):
            return self._here[number][1]
        raise messages.WireError("a value has an unknown tag")

    def _returned(self, tag: str, number: int, path: str) -> Any:
        """Resolve what stands in an answer; an object of the check's comes back opaque."""
        if tag in ("handle", "data"):
            return Proxy(self, number, path, self._wants(path), tag == "data")
        self._resolve(tag, number)
        return Returned(self, number, self._here[number][0])

    def _export(self, value: Any) -> list[Any]:
        """Pack an argument that is not plain."""
        if isinstance(value, Returned):
            return [value._remote_.type, value._number_]
        if isinstance(value, Proxy):
            return ["handle", value._number_]
        if type(value) is range and len(value) <= proxies.MAX_ITEMS:
            return self._values.pack(list(value), self._export)  # type: ignore[no-any-return]
        if type(value) is slice:
            return self._export(self._applied("slice", value.start, value.stop, value.step))
        known = (remote for kind, remote in self._remotes if isinstance(value, kind))
        remote = next(known, FUNCTION)
        if remote is FUNCTION and not callable(value):
            raise TypeError(
                f"a {type(value).__name__} cannot be sent to a submission; send plain data"
            )
        same = (n for n, one in enumerate(self._here) if remote is FUNCTION and one[1] is value)
        if (number := next(same, None)) is not None:
            return [remote.type, number]
        self._here.append((remote, value))
        return [remote.type, len(self._here) - 1]


def load(student: Student, module: ModuleType) -> Proxy:
    """Put a trusted module into the student's process and return it: fast, but not proof."""
    source = inspect.getsource(module)
    proxy = student._value(messages.Load(module.__name__.rpartition(".")[2], source))
    if not isinstance(proxy, Proxy):
        raise Tampered("its process answered a module with a value")
    return proxy


def desk(student: Student) -> Proxy:
    """Put into the student's process what the fixtures `typed`, `files` and others ask there."""
    return load(student, fixtures)


def call_and_look(proxy: Proxy, *args: Any) -> tuple[Any, list[Any]]:
    """Call an object of the student's; return its answer and what became of the arguments."""
    student = proxy._student_
    call = student._call(proxy, args, {}, look=True)
    answer, *after = student._answers(call, f"{proxies.label(proxy)}()")
    return answer, after


def looking(student: Student) -> Callable[[], list[Any]]:
    """Have the arguments of each call looked at after it; return what gives those of the last."""
    student._looks = True
    return lambda: student._after


def ask_each(proxy: Proxy, calls: Sequence[Sequence[Any]]) -> list[Any]:
    """Call an object of the student's many times, in few round trips; return all answers.

    An exception in one of the calls is raised here, as for a single call.
    """
    student, answers = proxy._student_, []
    path = f"{proxies.label(proxy)}()"
    pack, export = student._values.pack, student._export
    for start in range(0, len(calls), CALLS_AT_ONCE):
        part = calls[start : start + CALLS_AT_ONCE]
        packed = [[pack(arg, export) for arg in args] for args in part]
        found = student._value(messages.Each(proxy._number_, packed, student._keep(path)), path)
        if len(found) != len(part):
            raise Tampered("its process did not answer every question of a list")
        answers += found
    return answers


def seen(student: Student) -> dict[str, bool]:
    """Return what has been asked in one check, and whether it was always answered with data."""
    return student._seen


def cost(student: Student) -> Cost:
    """Return what the student's code has used in one check."""
    return Cost(student._process.cpu_seconds, student._allowed - student._calls)


def answered(student: Student) -> Iterator[Any]:
    """Yield the student's last answers, and all that is in them."""
    todo = list(student._last)
    for value in itertools.islice(iter(todo), MAX_PARTS):  # which grows
        yield value
        if isinstance(value, dict):
            todo += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            todo += value


def transcript(student: Student) -> bytes | None:
    """Return what was said in one check, packed, if it was said to a process and may be kept."""
    process = student._process
    return process.transcript() if isinstance(process, Recorded) else None


def unheard(student: Student) -> bool:
    """Return whether a check has asked something else than the transcript that it talked to."""
    return isinstance(student._process, Retold) and student._process.unheard


def printed(student: Student) -> str:
    """Return what student code printed while it answered the last question."""
    return student._printed


def printable(text: str) -> str:
    """Return a text of the student's as others may read it: cut, and without terminal codes."""
    return text[:MESSAGE_CHARACTERS].translate(CONTROLS)


def _unsent(value: Any) -> NoReturn:
    raise TypeError(f"a {type(value).__name__} is no fact: facts are plain data")


def _perform(remote: Remote, target: Any, name: str, args: list[Any]) -> Any:
    if name in remote.attributes and not args:
        return getattr(target, name)
    if name not in remote.methods:
        raise messages.WireError("a question with an unknown method")
    value = getattr(target, name)(*args)
    lazy = isinstance(value, Iterator) and not isinstance(value, Proxy)
    return list(value) if lazy else value
