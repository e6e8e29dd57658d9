"""Turn the exception that ended a hidden check into a verdict and a message for the student."""

import linecache
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from traceback import extract_tb, walk_tb
from typing import Any

import pytest

from referee.model import NOT_WRITTEN, Verdict
from referee.sandbox.outside import student as submissions
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import MissingNameError, RefusedError, StudentError
from referee.sandbox.wire.values import PLAIN

PLAIN_DATA = "Plain data, such as a number, is where a class, an object or a function should be."
ENDLESS = "Your code yields items without end: look for a `while True` with `yield`."
HEAD = "Is the line with `def` as the notebook gave it, with `self` if it is a method?"
CALLED = re.compile(r"\(\) (takes|missing) ")
ODD = "Your code's answer is not of the kind that is asked for: the check cannot work with it"
BROKEN_BY_ANSWERS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
ENGINE = Path(__file__).parents[1]
WORD = re.compile(r"[^\W\d]\w*")
# But for how many arguments there are, as Python says it.
DIGITS = re.compile(r"\d(?!(?<!\d\d)(?: to \d)? (?:required|positional|w(?:as|ere) given))")
LEAK_CHARACTERS = 80
NOT_CALLABLE = re.compile(r"'(\w+)' object is not callable$")


def classify(error: BaseException | None, records: Sequence[type] = ()) -> tuple[Verdict, str]:
    """Return the verdict on a check that ended with `error`, and the message for the student.

    `records` are the types that count as plain data besides those of Python.
    """
    match error:
        case None:
            return Verdict.PASS, ""
        case pytest.skip.Exception():
            return Verdict.NOT_RUN, str(error)
        case StudentError():  # first: some are AssertionErrors, too
            return error.verdict, _message(error)
        case AssertionError() | pytest.fail.Exception():
            return Verdict.WRONG, str(error)
        case Stopped():
            return error.verdict, f"Your code was stopped: {error}."
        case TypeError() | AttributeError() if _is_about(error, (*PLAIN, *records)):
            return Verdict.ERROR, PLAIN_DATA
        case _:
            message = f"The check itself failed ({type(error).__name__}: {error})."
            return Verdict.REFEREE_ERROR, message


def _is_about(error: TypeError | AttributeError, plain: Sequence[type]) -> bool:
    """Return whether a check called plain data, or used an attribute that plain data lacks.

    That is the student's mistake, such as `MiniMax = 3`: one in the check would show on the
    reference solution.
    """
    if isinstance(error, TypeError):
        match = NOT_CALLABLE.match(str(error))
        return match is not None and match[1] in {kind.__name__ for kind in plain}
    return error.name is not None and type(error.obj) in plain


def is_about_answer(error: BaseException | None, funcargs: Mapping[str, Any]) -> bool:
    """Return whether a check failed because it could not work with the student's answer.

    That is so if its last expression used the student, or an answer or a part of one: the check has
    worked with the reference solution's answers, or it would be suspended.
    """
    student = funcargs.get("student")
    is_object_error = isinstance(error, submissions.ObjectError)
    if student is None or is_object_error or not isinstance(error, BROKEN_BY_ANSWERS):
        return False
    aside, trace = (ENGINE, sys.prefix, sys.base_prefix), error.__traceback__
    steps = [
        (frame, step)  # of a check, or of a module of the course
        for (frame, _), step in zip(walk_tb(trace), extract_tb(trace), strict=True)
        if not any(Path(step.filename).is_relative_to(one) for one in aside)
    ]
    if not steps:
        return False
    frame, step = steps[-1]
    source = linecache.getline(step.filename, step.lineno or 0)
    if step.end_lineno == step.lineno and step.colno is not None:  # else all of the line counts
        source = source.encode()[step.colno : step.end_colno].decode("utf-8", "replace")
    names = set(WORD.findall(source))
    operands = {id(frame.f_locals[name]) for name in names & frame.f_locals.keys()}
    return bool(operands & {id(student), *map(id, submissions.last_answers(student))})


def _message(error: StudentError) -> str:
    """Return the message about a student's exception, shortened so that it reveals no question."""
    if "NotImplementedError" in error.kinds:
        return NOT_WRITTEN
    if "EndlessError" in error.kinds:
        return ENDLESS
    kind = error.kinds[0] if error.kinds else "an error"
    text = str(error)
    kind, masked_text = (DIGITS.sub("#", part)[:LEAK_CHARACTERS] for part in (kind, text))
    message = f"Your code raised {kind}: {masked_text}" if text else f"Your code raised {kind}"
    if isinstance(error, MissingNameError | RefusedError):  # the words are ours
        message = text
    where = [f"  at {line}" for line in error.where]
    if kind == "TypeError" and not where and CALLED.search(masked_text):  # as a check called it
        where = [HEAD]
    return "\n".join([message, *where])
