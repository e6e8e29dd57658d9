"""Do jobs on the cores of this machine, in processes that are forked off: benches."""

import contextlib
import functools
import itertools
import multiprocessing
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any, TypeAlias

from referee.workers import Died, Function, Job, Workers, blaming

END_SECONDS = 5.0
Work: TypeAlias = Callable[[Any], Any]


class _Bench:
    """A process that does one job after another."""

    def __init__(self, number: int, others: Iterable["_Bench"]) -> None:
        context = multiprocessing.get_context("fork")
        self.number = number
        self.pipe, theirs = context.Pipe()
        ours = [self.pipe, *(other.pipe for other in others)]
        self._process: ForkProcess = context.Process(target=_serve, args=(theirs, ours))
        self._process.start()
        theirs.close()
        self._work: Work | None = None

    def give(self, work: Work, job: Any) -> None:
        """Give it a job; that it has died meanwhile shows when it is asked for the answer."""
        new = None if self._work is work else work
        with contextlib.suppress(OSError):
            self.pipe.send((new, job))
            self._work = work

    def answer(self) -> Any:
        """Return what its job has given, the error that it ended in, or Died."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            return Died()
        except Exception as error:  # it cannot be read
            return error

    def end(self, at_once: bool) -> None:
        """Let it end by itself, or end it."""
        self.pipe.close()
        if not at_once:
            self._process.join(END_SECONDS)
        self._process.kill()
        self._process.join()
        self._process.close()


class _Local(Workers):
    """The benches of this machine; one that dies is replaced."""

    def __init__(self, number: int) -> None:
        self.benches: list[_Bench] = []
        for place in range(number):
            self.benches.append(_Bench(place, self.benches))

    def run(self, function: Function, shared: Any, jobs: Iterable[Job]) -> Iterator[Job]:
        work = functools.partial(function, shared)
        return blaming(lambda some: self._flow(work, some), jobs)

    def _flow(self, work: Work, jobs: Iterable[Job]) -> Iterator[tuple[str, Any, Any]]:
        """Yield each job with what became of it; a bench gets the next before the last is told."""
        todo = iter(jobs)
        busy: dict[Any, tuple[_Bench, Job]] = {}

        def give(bench: _Bench) -> None:
            for job in itertools.islice(todo, 1):
                bench.give(work, job[1])
                busy[bench.pipe] = bench, job

        for bench in self.benches:
            give(bench)
        while busy:
            for pipe in wait(list(busy)):
                bench, (name, job) = busy.pop(pipe)
                answer = bench.answer()
                give(self._replaced(bench) if isinstance(answer, Died) else bench)
                yield name, job, answer

    def _replaced(self, dead: _Bench) -> _Bench:
        dead.end(at_once=True)
        others = [bench for bench in self.benches if bench is not dead]
        new = _Bench(dead.number, others)
        self.benches[dead.number] = new
        return new


@contextlib.contextmanager
def opened(number: int) -> Iterator[Workers]:
    """Start that many benches; they end with the block."""
    local, at_once = _Local(number), True
    try:
        yield local
        at_once = False
    finally:
        for bench in local.benches:
            bench.end(at_once)


def _serve(pipe: Connection, others: Iterable[Connection]) -> None:
    """Do what is asked, until nobody is there to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the asker ends us
    for other in others:
        other.close()
    work: Any = None
    with contextlib.suppress(EOFError, OSError):
        while True:
            new, job = pipe.recv()
            work = new or work
            try:
                answer = work(job)
            except Exception as error:
                answer = error
            try:
                pipe.send(answer)
            except (TypeError, ValueError, AttributeError, pickle.PicklingError) as error:
                pipe.send(RuntimeError(f"{type(answer).__name__} cannot be sent: {error}"))
