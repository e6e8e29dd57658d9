"""Run a function on many jobs: on the cores of this machine, or on any dask cluster.

Knows nothing about what is done; the only module that imports dask. A worker and the student's
process that it questions take turns, so each worker started here stays on a core, and what it
starts with it: on two cores every question would wait for the other core to wake up.
"""

import contextlib
import functools
import itertools
import logging
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from typing import Any, NamedTuple

import dask
from distributed import (
    Client,
    Future,
    KilledWorker,
    LocalCluster,
    Worker,
    WorkerPlugin,
    get_worker,
    wait,
)  # fmt: skip

MOST_DEATHS = 3
AHEAD = 4  # jobs that the scheduler holds for each worker
CONNECT_SECONDS = 10.0
WORKERS_SECONDS = 60.0  # a machine that is busy takes its time to start one again
GONE = "the cluster has gone; what was done is kept, run the same command to go on"
# A job is blamed alone for a worker that dies, and `run` itself counts how often one does.
SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.worker.memory.terminate": False,  # a submission has limits of its own
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.spill": False,
    "distributed.deploy.lost-worker-timeout": "52 weeks",  # else one that came back is ended
    "distributed.worker.profile.enabled": False,
    "distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s",
    "distributed.scheduler.http.routes": [],  # nothing to see in a browser
    "distributed.worker.http.routes": [],
}


Function = Callable[[Any, Any], Any]
Job = tuple[str, Any]  # its name, and what it is about or has given


class ClusterError(RuntimeError):
    """There is no cluster to work on, or it has gone; the message says what to do."""


class _Deaf(WorkerPlugin):
    """Leaves Ctrl-C, which a terminal sends to all processes, to the one that gives the work."""

    def setup(self, worker: Worker) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


class Lost(NamedTuple):
    """A job that ended the workers it was given to, so many times."""

    deaths: int


@contextlib.contextmanager
def connected(workers: int, scheduler: str | None = None) -> Iterator[Client]:
    """Connect to the scheduler at an address, or to one started here with that many workers."""
    with dask.config.set(SETTINGS), contextlib.ExitStack() as stack:
        if scheduler is None:
            cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, security=True, silence_logs="CRITICAL",
                scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            )  # fmt: skip
            stack.enter_context(cluster)
            client = stack.enter_context(Client(cluster))
            client.register_plugin(_Deaf())
            yield client
            return
        logging.getLogger("distributed.client").setLevel(
            logging.CRITICAL
        )  # it tells each lost message
        try:
            client = stack.enter_context(Client(scheduler))
            client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            raise ClusterError(
                f"no cluster with a worker at {scheduler} ({error}); start `dask scheduler`, and "
                f"`dask worker {scheduler} --nthreads 1` where the work is to be done"
            ) from error
        yield client


def run(client: Client, function: Function, shared: Any, jobs: Iterable[Job]) -> Iterator[Job]:
    """Yield the name of each job, as it is done, with `function(shared, job)`, `Lost` or an error.

    A job whose worker dies is done again, alone, once all others are done.
    """
    suspects: dict[str, Any] = {}
    work = functools.partial(_work, function, shared)
    try:
        for name, job, answer in _flow(client, work, jobs):
            if isinstance(answer, KilledWorker):
                suspects[name] = job
            else:
                yield name, answer
        for name, job in suspects.items():
            for _ in range(MOST_DEATHS - 1):
                ((_, _, answer),) = _flow(client, work, [(name, job)])
                if not isinstance(answer, KilledWorker):
                    break
            yield name, Lost(MOST_DEATHS) if isinstance(answer, KilledWorker) else answer
    except (CancelledError, OSError) as error:
        raise ClusterError(GONE) from error


def _flow(
    client: Client, work: Callable[[Any], Any], jobs: Iterable[Job]
) -> Iterator[tuple[str, Any, Any]]:
    """Yield each job with what became of it, keeping the cluster busy and no busier."""
    waiting: dict[Future[Any], Job] = {}
    todo = iter(jobs)
    while True:
        room = AHEAD * max(1, sum(client.nthreads().values())) - len(waiting)
        for name, job in itertools.islice(todo, max(0, room)):
            waiting[client.submit(work, job, pure=False)] = name, job
        if not waiting:
            return
        for future in _finished(client, list(waiting)):
            if not future.done():
                continue  # what it has given was lost since, with its worker: it is done again
            name, job = waiting.pop(future)
            yield name, job, _answer(future)


def _finished(client: Client, waiting: list[Future[Any]]) -> list[Future[Any]]:
    """Wait until a job is done; return those that are."""
    while True:
        try:
            return list(wait(waiting, WORKERS_SECONDS, "FIRST_COMPLETED").done)
        except TimeoutError:
            if not client.nthreads():  # none has come back meanwhile
                raise ClusterError(GONE) from None


def _answer(future: Future[Any]) -> Any:
    """Return what a job has given, or the error that it ended in.

    What it has given is lost if its worker dies before it is fetched; then the job is done again,
    and the only error that fetching it can bring to light is that the next worker has died too.
    """
    error = future.exception()
    if isinstance(error, CancelledError):
        raise error
    if error is not None:
        return error
    try:
        return future.result()
    except KilledWorker as killed:
        return killed


def _work(function: Function, shared: Any, job: Any) -> Any:
    _stay_on_core(get_worker().name)
    return function(shared, job)


@functools.cache
def _stay_on_core(name: Any) -> None:
    """Keep this thread, and the processes that it starts, on one core, by the worker's number."""
    if isinstance(name, int) and hasattr(os, "sched_setaffinity"):  # not on macOS
        usable = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {usable[name % len(usable)]})
