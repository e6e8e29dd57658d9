"""Run the public checks of an assignment on the code in a student's notebook.

`check("MiniMax")` in a notebook runs the checks of the cell "MiniMax" on what the notebook
defines at that moment, and prints a report. The same checks run with `pytest` in a terminal: there
the fixture `student` runs the saved notebook first. The checks of a cell are the methods of the
class `Test_<cell>` in a file `test_*.py` beside the notebook.

A check that runs for more than `SECONDS` is stopped, and those after it are not run.

This module gives no marks, knows no assignment and writes no file. Notebooks import `check`, the
files with public checks import `student`, and `play` runs a notebook with `load` when it is asked
for a game against a player in it.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - said in words that an older Python understands
    raise ImportError(f"This needs Python 3.11 or newer, and here is {sys.version.split()[0]}.")
try:
    import pytest
except ImportError:
    raise ImportError("The checks need pytest 7 or newer: type `pip install pytest`.") from None
if getattr(pytest, "version_tuple", (0,)) < (7,):
    raise ImportError("The checks need pytest 7 or newer: type `pip install --upgrade pytest`.")

import ast
import builtins
import dis
import faulthandler
import inspect
import json
import linecache
import os
import re
import signal
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping, Sized
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from io import StringIO
from numbers import Real  # numpy's numbers are some, too
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any, NamedTuple, Self

PREFIX = "Test_"
# Of one check: the slowest of ours takes two, and a browser is five times slower.
SECONDS = 45 if sys.platform == "emscripten" else 15
CPU_SECONDS = 60  # for one cell: `import check; check.CPU_SECONDS = 600` gives it more
PATIENCE = 5  # times as long by the clock ends a loop in a terminal that no alarm can stop
AGAIN_SECONDS = 0.02  # after the first time: an `except` may have caught it
MONITORING: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on
LINES = 3  # what Python knows us by, where we look at each line or turn of a loop
SETTINGS = (
    *("-c", os.devnull, "--noconftest", "--import-mode=importlib"),
    *("--assert=plain", "--capture=sys"),
    *("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:faulthandler"),
)


class NotebookError(ValueError):
    """A folder holds no notebook that can be run; the message says what to do."""


class ChecksFailed(AssertionError):  # noqa: N818 - it names what happened
    """Say in one line that public checks failed; the printed report says why."""

    def _render_traceback_(self) -> list[str]:
        """Return what Jupyter shows in place of a traceback, which would help nobody here."""
        return [f"{type(self).__name__}: {self}"]


@dataclass(frozen=True)
class Names:
    """Hold what a notebook defines, which names a broken cell should have defined, and its error.

    `saved` is the file, `stopped` tells of each cell that has failed why, `asked` are the names
    that checks ask for.
    """

    values: Mapping[str, Any]
    advice: str
    saved: "Saved | None"
    errors: Mapping[str, str] = field(default_factory=dict)
    stopped: Mapping[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def missing(self, name: str, cell: str) -> str:
        """Return why a name is not there that `cell` should define, and what to do."""
        reason = f"the cell that should define `{name}` stopped with\n{self.errors.get(name)}"
        if not self.errors.get(name):
            place = self.saved and self.saved.place(name, cell)
            reason = f"`{name}` is not defined: {place or f'the cell {cell!r} should define it'}"
        return f"{reason}\n{self.advice}"


LIVE = pytest.StashKey[Names]()
LOADED = pytest.StashKey[dict[Path, Names]]()


class Student:
    """Offer the names of a notebook as attributes: `student.MiniMax`."""

    def __init__(self, names: Names, module: object, cell: str) -> None:
        """Remember which cell is being checked, to say where a missing name belongs."""
        self._names, self._module, self._cell = names, module, cell

    def __getattr__(self, name: str) -> Any:
        """Return what the notebook calls `name`; fail the check if it has no such name."""
        names = self._names
        names.asked.add(name)
        if name in names.values and not names.errors.get(name):
            return names.values[name]
        cell = name if hasattr(self._module, PREFIX + name) else self._cell
        cell = getattr(self._module, "DEFINED_IN", {}).get(name, cell)
        pytest.fail(names.missing(name, cell), pytrace=False)


class TooLong(BaseException):  # no `except Exception` of a student's stops it
    """A check or a cell has run for too long."""

    def _render_traceback_(self) -> list[str]:
        """Return what Jupyter shows of a cell that was stopped: where it was."""
        frames = traceback.walk_tb(self.__traceback__)
        own = [frame for frame in frames if frame[0].f_globals.get("__name__") == "__main__"]
        return [_what_and_where(self, own), "What was there before is kept."]


@contextmanager
def time_limit(
    seconds: float, within: Callable[[FrameType], bool], of_computing: bool = False
) -> Iterator[None]:
    """Raise TooLong, again and again, in what runs for long below a frame that is `within`.

    By an alarm; where there is none, in a browser or in Windows, by a look at the clock: in each
    line that runs or, of computing, at each turn of a loop, which Python tells from 3.12 on.
    """
    clock = time.process_time if of_computing else time.monotonic
    end = clock() + seconds

    def ring(*_: object) -> Any:
        frame: FrameType | None = sys._getframe(1)
        while frame and clock() >= end:
            if within(frame):
                spent = f"{seconds:g} seconds{' of computing' * of_computing}"
                raise TooLong(f"Stopped after {spent}: is there a loop that does not end?")
            frame = frame.f_back
        return ring

    with ExitStack() as undo:
        if has_alarm():
            bell = signal.SIGPROF if of_computing else signal.SIGALRM
            timer = signal.ITIMER_PROF if of_computing else signal.ITIMER_REAL
            undo.callback(signal.signal, bell, signal.signal(bell, ring))
            undo.callback(signal.setitimer, timer, 0)
            signal.setitimer(timer, seconds, AGAIN_SECONDS)
        elif MONITORING is not None:
            number = LINES + of_computing
            event = MONITORING.events.JUMP if of_computing else MONITORING.events.LINE
            MONITORING.use_tool_id(number, "check")
            undo.callback(MONITORING.free_tool_id, number)
            MONITORING.register_callback(number, event, ring)
            undo.callback(MONITORING.register_callback, number, event, None)
            MONITORING.set_events(number, event)
            undo.callback(MONITORING.set_events, number, 0)
        elif not of_computing:
            undo.callback(sys.settrace, sys.gettrace())
            sys.settrace(ring)
        yield


def has_alarm() -> bool:
    """Return whether this place can be interrupted by an alarm."""
    main = threading.current_thread() is threading.main_thread()
    return os.name == "posix" and sys.platform != "emscripten" and main


def _is_a_check(frame: FrameType) -> bool:
    """Return whether a frame belongs to a file with public checks, and not to what runs them."""
    return frame.f_globals is not globals() and frame.f_globals.get("student") is student


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Iterator[Student]:
    """Give a public check the names that the student's notebook defines."""
    names = request.config.stash.get(LIVE, None)
    if names is None:
        loaded = request.config.stash.setdefault(LOADED, {})
        folder = request.path.parent
        if folder not in loaded:
            capture = request.config.pluginmanager.getplugin("capturemanager")
            try:
                notebook = only_notebook(folder)
                with ExitStack() as shown:
                    if capture:
                        shown.enter_context(capture.global_and_fixture_disabled())
                    print(f"Running the cells of {notebook.name} ...", flush=True)
                    loaded[folder] = load(notebook)
            except NotebookError as error:
                pytest.fail(str(error), pytrace=False)
        names = loaded[folder]
    with time_limit(SECONDS, _is_a_check):
        yield Student(names, request.module, request.cls.__name__.removeprefix(PREFIX))


# --- in a notebook ---------------------------------------------------------------------------


def check(cell: str) -> None:
    """Run the public checks of `cell` on the names of the notebook that calls, and report.

    ChecksFailed (an AssertionError) unless all pass; ValueError if no checks have that name.
    """
    files = public_checks()
    if cell not in files:
        known = ", ".join(f'check("{name}")' for name in files) or "none: no test_*.py is here"
        raise ValueError(f"there are no checks for {cell!r} in {Path.cwd()}; those I know: {known}")
    KERNEL.clock.close()  # checks have a limit of their own
    file, run = files[cell], Run(sys._getframe(1).f_globals)
    arguments = [*SETTINGS, f"--rootdir={file.parent}", f"{file}::{PREFIX}{cell}"]
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(StringIO()) as complaints:
        patch.setattr(sys, "dont_write_bytecode", True)
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        sys.modules.pop(file.stem, None)  # the file may have changed
        pytest.main(arguments, plugins=[run])
    if run.broken or not run.results:
        reason = run.broken or complaints.getvalue()
        raise ChecksFailed(f"{file.name} cannot be run as it is:\n{reason}")
    print(*told_once(run.results), sep="\n")
    failed = [result.title for result in run.results if not result.passed]
    score = f"{len(run.results) - len(failed)} of {run.total} public checks pass"
    open_ = [f"They do not cover {run.open}."] if run.open and not failed else []
    print(f"\n{score}.", *open_, *KERNEL.differences(run.names), sep="\n")
    KERNEL.red.discard(cell)
    if failed:
        KERNEL.red.add(cell)
        raise ChecksFailed(f"{score}. The first to look at:\n✘ {failed[0]}")


def public_checks() -> dict[str, Path]:
    """Map each cell that has checks to their file, in the working folder or else beside us."""
    for folder in Path.cwd(), Path(__file__).parent:
        found: dict[str, Path] = {}
        # The shortest name last, so that it wins over "test_x (1).py" and "test_x - copy.py".
        for file in sorted(folder.glob("test_*.py"), key=lambda file: -len(file.name)):
            with suppress(OSError, UnicodeDecodeError):  # some other file
                source = file.read_text(encoding="utf-8")
                found |= dict.fromkeys(re.findall(rf"(?m)^class {PREFIX}(\w+)", source), file)
        if found:
            return found
    return {}


class Result(NamedTuple):
    """Say how one check ended; its text is what the student reads."""

    title: str
    passed: bool
    reason: str = ""
    causes: frozenset[str] = frozenset()

    def __str__(self) -> str:
        """Return the title, and below it the reason of a failure."""
        reason = "".join(f"\n    {line}".rstrip(" ") for line in self.reason.splitlines())
        return f"{'✔' if self.passed else '✘'} {self.title}{reason}"


def told_once(results: list[Result]) -> list[Result]:
    """Return the results with each cause told once."""
    told: list[Result] = []
    for result in results:
        again = any(result.causes & other.causes for other in told)
        title = f"{result.title} (as above)"
        told.append(result._replace(title=title, reason="") if again else result)
    return told


class Run:
    """Be the pytest plugin of one `check`: bring the names in and take the results out."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        """Start without results."""
        self.namespace = namespace
        advice = "Run that cell, then run this check again."
        errors = {name: made.error for name, made in KERNEL.made.items()}
        self.names = Names(namespace, advice, Saved.running(namespace), errors)
        self.before = _outliving(namespace)
        self.results: list[Result] = []
        self.total = 0
        self.broken = self.title = self.open = ""

    def pytest_configure(self, config: pytest.Config) -> None:
        """Leave the names where the fixture `student` looks for them."""
        config.stash[LIVE] = self.names

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the reason why the file with the checks could not be read."""
        if report.failed:
            self.broken = report.longreprtext

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count the checks, and ask the file what they leave open."""
        self.total = len(session.items)
        for item in session.items[:1]:
            self.open = getattr(item.module, "NOT_COVERED", "")  # type: ignore[attr-defined]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Function, call: pytest.CallInfo[None]
    ) -> Generator[None, Any, None]:
        """Turn pytest's report of a check into a line of ours."""
        report = (yield).get_result()
        self.title = (item.obj.__doc__ or item.name).strip().splitlines()[0]
        if call.excinfo:
            error = call.excinfo.value
            causes, reason = self._explain(error)
            printed = report.capstdout.strip().splitlines()
            asked = [str(error.expected)] if isinstance(error, WrongType) else []
            if printed[-1:] == asked != [] and "returned None" in reason:
                reason = f"It printed {printed[-1]} and returned None: return it."
            elif printed:
                reason += "\nIt printed: " + "\n            ".join(printed[-10:])
            if isinstance(error, AssertionError) and not isinstance(error, WrongType):
                reason += self._changed()
            if isinstance(error, TooLong):
                item.session.shouldstop = reason
                reason += "\nThe checks after this one were not run."
            self.results.append(Result(self.title, False, reason, causes))
        elif call.when == "call":
            self.results.append(Result(self.title, True))

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Say where a check was when the student stopped it."""
        if isinstance(excinfo.value, pytest.Session.Interrupted):  # by us, after TooLong
            return
        reason = self._explain(excinfo.value)[1]
        self.results.append(Result(self.title, False, f"{reason}\nStopped before it ended."))

    def _missing(self, error: BaseException) -> str:
        """Return which cell to run, where its code asks for a name of one that has not run."""
        name = (isinstance(error, NameError) and error.name) or ""
        cells = {} if self.names.saved is None else self.names.saved.defining()
        known = name in cells or self.names.errors.get(name)
        return self.names.missing(name, name) if known and name not in self.namespace else ""

    def _changed(self) -> str:
        """Return a line about what calls have changed and later ones find, or ""."""
        kept = _outliving(self.namespace)
        changed = [one for one in kept if self.before.get(one, kept[one]) != kept[one]]
        what = f"Calls change {', '.join(changed[:3])}, and the next one starts with what is left"
        return f"\n{what} there: should it start anew?" if changed else ""

    def _explain(self, error: BaseException) -> tuple[frozenset[str], str]:
        """Return the causes, and what happened, where, and in which call of the student's code."""
        frames = list(traceback.walk_tb(error.__traceback__))
        own = [number for number, one in enumerate(frames) if one[0].f_globals is self.namespace]
        last = own[-1] if own else -1
        if isinstance(error, (AssertionError, pytest.fail.Exception)) and last + 1 < len(frames):
            return frozenset({getattr(error, "cause", str(error))}), str(error)
        if isinstance(error, NotImplementedError) and own:
            reason = f"not written yet: {frames[last][0].f_code.co_qualname}"
            return frozenset({reason}), reason
        here = [frame for frame in frames if frame[0].f_globals.get("student") is student]
        reason = _what_and_where(error, frames[: last + 1] or here)
        causes = {reason, str(error)} if isinstance(error, NAMING) else {reason}
        with suppress(Exception):  # an object of the student's that answers nothing
            if hint := self._missing(error) or _hint(error, frames, last):
                causes.add(hint)
            hint = hint or MEANING.get(type(error), "") * bool(own)
            reason += f"\n{hint}" if hint else ""
        if not own:
            return frozenset(causes), reason
        causes.add(f"{type(error).__name__} in line {frames[last][1]}")
        return frozenset(causes), f"{reason}\nThe check asked for {_call(frames[own[0]][0])}"


# --- what went wrong, in words ---------------------------------------------------------------

MANY = 12  # names, more than which help nobody
OF_PYTHON = sys.stdlib_module_names
NAMING = (AttributeError, NameError, TypeError)  # whose text tells the cause
MEANING = {
    KeyError: "That is no key there: `key in ...` asks before, `.get(key, other)` returns `other`.",
    UnboundLocalError: "What a function sets is its own: give it a value before, on each way here.",
}
NO_RETURN = "does each way through the function end with `return`?"


class WrongType(AssertionError):  # noqa: N818 - it names what happened
    """Say that something is of another type than what was `expected`."""

    def __init__(self, message: str, cause: str, expected: Any) -> None:
        """Remember the cause, which is told once."""
        super().__init__(message)
        self.cause, self.expected = cause, expected


def look(
    value: Any, expected: Any, said: str, asked: str = "", worth: Any = None, moves: Any = None
) -> str:
    """Return "", so that a check goes on with its own sentence, if the type is not the matter.

    Else fail and tell what came back, after `said`, as in "f(x) returned". `expected` is an example
    of what is `asked`; where that is a move, `worth` is the value of the state and `moves` are the
    legal ones.
    """
    text = repr(value) if len(repr(value)) < 200 else f"{repr(value)[:200]} ..."
    kind = _kind(value)
    if isinstance(value, tuple | list) and type(expected) in (tuple, list):
        value = tuple(value)
    if _alike(value, expected) and (moves is None or value in moves):
        return ""
    asked = asked or _kind(expected)
    parts = list(value) if isinstance(value, tuple | list) else []
    fits = [part for part in parts if _alike(part, expected) and (not moves or part in moves)]
    if value is None:
        reason = f"None: {NO_RETURN if said.endswith('returned') else f'asked is {asked}.'}"
    elif worth is not None and isinstance(value, Real) and value in (worth, -worth):
        reason = f"{text}, which is the value of the state: asked is {asked}, {expected!r}."
    elif len(fits) == 1:
        reason = f"{text}: asked is {asked} alone, {fits[0]!r}."
    elif len(parts) == 2 and _alike(tuple(parts[::-1]), expected):
        reason = f"{text}: the other way round, please; asked is {asked}."
    elif _kind(value) != _kind(expected) or moves is not None:
        reason = f"{text}, {kind}: asked is {asked}."
    elif kind == "a dict" and value.keys() != expected.keys():
        reason = f"{text}: its keys should be {', '.join(map(repr, expected))}."
    else:
        part, like = next(pair for pair in _pairs(value, expected) if not _alike(*pair))
        return look(part, like, f"{said} {text}; a part of it is")
    raise WrongType(f"{said} {reason}", f"{kind} for {asked}", expected)


def _alike(value: Any, expected: Any) -> bool:
    """Return whether a value, and each part of it that is not None, is of the type expected."""
    same = _kind(value) == _kind(expected)
    if same and type(expected) is dict:
        same = value.keys() == expected.keys()
    return same and all(_alike(*pair) for pair in _pairs(value, expected))


def _pairs(value: Any, expected: Any) -> list[tuple[Any, Any]]:
    """Return the parts of a value, each with the one expected, of those that are not None."""
    if type(expected) is dict:
        return [(value[key], expected[key]) for key in expected]
    pairs = zip(value, expected, strict=True) if type(expected) in (tuple, list) else ()
    return [pair for pair in pairs if pair[0] is not None and pair[1] is not None]


def _kind(value: Any) -> str:
    """Return what a value is, in words."""
    if type(value) in (tuple, list):
        return "a pair" if len(value) == 2 else f"a list of {len(value)}"
    if isinstance(value, dict):
        return "a dict"
    known = {"bool": bool, "number": Real, "text": str, "class": type, "function": FunctionType}
    name = next((n for n, kind in known.items() if isinstance(value, kind)), type(value).__name__)
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def uses(cell: str) -> str:
    """Return a note that a check uses what a cell defines; "" unless its checks failed here."""
    note = f"\n(This check uses your {cell}, which has failing checks: mend them first.)"
    return note if cell in KERNEL.red else ""


def _hint(error: BaseException, frames: list[tuple[FrameType, int]], last: int) -> str:
    """Return what an error means and what to do, or "" unless both are sure.

    `last` is the number of the last frame of the student's, or -1.
    """
    text, own = str(error), frames[last][0]
    if isinstance(error, RecursionError):
        return (
            "It calls itself without end: when does it stop, and does each call come nearer to it?"
        )
    if isinstance(error, NameError) and hasattr(own.f_locals.get("self"), error.name or "?"):
        return f"Write self.{error.name}: it belongs to the object."
    if isinstance(error, TypeError) and (hint := _called_wrongly(text, frames, own)):
        return hint
    if isinstance(error, TypeError) and "callable" in text and (hint := _taken(own)):
        return hint
    if isinstance(error, AttributeError) and (hint := _asked_wrongly(error, frames, last)):
        return hint
    if "NoneType" in text or text.startswith("None"):
        return f"Something is None there: {NO_RETURN}"
    if isinstance(error, TypeError) and re.search("operand|between", text) and "'tuple'" in text:
        return "A pair is used as a number there: take the number out of it first."
    below = frames[last + 1][0] if 0 <= last < len(frames) - 1 else own
    module = str(below.f_globals.get("__name__")).partition(".")[0]
    if below is not own and type(error).__module__ == "builtins" and module not in OF_PYTHON:
        name, names = below.f_code.co_name, [one for one in _parameters(below) if one != "self"]
        return f"`{name}` is called as {name}({', '.join(names)}); here as {_call(below)}."
    if last < 0 and isinstance(error, AttributeError):
        return f"What came back is {error.obj!r}, {_kind(error.obj)}."
    return ""


def _outliving(values: Mapping[str, Any]) -> dict[str, float]:
    """Return what outlives a call, each with its number or size: variables, defaults."""
    own = {f"`{name}`": one for name, one in values.items()}
    for kind in [one for one in values.values() if isinstance(one, type)]:
        if kind.__module__ == "__main__":
            own |= {f"`{kind.__name__}.{name}`": one for name, one in vars(kind).items()}
    for name, one in [pair for pair in own.items() if isinstance(pair[1], FunctionType)]:
        defaults = inspect.signature(one, follow_wrapped=False).parameters.values()
        own |= {f"`{each.name}=...` of {name}": each.default for each in defaults}
    return {
        name: len(one) if isinstance(one, Sized) else one
        for name, one in own.items()
        if isinstance(one, list | dict | set | int | float) and type(one).__module__ != "__main__"
    }


def _called_wrongly(text: str, frames: list[tuple[FrameType, int]], own: FrameType) -> str:
    """Return how to call or to define the function that a TypeError names, or ""."""
    found = re.match(r"(?:.*<locals>\.)?(?:(\w+)\.)?(\w+)\(\) (?:takes|missing|got) ", text)
    owner, name = found.groups() if found else ("", "")
    if any(f"{owner}.{name}(" in _line(*one) for one in frames):
        what = f"`{owner}` is the class, and no object of it: call `{name}` of one"
        return f"{what} that you are given, or that {owner}(...) makes."
    for frame, _ in frames:
        known = {**frame.f_globals, **frame.f_locals}
        known |= getattr(known.get("self"), "__dict__", {})
        known |= {type(one).__name__: type(one) for one in frame.f_locals.values()}
        function = known.get(owner or name)
        if owner:
            function = inspect.getattr_static(function, name, None)
        if isinstance(function, FunctionType) and function.__qualname__ == text.partition("(")[0]:
            names = list(inspect.signature(function).parameters)
            if owner and names[:1] != ["self"]:
                return f"Write `def {name}({', '.join(['self', *names])})`: a method has a `self`."
            if function.__globals__ is not own.f_globals:
                return f"`{name}` is called as {name}({', '.join(names[bool(owner) :])})."
    return ""


def _taken(own: FrameType) -> str:
    """Return that a name of Python's own, as `max`, was given to a value where it is called."""
    known = {**own.f_globals, **own.f_locals}
    for name in own.f_code.co_names + own.f_code.co_varnames:
        if hasattr(builtins, name) and name in known and not callable(known[name]):
            what = f"`{name}` is {known[name]!r} there and no longer Python's own"
            undo = "" if name in own.f_locals else f", and run `del {name}`"
            return f"{what}: call your value something else{undo}."
    return ""


def _asked_wrongly(error: AttributeError, frames: list[tuple[FrameType, int]], last: int) -> str:
    """Return what to ask, or to set, in place of what an AttributeError is about, or ""."""
    thing, name, (own, line) = error.obj, str(error.name), frames[last]
    if any(name in vars(kind).get("__annotations__", {}) for kind in type(thing).__mro__):
        return f"Set self.{name} in `__init__`."
    known = dict(own.f_locals)
    known |= {f"self.{key}": one for key, one in getattr(known.get("self"), "__dict__", {}).items()}
    mine = next((key for key, one in known.items() if one is thing), "")
    asked = next((key for key, one in known.items() if callable(getattr(one, name, None))), "")
    if frames[-1][0] is own and mine and asked:
        if f"{mine}.{name}(" in _line(own, line):
            return f"`{mine}` is {thing!r} there, and `{asked}` has `{name}`: are they swapped?"
        return f"`{mine}` is {thing!r}, {_kind(thing)}: ask {asked}.{name}({mine})."
    inner = [frame for frame, _ in frames]
    first = next(frame for frame in inner if frame.f_globals is own.f_globals)
    handed = [first.f_locals.get(key) for key in _parameters(first)]
    asked_of = [frame.f_locals.get("self") for frame in inner[inner.index(first) :]]
    games = [one for one in asked_of if hasattr(one, "actions")]
    if games and games[0] not in handed and any(hasattr(one, "actions") for one in handed):
        kind = type(games[0]).__name__
        return f"A {kind} of your own is asked about {thing!r}: ask the game that you are given."
    if {"__main__", "builtins"} & {type(thing).__module__}:
        return ""
    base = next(one for one in type(thing).__mro__[::-1] if one.__module__ not in OF_PYTHON)
    members = {**vars(base), **vars(base).get("__annotations__", {})}
    public = sorted(one for one in members if not one.startswith("_"))
    return f"A {base.__name__} has {', '.join(public)}." if len(public) < MANY else ""


def _parameters(frame: FrameType) -> tuple[str, ...]:
    """Return the names of the parameters of the function that a frame runs."""
    return frame.f_code.co_varnames[: frame.f_code.co_argcount]


def _what_and_where(error: BaseException, frames: list[tuple[FrameType, int]]) -> str:
    """Return what an error says and the line of code in which the last of `frames` was."""
    what = str(error) if isinstance(error, TooLong) else ""
    what = what or traceback.format_exception_only(error)[-1].strip()
    what = re.sub(r"[\w.]+\.<locals>\.", "", what)
    if isinstance(error, SyntaxError):
        return f"{what} in line {error.lineno}: {(error.text or '').strip()}"
    if not frames:
        return what
    code, number = frames[-1][0].f_code, frames[-1][1]
    name = "the cell" if code.co_name == "<module>" else code.co_qualname
    return f"{what}\nin {name}, line {number}: {_line(*frames[-1])}"


def _line(frame: FrameType, number: int) -> str:
    """Return a line of the code that a frame runs."""
    return linecache.getline(frame.f_code.co_filename, number, frame.f_globals).strip()


def _call(frame: FrameType) -> str:
    """Return how the function of a frame was called, as far as plain data still tells."""
    changed: set[str] = set()
    for step in dis.get_instructions(frame.f_code):
        if "STORE" in step.opname:
            changed |= set(step.argval) if isinstance(step.argval, tuple) else {step.argval}
    shown = [
        name if name in changed else _shown(name, frame.f_locals.get(name))
        for name in _parameters(frame)
    ]
    return f"{frame.f_code.co_qualname}({', '.join(shown)})"


def _shown(name: str, value: Any) -> str:
    """Return an argument as text: plain data as it is, else its name and what tells it apart."""
    board = getattr(value, "board", None)
    if isinstance(board, dict):
        pieces = ", ".join(f"{piece} {square}" for square, piece in board.items())
        return f"{name} with {pieces or 'an empty board'}"
    if name == "self" and hasattr(value, "__dict__"):
        sizes = [f"{key}={size}" for key, size in vars(value).items() if type(size) is int]
        return f"self with {', '.join(sizes)}" if sizes else "self"
    plain = type(value) in (int, float, str, tuple, list) and len(repr(value)) <= 60
    return repr(value) if plain else name


# --- what a running notebook remembers -------------------------------------------------------


class Made(NamedTuple):
    """Tell of a name which cell was to define it last, when, since when, and what went wrong."""

    source: str
    at: float
    since: float  # a run before which the cell was another one
    error: str


class Kernel:
    """Remember what the cells were that have run, and stop one that does not end."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.clock = ExitStack()
        self.made: dict[str, Made] = {}
        self.red: set[str] = set()  # cells whose checks have failed
        self.told = False

    def before(self, info: Any) -> None:
        """Start the clock of a cell that is about to run."""
        self.clock.close()
        self.clock.enter_context(time_limit(CPU_SECONDS, _is_of_a_cell, of_computing=True))

    def after(self, result: Any) -> None:
        """Note which names a cell that has run was to define, and whether it did."""
        self.clock.close()
        now, source = time.time(), result.info.raw_cell
        error = result.error_before_exec or result.error_in_exec
        for name, reason in outcomes(source, error, _is_of_a_cell).items():
            known = self.made.get(name)
            since = known.since if known and known.source == source else now
            self.made[name] = Made(source, now, since, reason)

    def differences(self, names: Names) -> list[str]:
        """Return in what the names that were asked for are not what would be handed in, by lines.

        The saved notebook tells what would be handed in: of each name the last cell counts.
        """
        lines = [
            f"`{name}` was made before `{one}` was changed: run its cell again."
            for name in sorted(names.asked & self.made.keys())
            for one in sorted(self._used({name}))
            if self.made[one].since > self.made[name].at and not callable(names.values.get(name))
        ]
        saved = names.saved
        if saved is None:
            told, self.told = self.told, bool(self.made)
            here = "Your file is not here to compare: restart and run all cells before you hand in."
            return [*lines, here] if self.made and not told else lines
        file, cells = saved.file, saved.defining()
        older = False
        for name in sorted(self._used(names.asked)):
            made = self.made[name]
            last = cells[name]["source"] if name in cells else ""
            if made.error or last.strip() == made.source.strip():
                continue
            if file.stat().st_mtime < made.at:
                older = True
            elif name in cells:
                lines.append(f"{file.name} holds another `{name}`: run its cell, or save it again.")
            else:
                not_code = saved.not_code(name, name)
                none = f"No cell of {file.name} makes `{name}` any more."
                lines.append(f"`{name}`: {not_code}" if not_code else none)
        if lines:
            lines.insert(0, "But that is not what you would hand in:")
        return [*lines, f"Not saved yet: {file.name} is older than this."] if older else lines

    def _used(self, names: set[str]) -> set[str]:
        """Return those of the names that cells have made, and those that their cells use."""
        used = names & self.made.keys()
        words = {word for name in used for word in _names(self.made[name].source)}
        more = used | words & self.made.keys()
        return used if more == used else self._used(more)


def _is_of_a_cell(frame: FrameType) -> bool:
    """Return whether a frame belongs to a cell of the running notebook."""
    return frame.f_globals.get("__name__") == "__main__" and "In" in frame.f_globals


def outcomes(
    source: str, error: BaseException | None, within: Callable[[FrameType], bool]
) -> dict[str, str]:
    """Return the names that a cell defines, each with what stopped the cell before that, or ""."""
    frames = list(traceback.walk_tb(error.__traceback__)) if error else []
    frames = [one for one in frames if within(one[0])]
    reason = _what_and_where(error, frames) if error else ""
    try:
        body = ast.parse(_plain(source)).body
    except SyntaxError:
        names = re.findall(r"(?m)^\s*(?:(?:async +)?(?:def|class) +)?(\w+) *[=(:]", source)
        return dict.fromkeys(names, reason)
    found: dict[str, str] = {}
    for statement in body:
        done = frames and (statement.end_lineno or 0) < frames[0][1]
        name = getattr(statement, "name", None)  # of a function or a class
        nodes = [] if name else [one for one in ast.walk(statement) if isinstance(one, ast.Name)]
        stored = [one.id for one in nodes if isinstance(one.ctx, ast.Store)]
        found |= dict.fromkeys([name] if name else stored, "" if done else reason)
    return found


class Saved(NamedTuple):
    """Hold a notebook as it is saved: its file and its cells, with each source as one text."""

    file: Path
    cells: list[dict[str, Any]]

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a notebook; NotebookError if it cannot be read."""
        try:
            cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
            return cls(file, [{**cell, "source": "".join(cell["source"])} for cell in cells])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise NotebookError(
                f"{file.name} is not a notebook that can be read ({error!r}).\n"
                "Open it in JupyterLab, save it, and try again."
            ) from None

    @classmethod
    def running(cls, values: Mapping[str, Any]) -> Self | None:
        """Return the running notebook, or None if its file cannot be found.

        JupyterLab and VS Code tell which it is; elsewhere it is the only one that is here.
        """
        said = str(values.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME") or "")
        with suppress(NotebookError):
            return cls.read(Path(said) if said.endswith(".ipynb") else only_notebook(Path.cwd()))
        return None

    def defining(self) -> dict[str, dict[str, Any]]:
        """Return for each name the last code cell that defines it."""
        code = [cell for cell in self.cells if cell.get("cell_type") == "code"]
        return {name: cell for cell in code for name in outcomes(cell["source"], None, bool)}

    def place(self, name: str, cell: str) -> str:
        """Return where `name` is defined, or what has become of `cell`, which should define it."""
        if made := self.defining().get(name):
            lines = made["source"].splitlines()
            first = next(line.strip() for line in lines if re.search(rf"\b{name}\b", line))
            mine = _tag(made).get("grade_id") == cell
            return "" if mine else f"the cell with `{first}` defines it."
        if not_code := self.not_code(name, cell):
            return not_code
        none = f"no cell of {self.file.name}, as it is saved, defines it"
        for one in self.cells:
            if _tag(one).get("grade_id") == cell:
                other = ", ".join(f"`{word}`" for word in outcomes(one["source"], None, bool))
                return f"{none}; the cell {cell!r} should, and defines {other or 'nothing'}."
        undo = "take a deletion back (Esc, then Z), or write it in a new code cell."
        return f"{none}, and there is no cell {cell!r}: {undo}"

    def not_code(self, name: str, cell: str) -> str:
        """Return which cell holds the code for `name` and does not run, and what to do, or ""."""
        defines = re.compile(rf"(?m)^ *(async +)?((def|class) +{name}\b|{name} *(:.*)?=(?!=))")
        for one in self.cells:
            kind, tag = str(one.get("cell_type")).replace("markdown", "Markdown"), _tag(one)
            mine = tag.get("grade_id") == cell
            holds = None if tag.get("locked") else defines.search(one["source"])
            which = repr(cell) if mine else holds and f"with `{holds[0]}`"
            if kind != "code" and which:
                what = f"is a {kind} cell in {self.file.name}, and only code runs"
                return f"the cell {which} {what}: click on it, press Esc, then Y, and save."
        return ""


def _tag(cell: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what nbgrader has noted of a cell."""
    tag: Mapping[str, Any] = cell.get("metadata", {}).get("nbgrader", {})
    return tag


def _plain(source: str) -> str:
    """Return the source of a cell without %magics and !commands, which Python does not know."""
    try:
        ast.parse(source)
    except SyntaxError:
        return re.sub(r"(?m)^([ \t]*)[%!].*", r"\1pass", source)
    return source


def _names(source: str) -> set[str]:
    """Return the names that a cell uses, none if it is no Python."""
    with suppress(SyntaxError):
        nodes = ast.walk(ast.parse(_plain(source)))
        return {node.id for node in nodes if isinstance(node, ast.Name)}
    return set()


KERNEL = Kernel()
if shell := getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)():
    shell.events.register("pre_run_cell", KERNEL.before)  # a terminal has no shell
    shell.events.register("post_run_cell", KERNEL.after)


# --- in a terminal ---------------------------------------------------------------------------


def only_notebook(folder: Path) -> Path:
    """Return the notebook in `folder`; NotebookError unless there is exactly one."""
    notebooks = sorted(folder.glob("*.ipynb"))
    if len(notebooks) == 1:
        return notebooks[0]
    names = ", ".join(notebook.name for notebook in notebooks) or "none"
    raise NotebookError(
        f"There must be exactly one notebook in {folder}; found: {names}.\n"
        "Leave the one that you hand in, move any other elsewhere, and try again."
    )


def load(notebook: Path) -> Names:
    """Run the code cells of `notebook` from the first to the last, but no test cell.

    NotebookError if it cannot be read.
    """
    saved = Saved.read(notebook)
    values: dict[str, Any] = {"__name__": "__main__", "display": print}
    errors: dict[str, str] = {}
    stopped: dict[str, str] = {}
    seconds = CPU_SECONDS
    for number, cell in enumerate(saved.cells, start=1):
        tag = _tag(cell)
        if cell.get("cell_type") != "code" or tag.get("grade"):
            continue
        name = tag.get("grade_id", f"number {number}")
        place = f"{notebook.name}, cell {name}"
        source = cell["source"]
        faulthandler.dump_traceback_later(PATIENCE * seconds, exit=True)
        with redirect_stdout(StringIO()):  # what the cells print is not what is asked for
            stop = _run_cell(source, place, values, seconds)
        faulthandler.cancel_dump_traceback_later()
        seconds = SECONDS if isinstance(stop, TooLong) else seconds  # one loop is enough
        errors |= outcomes(source, stop, lambda frame: frame.f_globals is values)
        stopped |= {name: _what_and_where(stop, [])} if stop is not None else {}
    errors = {name: reason for name, reason in errors.items() if reason}
    return Names(values, "Save the notebook, then run pytest again.", saved, errors, stopped)


def _run_cell(
    source: str, place: str, values: dict[str, Any], seconds: float = CPU_SECONDS
) -> BaseException | None:
    """Run one cell as Jupyter would; return what it raised, if anything."""
    source = _plain(source)
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    try:
        with time_limit(seconds, lambda frame: frame.f_globals is values, of_computing=True):
            exec(compile(source, place, "exec"), values)  # noqa: S102 - the student's own code
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() in a cell ends that cell, as in Jupyter
        return error
    return None
