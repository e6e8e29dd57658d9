"""Converse with one process of a submission under limits of time.

Every exchange ends: in a reply, or in one of the `Stopped` exceptions, which say in a sentence why
there is none. Knows no notebook and no check.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from typing import Any

import psutil

from referee.model import Verdict
from referee.sandbox import wire

POLL_SECONDS = 0.2
GRACE_SECONDS = 1.0


class Stopped(Exception):  # noqa: N818 - these are verdicts, not errors of ours
    """The submission's process did not answer a question; `verdict` says why."""

    verdict = Verdict.KILLED


class TimedOut(Stopped):
    """It used up its time; `reply` is what it still said when it was interrupted."""

    verdict = Verdict.TIMEOUT

    def __init__(self, message: str, reply: Any = None) -> None:
        """Keep the last reply."""
        super().__init__(message)
        self.reply = reply


class WorkLimit(Stopped):
    """It made more game calls than a check allows."""

    verdict = Verdict.WORK_LIMIT


class TooLarge(Stopped):
    """It and all that it has started took more memory than a submission may have."""

    verdict = Verdict.MEMORY


class Tampered(Stopped):
    """It sent what no player sends."""

    verdict = Verdict.TAMPERED


class Process:
    """One process of a submission and the conversation with it, under limits of time."""

    def __init__(self, pid: int, channel: wire.Channel, family: int, memory_bytes: int) -> None:
        """Talk over `channel` to the process `pid`.

        The process `family` and all its descendants together may use `memory_bytes`.
        """
        self.pid = pid
        self.channel = channel
        self._family = family
        self._memory_bytes = memory_bytes

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU time that it has used, in seconds; 0 when it is gone."""
        return cpu_seconds(self.pid)

    def set_limits(self, cpu_seconds: float, wall_seconds: float) -> None:
        """Allow that much time from now on, all exchanges together."""
        self._cpu_end = self.cpu_seconds + cpu_seconds
        self._wall_end = time.monotonic() + wall_seconds
        self._next_look = time.monotonic() + POLL_SECONDS
        self._limit_text = f"{cpu_seconds:g} seconds of computing"

    def exchange(self, request: Any, answer: Callable[[wire.Ask], Any] | None = None) -> Any:
        """Send a request and return the reply; `answer` meets the questions in between.

        Raises one of the `Stopped` exceptions when there is no proper reply.
        """
        try:
            self._send(request)
            while True:
                message = self._receive()
                if not isinstance(message, wire.Ask):
                    return message
                if answer is None:
                    raise wire.WireError("a cell has no game to ask about")
                self._send(answer(message))
        except wire.Closed as error:
            raise Stopped("its process ended while it was working") from error
        except wire.WireError as error:
            raise Tampered(f"its process sent something no notebook sends: {error}") from error

    def close(self) -> None:
        """End the process."""
        self.channel.close()
        kill(self.pid)

    def _send(self, message: Any) -> None:
        self.channel.socket.settimeout(max(GRACE_SECONDS, self._wall_end - time.monotonic()))
        try:
            self.channel.send(message)
        except TimeoutError as error:
            raise TimedOut("it stopped listening") from error

    def _receive(self) -> Any:
        self.channel.socket.settimeout(POLL_SECONDS)
        while (message := self.channel.take()) is None:
            self._check_time()
            try:
                self.channel.read()
            except TimeoutError:
                self._check_alive()
        return message

    def _check_alive(self) -> None:
        if not alive(self.pid):
            raise wire.Closed("the process is gone, though its pipe is open")

    def _check_time(self) -> None:
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + POLL_SECONDS
        if takes_more(self._family, self._memory_bytes):
            most = self._memory_bytes // 1024**2
            raise TooLarge(f"all its processes together took more than {most:,} MiB of memory")
        out_of_wall = time.monotonic() > self._wall_end
        if not out_of_wall and self.cpu_seconds <= self._cpu_end:
            return
        limit = "it waited too long" if out_of_wall else f"not finished after {self._limit_text}"
        reply = self._interrupt()
        where = reply.where[-1:] if isinstance(reply, wire.Raised) else []
        raise TimedOut(", at: ".join([limit, *where]), reply)

    def _interrupt(self) -> Any:
        """Interrupt the process and return its reply, if it still gives one."""
        interrupt(self.pid)
        end = time.monotonic() + GRACE_SECONDS
        with contextlib.suppress(TimeoutError, wire.Closed, wire.WireError):
            while (message := self.channel.take()) is None:
                left = end - time.monotonic()
                if left <= 0:
                    return None
                self.channel.socket.settimeout(left)
                self.channel.read()
            return message
        return None


def alive(pid: int) -> bool:
    """Return whether a process exists and has not ended."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used, in seconds; 0 when it is gone."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def takes_more(pid: int, memory_bytes: int) -> bool:
    """Return whether a process and its descendants hold more than `memory_bytes` together.

    Memory that they share counts once; since it takes long to tell, it is only asked when the sum
    without sharing is too high.
    """
    family = []
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    return all(
        sum(held(one) for one in family) > memory_bytes for held in (_resident, _resident_share)
    )


def _resident(process: psutil.Process) -> int:
    """Return the memory that a process holds of its own or with its relatives; 0 if it is gone."""
    try:
        used = process.memory_info()
    except psutil.Error:
        return 0
    return int(used.rss - getattr(used, "shared", 0))


def _resident_share(process: psutil.Process) -> int:
    """Return the memory of a process, what it shares with n others as the nth part of it."""
    try:
        return int(process.memory_full_info().pss)
    except (psutil.Error, AttributeError):  # not ours to see, or not Linux
        return _resident(process)


def interrupt(pid: int) -> None:
    """Ask a process to stop what it is doing."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGINT)


def kill(pid: int) -> None:
    """End a process and all others of its process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
