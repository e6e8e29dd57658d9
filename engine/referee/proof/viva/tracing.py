"""Run calls of a notebook's functions, and note which lines they execute, how often, with what.

The source is loaded into the student's process, so what it says can be forged, as all answers.
Imports nothing of the engine.
"""

import gc
import random
import sys
from collections import Counter
from collections.abc import Sequence
from types import CodeType, FrameType, FunctionType
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


def run(
    label: str, source: str, calls: Sequence[str], labels: Sequence[str], seed: int
) -> list[Any]:
    """Run each call: what it returned, and its trace; None if it raised, or took too long.

    With a `label`, the functions of that cell are first changed to those in another `source`. With
    an odd `seed` the last call runs first: what depends on earlier calls is not the same then.
    """
    if label and not _change(f"<{label}>", source):
        return [None] * len(calls)
    order = calls[::-1] if seed % 2 else calls
    found = {call: _traced(call, LineTrace(labels), seed) for call in order}
    return [found[call] for call in calls]


def _change(file: str, source: str) -> bool:
    """Give all functions of a cell that there are, wherever, the code that another source has.

    So nothing runs again that has run before. Returns whether that is possible: not where two
    functions begin in one line, or where a variable is one of another place than before.
    """
    made = _codes(compile(source, file, "exec"))
    new = {_key(code): code for code in made}
    functions = [one for one in gc.get_objects() if type(one) is FunctionType]
    mine = [one for one in functions if one.__code__.co_filename == file]
    old = [code for one in mine for code in _codes(one.__code__)]
    if len(new) < len(made) or not {*map(_key, old)} <= new.keys():
        return False
    if any(_variables(code) != _variables(new[_key(code)]) for code in old):
        return False
    for one in mine:
        one.__code__ = new[_key(one.__code__)]
    return bool(mine)


def _codes(code: CodeType) -> list[CodeType]:
    """Return the code of a function, and of those in it."""
    found = [code]
    for one in found:  # which grows
        found += [part for part in one.co_consts if isinstance(part, CodeType)]
    return found


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _variables(code: CodeType) -> tuple[set[str], tuple[str, ...]]:
    return {*code.co_varnames, *code.co_cellvars}, code.co_freevars


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
