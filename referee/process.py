"""Converse with one process of a submission under limits of time.

Every exchange ends: in a reply, or in one of the `Stopped` exceptions, which say in a sentence why
there is none. Knows no notebook and no check. Imported by `submission`; imports `sandbox` and
`wire`.
"""

import contextlib
import time
from collections.abc import Callable
from typing import Any

from referee import sandbox, wire

POLL_SECONDS = 0.2
GRACE_SECONDS = 1.0


class Stopped(Exception):  # noqa: N818 - these are verdicts, not errors of ours
    """The submission's process did not answer a question; `verdict` says why."""

    verdict = "killed"


class TimedOut(Stopped):
    """It used up its time; `reply` is what it still said when it was interrupted."""

    verdict = "timeout"

    def __init__(self, message: str, reply: Any = None) -> None:
        """Keep the last reply."""
        super().__init__(message)
        self.reply = reply


class WorkLimit(Stopped):
    """It made more game calls than a check allows."""

    verdict = "work-limit"


class TooLarge(Stopped):
    """It and all that it has started took more memory than a submission may have."""

    verdict = "memory"


class Tampered(Stopped):
    """It sent what no player sends."""

    verdict = "tampered"


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
        return sandbox.cpu_seconds(self.pid)

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
        sandbox.kill(self.pid)

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
        if not sandbox.alive(self.pid):
            raise wire.Closed("the process is gone, though its pipe is open")

    def _check_time(self) -> None:
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + POLL_SECONDS
        if sandbox.takes_more(self._family, self._memory_bytes):
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
        sandbox.interrupt(self.pid)
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
