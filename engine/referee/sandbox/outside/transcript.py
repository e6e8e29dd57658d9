"""Record the conversation of a check with a submission, and answer from the record another time.

`RecordingProcess` is a process whose conversation is recorded; `ReplayedProcess` answers in its
place, from the transcript, as long as it gets the same requests in the same order. A request that
is not in the transcript ends it: then the check has to be run on a process. Runs nothing and knows
no check.
"""

import zlib
from typing import Any

import msgspec

from referee.model import Verdict
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

    The process could compute for `cpu_limit` seconds and used `cpu_seconds`.
    """

    cpu_limit: float
    cpu_seconds: float
    turns: list[bytes]


ENCODER = msgspec.msgpack.Encoder()
ANSWER = msgspec.msgpack.Decoder(messages.FromPlayer | Stop)


class NewRequestError(BaseException):
    """A request is not in the transcript; it is no StudentError, so that no check expects it."""


class RecordingProcess(Process):
    """A process whose conversation is recorded."""

    _turns: list[bytes] | None = None
    _room = MOST_BYTES

    def transcript(self) -> bytes | None:
        """Return the transcript so far, packed; None after an accident, or if it is too long."""
        if self._turns is None or self._room < 0:
            return None
        whole = Transcript(self._cpu_limit, self.cpu_seconds, self._turns)
        packed = zlib.compress(ENCODER.encode(whole))
        return packed if len(packed) <= MOST_PACKED_BYTES else None

    def set_limits(self, cpu_seconds: float, wall_seconds: float) -> None:
        """Set the limits, and begin to record."""
        super().set_limits(cpu_seconds, wall_seconds)
        self._turns = []

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
        self.has_new_request = False

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU time that was used then, in seconds."""
        return self._transcript.cpu_seconds

    def close(self) -> None:
        """Do nothing: there is no process."""

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


def replayed(transcript: bytes | None, cpu_limit: float) -> ReplayedProcess | None:
    """Return a process that answers from a transcript; None without one of the same limit."""
    try:
        whole = msgspec.msgpack.decode(zlib.decompress(transcript or b""), type=Transcript)
    except (zlib.error, msgspec.MsgspecError):
        return None
    return ReplayedProcess(whole) if whole.cpu_limit == cpu_limit else None
