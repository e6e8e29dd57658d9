"""Write down what a check and a submission say to each other, and read it out another time.

`Recorded` is a process whose conversation is written down; `Retold` answers in its place, from the
transcript, as long as it is told the same, word for word and in the same order. What was never
said ends it: then the check has to be asked for real. Runs nothing and knows no check.
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

MOST_BYTES = 16 * 1024**2  # of a conversation that is written down
MOST_PACKED_BYTES = 1024**2
STOPS = {kind.verdict: kind for kind in (TimedOut, WorkLimit, TooLarge, Tampered)}


class Stop(msgspec.Struct, tag=True, frozen=True):
    """Stand where an answer should: the process was stopped, and what it still said."""

    verdict: Verdict
    message: str
    reply: messages.FromPlayer | None


class Transcript(msgspec.Struct, frozen=True):
    """A conversation: what was sent and what was answered, by turns, as it crossed the pipe.

    It had `cpu_limit` seconds of computing and used `cpu_seconds`.
    """

    cpu_limit: float
    cpu_seconds: float
    turns: list[bytes]


ENCODER = msgspec.msgpack.Encoder()
ANSWER = msgspec.msgpack.Decoder(messages.FromPlayer | Stop)


class UnheardError(BaseException):
    """Something else is asked than before; no check takes it for an error of the student's."""


class Recorded(Process):
    """A process whose conversation is written down."""

    _turns: list[bytes] | None = None
    _room = MOST_BYTES

    def transcript(self) -> bytes | None:
        """Return what was said so far, packed; None where it may be an accident or is too long."""
        if self._turns is None or self._room < 0:
            return None
        whole = Transcript(self._cpu_limit, self.cpu_seconds, self._turns)
        packed = zlib.compress(ENCODER.encode(whole))
        return packed if len(packed) <= MOST_PACKED_BYTES else None

    def set_limits(self, cpu_seconds: float, wall_seconds: float) -> None:
        """Begin to write, too."""
        super().set_limits(cpu_seconds, wall_seconds)
        self._turns = []

    def exchange(self, request: Any, answer: Any = None) -> Any:
        """Do what a process does."""
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


class Retold(Process):
    """What answers in the place of a process that was asked the same before."""

    def __init__(self, transcript: Transcript) -> None:
        """Answer as the transcript says."""
        self._transcript = transcript
        self._turn, self.answering = 0, 0.0
        self.unheard = False

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU time that was used then, in seconds."""
        return self._transcript.cpu_seconds

    def close(self) -> None:
        """Do nothing: there is no process."""

    def _send(self, message: Any) -> None:
        turns = self._transcript.turns[self._turn : self._turn + 2]
        self.unheard |= len(turns) < 2 or ENCODER.encode(message) != turns[0]
        if self.unheard:
            raise UnheardError("this was never asked")

    def _receive(self) -> Any:
        message = ANSWER.decode(self._transcript.turns[self._turn + 1])
        self._turn += 2
        if isinstance(message, Stop):
            raise STOPS[message.verdict](message.message, message.reply)
        return message


def retold(transcript: bytes | None, cpu_limit: float) -> Retold | None:
    """Return what answers from a transcript; None without one that had the same limit."""
    try:
        whole = msgspec.msgpack.decode(zlib.decompress(transcript or b""), type=Transcript)
    except (zlib.error, msgspec.MsgspecError):
        return None
    return Retold(whole) if whole.cpu_limit == cpu_limit else None
