"""Converse with one process of a submission under limits of time.

Every exchange ends with a reply, or with `Stopped`, whose text says why there is none. Knows no
notebook and no check.
"""

import contextlib
import dataclasses
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

from referee.model import Verdict
from referee.sandbox.outside import meter
from referee.sandbox.wire import messages

FORK_WALL_SECONDS = 20.0
POLL_SECONDS = 0.2
ANSWERS_FACTOR = 5  # answering its questions may take so many times its own CPU limit
GRACE_SECONDS = 1.0
ASLEEP = 0.9  # share of its idle time
# The exceptions of a conversation with a process that misbehaves.
BROKEN = (messages.Closed, messages.WireError, TimeoutError)
FROM_OTHERS = {str(int(one)) for one in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)}


class Stopped(Exception):  # noqa: N818 - these are verdicts, not errors of ours
    """The submission's process did not answer a question; the `verdict` says why.

    `reply` is the message that it sent when it was interrupted, or None.
    """

    def __init__(self, verdict: Verdict, message: str, reply: Any = None) -> None:
        """Keep the verdict and the last reply."""
        super().__init__(message)
        self.verdict = verdict
        self.reply = reply


@dataclasses.dataclass(eq=False)
class Process:
    """One process of a submission and the conversation with it, under limits of time.

    The process `family` and all its descendants together may use `memory_bytes`.
    """

    pid: int
    channel: messages.Channel
    family: int
    memory_bytes: int

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU time that it has used, in seconds; 0 when it is gone."""
        return meter.times(self.pid).cpu

    def set_limits(self, cpu_seconds: float, wall_seconds: float) -> None:
        """Limit the time of all exchanges from now on together.

        `cpu_seconds` are those of the process and its descendants; `wall_seconds` count only while
        they are idle although they could compute.
        """
        self.meter = meter.Meter(self.family)
        self.answer_seconds = 0.0  # CPU seconds of this process
        self._cpu_limit, self._idle_limit = cpu_seconds, wall_seconds
        self._next_look = time.monotonic() + POLL_SECONDS
        self._out_of_memory = meter.out_of_memory_kills()

    def exchange(self, request: Any, answer: Callable[[messages.Ask], Any] | None = None) -> Any:
        """Send a request and return the reply; `answer` answers the questions in between.

        Raises Stopped if there is no valid reply.
        """
        try:
            self._send(request)
            while True:
                message = self._receive()
                if not isinstance(message, messages.Ask):
                    return message
                if answer is None:
                    raise messages.WireError("a cell has no game to ask about")
                with self.at_our_cost():
                    result = answer(message)
                self._send(result)
        except messages.Closed as error:
            if meter.out_of_memory_kills() > self._out_of_memory:
                raise Stopped(Verdict.UNCLEAR, "the machine had too little memory") from error
            if was_killed(self.pid):
                why = "something has killed its process, itself or the machine"
                raise Stopped(Verdict.UNCLEAR, why) from error
            raise Stopped(Verdict.KILLED, "its process ended while it was working") from error
        except messages.WireError as error:
            why = f"its process sent something no notebook sends: {error}"
            raise Stopped(Verdict.TAMPERED, why) from error

    @contextlib.contextmanager
    def at_our_cost(self) -> Iterator[None]:
        """Count the CPU time of the block in this process against its limit."""
        start = time.thread_time()
        try:
            yield
        finally:
            self.answer_seconds += time.thread_time() - start

    @property
    def was_asleep(self) -> bool:
        """Return whether it slept nearly all of its idle time, which no slow machine explains."""
        return self.meter.asleep >= ASLEEP * self.meter.idle

    def close(self) -> None:
        """End the process."""
        self.channel.close()
        kill(self.pid)

    def _send(self, message: Any) -> None:
        self.channel.socket.settimeout(max(GRACE_SECONDS, self._idle_limit - self.meter.idle))
        try:
            self.channel.send(message)
        except TimeoutError as error:
            self.meter.look()
            late = self.meter.cpu > self._cpu_limit
            verdict = Verdict.TIMEOUT if late else Verdict.UNCLEAR
            raise Stopped(verdict, "it stopped listening") from error

    def _receive(self) -> Any:
        self.channel.socket.settimeout(POLL_SECONDS)
        while (message := self.channel.take()) is None:
            try:
                self.channel.read()
            except TimeoutError:
                if not meter.alive(self.pid):
                    why = "the process is gone, though its pipe is open"
                    raise messages.Closed(why) from None
            self._check_time()  # it is quiet or has asked: no answer of ours has just woken it
        return message

    def _check_time(self) -> None:
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + POLL_SECONDS
        if meter.takes_more(self.family, self.memory_bytes):
            most = self.memory_bytes // 1024**2
            why = f"all its processes together took more than {most:,} MiB of memory"
            raise Stopped(Verdict.MEMORY, why)
        self.meter.look()
        verdict = Verdict.TIMEOUT
        if self.meter.cpu > self._cpu_limit:
            why = f"not finished after {round(self._cpu_limit, 2):g} seconds of computing"
        elif self.answer_seconds > ANSWERS_FACTOR * self._cpu_limit:
            why = f"its questions took {self.answer_seconds:.0f} seconds to answer"
        elif self.meter.idle > self._idle_limit:
            why = f"it did nothing for {round(self._idle_limit, 2):g} seconds"
            verdict = Verdict.IDLE if self.was_asleep else Verdict.UNCLEAR
        else:
            return
        raise Stopped(verdict, why, self._interrupt())

    def _interrupt(self) -> Any:
        """Interrupt the process and return its reply, if it gives one before long."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGINT)
        grace_meter = meter.Meter(self.family)
        with contextlib.suppress(messages.Closed, messages.WireError):
            while (message := self.channel.take()) is None:
                grace_meter.look()
                if max(grace_meter.cpu, grace_meter.idle) > GRACE_SECONDS:
                    return None
                with contextlib.suppress(TimeoutError):
                    self.channel.read()
            return message
        return None


def request_copy(
    channel: messages.Channel, *ends: socket.socket, begin: messages.Begin | None = None
) -> tuple[int, messages.Channel, messages.Ready]:
    """Ask the player behind `channel` for a copy of itself; return its id, channel and greeting.

    The copy gets the `ends`, too, and is told how to `begin`. Raises one of `BROKEN` when a player
    misbehaves. The id comes from the kernel, where it gives it: it is that of the greeting on
    systems where nothing keeps student code from other processes, either.
    """
    linux = messages.SCM_CREDENTIALS is not None
    with contextlib.ExitStack() as stack:
        our_end, their_end = socket.socketpair()
        stack.callback(our_end.close)
        copy = messages.Channel(our_end, messages.FromPlayer)
        with their_end:
            if linux:
                our_end.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            our_end.settimeout(FORK_WALL_SECONDS)
            channel.socket.settimeout(FORK_WALL_SECONDS)
            # In one piece, whoever else asks.
            channel.send(messages.Fork(), their_end.fileno(), *(end.fileno() for end in ends))
        if begin is not None:
            copy.send(begin)
        reply, senders = copy.receive_with(messages.SCM_CREDENTIALS, messages.CREDENTIALS.size)
        if not isinstance(reply, messages.Ready):
            raise messages.WireError(f"expected a new process, got {type(reply).__name__}")
        if linux:
            our_end.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        sender = messages.CREDENTIALS.unpack(senders[-1])[0] if linux else reply.pid
        stack.pop_all()
    return sender, copy, reply


def was_killed(pid: int) -> bool:
    """Return whether a process that has just ended was killed by a signal from outside.

    A crash has other signals. False if the kernel does not tell.
    """
    end = time.monotonic() + GRACE_SECONDS
    while meter.alive(pid) and time.monotonic() < end:
        time.sleep(0.0005)  # its pipe was closed a little earlier
    return meter.exit_code(pid) in FROM_OTHERS


def kill(pid: int) -> None:
    """End a process and all others of its process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
