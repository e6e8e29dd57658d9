"""Measure what commands use: time, computing of all their processes, memory. Needs Linux.

The CPU time of a command comes from a control group of its own, which counts every process,
however short, killed or given away to another parent. Without the right to make one, it is what
the processes had used when they were last seen, or what the system says of those that ended and
were waited for, whichever is more: `method` says which. Memory is PSS, in which shared pages count
once, sampled over the tree of processes.
"""

import contextlib
import ctypes
import functools
import itertools
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

SET_CHILD_SUBREAPER = 36
SAMPLE_SECONDS = 0.3
SAMPLING_SHARE = 0.01  # of one core, at most
MIB = 1 << 20
JOINING = 'echo $$ > "$0" && exec "$@"'
GROUPS = (Path("/sys/fs/cgroup/unified"), Path("/sys/fs/cgroup"))
_number = itertools.count()


class Usage(NamedTuple):
    """What commands have used: seconds, MiB, the end of what they said; None in time: too long.

    `worker` is the most that a process which a command started had, with all those below it.
    """

    wall: float
    cpu: float
    peak: float
    worker: float
    statuses: list[int | None]
    said: str

    @property
    def failed(self) -> bool:
        """Return whether a command did not end, or not as programs end that could do their work."""
        return any(status not in (0, 1) for status in self.statuses)


def measure(
    commands: Sequence[Sequence[str | Path]],
    folder: Path,
    environment: Mapping[str, str],
    timeout: float,
) -> Usage:
    """Run commands at the same time in a folder, and end whatever they leave behind."""
    _become_reaper()
    others = set(_below())
    with (
        _group() as group,
        tempfile.TemporaryFile() as log,
        _Sampler(group is None, others) as sampler,
    ):
        joining = ["sh", "-c", JOINING, str(group / "cgroup.procs")] if group else []
        before = _ended()
        start = time.monotonic()
        processes = [
            subprocess.Popen(
                [*joining, *map(str, command)], cwd=folder, env=environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )
            for command in commands
        ]  # fmt: skip
        sampler.watch([process.pid for process in processes])
        statuses = []
        for process in processes:
            try:
                statuses.append(process.wait(max(0.0, start + timeout - time.monotonic())))
            except subprocess.TimeoutExpired:
                statuses.append(None)
        wall = time.monotonic() - start
        _end(others)
        cpu = _used(group) if group else max(_ended() - before, sampler.cpu)
        log.seek(0)
        said = log.read().decode("utf-8", "replace")
    return Usage(wall, cpu, sampler.peak, sampler.worker, statuses, said)


class _Sampler:
    """Looks at the processes below this one, but for some others, now and then, in a thread."""

    def __init__(self, counts_cpu: bool, others: set[psutil.Process]) -> None:
        self.peak = self.worker = 0.0
        self._seen: dict[tuple[int, float], float] = {}
        self._counts_cpu, self._others = counts_cpu, others
        self._tops: set[int] = set()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run)

    @property
    def cpu(self) -> float:
        """Return the CPU seconds of all processes, as of the last time they were seen."""
        return sum(self._seen.values())

    def watch(self, tops: list[int]) -> None:
        """Take these processes for the commands themselves; their children are workers."""
        self._tops = set(tops)

    def __enter__(self) -> "_Sampler":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        spent = 0.0
        while not self._done.wait(max(SAMPLE_SECONDS, spent / SAMPLING_SHARE)):
            start = time.thread_time()
            self._look()
            spent = time.thread_time() - start

    def _look(self) -> None:
        parents, sizes = {}, {}
        for process in set(_below()) - self._others:
            with contextlib.suppress(psutil.Error, OSError):
                parents[process.pid] = process.ppid()
                sizes[process.pid] = _memory(process)
                if self._counts_cpu:
                    times = process.cpu_times()
                    self._seen[process.pid, process.create_time()] = times.user + times.system
        workers: dict[int, float] = defaultdict(float)
        for pid, size in sizes.items():
            worker = pid
            while parents.get(worker, 0) in parents and parents[worker] not in self._tops:
                worker = parents[worker]
            workers[worker] += size
        self.peak = max(self.peak, sum(sizes.values()))
        own = [size for pid, size in workers.items() if pid not in self._tops]
        self.worker = max([self.worker, *own])


def _memory(process: psutil.Process) -> float:
    """Return the MiB of a process, the shared ones in part, or all of them if that is not told."""
    try:
        text = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    except OSError:
        return float(process.memory_info().rss) / MIB
    found = re.search(r"^Pss: +(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def _own_group() -> Path | None:
    """Return the folder of this process in the control groups of the second kind, if it may write.

    They count the time of their processes without any controller.
    """
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::"):
            for root in GROUPS:
                folder = root / line[3:].lstrip("/")
                if (folder / "cgroup.procs").is_file() and os.access(folder, os.W_OK):
                    return folder
    return None


@contextlib.contextmanager
def _group() -> Iterator[Path | None]:
    """Make a control group, if that can be done, and remove it when its processes have ended."""
    root = _root()
    if root is None:
        yield None
        return
    folder = root / f"referee-benchmark-{os.getpid()}-{next(_number)}"
    folder.mkdir()
    try:
        yield folder
    finally:
        for _ in range(100):
            with contextlib.suppress(OSError):
                folder.rmdir()
                break
            time.sleep(0.1)


def _works(group: Path) -> bool:
    """Return whether a process can join a group that is made here."""
    folder = group / f"referee-benchmark-{os.getpid()}"
    try:
        folder.mkdir()
        joined = subprocess.run(["sh", "-c", JOINING, folder / "cgroup.procs", "true"], check=False)
        return joined.returncode == 0 and _used(folder) > 0
    except (OSError, LookupError):
        return False
    finally:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _used(group: Path) -> float:
    """Return the CPU seconds of a control group."""
    pairs = (line.split() for line in (group / "cpu.stat").read_text().splitlines())
    return int(dict(pairs)["usage_usec"]) / 1e6


def _ended() -> float:
    """Return the CPU seconds of the children that have ended and were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _become_reaper() -> None:
    """Make this process the parent of what its children leave behind, so that it is found."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _below() -> list[psutil.Process]:
    """Return the processes below this one."""
    return psutil.Process().children(recursive=True)


def _end(others: set[psutil.Process]) -> None:
    """End the processes below this one, but for some others, and wait for them."""
    for _ in range(10):
        left = set(_below()) - others
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=5)


@functools.cache
def _root() -> Path | None:
    """Return the control group to make groups in, None when that cannot be done."""
    group = _own_group()
    return group if group is not None and _works(group) else None


def method() -> str:
    """Say how CPU time is measured here."""
    if _root() is not None:
        return "a control group: every process counts"
    return "processes as they were last seen: short ones are missing"


if __name__ == "__main__":
    print(method(), measure([sys.argv[1:]], Path.cwd(), os.environ, 3600)._replace(said=""))
