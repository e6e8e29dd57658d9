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
    """Add to the message of an error what the code in which it happened tells about it."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        """Remember what the notebook holds before any check has run."""
        self.values, self.before = values, kept(values)

    def added(self, reason: str, error: BaseException, frames: Frames) -> str:
        """Return the reason why a check has failed, with what is known besides."""
        before, self.before = self.before, kept(self.values)
        variables = [name for name, new in self.before.items() if before.get(name, new) != new]
        *_, (inner, _) = traceback.walk_tb(error.__traceback__)  # of what the student wrote, or not
        if not isinstance(error, AssertionError | pytest.fail.Exception):
            frame = frames[-1][0] if frames and frames[-1][0] is inner else None
            lines = [reason, meaning(error, frame, self.values)]
            if frames and not isinstance(error, NotImplementedError):
                call = frames[0][0].f_code
                names = ", ".join(call.co_varnames[: call.co_argcount])
                lines.append(f"The check asked for {call.co_qualname}({names})")
            return "\n".join(line for line in lines if line)
        if variables:
            what = ", ".join(variables[:3])
            return f"Calls change {what}, and the next call finds what is left there.\n{reason}"
        return reason


def meaning(error: BaseException, frame: FrameType | None, values: Mapping[str, Any]) -> str:
    """Return what is behind an error in a frame of the student's, or "" if that cannot be seen."""
    text, variables = str(error), dict(frame.f_locals) if frame else {}
    if isinstance(error, NameError) and hasattr(variables.get("self"), error.name or "?"):
        return f"Write self.{error.name}: it belongs to the object."
    if isinstance(error, TypeError) and "not callable" in text and frame:
        scope = frame.f_globals | variables
        names = frame.f_code.co_names + frame.f_code.co_varnames
        for name in [one for one in names if hasattr(builtins, one) and one in scope]:
            if not callable(scope[name]):
                what = f"`{name}` is {reprlib.repr(scope[name])} there and no longer Python's own"
                undo = "" if name in variables else f", and run `del {name}`"
                return f"{what}: call your value something else{undo}."
    if match := re.match(r"(\w+)\.(\w+)\(\) (takes|got|missing) ", text):
        method = getattr(values.get(match[1]), "__dict__", {}).get(match[2])
        args = [*inspect.signature(method).parameters] if type(method) is FunctionType else ["self"]
        if args[:1] != ["self"]:
            return f"Write `def {match[2]}({', '.join(['self', *args])})`: a method has a `self`."
    if isinstance(error, AttributeError):
        owner = variables.pop("self", None)
        parts = {f"self.{key}": one for key, one in getattr(owner, "__dict__", {}).items()}
        this = next((key for key, one in (variables | parts).items() if one is error.obj), "")
        others = [key for key, one in variables.items() if hasattr(one, str(error.name))]
        others += [key for key, one in parts.items() if callable(getattr(one, str(error.name), 0))]
        other = next(iter(others), "")
        if this and other:
            return f"`{this}` is {error.obj!r:.200}; what has `{error.name}` is `{other}`."
        cls = type(error.obj)
        bases = [one for one in values.values() if inspect.isabstract(one)]
        base = next((one for one in bases if hasattr(one, str(error.name))), cls)
        if values.get(cls.__name__) is cls and not issubclass(cls, base):
            return f"`{base.__name__}` has it: is yours a `class {cls.__name__}({base.__name__})`?"
    return ""


def expect(prefix: str, value: Any, *right: Any, why: str = "", form: str = "") -> None:
    """Fail unless a value is one of the right ones; tell what came, after `prefix`, and these.

    `form` says what they are, and `why` why they are right.
    """
    if not isinstance(right[0], dict | list):  # which are shown whole
        look(value, right[0], prefix, form)
    same = tuple(value) if isinstance(value, list) and isinstance(right[0], tuple) else value
    if same not in right:
        expected = " or ".join(map(repr, right))
        what = f"{form and f'{form}, '}{expected}{why and f': {why}'}"
        raise AssertionError(f"{prefix} {value!r}; expected {what}.")


def look(value: Any, example: Any, prefix: str, form: str = "") -> None:
    """Fail if a value is of another type than an example; `form` says what should have come."""
    target = form or kind(example)
    reason = unlike(value, example, target)
    if not reason:
        return
    if type(value) in (tuple, list):
        parts = [one for one in value if not unlike(one, example)]
        if len(parts) == 1:
            reason = f"{value!r:.200}: asked is {target} alone, {parts[0]!r}."
        elif not unlike(value[::-1], example):
            reason = f"{value!r:.200}: the other way round, please; asked is {target}."
    failure = pytest.fail.Exception(f"{prefix} {reason}", pytrace=False)
    vars(failure)["cause"] = f"{kind(value)} for {target}"
    raise failure


def unlike(value: Any, example: Any, form: str = "") -> str:
    """Return in which part a value is of another type than an example; a None may be of any."""
    if kind(value) != kind(example):
        what = "" if value is None else f", {kind(value)}"
        return f"{value!r:.200}{what}: asked is {form or kind(example)}."
    if isinstance(example, dict) and value.keys() != example.keys():
        return f"{value!r:.200}: its keys should be {', '.join(map(repr, example))}."
    places = range(len(example)) if type(example) in (tuple, list) else ()
    for place in example if isinstance(example, dict) else places:
        inner, like = value[place], example[place]
        if inner is not None and like is not None and (part := unlike(inner, like)):
            return f"{value!r:.200}; a part of it is {part}"
    return ""


def kind(value: Any) -> str:
    """Return what a value is, in words."""
    if type(value) in (tuple, list) or (isinstance(value, tuple) and len(value) == 2):  # named
        return "a pair" if len(value) == 2 else f"a list of {len(value)}"
    words = {bool: "a bool", Real: "a number", str: "a text", dict: "a dict"}
    names = [word for kind, word in words.items() if isinstance(value, kind)]
    return names[0] if names else f"a {type(value).__name__}"
