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
MOST_STEPS = 200  # lines that a call may execute: nobody follows more
MOST_CHARACTERS = 24  # of the value of a variable
PLAIN = (int, float, bool, str, type(None))


class LongCallError(BaseException):
    """A call has executed too many lines."""


def run(calls: Sequence[str], labels: Sequence[str], seed: int) -> dict[str, Any]:
    """Return by call what it returned, and its trace; not if it raised, or took too long.

    With an odd `seed` the last call runs first: what depends on earlier calls is not the same then.
    """
    files = {f"<{label}>": label for label in labels}
    order = calls[::-1] if seed % 2 else calls
    traces = {call: _record(call, files, seed) for call in order}
    return {call: one for call, one in traces.items() if one is not None}


def _record(call: str, files: dict[str, str], seed: int) -> list[Any] | None:
    """Return what a call returned, and for each line of some files how often, and with what."""
    lines: Counter[tuple[str, int]] = Counter()
    variables: dict[tuple[str, int], dict[str, list[Any]]] = {}

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        """Note an event, as `sys.settrace` has it."""
        label = files.get(frame.f_code.co_filename)
        if label is None:
            return None
        if event == "line":
            place = label, frame.f_lineno
            lines[place] += 1
            if lines.total() > MOST_STEPS:
                raise LongCallError
            values = variables.setdefault(place, {})
            for name, value in frame.f_locals.items():
                if type(value) in PLAIN and len(repr(value)) <= MOST_CHARACTERS:
                    values.setdefault(name, []).append(value)
        return trace

    random.seed(seed)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(seed)
    code = compile(call, "<call>", "eval")
    sys.settrace(trace)
    try:
        return [eval(code, notebook), dict(lines), variables]
    except BaseException:
        return None
    finally:
        sys.settrace(None)
