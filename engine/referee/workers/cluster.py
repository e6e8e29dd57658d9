"""Do jobs on a dask cluster, on whatever machines; the only module that imports dask."""

import contextlib
import functools
import itertools
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from typing import Any

import dask
from distributed import Client, Future, KilledWorker, wait

from referee.workers import (
    Died,
    Function,
    Job,
    Waiting,
    Watch,
    Workers,
    WorkersError,
    blaming,
)

AHEAD = 4  # jobs that the scheduler holds for each worker
CONNECT_SECONDS = 10.0
WORKERS_SECONDS = 60.0  # a machine that is busy takes its time to start one again
GONE = "the cluster has gone; what was done is kept, run the same command to go on"
# A job is blamed alone for a worker that dies, and `blaming` counts how often one does.
SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.worker.memory.terminate": False,  # a submission has limits of its own
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.spill": False,
    "distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s",
}


class _Cluster(Workers):
    """The workers of a dask scheduler."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def run(
        self, function: Function, shared: Any, jobs: Iterable[Job], watch: Watch | None = None
    ) -> Iterator[Job]:
        work = functools.partial(function, shared)
        try:
            yield from blaming(lambda some: _flow(self.client, work, some, watch), jobs)
        except (CancelledError, OSError) as error:
            raise WorkersError(GONE) from error


@contextlib.contextmanager
def connected(scheduler: str) -> Iterator[Workers]:
    """Connect to the scheduler at an address."""
    for name in "distributed", "distributed.client":  # which tell each lost message
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with dask.config.set(SETTINGS), contextlib.ExitStack() as stack:
        try:
            client = stack.enter_context(Client(scheduler))
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            raise WorkersError(
                f"no cluster with a worker at {scheduler} ({error}); start `dask scheduler`, and "
                f"`dask worker {scheduler} --nthreads 1` where the work is to be done"
            ) from error
        yield _Cluster(client)


def _flow(
    client: Client, work: Callable[[Any], Any], jobs: Iterable[Job], watch: Watch | None
) -> Iterator[tuple[str, Any, Any]]:
    """Yield each job with its result; give the cluster new jobs as old ones are done."""
    waiting: dict[Future[Any], Job] = {}
    todo = iter(jobs)
    while True:
        room = AHEAD * max(1, sum(client.nthreads().values())) - len(waiting)
        for name, job in itertools.islice(todo, max(0, room)):
            waiting[client.submit(work, job, pure=False)] = name, job
        if not waiting:
            return
        for future in _finished(client, waiting, watch):
            if not future.done():
                continue  # what it has given was lost since, with its worker: it is done again
            name, job = waiting.pop(future)
            yield name, job, _answer(future)


def _finished(
    client: Client, waiting: Mapping[Future[Any], Job], watch: Watch | None
) -> list[Future[Any]]:
    """Wait until a job is done; return those that are."""
    while True:
        try:
            return list(wait(list(waiting), WORKERS_SECONDS, "FIRST_COMPLETED").done)
        except TimeoutError:
            if not client.nthreads():  # none has come back meanwhile
                raise WorkersError(GONE) from None
            if watch:
                watch([Waiting(name) for name, _ in waiting.values()])


def _answer(future: Future[Any]) -> Any:
    """Return the result of a job, or its error.

    A result is lost if its worker dies before it is fetched; then dask does the job again, and
    fetching it fails only if the next worker dies, too.
    """
    error = future.exception()
    if isinstance(error, CancelledError):
        raise error
    try:
        return future.result() if error is None else _told(error)
    except KilledWorker as killed:
        return _told(killed)


def _told(error: BaseException) -> BaseException | Died:
    return Died() if isinstance(error, KilledWorker) else error
