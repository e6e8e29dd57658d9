"""Measure what a process and all that it has started use: CPU time, idle time, memory.

On Linux all of it is read from `/proc`, elsewhere by psutil, which does not measure how long a
process waits for a core. A process that is gone, or not ours to look at, uses nothing.

Sources: the manual page proc(5); `Documentation/scheduler/sched-stats.rst` of the kernel.
"""

import contextlib
import itertools
import os
import sys
import time
from collections.abc import Iterable
from typing import NamedTuple

import psutil

from referee.sandbox.inside.folders import descendants

LINUX = sys.platform == "linux"
TICKS = os.sysconf("SC_CLK_TCK")
PROC = "/proc"
LATE_SECONDS = 1.0
CROWD = 50  # threads waiting for each core: on a machine with more nobody should grade
SLEEPS = {"S", "T"}  # the states, in /proc, of a thread that sleeps, or has stopped itself
STATE, CPU, CHILDREN = 0, slice(11, 13), slice(13, 15)  # in /proc/PID/stat, after the name
KIB = 1024


class Times(NamedTuple):
    """Seconds of computing since a process began: its own, and those of its children that ended."""

    cpu: float = 0.0
    children: float = 0.0


class Meter:
    """Adds up, from one look to the next, the time that a process and its descendants use.

    `cpu` are their CPU seconds. `idle` are the seconds in which none of them computed although it
    could: neither they nor this process were waiting for a core, and the look was not late, as
    after a pause of the whole machine. The kernel forgets how long a thread has waited once it has
    ended. So where one computes or waits for a core at the moment of a look, time counts as idle
    only if `CROWD` threads waiting for each core would not explain it. `asleep` are the idle
    seconds in which all of them slept by themselves: they waited for no disk, and nobody had
    stopped them, so the machine was not slow.
    """

    def __init__(self, pid: int) -> None:
        """Begin to count for the process `pid`."""
        self.cpu = self.asleep = self._idle = self._doubtful = 0.0
        self._pid = pid
        members = family(pid)
        self._times = {member: times(member) for member in members}
        self._queue_times = queue_times(members)
        self._states = {"S"}  # at the last look: it waits for a question
        self._own_time = own_seconds()
        self._at = time.monotonic()

    @property
    def idle(self) -> float:
        """Return the seconds in which no process computed although it could."""
        return self._idle + max(0.0, self._doubtful - CROWD * self.cpu)

    def look(self) -> None:
        """Add the time used since the last look."""
        now, own_time = time.monotonic(), own_seconds()
        members = family(self._pid)
        current = {member: times(member) for member in members}
        pairs = [(after, self._times.get(pid, Times())) for pid, after in current.items()]
        gone_cpu = sum(sum(last) for pid, last in self._times.items() if pid not in current)
        children = sum(after.children - before.children for after, before in pairs)
        cpu = sum(after.cpu - before.cpu for after, before in pairs) + max(0.0, children - gone_cpu)
        waits = queue_times(members)
        queue = sum(after - self._queue_times.get(task, 0.0) for task, after in waits.items())
        rest = min(now - self._at, LATE_SECONDS) - cpu - queue - (own_time - self._own_time)
        self.cpu += cpu
        states = [*itertools.chain(*(stat(task)[STATE : STATE + 1] for task in waits))]
        before, self._states = self._states, set(states)
        if rest > 0 and "R" in self._states:
            self._doubtful += rest
        elif rest > 0:
            self._idle += rest
            self.asleep += rest if before | self._states <= SLEEPS | {"R"} else 0.0
        self._times, self._queue_times, self._own_time, self._at = current, waits, own_time, now


def alive(pid: int) -> bool:
    """Return whether a process exists and has not ended."""
    if LINUX:
        return stat(pid)[STATE : STATE + 1] not in ([], ["Z"], ["X"])
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def times(pid: int) -> Times:
    """Return the CPU times of a process since it began."""
    if not LINUX:
        with contextlib.suppress(psutil.Error):
            seconds = psutil.Process(pid).cpu_times()
            return Times(seconds.user + seconds.system)
        return Times()
    if not (fields := stat(pid)):
        return Times()
    return Times(*(sum(map(int, fields[part])) / TICKS for part in (CPU, CHILDREN)))


def queue_times(pids: Iterable[int]) -> dict[str, float]:
    """Return how long each thread of some processes has waited for a core since it began."""
    tasks = (f"{pid}/task/{task}" for pid in pids for task in _tasks(pid))
    return {task: _thread_times(f"{PROC}/{task}/schedstat")[1] for task in tasks}


def own_seconds() -> float:
    """Return how long this thread has computed or waited for a core since it began."""
    return sum(_thread_times(f"{PROC}/thread-self/schedstat")) if LINUX else time.thread_time()


def family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    if not LINUX:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(pid)
            return [pid, *(child.pid for child in process.children(recursive=True))]
        return [pid]
    return [pid, *descendants(pid)]


def takes_more(pid: int, memory_bytes: int) -> bool:
    """Return whether a process and its descendants hold more than `memory_bytes` together.

    Memory that they share counts once; since this takes long to read, it is only read when the sum
    without sharing is too high.
    """
    members = family(pid)
    return all(sum(map(size, members)) > memory_bytes for size in (_memory, _fair_share))


def out_of_memory_kills() -> int:
    """Return how many processes the kernel has killed since it started because memory ran out."""
    words = _read(f"{PROC}/vmstat").split() if LINUX else []
    return int(words[words.index("oom_kill") + 1]) if "oom_kill" in words else 0


def _memory(pid: int) -> int:
    """Return the bytes that a process holds of its own or shares with others, without files."""
    if LINUX:
        return _kibibytes(f"{PROC}/{pid}/status", "RssAnon:", "RssShmem:", "VmSwap:")
    with contextlib.suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0


def _fair_share(pid: int) -> int:
    """Return the bytes of a process, and of what n processes share the nth part."""
    if not LINUX:
        return _memory(pid)
    rollup = f"{PROC}/{pid}/smaps_rollup"
    return _kibibytes(rollup, "Pss:", "SwapPss:") or _memory(pid)


def _kibibytes(file: str, *names: str) -> int:
    """Return the sum of some lines `Name: number kB`, in bytes."""
    lines = (line.split() for line in _read(file).splitlines())
    return sum(int(words[1]) * KIB for words in lines if words and words[0] in names)


def _thread_times(file: str) -> tuple[float, float]:
    """Return the seconds that a thread has run, and that it has waited for a core."""
    words = _read(file).split()
    return (int(words[0]) / 1e9, int(words[1]) / 1e9) if len(words) > 1 else (0.0, 0.0)


def stat(pid: int | str) -> list[str]:
    """Return the fields of a process, or of a thread, after its name; none when it is gone."""
    return _read(f"{PROC}/{pid}/stat").rpartition(")")[2].split()


def exit_code(pid: int) -> str:
    """Return the kernel's exit status of a process that ended and is not reaped yet; else ""."""
    fields = stat(pid)
    return fields[-1] if fields[:1] == ["Z"] else ""


def _tasks(pid: int) -> list[str]:
    try:
        return os.listdir(f"{PROC}/{pid}/task")  # noqa: PTH208 - names, and many of them
    except OSError:
        return []


def text(file: str) -> str:
    """Return the text of a file of /proc, quickly: they are read by the hundred. Raises OSError."""
    with open(file, "rb", buffering=0) as stream:  # noqa: PTH123 - a Path takes thrice as long
        return stream.read().decode("utf-8", "replace")


def _read(file: str) -> str:
    """Return the text of a file of /proc; "" if it is gone."""
    try:
        return text(file)
    except OSError:
        return ""
