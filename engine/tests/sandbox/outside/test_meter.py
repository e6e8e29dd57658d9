"""Ask whether what a process uses is told from what it waits for: the CPU, its children, sleep."""

import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from shares import sampled

from referee.sandbox.outside import meter

Start = Callable[..., int]
LOOP = "def work():\n    for _ in range(100_000): pass\n"
SLEEPS = "import time\ntime.sleep(100)"


@pytest.fixture
def start() -> Iterator[Start]:
    """Give `start(code, *before)`, which runs code by a command of its own, and returns its id."""
    started = []

    def start(code: str, *before: str) -> int:
        started.append(subprocess.Popen([*before, sys.executable, "-c", code]))
        return started[-1].pid

    yield start
    for one in started:
        for pid in meter.family(one.pid):
            os.kill(pid, signal.SIGKILL)
        one.wait()


def test_a_late_look_is_no_idling(start: Start) -> None:
    """Does a pause of the whole machine not count, nor the time in which others were at work?"""
    used = meter.Meter(start(SLEEPS))
    time.sleep(3 * meter.LATE_SECONDS)
    used.look()
    assert used.idle <= meter.LATE_SECONDS
    before = used.idle
    end = time.thread_time() + 0.5
    while time.thread_time() < end:
        pass
    used.look()
    assert used.idle - before < 0.3


CLONE = {"x86_64": 56, "aarch64": 220}  # the number of the system call
WAITS = (  # until what it has started ends: no signal reaches it, as if it waited for a disk
    "import ctypes, time\nctypes.CDLL(None).syscall({}, 0x4000 | 17, 0, 0, 0, 0)\ntime.sleep(100)"
)


@pytest.mark.skipif(platform.machine() not in CLONE, reason="its system calls have other numbers")
def test_who_waits_for_the_kernel_is_not_asleep(start: Start) -> None:
    """Is idling in which a process could not be woken told from sleep of its own will?"""
    for code, slept in ((WAITS.format(CLONE[platform.machine()]), False), (SLEEPS, True)):
        used = meter.Meter(start(code))
        while used.idle < 0.5:
            time.sleep(0.1)
            used.look()
        assert (used.asleep > 0.3) == slept


COME_AND_GO = {
    "threads": "import threading\nwhile True:\n"
    "    one = threading.Thread(target=work)\n    one.start()\n    one.join()",
    "processes": "import os\nwhile True:\n"
    "    if not (one := os.fork()):\n        work()\n        os._exit(0)\n    os.waitpid(one, 0)",
}


@pytest.mark.skipif(not meter.LINUX, reason="elsewhere nothing tells who waits for a core")
@pytest.mark.parametrize("kind", sampled(COME_AND_GO, "threads"))
def test_who_waits_for_a_core_is_not_idle(start: Start, kind: str) -> None:
    """Is waiting beside two others on one core no idling and no work, when one has ended, too?"""
    core = str(min(os.sched_getaffinity(0)))
    loops = "while True: pass", "while True: pass", COME_AND_GO[kind]
    first, _, last = (start(LOOP + code, "taskset", "-c", core) for code in loops)
    steady, used = meter.Meter(first), meter.Meter(last)
    begin = time.monotonic()
    while used.cpu < 0.4:
        time.sleep(0.05)
        steady.look()
        used.look()
    assert used.idle < (time.monotonic() - begin) / 10
    assert steady.cpu < (time.monotonic() - begin) * 3 / 4


def test_the_work_of_children_counts(start: Start) -> None:
    """Are the CPU seconds of a process's children its own, when they have ended, too?"""
    loop = "end = time.process_time() + 0.6\nwhile time.process_time() < end: pass"
    child = f"subprocess.run([sys.executable, '-c', '''import time\n{loop}'''])"
    used = meter.Meter(start(f"import subprocess, sys, time\n{child}\ntime.sleep(100)"))
    end = time.monotonic() + 60
    while used.cpu < 0.6 and time.monotonic() < end:
        time.sleep(0.1)
        used.look()
    assert used.cpu >= 0.6
