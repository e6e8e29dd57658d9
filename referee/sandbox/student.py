"""Let checks talk to a submission as if its objects were here.

`Submission` runs the cells in a process of their own; `Submission.student()` gives one check a
fresh copy of that process and a `Student`, whose attributes are what the notebook defines. Every
answer is rebuilt from plain data; what is not plain stays an opaque `Proxy`. No reply is trusted,
and nothing of the student's is compared, printed, hashed or unpickled here.
"""

import contextlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, Self

from referee.model import Cell, CellRun, Cost, Limits, Output, Remote, Verdict
from referee.sandbox import wire
from referee.sandbox.process import Process, Stopped, Tampered, TimedOut, WorkLimit
from referee.sandbox.zygote import Zygote

MAX_DEATHS = 3
MAX_NESTED = 20
MESSAGE_CHARACTERS = 4000
CONTROLS = dict.fromkeys((*range(32), *range(127, 160)), "�") | {9: 9, 10: 10}
CALLS_AT_ONCE = 500
FUNCTION = Remote("function", ("__call__",))
BAD_ARGUMENTS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)


class StudentError(Exception):
    """Student code raised an exception; `kinds` are its built-in classes, `where` its lines."""

    def __init__(self, message: str, kinds: Sequence[str] = (), where: Sequence[str] = ()) -> None:
        """Keep the exception's text, class names and places."""
        super().__init__(message)
        self.kinds = tuple(kinds)
        self.where = tuple(where)

    @property
    def verdict(self) -> Verdict:
        """Return what a check says that ended in it."""
        return Verdict.MEMORY if "MemoryError" in self.kinds else Verdict.ERROR


class StudentValueError(StudentError, ValueError):
    """Student code raised a ValueError: a check may expect that."""


class Submission:
    """A notebook's code at work in a sandboxed process, ready for questions."""

    def __init__(
        self, zygote: Zygote, cells: Sequence[Cell], support: Mapping[str, bytes], limits: Limits
    ) -> None:
        """Run `cells` next to the files of `support`: path, content."""
        self.limits = limits
        self.records = zygote.values.records
        self._zygote = zygote
        self._request = wire.Fork(
            files=dict(support), processes=limits.processes, folder_bytes=limits.folder_bytes
        )
        self.layers: list[str] = []
        self._memory = limits.submission_memory_bytes
        self.runs = [CellRun() for _ in cells]
        self._gone = False
        self._cells = cells
        self._process = self._run(cells)

    @contextlib.contextmanager
    def student(self, cpu_seconds: float | None = None) -> "Iterator[Student]":
        """Give one check a copy of the submission's process; it ends with the block.

        `cpu_seconds` is what the check may use if it needs more than others do; where the limit
        of all is not the usual one, that of the check is longer or shorter in proportion.
        """
        gone = "the process that holds the notebook's objects is gone"
        if self._gone:  # one that did not answer is not waited for again
            raise Stopped(gone)
        if not self._copy.renew():
            self._run_again()
        try:
            copy = self._copy.fork()
        except (wire.WireError, wire.Closed, TimeoutError) as error:
            self._gone = True
            raise Stopped(gone) from error
        process = Process(copy.pid, copy.channel, self._process.pid, self._memory)
        factor = max(1.0, (cpu_seconds or 0.0) / Limits().check_cpu_seconds)
        process.set_limits(
            factor * self.limits.check_cpu_seconds, factor * self.limits.check_wall_seconds
        )
        try:
            yield Student(process, self._zygote, self.limits.check_calls, self._failures())
        finally:
            process.close()

    @property
    def cost(self) -> Cost:
        """Return what the notebook's cells have used."""
        return Cost(self._process.cpu_seconds)

    def close(self) -> None:
        """End the submission's process and remove its folder."""
        self._copy.end()

    def __enter__(self) -> Self:
        """Return the submission."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()

    def _run(self, cells: Sequence[Cell]) -> Process:
        """Run the cells; when one ends the process, start again without it."""
        fatal: set[int] = set()
        while True:
            room = self.limits.output_characters
            self._copy = self._zygote.fork(self._request)
            self.layers = list(self._copy.layers)
            process = Process(self._copy.pid, self._copy.channel, self._copy.pid, self._memory)
            for index, cell in enumerate(cells):
                if index in fatal:
                    continue
                try:
                    run = self._run_cell(process, cell)
                    self.runs[index], room = _within(run, room)
                except Stopped as stop:
                    self.runs[index] = CellRun(error=f"The cell was stopped: {stop}.")
                    fatal.add(index)
                    break
            else:
                return process
            self._copy.end()
            if len(fatal) >= MAX_DEATHS:
                rest = set(range(len(cells))) - fatal
                for index in rest:
                    self.runs[index] = CellRun(error="Not run: too many other cells were stopped.")
                fatal |= rest

    def _run_again(self) -> None:
        """Start anew: the next check would find what another one has left behind."""
        self._copy.end()
        shown, self.runs = self.runs, list(self.runs)
        self._process = self._run(self._cells)
        self._copy.renew()
        self.runs = shown

    def _run_cell(self, process: Process, cell: Cell) -> CellRun:
        process.set_limits(self.limits.cell_cpu_seconds, self.limits.cell_wall_seconds)
        stopped = ""
        try:
            reply = process.exchange(wire.Run(cell.source, cell.label))
        except TimedOut as stop:
            if not isinstance(stop.reply, wire.Ran):
                raise
            reply, stopped = stop.reply, f"The cell was stopped: {stop}."
        if not isinstance(reply, wire.Ran):
            raise Tampered(f"its process answered a cell with {type(reply).__name__}")
        error = stopped or reply.error
        return CellRun(reply.outputs, None if error is None else printable(error))

    def _failures(self) -> list[str]:
        return [run.error for run in self.runs if run.error is not None]


def _within(run: CellRun, room: int) -> tuple[CellRun, int]:
    """Keep the outputs for which there is room, and say how much was left out."""
    kept, dropped = [], 0
    for output in run.outputs:
        texts = (output.text, *output.data.values(), *output.traceback)
        size = sum(map(len, texts))
        if size <= room:
            kept.append(output)
            room -= size
        else:
            dropped += size
    if dropped:
        note = f"[{dropped:,} characters of output were not kept: the notebook has too much of it]"
        kept.append(Output("stderr", f"{note}\n"))
    return CellRun(kept, run.error), room


class Student:
    """What the notebook defines: `student.MiniMax` is its class, `student.results` its value.

    Attributes raise StudentError when the notebook does not define them.
    """

    def __init__(
        self, process: Process, zygote: Zygote, calls: int, failures: Sequence[str]
    ) -> None:
        """Ask `process`, a copy of `zygote`, and let it make `calls` calls of objects here."""
        self._process = process
        self._values = zygote.values
        self._remotes = zygote.remotes
        self._allowed = self._calls = calls
        self._failures = failures
        self._here: list[tuple[Remote, Any]] = []
        self._meeting = 0
        self._printed = ""

    def __getattr__(self, name: str) -> Any:
        """Return the value of a name, as plain data or as a proxy."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self._value(wire.Get(name))

    def _cost(self) -> Cost:
        return Cost(self._process.cpu_seconds, self._allowed - self._calls)

    def _value(self, request: Any) -> Any:
        return self._answers(request)[0]

    def _answers(self, request: Any) -> list[Any]:
        """Return the value that answers a request, and the arguments if it asked to look."""
        reply = self._process.exchange(request, self._meet)
        match reply:
            case wire.Value(tree, printed, args):
                self._printed = printed
                try:
                    return [self._values.unpack(part, self._resolve) for part in (tree, *args)]
                except wire.WireError as error:
                    raise Tampered(f"its process sent no proper value: {error}") from error
            case wire.Raised(kinds, message, where):
                kind = StudentValueError if "ValueError" in kinds else StudentError
                raise kind(message, kinds, where)
            case wire.Missing(name):
                raise self._missing(name)
        raise Tampered(f"its process answered a question with {type(reply).__name__}")

    def _missing(self, name: str) -> StudentError:
        cause = f" A cell failed before: {self._failures[0]}" if self._failures else ""
        return StudentError(f"`{name}` is not defined.{cause}", ["NameError"])

    def _meet(self, ask: wire.Ask) -> wire.Result | wire.Refusal:
        """Answer a question of the player's about an object that is here."""
        self._calls -= 1
        if self._calls < 0:
            raise WorkLimit("it made more game calls than this check allows")
        if not 0 <= ask.target < len(self._here):
            raise wire.WireError("a question about nothing")
        remote, target = self._here[ask.target]
        args = [self._values.unpack(arg, self._resolve) for arg in ask.args]
        self._meeting += 1
        if self._meeting > MAX_NESTED:
            raise WorkLimit("its questions to a game are nested without end")
        try:
            value = _perform(remote, target, ask.method, args)
        except BAD_ARGUMENTS as error:
            return wire.Refusal(str(error))
        finally:
            self._meeting -= 1
        return wire.Result(self._values.pack(value, self._export))

    def _resolve(self, tag: str, number: int) -> Any:
        if tag == "handle":
            return Proxy(self, number)
        if tag == "remote" and 0 <= number < len(self._here):
            return self._here[number][1]
        raise wire.WireError(f"a value has the unknown tag {tag!r}")

    def _export(self, value: Any) -> list[Any]:
        """Pack an argument that is not plain."""
        if isinstance(value, Proxy):
            return ["handle", value._number]
        known = (remote for kind, remote in self._remotes if isinstance(value, kind))
        remote = next(known, FUNCTION)
        if remote is FUNCTION and not callable(value):
            raise TypeError(f"a {type(value).__name__} cannot be sent to a submission")
        self._here.append((remote, value))
        return [remote.type, len(self._here) - 1]


class Proxy:
    """An object of the student's that stays in its process: it can be called and asked."""

    def __init__(self, student: Student, number: int) -> None:
        """Stand for the object that the player keeps under `number`."""
        self._student = student
        self._number = number

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the object; games and functions among the arguments are called across the pipe."""
        return self._student._value(self._call(args, kwargs))

    def _call(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], look: bool = False
    ) -> wire.Call:
        pack, export = self._student._values.pack, self._student._export
        packed = [pack(arg, export) for arg in args]
        named = {key: pack(arg, export) for key, arg in kwargs.items()}
        return wire.Call(self._number, packed, named, look)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute, as plain data or as a proxy."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self._student._value(wire.Attribute(self._number, name))

    def __repr__(self) -> str:
        """Say what it is without asking the object."""
        return "<an object of the submission>"

    def _no_data(self, *_: object) -> Any:
        text = "an object of a class of its own is where plain data should be"
        raise StudentError(text, ["TypeError"])

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = _no_data
    __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __abs__ = _no_data
    __int__ = __float__ = __index__ = __add__ = __radd__ = __sub__ = __rsub__ = _no_data


def load(student: Student, module: ModuleType) -> Proxy:
    """Put a trusted module into the student's process and return it: fast, but not proof."""
    source = inspect.getsource(module)
    proxy = student._value(wire.Load(module.__name__.rpartition(".")[2], source))
    if not isinstance(proxy, Proxy):
        raise Tampered("its process answered a module with a value")
    return proxy


def call_and_look(proxy: Proxy, *args: Any) -> tuple[Any, list[Any]]:
    """Call an object of the student's; return its answer and what became of the arguments."""
    answer, *after = proxy._student._answers(proxy._call(args, {}, look=True))
    return answer, after


def ask_each(proxy: Proxy, calls: Sequence[Sequence[Any]]) -> list[Any]:
    """Call an object of the student's many times, in few round trips; return all answers.

    An exception in one of the calls is raised here, as for a single call.
    """
    student, answers = proxy._student, []
    pack, export = student._values.pack, student._export
    for start in range(0, len(calls), CALLS_AT_ONCE):
        part = calls[start : start + CALLS_AT_ONCE]
        packed = [[pack(arg, export) for arg in args] for args in part]
        found = student._value(wire.Each(proxy._number, packed))
        if type(found) is not list or len(found) != len(part):
            raise Tampered("its process did not answer every question of a list")
        answers += found
    return answers


def cost(student: Student) -> Cost:
    """Return what the student's code has used in one check."""
    return student._cost()


def printed(student: Student) -> str:
    """Return what student code printed while it answered the last question."""
    return student._printed


def printable(text: str) -> str:
    """Return a text of the student's as others may read it: cut, and without terminal codes."""
    return text[:MESSAGE_CHARACTERS].translate(CONTROLS)


def _perform(remote: Remote, target: Any, name: str, args: list[Any]) -> Any:
    if name in remote.attributes and not args:
        return getattr(target, name)
    if name not in remote.methods:
        raise wire.WireError(f"a question with the unknown method {name!r}")
    value = getattr(target, name)(*args)
    return list(value) if isinstance(value, Iterator) else value
