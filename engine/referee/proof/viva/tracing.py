"""Run calls of a notebook's functions, and note which lines they execute, how often, with what.

The source is loaded into the student's process, so what it says can be forged, as all answers.
Imports nothing of the engine.
"""

import random
import sys
from collections import Counter
from collections.abc import Sequence
from types import FrameType
from typing import Any

notebook: dict[str, Any] = {}  # the player puts the notebook's names here
MOST_STEPS = 2_000  # lines that a call may execute
WATCHED_STEPS = 400  # up to so many, the values of variables are noted
MOST_CHARACTERS = 24  # of such a value
PLAIN = (int, float, bool, str, type(None))


class LongCallError(BaseException):
    """A call has executed too many lines."""


class LineTrace:
    """The lines and variables of one run, of code in some cells."""

    def __init__(self, labels: Sequence[str]) -> None:
        """Begin to watch the cells with these labels."""
        self._labels = {f"<{label}>": label for label in labels}
        self.steps = 0
        self.lines: Counter[tuple[str, int]] = Counter()
        self.variables: dict[tuple[str, int], dict[str, list[Any]]] = {}  # before a line

    def __call__(self, frame: FrameType, event: str, _: Any) -> Any:
        """Note an event, as `sys.settrace` has it."""
        label = self._labels.get(frame.f_code.co_filename)
        if label is None:
            return None
        if event == "line":
            place = label, frame.f_lineno
            self.steps += 1
            self.lines[place] += 1
            if self.steps > MOST_STEPS:
                raise LongCallError
            if self.steps <= WATCHED_STEPS:
                known = self.variables.setdefault(place, {})
                for name, value in frame.f_locals.items():
                    if type(value) in PLAIN and len(repr(value)) <= MOST_CHARACTERS:
                        known.setdefault(name, []).append(value)
        return self


def run(calls: Sequence[str], labels: Sequence[str], seed: int) -> list[Any]:
    """Run each call: what it returned, and its trace; None if it raised, or took too long.

    With an odd `seed` the last call runs first: what depends on earlier calls is not the same then.
    """
    order = calls[::-1] if seed % 2 else calls
    found = {call: _traced(call, LineTrace(labels), seed) for call in order}
    return [found[call] for call in calls]


def _traced(call: str, trace: LineTrace, seed: int) -> list[Any] | None:
    random.seed(seed)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(seed)
    code = compile(call, "<call>", "eval")
    sys.settrace(trace)
    try:
        value = eval(code, notebook)
    except BaseException:
        return None
    finally:
        sys.settrace(None)
    noted = trace.variables if trace.steps <= WATCHED_STEPS else {}
    return [value, trace.steps, dict(trace.lines), noted]
