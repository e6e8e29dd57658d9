"""Look at what student code leaves behind: sent to the student's process as source text."""

import dis
import inspect
import linecache
import sys
from types import CodeType, FrameType, FunctionType
from typing import Any

notebook: dict[str, Any] = {}  # the player puts the notebook's names here
PLAIN = list, dict, set, int, float
ends: list[Any] = []  # of the last call that returned None: who called it, and where it ended


def kept() -> dict[str, str]:
    """Return what outlives a call, as text: plain variables, those of classes, and defaults.

    Variables that functions only add to, and never read, are left out.
    """
    found = {f"`{name}`": one for name, one in notebook.items() if not name.startswith("_")}
    functions = [one for one in found.values() if isinstance(one, FunctionType)]
    for kind in [one for one in found.values() if isinstance(one, type)]:
        if kind.__module__ == "__main__":
            found |= {f"`{kind.__name__}.{name}`": one for name, one in vars(kind).items()}
            functions += [one for one in vars(kind).values() if isinstance(one, FunctionType)]
    for function in functions:
        for name, one in inspect.signature(function, follow_wrapped=False).parameters.items():
            found[f"`{name}=...` of `{function.__qualname__}`"] = one.default
    counters = _counters([one.__code__ for one in functions])
    plain = {name: one for name, one in found.items() if type(one) in PLAIN}
    return {name: repr(one) for name, one in plain.items() if name.strip("`") not in counters}


def _counters(codes: list[CodeType]) -> set[str]:
    """Return the global variables that functions do nothing with but add a number."""
    counted, read = set[str](), set[str]()
    for code in codes:  # which grows
        codes += [one for one in code.co_consts if isinstance(one, CodeType)]
        steps = [*dis.get_instructions(code)]
        for number, step in enumerate(steps):
            if step.opname == "LOAD_GLOBAL":
                after = [one.opname for one in steps[number + 2 : number + 4]]
                (counted if after == ["BINARY_OP", "STORE_GLOBAL"] else read).add(step.argval)
    return counted - read


def watch() -> None:
    """Note from now on where functions of the notebook end that return None."""
    sys.setprofile(_note)


def ended() -> str:
    """Stop that, and return which function made the last None, and its last line, or ""."""
    sys.setprofile(None)
    return ends[1] if ends else ""


def _note(frame: FrameType, event: str, value: Any) -> None:
    """Keep the innermost of the functions that pass on a None."""
    file = frame.f_code.co_filename
    if event != "return" or not file.startswith("<cell "):
        return
    line = linecache.getline(file, frame.f_lineno).strip()
    passed_on = bool(ends) and ends[0] is frame
    where = ends[1] if passed_on else f"`{frame.f_code.co_name}`, line {frame.f_lineno}: `{line}`"
    ends[:] = [frame.f_back, where] if value is None else []
