"""Work in several processes at once, each on a processor core of its own, with a warm zygote.

A worker and the student's process that it questions take turns, so they share a core: on two
cores every question would wait for the other core to wake up. Knows nothing about what is done.
Imported by `audit` and `batch`.
"""

import functools
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue

from referee.sandbox import Zygote


def pool(workers: int) -> ProcessPoolExecutor:
    """Return a pool of that many processes, spread over the cores that this process may use."""
    context = get_context("spawn")
    cores: SimpleQueue[int] = context.SimpleQueue()
    usable = _usable_cores()
    for number in range(workers):
        cores.put(usable[number % len(usable)])
    return ProcessPoolExecutor(workers, context, _stay_on_core, (cores,))


@functools.cache
def zygote(memory_bytes: int, unsafe: bool) -> Zygote:
    """Return the warm process of this worker; it ends with the worker."""
    return Zygote(memory_bytes, unsafe)


def _usable_cores() -> list[int]:
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _stay_on_core(cores: "SimpleQueue[int]") -> None:
    core = cores.get()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
