"""Call a function of ours on what a student wrote, in a process of its own that has limits.

A text can keep a parser busy for hours, or fill the memory: the process ends then, and nobody else
waits. The limits hold in C code, too. Knows nothing about what is called.
"""

import contextlib
import gc
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import psutil

AT_THEIR_LIMIT = (signal.SIGXCPU, signal.SIGABRT, signal.SIGSEGV)  # Rust aborts without memory
PROGRAM = """import pickle, sys; from referee.intake import limited
limited.answer(1, *pickle.load(sys.stdin.buffer))"""


class TooMuchError(Exception):
    """What a function was given takes too long, or too much memory."""


def call(function: Callable[..., Any], *given: Any, cpu_seconds: int, memory_bytes: int) -> Any:
    """Return what a function of a module gives; raise what it raises, or TooMuchError.

    ChildProcessError is the machine's fault: somebody else has ended the process, or there was no
    memory long before it had used what it may.
    """
    request = function, given, cpu_seconds, memory_bytes
    if psutil.Process().num_threads() == 1:
        status, said = _forked(request)
    else:  # one of them could hold a lock, for ever in the copy
        command = [sys.executable, "-P", "-c", PROGRAM]
        done = subprocess.run(command, input=pickle.dumps(request), stdout=-1, check=False)
        status, said = done.returncode, done.stdout
    if -status in AT_THEIR_LIMIT:
        raise TooMuchError
    if status:
        raise ChildProcessError(
            f"a process that read or marked a notebook was ended by the machine (status {status}); "
            "see that there is memory, and grade again"
        )
    answer, error = pickle.loads(said)
    if error is not None:
        raise error
    return answer


def answer(
    pipe: int, function: Callable[..., Any], given: Any, cpu_seconds: int, memory_bytes: int
) -> NoReturn:
    """Write what a function gives or raises to a pipe, and end this process."""
    status = 1
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where Rust says that there is no memory
        begin = psutil.Process().memory_info()
        until = cpu_seconds + round(time.process_time())
        limits = {
            resource.RLIMIT_CPU: until,
            resource.RLIMIT_AS: begin.vms + memory_bytes,
            resource.RLIMIT_CORE: 0,
        }
        for kind, soft in limits.items():
            with contextlib.suppress(ValueError):  # macOS does not limit the address space
                resource.setrlimit(kind, (soft, resource.getrlimit(kind)[1]))
        try:
            said = pickle.dumps((function(*given), None))
        except MemoryError:
            if _most_held() - begin.rss < memory_bytes // 2:
                raise  # it is the machine that has none
            said = pickle.dumps((None, TooMuchError()))
        except Exception as error:
            said = pickle.dumps((None, error))
        with os.fdopen(pipe, "wb") as opened:
            opened.write(said)
        status = 0
    finally:
        os._exit(status)


def _most_held() -> int:
    """Return the most bytes that this process has held; not, as elsewhere, what its parent has."""
    status = Path("/proc/self/status")
    lines = status.read_text("utf-8").splitlines() if status.exists() else []
    told = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return 1024 * (told or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss])[0]


def _forked(request: Any) -> tuple[int, bytes]:
    """Return how a copy of this process ended, and what it wrote."""
    ours, theirs = os.pipe()
    if (pid := os.fork()) == 0:
        gc.freeze()  # what is not looked at need not be copied
        answer(theirs, *request)
    os.close(theirs)
    try:
        with os.fdopen(ours, "rb") as opened:
            said = opened.read()
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), said
