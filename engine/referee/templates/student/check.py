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
import dis
import json
import linecache
import os
import re
import signal
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

PREFIX = "Test_"
SECONDS = 15  # for one check: the slowest of ours takes two, and a browser is five times slower
AGAIN_SECONDS = 0.02  # after the first time: an `except` may have caught it
LINES = 3  # what Python knows us by, where we look at each line
NO_PLUGINS = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
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
    """Hold what a notebook defines, and what each of its broken cells raised."""

    values: Mapping[str, Any]
    advice: str
    errors: Mapping[str, str] = field(default_factory=dict)


LIVE = pytest.StashKey[Names]()
LOADED = pytest.StashKey[dict[Path, Names]]()


class Student:
    """Offer the names of a notebook as attributes: `student.MiniMax`."""

    def __init__(self, names: Names, module: object, cell: str) -> None:
        """Remember which cell is being checked, to say where a missing name belongs."""
        self._names, self._module, self._cell = names, module, cell

    def __getattr__(self, name: str) -> Any:
        """Return what the notebook calls `name`; fail the check if it has no such name."""
        if name in self._names.values:
            return self._names.values[name]
        cell = name if hasattr(self._module, PREFIX + name) else self._cell
        reason = f"`{name}` is not defined: the cell {cell!r} should define it"
        if cell in self._names.errors:
            reason += f", but it stopped with\n{self._names.errors[cell]}"
        pytest.fail(f"{reason}\n{self._names.advice}", pytrace=False)


class TooLong(BaseException):  # no `except Exception` of a student's stops it
    """A check has run for too long."""


@contextmanager
def time_limit(seconds: float, alarm: bool) -> Iterator[None]:
    """Raise TooLong in what runs for more than `seconds`, and again and again if it goes on.

    By an alarm; where there is none, in a browser or in Windows, by a look at the clock in each
    line that runs. In a Python that can do it each line raises from then on, in an `except`, too.
    """
    end = time.monotonic() + seconds

    def ring(_: object, frame: FrameType | None) -> None:
        while frame and (
            frame.f_globals is globals() or frame.f_globals.get("student") is not student
        ):
            frame = frame.f_back
        if frame:  # a check runs, and not what runs the checks
            look_on()
            raise TooLong(f"Stopped after {seconds:g} seconds: is there a loop that does not end?")

    def look(frame: FrameType) -> None:
        if time.monotonic() > end:
            ring(None, frame)

    with in_each_line(look, at_once=not alarm) as look_on:
        if alarm:
            before = signal.signal(signal.SIGALRM, ring)
            signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
        try:
            yield
        finally:
            if alarm:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)


@contextmanager
def in_each_line(look: Callable[[FrameType], None], at_once: bool) -> Iterator[Callable[[], None]]:
    """Call `look` in each line that runs: at once, or once what is given has been called.

    Before Python 3.12 at once or never, and no more after the first error that it raises.
    """
    lines: Any = getattr(sys, "monitoring", None)
    trace = sys.gettrace()

    def watch(frame: FrameType, *_: object) -> Any:
        look(frame)
        return watch

    def look_on() -> None:
        if lines is not None:
            lines.set_events(LINES, lines.events.LINE)

    if lines is not None:
        lines.use_tool_id(LINES, "check")
        lines.register_callback(LINES, lines.events.LINE, lambda *_: look(sys._getframe(1)))
    if at_once:
        look_on() if lines is not None else sys.settrace(watch)
    try:
        yield look_on
    finally:
        if lines is not None:
            lines.set_events(LINES, 0)
            lines.register_callback(LINES, lines.events.LINE, None)
            lines.free_tool_id(LINES)
        elif at_once:
            sys.settrace(trace)


def has_alarm() -> bool:
    """Return whether this place can be interrupted by an alarm."""
    main = threading.current_thread() is threading.main_thread()
    return os.name == "posix" and sys.platform != "emscripten" and main


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Iterator[Student]:
    """Give a public check the names that the student's notebook defines."""
    names = request.config.stash.get(LIVE, None)
    if names is None:
        loaded = request.config.stash.setdefault(LOADED, {})
        folder = request.path.parent
        if folder not in loaded:
            try:
                loaded[folder] = load(only_notebook(folder))
            except NotebookError as error:
                pytest.fail(str(error), pytrace=False)
        names = loaded[folder]
    with time_limit(SECONDS, has_alarm()):
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
    run = Run(sys._getframe(1).f_globals)
    with _no_traces(files[cell]), redirect_stderr(StringIO()) as complaints:
        pytest.main(
            [*SETTINGS, f"--rootdir={files[cell].parent}", f"{files[cell]}::{PREFIX}{cell}"],
            plugins=[run],
        )
    if run.broken or not run.results:
        reason = run.broken or complaints.getvalue()
        raise ChecksFailed(f"{files[cell].name} cannot be run as it is:\n{reason}")
    print(*told_once(run.results), sep="\n")
    failed = [result.title for result in run.results if not result.passed]
    score = f"{len(run.results) - len(failed)} of {run.total} public checks pass"
    print(f"\n{score}.", *run.open, sep="\n")
    if failed:
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
    cause: str = ""

    def __str__(self) -> str:
        """Return the title, and below it the reason of a failure."""
        reason = "".join(f"\n    {line}".rstrip(" ") for line in self.reason.splitlines())
        return f"{'✔' if self.passed else '✘'} {self.title}{reason}"


def told_once(results: list[Result]) -> list[Result]:
    """Return the results with each reason told once, and each cause at most twice."""
    told: list[Result] = []
    for result in results:
        earlier = [other for other in told if other.reason and other.cause == result.cause]
        if not result.passed and (len(earlier) > 1 or result.reason in [e.reason for e in earlier]):
            told.append(Result(f"{result.title} (as above)", False))
        else:
            told.append(result)
    return told


class Run:
    """Be the pytest plugin of one `check`: bring the names in and take the results out."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        """Start without results."""
        self.namespace = namespace
        self.results: list[Result] = []
        self.total = 0
        self.broken = ""
        self.title = ""
        self.open: list[str] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        """Leave the names where the fixture `student` looks for them."""
        advice = "Run that cell, then run this check again."
        config.stash[LIVE] = Names(self.namespace, advice)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the reason why the file with the checks could not be read."""
        if report.failed:
            self.broken = report.longreprtext

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count the checks, and ask the file what they leave open."""
        self.total = len(session.items)
        for item in session.items[:1]:
            if left := getattr(item.module, "NOT_COVERED", ""):  # type: ignore[attr-defined]
                self.open = [f"They do not cover {left}."]

    def pytest_runtest_setup(self, item: pytest.Function) -> None:
        """Remember which check runs."""
        self.title = (item.obj.__doc__ or item.name).strip().splitlines()[0]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Any, None]:
        """Turn pytest's report of a check into a line of ours."""
        report = (yield).get_result()
        if call.excinfo:
            cause, reason = self._explain(call.excinfo.value)
            if isinstance(call.excinfo.value, TooLong):
                item.session.shouldstop = reason
                reason += "\nThe checks after this one were not run."
            if printed := report.capstdout.strip().splitlines():
                reason += "\nIt printed: " + "\n            ".join(printed[-10:])
            self.results.append(Result(self.title, False, reason, cause))
        elif call.when == "call":
            self.results.append(Result(self.title, True))

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Say where a check was when the student stopped it."""
        if isinstance(excinfo.value, pytest.Session.Interrupted):  # by us, after TooLong
            return
        reason = self._explain(excinfo.value)[1]
        self.results.append(Result(self.title, False, f"{reason}\nStopped before it ended."))

    def _explain(self, error: BaseException) -> tuple[str, str]:
        """Return the cause, and what happened, where, and in which call of the student's code."""
        frames = list(traceback.walk_tb(error.__traceback__))
        own = [frame for frame in frames if frame[0].f_globals is self.namespace]
        if isinstance(error, (AssertionError, pytest.fail.Exception)) and own[-1:] != frames[-1:]:
            return str(error), str(error)
        if isinstance(error, NotImplementedError) and own:
            reason = f"not written yet: {own[-1][0].f_code.co_qualname}"
            return reason, reason
        here = [frame for frame in frames if frame[0].f_globals.get("student") is student]
        reason = _what_and_where(error, own or here)
        if not own:
            return reason, reason
        cause = f"{type(error).__name__} in line {own[-1][1]}"
        return cause, f"{reason}\nThe check asked for {_call(own[0][0])}"


def _what_and_where(error: BaseException, frames: list[tuple[FrameType, int]]) -> str:
    """Return what an error says and the line of code in which the last of `frames` was."""
    what = str(error) if isinstance(error, TooLong) else ""
    what = what or traceback.format_exception_only(error)[-1].strip()
    if isinstance(error, SyntaxError):
        return f"{what} in line {error.lineno}: {(error.text or '').strip()}"
    if not frames:
        return what
    frame, number = frames[-1]
    code = frame.f_code
    text = linecache.getline(code.co_filename, number, frame.f_globals).strip()
    name = "the cell" if code.co_name == "<module>" else code.co_qualname
    return f"{what}\nin {name}, line {number}: {text}"


def _call(frame: FrameType) -> str:
    """Return how the function of a frame was called, as far as plain data still tells."""
    code = frame.f_code
    changed: set[str] = set()
    for step in dis.get_instructions(code):
        if "STORE" in step.opname:
            changed |= set(step.argval) if isinstance(step.argval, tuple) else {step.argval}
    shown = [
        name if name in changed else _shown(name, frame.f_locals.get(name))
        for name in code.co_varnames[: code.co_argcount]
    ]
    return f"{code.co_qualname}({', '.join(shown)})"


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


@contextmanager
def _no_traces(file: Path) -> Iterator[None]:
    """Keep a run from writing byte code, and from remembering `file` when it changes."""
    before, writes = set(sys.modules), sys.dont_write_bytecode
    plugins = os.environ.get(NO_PLUGINS)
    sys.dont_write_bytecode, os.environ[NO_PLUGINS] = True, "1"
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes
        os.environ.pop(NO_PLUGINS)
        if plugins is not None:
            os.environ[NO_PLUGINS] = plugins
        for name in set(sys.modules) - before:
            if Path(getattr(sys.modules[name], "__file__", None) or "").name == file.name:
                del sys.modules[name]


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
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotebookError(
            f"{notebook.name} is not a notebook that can be read ({error!r}).\n"
            "Open it in JupyterLab, save it, and try again."
        ) from None
    values: dict[str, Any] = {"__name__": "__main__", "display": print}
    errors = {}
    for number, cell in enumerate(cells, start=1):
        tag = cell.get("metadata", {}).get("nbgrader", {})
        if cell.get("cell_type") == "code" and not tag.get("grade"):
            name = tag.get("grade_id", f"number {number}")
            with redirect_stdout(StringIO()):  # what the cells print is not what is asked for
                reason = _run_cell("".join(cell["source"]), f"{notebook.name}, cell {name}", values)
            if reason:
                errors[name] = reason
    return Names(values, "Save the notebook, then run pytest again.", errors)


def _run_cell(source: str, place: str, values: dict[str, Any]) -> str:
    """Run one cell as Jupyter would; return what it raised, or '' if all went well."""
    try:
        ast.parse(source)
    except SyntaxError:  # perhaps because of %magics and !commands, which Python does not know
        source = re.sub(r"(?m)^([ \t]*)[%!].*", r"\1pass", source)
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    try:
        exec(compile(source, place, "exec"), values)  # noqa: S102 - it is the student's own code
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() in a cell ends that cell, as in Jupyter
        frames = traceback.walk_tb(error.__traceback__)
        return _what_and_where(error, [frame for frame in frames if frame[0].f_globals is values])
    return ""
