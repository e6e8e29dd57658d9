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
from collections.abc import Callable, Iterable, Iterator
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
from typing import Any, NamedTuple, Self, TypeAlias

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


class _Job(NamedTuple):
    """A job in work: its name, what it is about, when it began, and how often it was in doubt."""

    name: str
    about: Any
    since: float
    deaths: int


class Workers:
    """The cores of this machine, with a pool of forked processes, or those of a dask cluster."""

    def __init__(self, number: int, client: Any) -> None:
        """Begin without a process; the cores are those of a `client` of dask's, if there is one."""
        self._number = number
        self._client = client
        self._executor = self._pool()
        self._others = set(multiprocessing.active_children())
        self._seen = time.monotonic()  # when the cluster had a worker

    def run(
        self, function: Function, shared: Any, jobs: Iterable[Job], watch: Watch | None = None
    ) -> Iterator[Job]:
        """Yield each job's name, as it is done, with `function(shared, job)`, `Lost` or an error.

        The function must be at the top of a module; all that it gets and gives is pickled. `watch`
        gets the jobs that are probably in work, the longest first, whenever nothing was done for
        some seconds.
        """
        work, todo = functools.partial(_answer, function, shared), iter(jobs)
        waiting, again = dict[Future[Any], _Job](), list[_Job]()
        try:
            while True:
                for name, job in itertools.islice(todo, 2 * self._number - len(waiting)):
                    waiting[self._submit(work, job)] = _Job(name, job, time.monotonic(), 0)
                if not waiting and again:
                    alone = again.pop()._replace(since=time.monotonic())
                    waiting[self._submit(work, alone.about)] = alone
                if not waiting:
                    return
                done, _ = wait(waiting, LOOK_SECONDS, FIRST_COMPLETED)
                if not done:
                    self._look(sorted(waiting.values(), key=lambda one: one.since), watch)
                for one, future in [(waiting.pop(future), future) for future in done]:
                    error = future.exception()
                    by_dask = type(error).__name__ == "KilledWorker"
                    if not isinstance(error, BrokenExecutor) and not by_dask:
                        yield one.name, error or future.result()
                    elif one.deaths + 1 == MOST_DEATHS:
                        yield one.name, Lost(MOST_DEATHS)
                    else:
                        again.append(one._replace(deaths=one.deaths + 1))
        except (CancelledError, OSError) as error:
            if self._client is None:
                raise
            raise WorkersError(GONE) from error

    def bring(self, folder: Path) -> Path:
        """Let all workers read a folder; return what `place` makes its path of there."""
        if self._client is None:
            return folder
        with tempfile.TemporaryDirectory() as place:
            name = shutil.make_archive(f"{place}/{folder.name}", "zip", folder)
            self._client.upload_file(name, load=False)
        return Path(f"{folder.name}.zip")

    def _pool(self) -> Executor:
        if self._client is not None:
            return self._client.get_executor(pure=False)  # type: ignore[no-any-return]
        return ProcessPoolExecutor(self._number, multiprocessing.get_context("fork"), _begin)

    def _submit(self, work: Callable[[Any], Any], job: Any) -> Future[Any]:
        """Give a job to the pool, to another one if it has lost a process."""
        try:
            return self._executor.submit(work, job)
        except BrokenExecutor:
            self._executor.shutdown()
            self._executor = self._pool()
            return self._executor.submit(work, job)

    def _look(self, waiting: list[_Job], watch: Watch | None) -> None:
        """Tell what takes long; WorkersError if the cluster has had no worker for a while."""
        now = time.monotonic()
        if self._client is not None and self._client.nthreads():
            self._seen = now
        elif self._client is not None and now - self._seen > WORKERS_SECONDS:
            raise WorkersError(GONE)
        if watch:
            watch([(one.name, now - one.since) for one in waiting[: self._number]])

    def __enter__(self) -> Self:
        """Begin without a process."""
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """End the processes that were started here: at once, if by an error."""
        if self._client is None:
            started = set(multiprocessing.active_children()) - self._others
            for process in started if error else ():
                process.kill()
            self._executor.shutdown()


@contextlib.contextmanager
def opened(number: int, scheduler: str | None = None) -> Iterator[Workers]:
    """Give so many processes of this machine, or the workers of the dask scheduler at an address.

    What they do ends with the block.
    """
    with contextlib.ExitStack() as stack:
        client = None if scheduler is None else _client(stack, scheduler)
        cores = number if client is None else max(1, sum(client.nthreads().values()))
        yield stack.enter_context(Workers(cores, client))


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

    def end_with_parent() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all
    threading.Thread(target=end_with_parent, daemon=True).start()


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
