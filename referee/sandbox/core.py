"""Keep a process and what it starts on one core.

A player and who questions it take turns: on two cores, every question and every answer would wait
for the other core to wake up. Does nothing where the system has no such call (macOS).
"""

import contextlib
import os
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Let this thread stay on one core while the block runs: its own, or where it is already."""
    if not hasattr(os, "sched_setaffinity") or len(usable := os.sched_getaffinity(0)) == 1:
        yield
        return
    os.sched_setaffinity(0, {sorted(usable)[threading.get_native_id() % len(usable)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usable)
