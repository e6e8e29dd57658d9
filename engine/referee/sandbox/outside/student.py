"""Let a check use the names that a notebook defines as if its objects were in this process.

A `Student` talks to a copy of a submission's process; its attributes are the notebook's names.
Every answer is rebuilt from plain data; an object stays there, behind a `Proxy`. No reply is
trusted, and no object of the student's is compared, printed, hashed or unpickled here.
"""

import contextlib
import inspect
import itertools
import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from referee.model import Cost, Remote, Verdict
from referee.sandbox.inside import fixtures
from referee.sandbox.outside import proxy as proxies
from referee.sandbox.outside.conversation import Process, Stopped
from referee.sandbox.outside.proxy import MissingNameError as MissingNameError
from referee.sandbox.outside.proxy import ObjectError as ObjectError
from referee.sandbox.outside.proxy import Proxy as Proxy
from referee.sandbox.outside.proxy import RefusedError as RefusedError
from referee.sandbox.outside.proxy import StudentError as StudentError
from referee.sandbox.outside.server import Server
from referee.sandbox.wire import messages

if TYPE_CHECKING:
    from referee.sandbox.outside.submission import Submission

MAX_NESTED = 20
MESSAGE_CHARACTERS = 4000
ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]{1,16}(?=>)")  # in what Python shows of an object
TURNS = *range(0x202A, 0x202F), *range(0x2066, 0x206A)  # the direction of what follows
CONTROLS = dict.fromkeys((*range(32), *range(127, 160), *TURNS), "�") | {9: 9, 10: 10}
CALLS_AT_ONCE = 500
REMEMBERED = 5  # answers, to see what a check has failed at
MAX_PARTS = 100_000  # of these answers
CONTAINERS = (list, tuple, set, frozenset, dict)
FUNCTION = Remote("function", ("__call__",))
LACKS = re.compile(r"\bname '(\w+)' is not defined")  # in what a NameError says
CLASS = re.compile(r"^\w+\.(?=\w+\(\) )")  # of a game of ours, before the method's name
BAD_ARGUMENTS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)


class Student:
    """The names of a notebook: `student.MiniMax` is its class, `student.results` its value.

    An attribute raises MissingNameError if the notebook does not define it.
    """

    def __init__(
        self,
        process: Process,
        server: Server,
        calls: int,
        notebook: "Submission",
        data: Collection[str] | None = None,
    ) -> None:
        """Ask `process`, a copy of a submission's, which may call objects here `calls` times.

        `notebook` is for error messages; `data` are the paths of questions whose answer must be
        plain data, as for `Submission.student`.
        """
        self._process = process
        self._values = server.values
        self._remotes = server.remotes
        self._refuse = server.refusal
        self._refusal = ""  # the text that the last question without an answer got
        self._callbacks: dict[int, tuple[str, Mapping[str, Any]]] = {}  # functions, by their id
        self._call_args: tuple[Any, ...] = ()
        self._most_calls = self._calls_left = calls
        self._notebook = notebook
        self._data = data
        self._always_data: dict[str, bool] = {}
        self._exports: list[tuple[Remote, Any]] = []
        self._depth = 0
        self._printed = ""
        self._looks = False
        self._arguments: list[Any] = []  # as they are after the last call
        self._answers: deque[Any] = deque(maxlen=REMEMBERED)
        self._value_names: list[str] = []  # names that stand for plain data, or for nothing

    def __getattr__(self, name: str) -> Any:
        """Return the value of a name, as plain data or as a proxy."""
        if name.startswith("__"):
            raise AttributeError(name)
        self._value_names.append(name)
        value = self._do("name", [name], name)
        if isinstance(value, Proxy):
            self._value_names.remove(name)
        return value

    @contextlib.contextmanager
    def raises(
        self, kind: type[Exception] | str | Proxy, match: str = ""
    ) -> Iterator[SimpleNamespace]:
        """Expect that student code raises an exception, given by its class or the class's name.

        Its text must match the regular expression `match`, as for `pytest.raises`; after the block
        the exception is the `value` of the context.
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

    def _allows_object(self, path: str) -> bool:
        """Return whether the answer to the question that a path names may be an object."""
        return bool(path) and self._data is not None and path not in self._data

    def _do(
        self,
        operation: str,
        operands: Sequence[Any],
        path: str,
        kwargs: Mapping[str, Any] = MappingProxyType({}),
    ) -> Any:
        """Do something with objects of the student's; return the answer.

        `path` is the name of the question, or "" if the answer is never an object.
        """
        calls = operation == "call"
        if calls:
            self._call_args = tuple(operands[1:])
            self._callbacks |= {id(v): (name, kwargs) for name, v in kwargs.items() if callable(v)}
        pack, export = self._values.pack, self._export
        trees = [pack(operand, export) for operand in operands]
        named_trees = {key: pack(operand, export) for key, operand in kwargs.items()}
        request = messages.Do(operation, trees, named_trees, calls and self._looks)
        if path:
            request.answer = operation != "plain" and self._allows_object(path)
            request.parts = operation == "plain" or self._allows_object(f"{path}[]")
        try:
            reply = self._process.exchange(request, self._answer_question)
        except Stopped as stop:
            where = stop.reply.where if isinstance(stop.reply, messages.Raised) else []
            place = self._notebook.own_line(where)
            raise Stopped(stop.verdict, ", at: ".join([str(stop), *place])) from stop
        match reply:
            case messages.Value(tree, printed, args):
                self._printed = printed
                try:
                    with self._process.at_our_cost():
                        self._arguments = [self._values.unpack(arg, self._resolve) for arg in args]
                        if operation != "each":
                            answer = self._unpack(tree, path)
                        elif type(tree) is list and tree[:1] == ["list"] and len(tree) == 2:
                            answer = [self._unpack(part, path) for part in tree[1]]
                        else:
                            raise messages.WireError("many questions have no list of answers")
                except messages.WireError as error:
                    raise Stopped(
                        Verdict.TAMPERED, f"its process sent no proper value: {error}"
                    ) from error
                self._answers.append([answer, *self._arguments])
                return answer
            case messages.Raised(kinds, message, where) if message and message == self._refusal:
                raise RefusedError(message, kinds, self._notebook.own_line(where))
            case messages.Raised(kinds, message, where):
                raise proxies.student_error(message, kinds, self._notebook.own_line(where))
            case messages.Missing() if operation in ("name", "getattr"):
                *owner, name = operands
                why = "" if owner else self._notebook.why_missing(name)
                raise MissingNameError(f"`{name}` is not defined.{why}", ["NameError"])
        raise Stopped(
            Verdict.TAMPERED, f"its process answered a question with {type(reply).__name__}"
        )

    def _unpack(self, tree: messages.Tree, path: str) -> Any:
        """Rebuild an answer; note whether it, and each part of it, is plain data."""
        is_object = type(tree) is list and len(tree) == 2 and type(tree[1]) is int
        place = path if is_object else f"{path}[]"
        objects: list[str] = []

        def resolve(tag: str, number: int) -> Any:
            objects.append(tag)
            if tag in proxies.OBJECTS:
                return Proxy(self, number, place, tag)
            self._resolve(tag, number)
            return Proxy(self, number, tag=self._exports[number][0].type)

        value = self._values.unpack(tree, resolve)
        if path and value is not None:
            notes = {path: not is_object}
            if objects or (isinstance(value, CONTAINERS) and value):
                notes[place] = not objects
            for name, data in notes.items():
                self._always_data[name] = data and self._always_data.get(name, True)
        return value

    def _answer_question(self, ask: messages.Ask) -> messages.Answer:
        """Answer a question of the player's about an object that was sent to it."""
        self._calls_left -= 1
        if self._calls_left < 0:
            raise Stopped(Verdict.WORK_LIMIT, "it made more game calls than this check allows")
        if not 0 <= ask.target < len(self._exports):
            raise messages.WireError("a question about nothing")
        remote, target = self._exports[ask.target]
        args = [self._values.unpack(arg, self._resolve) for arg in ask.args]
        self._depth += 1
        if self._depth > MAX_NESTED:
            raise Stopped(Verdict.WORK_LIMIT, "its questions to a game are nested without end")
        try:
            value = _perform(remote, target, ask.method, args)
            facts = self._facts(remote, target, value) if ask.method in remote.sources else {}
        except BAD_ARGUMENTS as error:
            if isinstance(error, ObjectError) or (
                isinstance(error, StudentError) and not isinstance(error, ValueError)
            ):
                raise
            return messages.Answer(refused=self._no_answer(remote, target, args, error))
        finally:
            self._depth -= 1
        return messages.Answer(self._values.pack(value, self._export), facts)

    def _no_answer(self, remote: Remote, target: Any, args: list[Any], error: Exception) -> str:
        """Return what the player reads where an object of the check has failed.

        A game says why. Where a function of the check failed, the text says what it was asked, or
        is that of its ValueError.
        """
        if remote is not FUNCTION:
            return CLASS.sub("", str(error))
        name, settings = self._callbacks.get(id(target), ("", {}))
        sentence = self._refuse(name, args, dict(settings), self._call_args)
        self._refusal = printable(str(error) if type(error) is ValueError else sentence)
        return self._refusal

    def _facts(self, remote: Remote, target: Any, value: Any) -> dict[str, messages.Tree]:
        """Return facts about an answer that save the player requests, without refused ones."""
        facts = {}
        for name in remote.facts:
            with contextlib.suppress(*BAD_ARGUMENTS):
                fact = _perform(remote, target, name, [value])
                facts[name] = self._values.pack(fact, self._export)
        return facts

    def _resolve(self, tag: str, number: int) -> Any:
        if tag == "object":
            return Proxy(self, number)
        if tag == "remote" and 0 <= number < len(self._exports):
            return self._exports[number][1]
        raise messages.WireError("a value has an unknown tag")

    def _export(self, value: Any) -> list[Any]:
        """Pack an argument that is not plain."""
        if isinstance(value, Proxy):
            return ["object" if value._tag_ == "data" else value._tag_, value._number_]
        if type(value) is range and len(value) <= proxies.MAX_ITEMS:
            return self._values.pack(list(value), self._export)  # type: ignore[no-any-return]
        if type(value) is slice:
            return self._export(self._do("slice", [value.start, value.stop, value.step], "<slice>"))
        remotes = (remote for kind, remote in self._remotes if isinstance(value, kind))
        remote = next(remotes, FUNCTION)
        if remote is FUNCTION and not callable(value):
            raise TypeError(
                f"a {type(value).__name__} cannot be sent to a submission; send plain data"
            )
        numbers = (number for number, (_, other) in enumerate(self._exports) if other is value)
        if remote is FUNCTION and (number := next(numbers, None)) is not None:
            return [remote.type, number]
        self._exports.append((remote, value))
        return [remote.type, len(self._exports) - 1]


def load(student: Student, module: ModuleType) -> Proxy:
    """Load a trusted module into the student's process; its answers are fast, but can be forged."""
    source = inspect.getsource(module)
    proxy = student._do("load", [module.__name__.rpartition(".")[2], source], "")
    if not isinstance(proxy, Proxy):
        raise Stopped(Verdict.TAMPERED, "its process answered a module with a value")
    return proxy


def environment(student: Student) -> Proxy:
    """Load the module that `typed`, `files` and other fixtures use into the student's process."""
    return load(student, fixtures)


def call_and_look(proxy: Proxy, *args: Any) -> tuple[Any, list[Any]]:
    """Call an object of the student's; return its answer and the arguments after the call."""
    arguments = look_at_arguments(proxy._student_)
    return proxy(*args), arguments()


def look_at_arguments(student: Student) -> Callable[[], list[Any]]:
    """Look at the arguments after each call from now on; return a function that returns them."""
    student._looks = True
    return lambda: student._arguments


def ask_each(proxy: Proxy, calls: Sequence[Sequence[Any]]) -> list[Any]:
    """Call an object of the student's many times, in few round trips; return all answers.

    An exception in one of the calls is raised here, as for a single call.
    """
    student, answers = proxy._student_, []
    path = f"{proxies.label(proxy)}()"
    for start in range(0, len(calls), CALLS_AT_ONCE):
        part = [list(args) for args in calls[start : start + CALLS_AT_ONCE]]
        if len(replies := student._do("each", [proxy, part], path)) != len(part):
            raise Stopped(Verdict.TAMPERED, "its process did not answer every question of a list")
        answers += replies
    return answers


def always_data(student: Student) -> dict[str, bool]:
    """Return by path whether each question of a check was always answered with plain data."""
    return student._always_data


def cost(student: Student) -> Cost:
    """Return the time and calls that the student's code has used in one check."""
    return Cost(student._process.cpu_seconds, student._most_calls - student._calls_left)


def limit(student: Student, cpu_seconds: float, idle_seconds: float) -> None:
    """Give the student's code so much time from now on, in place of what is left of its time."""
    student._process.set_limits(cpu_seconds, idle_seconds)


def failures(student: Student, error: BaseException) -> list[str]:
    """Return how the cells failed that the answers to a check depend on, the first one first.

    They define the names of values that it asked for, or the name that student code lacked.
    """
    match = LACKS.search(str(error)) if isinstance(error, StudentError) else None
    names = [*student._value_names, *([match[1]] if match else [])]
    return next(filter(None, map(student._notebook.failures, names)), [])


def last_answers(student: Student) -> Iterator[Any]:
    """Yield the student's last answers, and all parts of them."""
    values = list(student._answers)
    for value in itertools.islice(iter(values), MAX_PARTS):  # which grows
        yield value
        if isinstance(value, dict):
            values += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            values += value


def printed(student: Student) -> str:
    """Return the text that student code printed during the last question."""
    return student._printed


def printable(text: str) -> str:
    """Return a text of the student's that is safe to show: cut, and without terminal codes.

    Nor does it hold places in memory: each run would have others, and say something else.
    """
    return ADDRESS.sub("", text)[:MESSAGE_CHARACTERS].translate(CONTROLS)


def _perform(remote: Remote, target: Any, name: str, args: list[Any]) -> Any:
    if name in remote.attributes and not args:
        return getattr(target, name)
    if name not in remote.methods:
        raise messages.WireError("a question with an unknown method")
    value = getattr(target, name)(*args)
    lazy = isinstance(value, Iterator) and not isinstance(value, Proxy)
    return list(value) if lazy else value
