"""Keep a process and what it starts on one core.

A player and who questions it take turns: on two cores, every question and every answer would wait
for the other core to wake up. Does nothing where the system has no such call (macOS).
"""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator

CLAIM = "\0referee-core-{}"  # an address of Linux that is no file, and free when its owner ends


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread on one core while the block runs: on a free core, or where it is already."""
    if not hasattr(os, "sched_setaffinity") or len(cores := os.sched_getaffinity(0)) == 1:
        yield
        return
    with _free_core(sorted(cores)) as core:
        os.sched_setaffinity(0, {core})
        try:
            yield
        finally:
            os.sched_setaffinity(0, cores)


def follow(pid: int) -> None:
    """Let a process stay where this thread does, from now on."""
    if hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):  # it has ended
            os.sched_setaffinity(pid, os.sched_getaffinity(0))


@contextlib.contextmanager
def _free_core(cores: list[int]) -> Iterator[int]:
    """Choose a core that no other judge of this machine uses during the block; or else any."""
    first = threading.get_native_id() % len(cores)
    with socket.socket(socket.AF_UNIX) as claim:
        for core in cores[first:] + cores[:first]:
            with contextlib.suppress(OSError):  # another has it
                claim.bind(CLAIM.format(core))
                break
        else:
            core = cores[first]
        yield core
