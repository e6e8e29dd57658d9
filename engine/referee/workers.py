"""Do many jobs in processes of this machine, or on the workers of a dask cluster.

Knows nothing about the work. Where a process ends while it works it may not be known which of the
jobs in work has ended it: each is done again, alone, after all others.
"""

import contextlib
import functools
import itertools
import logging
import multiprocessing
import os
import pickle
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

MOST_DEATHS = 3
LOOK_SECONDS = 5.0
CONNECT_SECONDS = 10.0
WORKERS_SECONDS = 60.0  # a machine that is busy takes its time to start a worker again
GONE = "the cluster has gone; what was done is kept, run the same command to go on"

Function: TypeAlias = Callable[[Any, Any], Any]
Job: TypeAlias = tuple[str, Any]  # its name, and what it is about or has given


Watch: TypeAlias = Callable[[list[tuple[str, float]]], None]  # a job's name, seconds since it began


class WorkersError(RuntimeError):
    """There are no workers, or they are gone; the message says what to do."""


class Lost(NamedTuple):
    """In place of a job's result: it was in work when a process ended, `deaths` times."""

    deaths: int


class Workers:
    """The cores of this machine, a pool of forked processes for each run; or a dask cluster."""

    def __init__(self, number: int, client: Any, runs: contextlib.ExitStack) -> None:
        """Begin without a process; a `client` of dask's has its own number of cores."""
        self._number = number
        self._client = client
        self._runs = runs  # which ends those that have not ended
        self._seen = time.monotonic()  # when the cluster had a worker

    def run(
        self, function: Function, shared: Any, jobs: Iterable[Job], watch: Watch | None = None
    ) -> Iterator[Job]:
        """Yield each job's name, as it is done, with `function(shared, job)`, `Lost` or an error.

        The function must be at the top of a module; all that it gets and gives is pickled. `watch`
        gets the jobs that are probably in work, the longest first, whenever nothing was done for
        some seconds.
        """
        answers = self._run(functools.partial(_answer, function, shared), jobs, watch)
        return self._runs.enter_context(contextlib.closing(answers))

    def bring(self, folder: Path) -> Path:
        """Let all workers read a folder; return what `place` makes its path of there."""
        if self._client is None:
            return folder
        with tempfile.TemporaryDirectory() as place:
            name = shutil.make_archive(f"{place}/{folder.name}", "zip", folder)
            self._client.upload_file(name, load=False)
        return Path(f"{folder.name}.zip")

    def _run(
        self, work: Callable[[Any], Any], jobs: Iterable[Job], watch: Watch | None
    ) -> Generator[Job, None, None]:
        todo, again = iter(jobs), list[Job]()
        try:
            if self._client is not None:
                self._number = max(1, sum(self._client.nthreads().values()))
            while first := list(itertools.islice(todo, 1)):
                every = itertools.chain(first, todo)
                yield from self._flow(self._number, work, every, watch, again)
            for name, job in again:
                for _ in range(MOST_DEATHS - 1):
                    died: list[Job] = []
                    yield from self._flow(1, work, [(name, job)], watch, died)
                    if not died:
                        break
                else:
                    yield name, Lost(MOST_DEATHS)
        except (CancelledError, OSError) as error:
            if self._client is None:
                raise
            raise WorkersError(GONE) from error

    def _flow(
        self,
        number: int,
        work: Callable[[Any], Any],
        jobs: Iterable[Job],
        watch: Watch | None,
        died: list[Job],
    ) -> Iterator[Job]:
        """Yield jobs with their results until the pool breaks; add those to `died` that it had."""
        todo, broken = iter(jobs), False
        waiting: dict[Future[Any], tuple[str, Any, float]] = {}
        with self._pool(number) as pool:
            while True:
                room = 0 if broken else 2 * number - len(waiting)
                for name, job in itertools.islice(todo, max(0, room)):
                    try:
                        waiting[pool.submit(work, job)] = name, job, time.monotonic()
                    except BrokenExecutor:
                        died.append((name, job))
                        broken = True
                if not waiting:
                    return
                done, _ = wait(waiting, LOOK_SECONDS, FIRST_COMPLETED)
                if not done:
                    self._look([(name, since) for name, _, since in waiting.values()], watch)
                for future in done:
                    name, job, _ = waiting.pop(future)
                    gone = isinstance(error := future.exception(), BrokenExecutor)
                    broken = broken or gone
                    if gone or type(error).__name__ == "KilledWorker":  # which is dask's
                        died.append((name, job))
                    else:
                        yield name, error or future.result()

    def _look(self, waiting: list[tuple[str, float]], watch: Watch | None) -> None:
        """Tell what takes long; WorkersError if the cluster has had no worker for a while."""
        now = time.monotonic()
        if self._client is not None and self._client.nthreads():
            self._seen = now
        elif self._client is not None and now - self._seen > WORKERS_SECONDS:
            raise WorkersError(GONE)
        longest = sorted(waiting, key=lambda one: one[1])[: self._number]
        if watch:
            watch([(name, now - since) for name, since in longest])

    @contextlib.contextmanager
    def _pool(self, number: int) -> Iterator[Executor]:
        """Start processes, which end with the block: at once where it is left before its end."""
        if self._client is not None:
            yield self._client.get_executor(pure=False)
            return
        before = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(number, multiprocessing.get_context("fork"), _begin)
        try:
            yield pool
        except BaseException:
            for process in set(multiprocessing.active_children()) - before:
                process.kill()
            raise
        finally:
            pool.shutdown()


@contextlib.contextmanager
def opened(number: int, scheduler: str | None = None) -> Iterator[Workers]:
    """Give so many processes of this machine, or the workers of the dask scheduler at an address.

    What they do ends with the block.
    """
    with contextlib.ExitStack() as stack:
        yield Workers(number, None if scheduler is None else _client(stack, scheduler), stack)


def _client(stack: contextlib.ExitStack, scheduler: str) -> Any:
    """Return dask's client for a scheduler that has a worker; WorkersError says what is missing."""
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise WorkersError(
            f"a cluster needs dask ({error}); install it: pip install 'referee[cluster]'"
        ) from error
    for name in "distributed", "distributed.client":  # which tell each lost message
        logging.getLogger(name).setLevel(logging.CRITICAL)
    stack.enter_context(
        dask.config.set({"distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s"})
    )
    try:
        client = stack.enter_context(Client(scheduler))
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise WorkersError(
            f"no cluster with a worker at {scheduler} ({error}); start `dask scheduler`, and "
            f"`dask worker {scheduler} --nthreads 1` where the work is to be done"
        ) from error
    return client


def _begin() -> None:
    """Let a process of this machine end when that ends which has started it, and not by Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def place(brought: Path) -> Path:
    """Return where a folder lies, in a worker that it was brought to."""
    return brought if brought.is_absolute() else _unpacked(brought.name)


@functools.cache
def _unpacked(archive: str) -> Path:
    from distributed import get_worker

    home = Path(get_worker().local_directory)
    folder = home / archive.removesuffix(".zip")
    shutil.unpack_archive(home / archive, folder)
    return folder


def _answer(function: Function, shared: Any, job: Any) -> Any:
    """Call a function in a worker; an error that cannot be sent is told in words."""
    try:
        return function(shared, job)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise
