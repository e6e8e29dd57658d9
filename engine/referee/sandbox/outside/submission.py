"""Run the cells of a submission in a process of their own, and give each check a copy of it.

A cell that ends the process is left out, the time of all cells and of all checks is limited, and
an accident of the machine costs the submission nothing. What a check asks is in `student`.
"""

import contextlib
import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from typing import Self, TypeVar

import msgspec

from referee.model import Cell, CellRun, Cost, Failed, Judged, Limits, Output, Test, Verdict
from referee.sandbox.outside.affinity import one_core
from referee.sandbox.outside.conversation import (
    Idle,
    Process,
    Stopped,
    Tampered,
    TimedOut,
    Unclear,
)
from referee.sandbox.outside.student import Student, printable
from referee.sandbox.outside.transcript import Recorded, retold
from referee.sandbox.outside.zygote import BROKEN, Copy, SandboxError, Zygote
from referee.sandbox.wire import messages

MAX_DEATHS = 3
TRIES = 3  # for a cell in which an accident has happened
TOO_MUCH = (
    "the files beside the notebook are {:.0f} MB, and a student's folder holds {:.0f}; for more, "
    "set c.Limits.folder_bytes in nbgrader_config.py"
)
LEAST_CHARACTERS = 2048  # that an output counts as, for each is worked on several times
PLACE = re.compile(r"(cell .*), line (\d{1,6}), in (\w{1,60})")
Watched = TypeVar("Watched", bound=Process)


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
    ) -> Iterator[Student]:
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
