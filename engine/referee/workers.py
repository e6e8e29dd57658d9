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
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
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


class _Job(NamedTuple):
    """A job in work: its name, what it is about, when it began, and how often it was in doubt."""

    name: str
    about: Any
    since: float
    deaths: int


def run(
    function: Function,
    shared: Any,
    jobs: Iterable[Job],
    number: int,
    scheduler: str | None = None,
    watch: Watch | None = None,
) -> Generator[Job, None, None]:
    """Yield each job's name, as it is done, with `function(shared, job)`, `Lost` or an error.

    They are done by so many forked processes of this machine, or by the workers of the dask
    scheduler at an address. The function must be at the top of a module; all that it gets and gives
    is pickled. `watch` gets the jobs that are probably in work, the longest first, whenever nothing
    was done for some seconds. Close the iterator before its end to end what is in work.
    """
    work, todo = functools.partial(_answer, function, shared), iter(jobs)
    waiting, retries = dict[Future[Any], _Job](), list[_Job]()
    others = set(multiprocessing.active_children())
    with contextlib.ExitStack() as stack:
        client = None if scheduler is None else _client(stack, scheduler)
        if client is not None:
            number = max(1, sum(client.nthreads().values()))

        def pool() -> Executor:
            if client is not None:
                return client.get_executor(pure=False)  # type: ignore[no-any-return]
            return ProcessPoolExecutor(number, multiprocessing.get_context("fork"), _begin)

        executor = pool()

        def submit(job: _Job) -> None:
            nonlocal executor
            try:
                waiting[executor.submit(work, job.about)] = job
            except BrokenExecutor:
                executor.shutdown()
                executor = pool()
                waiting[executor.submit(work, job.about)] = job

        seen_at = time.monotonic()  # when the cluster had a worker
        try:
            while True:
                now = time.monotonic()
                for name, about in itertools.islice(todo, 2 * number - len(waiting)):
                    submit(_Job(name, about, now, 0))
                if not waiting and retries:
                    submit(retries.pop()._replace(since=now))  # alone
                if not waiting:
                    return
                futures, _ = wait(waiting, LOOK_SECONDS, FIRST_COMPLETED)
                if futures or client is None or client.nthreads():
                    seen_at = now
                elif now - seen_at > WORKERS_SECONDS:
                    raise WorkersError(GONE)
                if not futures and watch:
                    longest = sorted(waiting.values(), key=lambda job: job.since)[:number]
                    watch([(job.name, time.monotonic() - job.since) for job in longest])
                for job, future in [(waiting.pop(future), future) for future in futures]:
                    error = future.exception()
                    by_dask = type(error).__name__ == "KilledWorker"
                    if not isinstance(error, BrokenExecutor) and not by_dask:
                        yield job.name, error or future.result()
                    elif job.deaths + 1 == MOST_DEATHS:
                        yield job.name, Lost(MOST_DEATHS)
                    else:
                        retries.append(job._replace(deaths=job.deaths + 1))
        except (CancelledError, OSError) as error:
            if client is None:
                raise
            raise WorkersError(GONE) from error
        finally:
            if client is None:
                started = set(multiprocessing.active_children()) - others
                for process in started if waiting else ():
                    process.kill()
                executor.shutdown()


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
