"""Do jobs on the cores of this machine, in forked worker processes."""

import contextlib
import functools
import itertools
import mmap
import multiprocessing
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any, TypeAlias

from referee.workers import Died, Function, Job, Waiting, Watch, Workers, blaming

END_SECONDS = 5.0
LOOK_SECONDS = 5.0
BOARD_BYTES = 256
Work: TypeAlias = Callable[[Any, "Say"], Any]
Say: TypeAlias = Callable[[str, float], None]


class _Board:
    """What runs in a worker, since when and how long it may, in memory that both sides see."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, BOARD_BYTES)

    def say(self, what: str, limit: float) -> None:
        """Write what begins to run; nothing if it is empty."""
        text = f"{time.monotonic()}\n{limit}\n{what[:40]}\n".encode()
        self._memory[:] = text.ljust(BOARD_BYTES, b"\0")

    def waiting(self, name: str, since: float) -> Waiting:
        """Return what runs for a job that was given at a time."""
        with contextlib.suppress(ValueError):  # it is being written, or was never
            begun, limit, what, _ = bytes(self._memory).decode().split("\n")
            if what:
                return Waiting(name, what, time.monotonic() - float(begun), float(limit))
        return Waiting(name, "", time.monotonic() - since)


class _WorkerProcess:
    """A process that does one job after another."""

    def __init__(self, number: int, others: Iterable["_WorkerProcess"]) -> None:
        context = multiprocessing.get_context("fork")
        self.number = number
        self.pipe, theirs = context.Pipe()
        self.board, self.since = _Board(), 0.0
        ours = [self.pipe, *(other.pipe for other in others)]
        self._process: ForkProcess = context.Process(
            target=_serve, args=(theirs, ours, self.board.say)
        )
        self._process.start()
        theirs.close()
        self._work: Work | None = None

    def give(self, work: Work, job: Any) -> None:
        """Send a job; if the process has died, `answer` returns Died."""
        new, self.since = None if self._work is work else work, time.monotonic()
        self.board.say("", 0.0)
        with contextlib.suppress(OSError):
            self.pipe.send((new, job))
            self._work = work

    def answer(self) -> Any:
        """Return the result of its job, the job's error, or Died."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            return Died()
        except Exception as error:  # it cannot be read
            return error

    def end(self, at_once: bool) -> None:
        """End the process: at once, or after a time to end by itself."""
        self.pipe.close()
        if not at_once:
            self._process.join(END_SECONDS)
        self._process.kill()
        self._process.join()
        self._process.close()


class _Local(Workers):
    """The worker processes of this machine; one that dies is replaced."""

    def __init__(self, number: int) -> None:
        self.processes: list[_WorkerProcess] = []
        for place in range(number):
            self.processes.append(_WorkerProcess(place, self.processes))

    def run(
        self, function: Function, shared: Any, jobs: Iterable[Job], watch: Watch | None = None
    ) -> Iterator[Job]:
        quiet = functools.partial(_quiet, function, shared)
        work = functools.partial(function, shared) if watch else quiet
        return blaming(lambda some: self._flow(work, some, watch), jobs)

    def _flow(
        self, work: Work, jobs: Iterable[Job], watch: Watch | None
    ) -> Iterator[tuple[str, Any, Any]]:
        """Yield each job with its result; a process gets its next job before that."""
        todo = iter(jobs)
        busy: dict[Any, tuple[_WorkerProcess, Job]] = {}

        def give(process: _WorkerProcess) -> None:
            for job in itertools.islice(todo, 1):
                process.give(work, job[1])
                busy[process.pipe] = process, job

        for process in self.processes:
            give(process)
        while busy:
            done = wait(list(busy), LOOK_SECONDS if watch else None)
            if watch and not done:
                found = [one.board.waiting(job[0], one.since) for one, job in busy.values()]
                watch(sorted(found, key=lambda one: -one.seconds))
            for pipe in done:
                process, (name, job) = busy.pop(pipe)
                answer = process.answer()
                give(self._replaced(process) if isinstance(answer, Died) else process)
                yield name, job, answer

    def _replaced(self, dead: _WorkerProcess) -> _WorkerProcess:
        dead.end(at_once=True)
        others = [process for process in self.processes if process is not dead]
        new = _WorkerProcess(dead.number, others)
        self.processes[dead.number] = new
        return new


@contextlib.contextmanager
def opened(number: int) -> Iterator[Workers]:
    """Start that many worker processes; they end with the block."""
    local, at_once = _Local(number), True
    try:
        yield local
        at_once = False
    finally:
        for process in local.processes:
            process.end(at_once)


def _quiet(function: Function, shared: Any, job: Any, _: Say) -> Any:
    return function(shared, job)


def _serve(pipe: Connection, others: Iterable[Connection], say: Say) -> None:
    """Do jobs from a pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the asker ends us
    for other in others:
        other.close()
    work: Any = None
    with contextlib.suppress(EOFError, OSError):
        while True:
            new, job = pipe.recv()
            work = new or work
            try:
                answer = work(job, say)
            except Exception as error:
                answer = error
            try:
                pipe.send(answer)
            except (TypeError, ValueError, AttributeError, pickle.PicklingError) as error:
                pipe.send(RuntimeError(f"{type(answer).__name__} cannot be sent: {error}"))
