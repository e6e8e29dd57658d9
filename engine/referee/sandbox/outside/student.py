"""Let checks talk to a submission as if its objects were here.

`Submission` runs the cells in a process of their own; `Submission.student()` gives one check a
fresh copy of that process and a `Student`, whose attributes are what the notebook defines. Every
answer is rebuilt from plain data; what is not plain stays an opaque `Proxy`. No reply is trusted,
and nothing of the student's is compared, printed, hashed or unpickled here.
"""

import contextlib
import hashlib
import inspect
import itertools
import re
import secrets
from collections import Counter, deque
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn, Self, TypeVar

import msgspec

from referee.model import Cell, CellRun, Cost, Failed, Judged, Limits, Output, Remote, Test, Verdict
from referee.sandbox.inside import fixtures
from referee.sandbox.outside import proxy as proxies
from referee.sandbox.outside.affinity import one_core
from referee.sandbox.outside.conversation import (
    Idle,
    Process,
    Stopped,
    Tampered,
    TimedOut,
    Unclear,
    WorkLimit,
)
from referee.sandbox.outside.proxy import MissingNameError as MissingNameError
from referee.sandbox.outside.proxy import ObjectError as ObjectError
from referee.sandbox.outside.proxy import Proxy as Proxy
from referee.sandbox.outside.proxy import Returned
from referee.sandbox.outside.proxy import StudentError as StudentError
from referee.sandbox.outside.proxy import StudentValueError as StudentValueError
from referee.sandbox.outside.transcript import Recorded, Retold, retold
from referee.sandbox.outside.zygote import BROKEN, Copy, SandboxError, Zygote
from referee.sandbox.wire import messages

MAX_DEATHS = 3
TRIES = 3  # for a cell in which an accident has happened
TOO_MUCH = (
    "the files beside the notebook are {:.0f} MB, and a student's folder holds {:.0f}; for more, "
    "set c.Limits.folder_bytes in nbgrader_config.py"
)
MAX_NESTED = 20
MESSAGE_CHARACTERS = 4000
LEAST_CHARACTERS = 2048  # that an output counts as, for each is worked on several times
CONTROLS = dict.fromkeys((*range(32), *range(127, 160)), "�") | {9: 9, 10: 10}
CALLS_AT_ONCE = 500
REMEMBERED = 5  # answers
MAX_PARTS = 100_000  # of them
CONTAINERS = (list, tuple, set, frozenset, dict)
PLACE = re.compile(r"(cell .*), line (\d{1,6}), in (\w{1,60})")
FUNCTION = Remote("function", ("__call__",))
Watched = TypeVar("Watched", bound=Process)
BAD_ARGUMENTS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)


class Account:
    """The time that is left to all cells of a submission together, or to all its checks.

    What one of them wastes is taken from this account and from no other. When it is used up there
    is `spare` time, a share of it, of which each has a `part` of its usual limit: so that a loop in
    one of them takes nothing from those that need little.
    """

    def __init__(self, limits: Limits, spare: float = 0.0, part: float = 1.0) -> None:
        """Begin with what the limits allow a submission, and the spare time."""
        self.part, self._asleep = part, True  # whenever it was idle
        allowed = limits.submission_cpu_seconds, limits.submission_wall_seconds
        self._spare = [seconds * spare for seconds in allowed]
        self.left = [sum(both) for both in zip(allowed, self._spare, strict=True)]

    def limit(self, process: Process, *limits: float) -> None:
        """Set the limits of a process, CPU and wall seconds, as far as there is time for them.

        Raises the exception that says how the account was used up, if it was.
        """
        cpu, idle = self.left
        if min(cpu, idle) <= 0:
            slept = Idle if self._asleep else Unclear
            raise (TimedOut if cpu <= 0 else slept)("all of it together has used up its time")
        each = zip(limits, self.left, self._spare, strict=True)
        process.set_limits(
            *(min(most, max(left - spare, self.part * most)) for most, left, spare in each)
        )

    def take(self, process: Process, cpu_limit: float) -> None:
        """Take what a process has used since its limits were set."""
        process.meter.look()
        self.left[0] -= process.meter.cpu + max(0.0, process.answering - cpu_limit)
        self.left[1] -= process.meter.idle
        self._asleep = self._asleep and process.was_asleep

    def move(self, before: Sequence[float], other: "Account") -> None:
        """Let another account bear what was taken since there was so much left, or a part."""
        for kind, left in enumerate(before):
            lost = min(left - self.left[kind], max(other.left[kind], 0.0))
            self.left[kind] += lost
            other.left[kind] -= lost


class Submission:
    """A notebook's code at work in a sandboxed process, ready for questions."""

    def __init__(
        self,
        zygote: Zygote,
        cells: Sequence[Cell],
        support: Mapping[str, bytes],
        limits: Limits,
        known: Judged | None = None,
    ) -> None:
        """Run `cells` next to the files of `support`: path, content.

        Where it is `known` what became of them, they run when a question is asked that needs them.
        """
        if (size := sum(map(len, support.values()))) > limits.folder_bytes:
            raise SandboxError(TOO_MUCH.format(size / 1024**2, limits.folder_bytes / 1024**2))
        self.limits = limits
        self.records = zygote.values.records
        self._zygote = zygote
        self._request = messages.Fork(
            files=dict(support), processes=limits.processes, folder_bytes=limits.folder_bytes
        )
        self.layers: list[str] = []
        plain = [msgspec.structs.replace(cell, tries=False) for cell in cells]
        self.digest = hashlib.sha256(msgspec.msgpack.encode(plain)).hexdigest()
        self._cells = cells
        self._of_cells, self._of_checks = Account(limits, 0.2, 0.02), Account(limits, 0.5, 0.25)
        self._of_accidents = Account(limits)  # what starting again may take
        self._loops = False  # whether one of the cells to try things out in does
        self._restarts = 0
        self._begun = False
        self._codes: dict[str, bytes | Failed] = {}  # of tests, by their names
        self.cost = Cost()  # of the cells
        if known is None or known.runs is None:
            self._begin()
        else:
            self.runs, self.layers = known.runs, known.isolation
            self.cost = known.costs.get("", Cost())

    @contextlib.contextmanager
    def student(
        self,
        cpu_seconds: float | None = None,
        transcript: bytes | None = None,
        data: Collection[str] | None = None,
    ) -> "Iterator[Student]":
        """Give one check a copy of the submission's process; it ends with the block.

        `cpu_seconds` is what the check may use if it needs more than others do; where the limit
        of all is not the usual one, that of the check is longer or shorter in proportion. A
        `transcript` of what the check has asked before answers in place of a process. `data` is
        what the reference solution answers with plain data only: there objects are none of what
        is asked for; None means everywhere.
        """
        factor = max(1.0, (cpu_seconds or 0.0) / Limits().check_cpu_seconds)
        limit = factor * self.limits.check_cpu_seconds
        if stand_in := retold(transcript, limit):
            yield Student(stand_in, self._zygote, self.limits.check_calls, self, data)
            return
        copy = self._copied()
        process = self._watched(copy, Recorded)
        try:
            with self._limited(process, limit, self.limits.check_wall_seconds, self._of_checks):
                yield Student(process, self._zygote, self.limits.check_calls, self, data)
        finally:
            process.close()

    @property
    def doubt(self) -> str:
        """Return why it is not the code's fault, perhaps, that a name is missing, or ""."""
        unclear = (
            run.error
            for cell, run in zip(self._cells, self.runs, strict=False)
            if run.stopped is Verdict.UNCLEAR and not cell.test
        )
        return next(filter(None, unclear), "")

    def _copied(self) -> Copy:
        """Fork the process for a check; where it is gone, run the cells again before."""
        if not self._begun:
            self._begin()
        while self._restarts < MAX_DEATHS:
            if not self._copy.renew():
                self._run_again()
            with contextlib.suppress(*BROKEN):
                return self._copy.fork()
            self._restarts += 1
            self._run_again()
        raise Stopped("the process that holds the notebook's objects is gone")

    def _watched(self, copy: Copy, kind: type[Watched]) -> Watched:
        """Return what talks to the submission's process or a copy of it, under limits."""
        family = self._copy.pid
        return kind(copy.pid, copy.channel, family, self.limits.submission_memory_bytes)

    @contextlib.contextmanager
    def _limited(
        self, process: Process, cpu: float, wall: float, account: Account
    ) -> Iterator[None]:
        """Allow so much time, and no more than is left in the account that it is taken from."""
        account.limit(process, cpu, wall)
        try:
            yield
        finally:
            account.take(process, cpu)

    def close(self) -> None:
        """End the submission's process and remove its folder."""
        if self._begun:
            self._copy.end()
            self._together.close()

    def __enter__(self) -> Self:
        """Return the submission."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()

    def _begin(self) -> None:
        self.runs = [CellRun() for _ in self._cells]
        with contextlib.ExitStack() as together:
            together.enter_context(one_core())
            self._process = self._run(self._of_cells)
            self._together = together.pop_all()
        self._begun = True
        self.cost = Cost(self._process.cpu_seconds)

    def _run(self, account: Account) -> Process:
        """Run the cells; when one ends the process, start again, at last without it."""
        ended: Counter[int] = Counter()
        while True:
            room = self.limits.output_characters
            self._copy = self._zygote.fork(self._request)
            self.layers = list(self._copy.layers)
            process = self._watched(self._copy, Process)
            fatal = {index for index, times in ended.items() if times >= TRIES}
            if len(fatal) >= MAX_DEATHS:
                self._give_up(fatal)
                return process
            left = tuple(account.left)
            self._prepare(process, account)
            for index, cell in enumerate(self._cells):
                if index in fatal:
                    continue
                try:
                    run = self._try(cell.test) if cell.test else None
                    if run is None or run.stopped is None:  # what it defines is there from now on
                        own = self._run_cell(process, cell, account)
                    self.runs[index], room = _within(run or own, room)
                except Stopped as stop:
                    self.runs[index] = _stopped(stop)
                    ended[index] += 1 if stop.verdict.accident else TRIES
                    if stop.verdict.accident:
                        account.move(left, self._of_accidents)
                    break
            else:
                return process
            self._copy.end()

    def _run_again(self) -> None:
        """Start anew, since it is gone, or keeps what a check has left behind.

        That is not on the code's account; when it takes too long in all, a human decides.
        """
        if min(self._of_accidents.left) <= 0:
            raise Unclear("its cells had to run again for every check, which took too long")
        self._copy.end()
        shown, self.runs = self.runs, list(self.runs)
        account = Account(self.limits)
        before = tuple(account.left)
        self._process = self._run(account)
        account.move(before, self._of_accidents)
        self._copy.renew()
        if not self.doubt:
            self.runs = shown

    def _prepare(self, process: Process, account: Account) -> None:
        """Have tests compiled and what is there noted before student code runs, if there are any.

        What they were compiled to is kept here: student code does not see it before its test runs.
        """
        tests = [cell.test for cell in self._cells if cell.test]
        if tests:
            code = "".join(test.before + test.source for test in tests)
            awaits = "await" in code or "async" in code  # `async for` awaits, too
            imports = tests[0].imports + ("\nimport asyncio" if awaits else "")
            limits = self.limits
            wall = limits.cell_wall_seconds
            with (
                contextlib.suppress(Stopped),  # the cells that import it tell why
                self._limited(process, limits.cell_cpu_seconds, wall, account),
            ):
                codes = process.exchange(messages.Prepare(imports, tests)).codes
                self._codes = {test.name: code for test, code in zip(tests, codes, strict=True)}

    def _try(self, test: Test) -> CellRun:
        """Run a test in a copy of the process, again where an accident has happened."""
        for _ in range(TRIES):
            run = self._tried(test)
            if run.stopped is None or not run.stopped.odd:
                break
        return run

    def _tried(self, test: Test) -> CellRun:
        token, code = secrets.token_hex(16), self._codes.get(test.name)
        if code is None:
            return _stopped(Unclear("its tests could not be compiled"))
        if isinstance(code, Failed):
            return CellRun(tried=True, failed=code)
        try:
            with self._copy.aside() as copy:
                process = self._watched(copy, Process)
                limits = self.limits
                seconds = limits.check_cpu_seconds, limits.check_wall_seconds
                with self._limited(process, *seconds, self._of_checks):
                    reply = process.exchange(messages.Try(test, code, token))
        except BROKEN as error:
            raise Stopped("its process cannot be copied") from error
        except Stopped as stop:
            return _stopped(stop)
        if not isinstance(reply, messages.Tried) or reply.token != token:
            return _stopped(Tampered("its process did not answer a test as a player does"))
        failed = reply.failed
        if failed is not None:
            failed = msgspec.structs.replace(failed, where=self.own_line(failed.where))
        return CellRun(tried=True, failed=failed, value=reply.value)

    def _run_cell(self, process: Process, cell: Cell, account: Account) -> CellRun:
        """Run a cell; after the first loop in one to try things out in, the others have little."""
        stopped = None
        part = account.part if cell.tries and self._loops else 1.0
        seconds = self.limits.cell_cpu_seconds * part, self.limits.cell_wall_seconds * part
        with self._limited(process, *seconds, account):
            try:
                reply = process.exchange(messages.Run(cell.source, cell.label))
            except Stopped as stop:
                self._loops |= cell.tries and stop.verdict in (Verdict.TIMEOUT, Verdict.IDLE)
                if not isinstance(stop.reply, messages.Ran):
                    raise
                reply, stopped = stop.reply, stop
        if not isinstance(reply, messages.Ran):
            raise Tampered(f"its process answered a cell with {type(reply).__name__}")
        if stopped is not None:
            return _stopped(stopped, reply.outputs)
        return CellRun(reply.outputs, None if reply.error is None else printable(reply.error))

    def _give_up(self, fatal: Container[int]) -> None:
        for index in range(len(self.runs)):
            if index not in fatal:
                self.runs[index] = CellRun(error="Not run: too many other cells were stopped.")

    @property
    def failure(self) -> str:
        """Return the error that a cell has ended in, the first one, or ""."""
        return next((run.error for run in self.runs if run.error is not None), "")

    def own_line(self, where: Sequence[str]) -> list[str]:
        """Return the last place of a traceback that is in a cell, as it stands there, if any is.

        The places come from the student's process, which may write into them what it likes.
        """
        sources = {cell.label: cell.source.splitlines() for cell in self._cells}
        for place in reversed(where):
            if not (found := PLACE.match(place)):
                continue
            label, number, name = found[1], int(found[2]), found[3]
            lines = sources.get(label, [])
            if 0 < number <= len(lines):
                text = lines[number - 1].strip()
                inside = f", in {name}" if any(f"def {name}" in line for line in lines) else ""
                return [printable(f"{label}, line {number}{inside}: {text}")]
        return []


def _stopped(stop: Stopped, outputs: Sequence[Output] = ()) -> CellRun:
    """Return what became of a cell that was stopped."""
    return CellRun(list(outputs), printable(f"The cell was stopped: {stop}."), stop.verdict)


def _within(run: CellRun, room: int) -> tuple[CellRun, int]:
    """Keep the outputs for which there is room, and say how many were left out."""
    kept, dropped = [], 0
    for output in run.outputs:
        texts = (output.text, *output.data, *output.data.values(), *output.traceback)
        size = max(sum(map(len, texts)), LEAST_CHARACTERS)
        if size <= room:
            kept.append(output)
            room -= size
        else:
            dropped += 1
    if dropped:
        note = f"[outputs that were not kept, since the notebook has too much of it: {dropped:,}]"
        kept.append(Output("stderr", f"{note}\n"))
    return msgspec.structs.replace(run, outputs=kept), room


class Student:
    """What the notebook defines: `student.MiniMax` is its class, `student.results` its value.

    Attributes raise StudentError when the notebook does not define them.
    """

    def __init__(
        self,
        process: Process,
        zygote: Zygote,
        calls: int,
        submission: Submission,
        data: Collection[str] | None = None,
    ) -> None:
        """Ask `process`, a copy of a submission's, which may call objects here `calls` times.

        `data` names the questions that want plain data, as `Submission.student` says.
        """
        self._process = process
        self._values = zygote.values
        self._remotes = zygote.remotes
        self._allowed = self._calls = calls
        self._submission = submission
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
            place = self._submission.own_line(where)
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
                raise proxies.raised(message, kinds, self._submission.own_line(where))
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
        failure = self._submission.failure
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
