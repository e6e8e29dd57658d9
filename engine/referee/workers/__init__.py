"""Run a function on many jobs: on the cores of this machine (`local`) or on a dask cluster.

Knows nothing about the function. A job whose worker dies is done again after all others, alone, so
that it is certain which job kills its worker.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, TypeAlias

MOST_DEATHS = 3

Function: TypeAlias = Callable[..., Any]
Job: TypeAlias = tuple[str, Any]  # its name, and what it is about or has given
Flow: TypeAlias = Callable[[Iterable[Job]], Iterator[tuple[str, Any, Any]]]
# Gives each job, as it is done: its name, what it is about, what it has given or the error that it
# ended in.


class Waiting(NamedTuple):
    """A job that is not done: its name, what runs for so many seconds, and the limit of that.

    Without `what` it is not known what runs, and the seconds are those of the job.
    """

    name: str
    what: str = ""
    seconds: float = 0.0
    limit: float = 0.0


Watch: TypeAlias = Callable[[list[Waiting]], None]


class WorkersError(RuntimeError):
    """There are no workers, or they are gone; the message says what to do."""


class Died:
    """In place of a job's result: its worker died before the result arrived."""


class Lost(NamedTuple):
    """In place of a job's result: its workers died, `deaths` times."""

    deaths: int


def blaming(flow: Flow, jobs: Iterable[Job]) -> Iterator[Job]:
    """Yield the name of each job, as it is done, with its result, `Lost` or an error."""
    suspects: dict[str, Any] = {}
    for name, job, answer in flow(jobs):
        if isinstance(answer, Died):
            suspects[name] = job
        else:
            yield name, answer
    for name, job in suspects.items():
        for _ in range(MOST_DEATHS - 1):
            ((_, _, answer),) = flow([(name, job)])
            if not isinstance(answer, Died):
                break
        yield name, Lost(MOST_DEATHS) if isinstance(answer, Died) else answer


class Workers:
    """The worker processes of this machine or of a cluster."""

    def run(
        self, function: Function, shared: Any, jobs: Iterable[Job], watch: Watch | None = None
    ) -> Iterator[Job]:
        """Yield each job's name, as it is done, with `function(shared, job)`, `Lost` or an error.

        The function must be at the top of a module. `watch` gets what is waited for, the longest
        first, whenever nothing was done for some seconds; then the function may take a third
        argument, by which it says what begins to run and how many seconds that may take.
        """
        raise NotImplementedError


def opened(number: int, scheduler: str | None = None) -> AbstractContextManager[Workers]:
    """Start that many workers here, or connect to those of a dask scheduler at an address."""
    if scheduler is None:
        from referee.workers import local

        return local.opened(number)
    try:
        from referee.workers import cluster
    except ImportError as error:
        raise WorkersError(
            f"a cluster needs dask ({error}); install it: pip install 'referee[cluster]'"
        ) from error
    return cluster.connected(scheduler)
