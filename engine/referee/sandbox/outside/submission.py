"""Run the cells of a submission in a process of their own, and give each check a copy of it.

A cell that ends the process is left out, the time of all cells and of all checks is limited, and an
accident of the machine costs the submission nothing. A check asks through `student.Student`.
"""

import contextlib
import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from referee.model import (
    TRIES,
    Cell,
    CellFailure,
    CellRun,
    CellTest,
    Cost,
    Limits,
    Output,
    Verdict,
)
from referee.sandbox.inside import testcells
from referee.sandbox.outside.affinity import one_core
from referee.sandbox.outside.conversation import BROKEN, Process, Stopped
from referee.sandbox.outside.server import SandboxError, Server
from referee.sandbox.outside.student import (
    LACKS,
    Proxy,
    Student,
    StudentError,
    load,
    printable,
)
from referee.sandbox.wire import messages

MAX_DEATHS = 3
TENTH = 0.1  # of its usual limit, for a cell or check where what all may use is used up
TOO_MUCH = (
    "the files beside the notebook are {:.0f} MB, and a student's folder holds {:.0f}; for more, "
    "set c.Limits.folder_bytes in nbgrader_config.py"
)
MOST_CHARACTERS = 1024 * 1024  # of the outputs of all cells
LEAST_CHARACTERS = 2048  # that an output counts as, for each is worked on several times
PLACE = re.compile(r"(cell .*), line (\d{1,6}), in (\w{1,60})")
TOO_MANY_STOPPED = "Not run: too many other cells were stopped."
MOST_OF_A_LINE, MOST_OF_A_CELL = 120, 20_000  # characters, to find out what a cell defines
_WORD = r"(?!del|print|return|raise|assert|from|yield|await|not|if|while|elif)\w+"
DEFINED_HERE = (  # patterns of a line that defines {0}, though it may be no valid Python
    *(
        rf"^{indent}(?:(?:async[ \t]+)?{_WORD}[ \t]+{{0}}\b"
        rf"|[^#\n('\"\[]*\b{{0}}\b(?:[ \t]*:[^#\n=]*|[^#\n=<>!.\[(]*)=[^=]"
        rf"|(?:from .*)?import\b.*\b{{0}}\b|with\b.*\bas {{0}}\b"
        rf"|for\b(?:(?!\bin\b).)*\b{{0}}\b)"
        for indent in ("", r"[ \t]+")
    ),
    r"^from .* import \*",
)
NO_TEST = "its process did not answer a test as a player does"


class Budget:
    """Seconds that all cells of a submission may use together, or all its checks.

    When they are used up, each of those that follow may use a tenth of its usual limit, until half
    as much again is gone: an endless loop in one does not stop others that need little time.
    """

    def __init__(self, seconds: float) -> None:
        """Begin with so many seconds."""
        self._all = self.rest = seconds

    def part(self, most: float) -> float:
        """Return how many of so many seconds may be used; 0 if nothing is left."""
        return min(most, max(self.rest, TENTH * most)) if self.rest > -self._all / 2 else 0.0


class Submission(contextlib.AbstractContextManager["Submission"]):
    """The code of a notebook, which has run in a sandboxed process and is ready for questions."""

    def __init__(
        self,
        server: Server,
        cells: Sequence[Cell],
        support: Mapping[str, bytes],
        limits: Limits,
    ) -> None:
        """Run `cells` next to the files of `support`, which has contents by their paths."""
        if (size := sum(map(len, support.values()))) > limits.folder_bytes:
            raise SandboxError(TOO_MUCH.format(size / 1024**2, limits.folder_bytes / 1024**2))
        self.limits = limits
        self.records = server.values.plain_types
        self._server = server
        self._request = messages.Begin(
            files=dict(support), processes=limits.processes, folder_bytes=limits.folder_bytes
        )
        self.digest = hashlib.sha256(msgspec.msgpack.encode(cells)).hexdigest()
        self._cells = cells
        self._seconds = limits.submission_cpu_seconds, 2 * limits.cell_wall_seconds
        self._check_budget = Budget(self._seconds[0])
        self._cell_budget, self._idle_budget = map(Budget, self._seconds)  # idle time of both
        self._accident_seconds = limits.submission_cpu_seconds  # for starting again, idle ones, too
        self._slept = True  # whenever it was idle until now
        self._restarts = 0
        self._run_code: messages.Tree = None  # what runs test cells, an object in the process
        self.runs = [CellRun() for _ in cells]
        with contextlib.ExitStack() as stack:
            stack.enter_context(one_core())
            self._run()
            self._stack = stack.pop_all()
        self.cost = Cost(self._process.cpu_seconds)  # of the cells

    @contextlib.contextmanager
    def student(
        self,
        cpu_factor: float = 1.0,
        data: Collection[str] | None = None,
    ) -> Iterator[Student]:
        """Give one check a copy of the submission's process; it ends with the block.

        It has `cpu_factor` times the CPU seconds of a check. `data` are the paths of the questions
        that the reference solution answers with plain data only, to which an object is no answer;
        None means all questions.
        """
        seconds = cpu_factor * self.limits.check_cpu_seconds, self.limits.check_wall_seconds
        process = self._copy()
        try:
            with self._limit(process, *seconds, self._check_budget):
                yield self._student(process, data)
        finally:
            process.close()

    def _student(self, process: Process, data: Collection[str] | None = None) -> Student:
        return Student(process, self._server, self.limits.check_calls, self, data)

    @property
    def doubt(self) -> str:
        """Return why a name may be missing although the code is right, or ""."""
        runs = [run for cell, run in zip(self._cells, self.runs, strict=False) if not cell.test]
        return next((run.error or "" for run in runs if run.stopped is Verdict.UNCLEAR), "")

    def _copy(self) -> Process:
        """Copy the process for a check; if it is gone, run the cells again first."""
        while self._restarts < MAX_DEATHS:
            if not self._process.restore():
                self._run_again()
            with contextlib.suppress(*BROKEN):
                return self._process.copy()
            self._restarts += 1
            self._run_again()
        raise Stopped(Verdict.KILLED, "the process that holds the notebook's objects is gone")

    @contextlib.contextmanager
    def _limit(self, process: Process, cpu: float, wall: float, budget: Budget) -> Iterator[None]:
        """Limit the time of a process in the block, and take what it uses from a budget."""
        limits = budget.part(cpu), self._idle_budget.part(wall)
        if not all(limits):
            idle = Verdict.IDLE if self._slept else Verdict.UNCLEAR
            verdict = idle if limits[0] else Verdict.TIMEOUT
            raise Stopped(verdict, "all of it together has used up its time")
        process.set_limits(*limits)
        try:
            yield
        finally:
            process.meter.look()
            budget.rest -= process.meter.cpu + max(0.0, process.answer_seconds - cpu)
            self._idle_budget.rest -= process.meter.idle
            self._slept = self._slept and process.was_asleep

    def _forgive(self, before: Sequence[float]) -> None:
        """Charge what the cells have used since `before` to accidents, while there is time."""
        if self._accident_seconds > 0:
            self._accident_seconds -= sum(before) - self._cell_budget.rest - self._idle_budget.rest
            self._cell_budget.rest, self._idle_budget.rest = before

    def close(self) -> None:
        """End the submission's process and remove its folder."""
        self._process.close()
        self._stack.close()

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()

    def _run(self) -> None:
        """Run the cells; if one ends the process, start again, after `TRIES` times without it."""
        deaths: Counter[int] = Counter()
        while True:
            room, memory = MOST_CHARACTERS, self.limits.memory_bytes * 3 // 2
            process = self._process = self._server.fork(self._request, memory)
            self.layers = list(process.layers)
            fatal = {index for index, times in deaths.items() if times >= TRIES}
            if len(fatal) >= MAX_DEATHS:
                for index in set(range(len(self.runs))) - fatal:
                    self.runs[index] = CellRun(error=TOO_MANY_STOPPED)
                return
            before = self._cell_budget.rest, self._idle_budget.rest
            self._prepare(process)
            for index, cell in enumerate(self._cells):
                if index in fatal:
                    continue
                try:
                    run = self._test(cell.test) if cell.test else None
                    if run is None or run.stopped is None:  # later cells may use its names
                        cell_run = self._run_cell(process, cell)
                    self.runs[index], room = _limit_outputs(run or cell_run, room)
                except Stopped as stop:
                    self.runs[index] = _stopped_run(stop)
                    deaths[index] += 1 if stop.verdict.accident else TRIES
                    if stop.verdict.accident:
                        self._forgive(before)
                    break
            else:
                return
            process.close()

    def _run_again(self) -> None:
        """Run the cells again, since their process is gone, or was changed by a check.

        This time is not charged to the submission; if it takes too long, a human decides.
        """
        if self._accident_seconds <= 0:
            why = "its cells had to run again for every check, which took too long"
            raise Stopped(Verdict.UNCLEAR, why)
        self._process.close()
        first_runs, self.runs = self.runs, list(self.runs)
        before = self._cell_budget.rest, self._idle_budget.rest
        self._cell_budget.rest, self._idle_budget.rest = self._seconds
        self._run()
        self._forgive(self._seconds)
        self._cell_budget.rest, self._idle_budget.rest = before
        self._process.restore()
        if not self.doubt:
            self.runs = first_runs

    def _prepare(self, process: Process) -> None:
        """Have built-ins and libraries remembered before student code runs, for test cells."""
        tests = [cell.test for cell in self._cells if cell.test]
        self._run_code = None
        if not tests:
            return
        source = "".join(test.before + test.source for test in tests)
        awaits = "await" in source or "async" in source  # `async for` awaits, too
        imports = tests[0].imports + ("\nimport asyncio" if awaits else "")
        seconds = self.limits.cell_cpu_seconds, self.limits.cell_wall_seconds
        with (
            contextlib.suppress(Stopped, StudentError),  # the cells that import it tell why
            self._limit(process, *seconds, self._cell_budget),
        ):
            run = load(self._student(process), testcells).Snapshot(imports).run
            if isinstance(run, Proxy):
                self._run_code = ["object", run._number_]

    def _test(self, test: CellTest) -> CellRun:
        """Run a test cell in a copy of the process, again after an accident."""
        code = testcells.compile_test(test)
        if isinstance(code, CellFailure):
            return CellRun(result=code)
        if self._run_code is None:
            return _stopped_run(Stopped(Verdict.UNCLEAR, "its tests could not be prepared"))
        seconds = self.limits.check_cpu_seconds, self.limits.check_wall_seconds
        for _ in range(TRIES):
            token = secrets.token_hex(16)
            try:
                with (
                    self._process.copy_between_cells() as process,
                    self._limit(process, *seconds, self._check_budget),
                ):
                    reply = process.exchange(messages.Do("call", [self._run_code, code, token]))
                points, failure = _test_result(reply, token)
            except BROKEN as error:
                raise Stopped(Verdict.KILLED, "its process cannot be copied") from error
            except Stopped as stop:
                run = _stopped_run(stop)
                if not stop.verdict.odd:
                    break
            else:
                if failure is None:
                    return CellRun(result=test.points if points is None else points)
                where = self.own_line(failure.where)
                return CellRun(result=msgspec.structs.replace(failure, where=where))
        return run

    def _run_cell(self, process: Process, cell: Cell) -> CellRun:
        """Run a cell."""
        seconds = self.limits.cell_cpu_seconds, self.limits.cell_wall_seconds
        with self._limit(process, *seconds, self._cell_budget):
            try:
                reply = process.exchange(messages.RunCell(cell.source, cell.label))
            except Stopped as stop:
                if isinstance(stop.reply, messages.Ran):
                    return _stopped_run(stop, stop.reply.outputs)
                raise
        if not isinstance(reply, messages.Ran):
            raise Stopped(
                Verdict.TAMPERED, f"its process answered a cell with {type(reply).__name__}"
            )
        return CellRun(reply.outputs, None if reply.error is None else printable(reply.error))

    def why_missing(self, name: str) -> str:
        """Return why no cell defines a name, or "" if one does, or if all cells have run well."""
        errors = [run.error for run in self.runs if run.error is not None]
        if not errors or self._definitions(name):
            return ""
        stubs = [error for error in errors if "NotImplementedError" in error]
        return f" No cell defines it yet: {stubs[0]}" if stubs else " No cell defines it."

    def failures(self, name: str, *before: str) -> list[str]:
        """Return how the last cell that defines a name failed; [] if it has not.

        If it lacked another name, the cell of that one comes first; `before` are the names that
        were looked at.
        """
        for cell, run in self._definitions(name)[-1:]:
            if run.error is not None:
                match = LACKS.search(run.error)
                others = {match[1]} - {name, *before} if match else set()
                lines = [line for other in others for line in self.failures(other, name, *before)]
                label = f"{cell.label[:1].upper()}{cell.label[1:]}"
                return [*lines, f"{label} failed: {run.error.removesuffix(': ')}"]
        return []

    def _definitions(self, name: str) -> list[tuple[Cell, CellRun]]:
        """Return the cells that seem to define a name, by the first pattern that fits some."""
        runs = list(zip(self._cells, self.runs, strict=False))
        heads = [  # as long as patterns are matched in no time
            "\n".join(line[:MOST_OF_A_LINE] for line in cell.source[:MOST_OF_A_CELL].splitlines())
            for cell, _ in runs
        ]
        for kind in DEFINED_HERE:
            pattern = re.compile(kind.format(name), re.MULTILINE)
            if fits := [run for run, head in zip(runs, heads, strict=True) if pattern.search(head)]:
                return fits
        return []

    def own_line(self, where: Sequence[str]) -> list[str]:
        """Return the last of some places in a traceback that is in a cell, with its line.

        The places come from the student's process, and may be forged.
        """
        sources = {cell.label: cell.source.splitlines() for cell in self._cells}
        for place in reversed(where):
            if not (match := PLACE.match(place)):
                continue
            label, number, name = match[1], int(match[2]), match[3]
            lines = sources.get(label, [])
            if 0 < number <= len(lines):
                text = lines[number - 1].strip()
                inside = f", in {name}" if any(f"def {name}" in line for line in lines) else ""
                return [printable(f"{label}, line {number}{inside}: {text}")]
        return []


def _test_result(reply: Any, token: str) -> tuple[float | None, CellFailure | None]:
    """Return the points of a test and how it has failed; Stopped unless it repeats the token."""
    kind = tuple[str, float | None, CellFailure | None]
    try:
        echo, *result = msgspec.msgpack.decode(reply.value, type=kind)
        if echo == token:
            return result[0], result[1]
    except (msgspec.MsgspecError, UnicodeDecodeError, TypeError, AttributeError):
        pass
    raise Stopped(Verdict.TAMPERED, NO_TEST)


def _stopped_run(stop: Stopped, outputs: Sequence[Output] = ()) -> CellRun:
    """Return the result of a cell that was stopped."""
    return CellRun(list(outputs), printable(f"The cell was stopped: {stop}."), stop.verdict)


def _limit_outputs(run: CellRun, room: int) -> tuple[CellRun, int]:
    """Return the outputs that fit, and a note on how much was left out."""
    outputs, excess = [], 0
    for output in run.outputs:
        texts = (output.text, *output.data, *output.data.values(), *output.traceback)
        size = max(sum(map(len, texts)), LEAST_CHARACTERS)
        if size <= room:
            outputs.append(output)
            room -= size
        else:
            excess += 1
    if excess:
        note = f"[outputs that were not kept, since the notebook has too many: {excess:,}]"
        outputs.append(Output("stderr", f"{note}\n"))
    return msgspec.structs.replace(run, outputs=outputs), room
