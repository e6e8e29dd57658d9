"""Call one of the referee's functions on a student's text, in a process with limits.

A text can keep a parser busy for hours, or fill the memory: then the process ends, and no other
submission waits. The limits hold in C code, too. Knows nothing about the function.
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
    """A function takes too long on its arguments, or too much memory."""


def call(function: Callable[..., Any], *given: Any, cpu_seconds: int, memory_bytes: int) -> Any:
    """Return a function's result; raise its exception, or TooMuchError at the limits.

    ChildProcessError is the machine's fault: the process was killed from outside, or memory ran out
    long before its limit.
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
    """Write a function's result or exception to a pipe, and end this process."""
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
    """Return the peak memory of this process in bytes, without its parent's."""
    status = Path("/proc/self/status")
    lines = status.read_text("utf-8").splitlines() if status.exists() else []
    told = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return 1024 * (told or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss])[0]


def _forked(request: Any) -> tuple[int, bytes]:
    """Run a function in a copy of this process; return its exit status, and its output."""
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
