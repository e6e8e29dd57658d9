"""Record the conversation of a check with a process, and answer from the record another time.

`RecordingProcess` is a process whose conversation is recorded; `ReplayedProcess` answers in its
place, from the transcript, as long as it gets the same requests in the same order. A request that
is not in the transcript ends it: then the check has to be run on a process. Runs nothing and knows
no check.
"""

import zlib
from collections.abc import Sequence
from typing import Any

import msgspec

from referee.model import Verdict
from referee.sandbox.outside import meter
from referee.sandbox.outside.conversation import (
    Process,
    Stopped,
    Tampered,
    TimedOut,
    TooLarge,
    WorkLimit,
)
from referee.sandbox.wire import messages

MOST_BYTES = 16 * 1024**2  # of a conversation that is recorded
MOST_PACKED_BYTES = 1024**2
STOPS = {kind.verdict: kind for kind in (TimedOut, WorkLimit, TooLarge, Tampered)}


class Stop(msgspec.Struct, tag=True, frozen=True):
    """Recorded in place of an answer if the process was stopped; `reply` is what it sent then."""

    verdict: Verdict
    message: str
    reply: messages.FromPlayer | None


class Transcript(msgspec.Struct, frozen=True):
    """A conversation: requests and answers in turn, as they crossed the pipe.

    The process could compute for `cpu_limit` seconds for each value of the check, and used
    `cpu_seconds`, one number for each value that was asked in it.
    """

    cpu_limit: float
    cpu_seconds: list[float]
    turns: list[bytes]


NOTHING = Transcript(0.0, [], [])
ENCODER = msgspec.msgpack.Encoder()
ANSWER = msgspec.msgpack.Decoder(messages.FromPlayer | Stop)


class NewRequestError(BaseException):
    """A request is not in the transcript; it is no StudentError, so that no check expects it."""


class RecordingProcess(Process):
    """A process whose conversation is recorded."""

    _turns: list[bytes] | None = None
    _room = MOST_BYTES
    _used: tuple[float, ...] = ()  # CPU seconds by value, before this one

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU time that it has used for this value of the check, in seconds."""
        return max(0.0, super().cpu_seconds - sum(self._used))

    @property
    def is_tidy(self) -> bool:
        """Return whether the values so far have left no thread and no process running."""
        return meter.family(self.pid) == [self.pid] and len(meter.queued([self.pid])) <= 1

    def transcript(self) -> bytes | None:
        """Return the transcript so far, packed; None after an accident, or if it is too long."""
        if self._turns is None or self._room < 0:
            return None
        whole = Transcript(self._cpu_limit, [*self._used, self.cpu_seconds], self._turns)
        packed = zlib.compress(ENCODER.encode(whole))
        return packed if len(packed) <= MOST_PACKED_BYTES else None

    def set_limits(self, cpu_seconds: float, wall_seconds: float) -> None:
        """Set the limits for a value, and begin to record; one with other limits ends that."""
        if self._turns is None:
            self._turns = []
        else:
            self._used += (self.cpu_seconds,)
            self._room = self._room if cpu_seconds == self._cpu_limit else -1
        super().set_limits(cpu_seconds, wall_seconds)

    def exchange(self, request: Any, answer: Any = None) -> Any:
        """Send a request and return the reply; record how the process was stopped, if it was."""
        try:
            return super().exchange(request, answer)
        except Stopped as stop:
            if stop.verdict.accident:
                self._turns = None
            elif self._turns is not None and len(self._turns) % 2:
                self._note(Stop(stop.verdict, str(stop), stop.reply))
            raise

    def _send(self, message: Any) -> None:
        self._note(message)
        super()._send(message)

    def _receive(self) -> Any:
        message = super()._receive()
        self._note(message)
        return message

    def _note(self, message: Any) -> None:
        if self._turns is not None and self._room >= 0:
            self._turns.append(ENCODER.encode(message))
            self._room -= len(self._turns[-1])


class ReplayedProcess(Process):
    """Answers from a transcript in the place of a process."""

    def __init__(self, transcript: Transcript) -> None:
        """Answer as in the transcript."""
        self._transcript = transcript
        self._turn, self.answering = 0, 0.0
        self._value = -1
        self.has_new_request = False

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU time that was used then for this value, in seconds."""
        return next(iter(self._transcript.cpu_seconds[self._value :]), 0.0)

    @property
    def is_tidy(self) -> bool:
        """Return whether the next value was asked in the same process then."""
        return self._value + 1 < len(self._transcript.cpu_seconds)

    def close(self) -> None:
        """Do nothing: there is no process."""

    def transcript(self) -> None:
        """Return None: it is there already."""

    def set_limits(self, cpu_seconds: float, _: float) -> None:
        """Begin with the next value of the check; with other limits, no question was asked."""
        self._value += 1
        if cpu_seconds != self._transcript.cpu_limit:
            self._turn = len(self._transcript.turns)

    def _send(self, message: Any) -> None:
        turns = self._transcript.turns[self._turn : self._turn + 2]
        self.has_new_request |= len(turns) < 2 or ENCODER.encode(message) != turns[0]
        if self.has_new_request:
            raise NewRequestError("this was never asked")

    def _receive(self) -> Any:
        message = ANSWER.decode(self._transcript.turns[self._turn + 1])
        self._turn += 2
        if isinstance(message, Stop):
            raise STOPS[message.verdict](message.message, message.reply)
        return message


def packed(transcripts: Sequence[bytes | None]) -> bytes | None:
    """Return the transcripts of all processes of a check as one; None if one is missing."""
    return None if None in transcripts or not transcripts else ENCODER.encode(transcripts)


def replayed(transcripts: bytes | None, cpu_limit: float) -> list[ReplayedProcess]:
    """Return processes that answer from the transcripts of a check; none of another limit."""
    try:
        each = msgspec.msgpack.decode(transcripts or b"", type=list[bytes])
        whole = [msgspec.msgpack.decode(zlib.decompress(one), type=Transcript) for one in each]
    except (zlib.error, msgspec.MsgspecError):
        return []
    return [ReplayedProcess(one) for one in whole if whole[0].cpu_limit == cpu_limit]
