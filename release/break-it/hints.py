"""Say what is behind a wrong answer or an error, where it can be seen: for the public checks."""

import builtins
import inspect
import re
import reprlib
import traceback
from collections.abc import Mapping
from numbers import Real  # numpy's numbers are some, too
from types import FrameType, FunctionType
from typing import Any

import pytest

from recorded import kept  # type: ignore[import-not-found]  # it lies beside this file

Frames = list[tuple[FrameType, int]]  # of the student's, each with the line where it was


class Hints:
    """Add to what is said of an error what is known about the code in which it happened."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        """Remember what the notebook holds before any check has run."""
        self.values, self.before = values, kept(values)

    def added(self, reason: str, error: BaseException, frames: Frames) -> str:
        """Return the reason why a check has failed, with what is known besides."""
        before, self.before = self.before, kept(self.values)
        changed = [one for one, new in self.before.items() if before.get(one, new) != new]
        failed = isinstance(error, AssertionError | pytest.fail.Exception)
        if changed and failed:
            what = ", ".join(changed[:3])
            return f"Calls change {what}, and the next call finds what is left there.\n{reason}"
        if failed or isinstance(error, NotImplementedError):
            return reason
        *_, (inner, _) = traceback.walk_tb(error.__traceback__)  # of what the student wrote, or not
        own = frames[-1][0] if frames and frames[-1][0] is inner else None
        lines = [reason, meaning(error, own, self.values)]
        if frames:
            call = frames[0][0].f_code
            names = ", ".join(call.co_varnames[: call.co_argcount])
            lines.append(f"The check asked for {call.co_qualname}({names})")
        return "\n".join(line for line in lines if line)


def meaning(error: BaseException, frame: FrameType | None, values: Mapping[str, Any]) -> str:
    """Return what is behind an error in a frame of the student's, or "" if that cannot be seen."""
    text, here = str(error), dict(frame.f_locals) if frame else {}
    if isinstance(error, RecursionError):
        return "It calls itself without end: when does it stop, and does each call come nearer?"
    if isinstance(error, NameError) and hasattr(here.get("self"), error.name or "?"):
        return f"Write self.{error.name}: it belongs to the object."
    if isinstance(error, UnboundLocalError) and (found := re.search(r"variable '(\w+)'", text)):
        why = f"`{found[1]}` gets a value in this function, so it is the function's own there"
        return f"{why}, and had none yet: use another name, or give it a value first."
    if isinstance(error, TypeError) and "not callable" in text and frame:
        known = frame.f_globals | here
        names = frame.f_code.co_names + frame.f_code.co_varnames
        taken = [one for one in names if hasattr(builtins, one) and not callable(known.get(one, 1))]
        for name in [one for one in taken if one in known]:
            what = f"`{name}` is {reprlib.repr(known[name])} there and no longer Python's own"
            undo = "" if name in here else f", and run `del {name}`"
            return f"{what}: call your value something else{undo}."
    if isinstance(error, TypeError) and re.search("operand|between", text) and "'tuple'" in text:
        return "A tuple is used as a number there: take the number out of it first."
    if found := re.match(r"(\w+)\.(\w+)\(\) (takes|got|missing) ", text):
        method = getattr(values.get(found[1]), "__dict__", {}).get(found[2])
        own = [*inspect.signature(method).parameters] if type(method) is FunctionType else []
        if type(method) is FunctionType and own[:1] != ["self"]:
            return f"Write `def {found[2]}({', '.join(['self', *own])})`: a method has a `self`."
    if isinstance(error, AttributeError):
        parts = getattr(here.get("self"), "__dict__", {})
        here |= {f"self.{key}": one for key, one in parts.items()}
        mine = next((key for key, one in here.items() if one is error.obj), "")
        other = next((key for key, one in here.items() if hasattr(one, str(error.name))), "")
        if mine and other:
            return f"`{mine}` is {error.obj!r:.200}; what has `{error.name}` is `{other}`."
        cls = type(error.obj)
        bases = [one for one in values.values() if inspect.isabstract(one)]
        base = next((one for one in bases if hasattr(one, str(error.name))), cls)
        if values.get(cls.__name__) is cls and not issubclass(cls, base):
            return f"`{base.__name__}` has it: is yours a `class {cls.__name__}({base.__name__})`?"
    return ""


def expect(said: str, value: Any, *right: Any, why: str = "", **more: Any) -> None:
    """Fail unless a value is one of the right ones; tell what came, after `said`, and these.

    `why` follows; for `more` see `look`.
    """
    if not isinstance(right[0], dict | list):  # which are shown whole
        look(value, right[0], said, **more)
    same = tuple(value) if isinstance(value, list) and isinstance(right[0], tuple) else value
    if same not in right:
        expected = " or ".join(map(repr, right))
        if isinstance(same, tuple) and "pair" in more.get("asked", "") and same[::-1] in right:
            expected += ", the other way round"
        raise AssertionError(f"{said} {value!r}; expected {expected}{why and f': {why}'}.")


def look(
    value: Any, expected: Any, said: str, asked: str = "", worth: Any = None, moves: Any = None
) -> None:
    """Fail if a value is of another type than is expected; tell what it is, after `said`.

    `expected` is an example of what is `asked`; where that is a move, `worth` is the value of the
    state and `moves` are the legal ones.
    """

    def fits(one: Any) -> bool:
        return not unlike(one, expected) and (moves is None or one in moves)

    if fits(value):
        return
    wanted, parts = asked or kind(expected), list(value) if type(value) in (tuple, list) else []
    shown = f"{value!r:.200}"
    if worth is not None and isinstance(value, Real) and value == worth:
        reason = f"{shown}, which is the value of the state: asked is {wanted}, {expected!r}."
    elif [*map(fits, parts)].count(True) == 1:
        reason = f"{shown}: asked is {wanted} alone, {next(filter(fits, parts))!r}."
    elif len(parts) == 2 and not unlike(tuple(parts[::-1]), expected):
        reason = f"{shown}: the other way round, please; asked is {wanted}."
    else:
        part = unlike(value, expected) if kind(value) == kind(expected) else ""
        what = "" if value is None else f", {kind(value)}"
        reason = part or f"{shown}{what}: asked is {wanted}."
    failure = pytest.fail.Exception(f"{said} {reason}", pytrace=False)
    vars(failure)["cause"] = f"{kind(value)} for {wanted}"
    raise failure


def unlike(value: Any, expected: Any) -> str:
    """Return in which part a value is of another type than expected; a None may be of any."""
    if kind(value) != kind(expected):
        return f"{value!r:.200}, {kind(value)}: asked is {kind(expected)}."
    if isinstance(expected, dict) and value.keys() != expected.keys():
        return f"{value!r:.200}: its keys should be {', '.join(map(repr, expected))}."
    places = range(len(expected)) if type(expected) in (tuple, list) else ()
    for place in expected if isinstance(expected, dict) else places:
        one, like = value[place], expected[place]
        if one is not None and like is not None and (part := unlike(one, like)):
            return f"{value!r:.200}; a part of it is {part}"
    return ""


def kind(value: Any) -> str:
    """Return what a value is, in words."""
    if type(value) in (tuple, list):
        return "a pair" if len(value) == 2 else f"a list of {len(value)}"
    known = {"bool": bool, "number": Real, "text": str, "dict": dict, "class": type}
    known["function"] = FunctionType
    name = next((n for n, kind in known.items() if isinstance(value, kind)), type(value).__name__)
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
