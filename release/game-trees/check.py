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
import faulthandler
import json
import linecache
import os
import re
import signal
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import (
    ExitStack,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
    suppress,
)
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

PREFIX = "Test_"
SECONDS = 15  # for one check: the slowest of ours takes two, and a browser is five times slower
CPU_SECONDS = 60  # for one cell: `import check; check.CPU_SECONDS = 600` gives it more
PATIENCE = 5  # times as long by the clock ends a loop in a terminal that no alarm can stop
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
    """Hold what a notebook defines, which names a broken cell should have defined, and its error.

    `asked` are the names that checks have asked for.
    """

    values: Mapping[str, Any]
    advice: str
    errors: Mapping[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)


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
        if name in names.errors:
            reason = f"the cell that should define `{name}` stopped with\n{names.errors[name]}"
        elif name in names.values:
            return names.values[name]
        else:
            cell = name if hasattr(self._module, PREFIX + name) else self._cell
            reason = f"`{name}` is not defined: the cell {cell!r} should define it"
        pytest.fail(f"{reason}\n{names.advice}", pytrace=False)


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
    """Raise TooLong in what runs for more than `seconds`, and again and again if it goes on.

    It is raised only below a frame that is `within` what is limited. By an alarm; where there is
    none, in a browser or in Windows, by a look at the clock: in each line that runs or, of
    computing, each time that a loop goes round. In a Python that can do it each line raises from
    then on, in an `except`, too.
    """
    alarm, clock = has_alarm(), time.process_time if of_computing else time.monotonic
    end = clock() + seconds

    def ring(_: object, frame: FrameType | None) -> None:
        while frame and not within(frame):
            frame = frame.f_back
        if frame:
            look_on()
            spent = f"{seconds:g} seconds{' of computing' * of_computing}"
            raise TooLong(f"Stopped after {spent}: is there a loop that does not end?")

    def look(frame: FrameType) -> None:
        if clock() > end:
            ring(None, frame)

    with in_each_line(look, "" if alarm else "JUMP" if of_computing else "LINE") as look_on:
        if alarm:
            bell, timer = signal.SIGALRM, signal.ITIMER_REAL
            if of_computing:
                bell, timer = signal.SIGPROF, signal.ITIMER_PROF
            before = signal.signal(bell, ring)
            signal.setitimer(timer, seconds, AGAIN_SECONDS)
        try:
            yield
        finally:
            if alarm:
                signal.setitimer(timer, 0)
                signal.signal(bell, before)


@contextmanager
def in_each_line(look: Callable[[FrameType], None], event: str) -> Iterator[Callable[[], None]]:
    """Call `look` at each event, LINE or JUMP, or in each line once what is given has been called.

    Before Python 3.12 in each line or never, and no more after the first error that it raises.
    """
    lines: Any = getattr(sys, "monitoring", None)
    trace, number = sys.gettrace(), LINES + (event == "JUMP")

    def watch(frame: FrameType, *_: object) -> Any:
        look(frame)
        return watch

    def look_on(event: str = "LINE") -> None:
        if lines is not None:
            lines.set_events(number, getattr(lines.events, event))

    if lines is not None:
        lines.use_tool_id(number, "check")
        for known in lines.events.LINE, lines.events.JUMP:
            lines.register_callback(number, known, lambda *_: look(sys._getframe(1)))
        if event:
            look_on(event)
    elif event == "LINE":
        sys.settrace(watch)
    try:
        yield look_on
    finally:
        if lines is not None:
            lines.set_events(number, 0)
            for known in lines.events.LINE, lines.events.JUMP:
                lines.register_callback(number, known, None)
            lines.free_tool_id(number)
        elif event == "LINE":
            sys.settrace(trace)


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
                with capture.global_and_fixture_disabled() if capture else nullcontext():
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
    print(f"\n{score}.", *run.open, *KERNEL.differences(run.names), sep="\n")
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
        advice = "Run that cell, then run this check again."
        self.names = Names(namespace, advice, KERNEL.errors())
        self.results: list[Result] = []
        self.total = 0
        self.broken = ""
        self.title = ""
        self.open: list[str] = []

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


# --- what a running notebook remembers -------------------------------------------------------


@dataclass
class Made:
    """Tell of a name which cell was to define it last, in which run and when, and what went wrong.

    `changed` is the run in which that cell was another one than before.
    """

    source: str
    run: int
    changed: int
    at: float
    error: str = ""


class Kernel:
    """Remember what the cells were that have run, and stop one that does not end."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.clock = ExitStack()
        self.made: dict[str, Made] = {}
        self.runs = 0
        self.told = False

    def before(self, info: Any) -> None:
        """Start the clock of a cell that is about to run."""
        self.clock.close()
        self.clock.enter_context(time_limit(CPU_SECONDS, _is_of_a_cell, of_computing=True))

    def after(self, result: Any) -> None:
        """Note which names a cell that has run was to define, and whether it did."""
        self.clock.close()
        self.runs += 1
        source, error = result.info.raw_cell, result.error_before_exec or result.error_in_exec
        frames = list(traceback.walk_tb(error.__traceback__)) if error else []
        reached = [line for frame, line in frames if _is_of_a_cell(frame)][:1] or [0]
        for name, line in defined(source).items():
            known = self.made.get(name)
            same = known is not None and known.source == source
            changed = known.changed if known is not None and same else self.runs
            failed = error is not None and (line >= reached[0] or not reached[0])
            reason = _what_and_where(error, []) if error is not None and failed else ""
            self.made[name] = Made(source, self.runs, changed, time.time(), reason)

    def errors(self) -> dict[str, str]:
        """Return what stopped the cells that should have defined names, by name."""
        return {name: made.error for name, made in self.made.items() if made.error}

    def differences(self, names: Names) -> list[str]:
        """Return in what the names that were asked for are not what would be handed in, by lines.

        The saved notebook tells what would be handed in: of each name the last cell counts.
        """
        lines = []
        for name in names.asked & self.made.keys():
            newer = [
                one for one in self._used(name) if self.made[one].changed > self.made[name].run
            ]
            if newer and not callable(names.values.get(name)):
                lines.append(
                    f"`{name}` was made before `{newer[0]}` was changed: run its cell again."
                )
        saved = _saved(names.values)
        if saved is None:
            told, self.told = self.told, bool(self.made)
            here = "Your file is not here to compare: restart and run all cells before you hand in."
            return [*lines, here] if self.made and not told else lines
        file, cells = saved
        before = False
        for name in sorted(set().union(*({one, *self._used(one)} for one in names.asked))):
            made, last = self.made.get(name), cells.get(name, "")
            if made is None or made.error or last.strip() == made.source.strip():
                continue
            if file.stat().st_mtime < made.at:
                before = True
            elif last:
                lines.append(f"{file.name} holds another `{name}`: run its cell, or save it again.")
            else:
                lines.append(f"No cell of {file.name} makes `{name}` any more.")
        if lines:
            lines.insert(0, "But that is not what you would hand in:")
        return [*lines, f"Not saved yet: {file.name} is older than this."] if before else lines

    def _used(self, name: str) -> list[str]:
        """Return the names made by cells on which a name depends, by what its cell says."""
        found: dict[str, None] = {}
        todo = [name]
        while todo:
            made = self.made.get(todo.pop())
            with suppress(SyntaxError):
                nodes = ast.walk(ast.parse(_plain(made.source))) if made else []
                for node in nodes:
                    new = node.id if isinstance(node, ast.Name) else name
                    if new in self.made and new != name and new not in found:
                        found[new] = None
                        todo.append(new)
        return list(found)


def _is_of_a_cell(frame: FrameType) -> bool:
    """Return whether a frame belongs to a cell of the running notebook."""
    return frame.f_globals.get("__name__") == "__main__" and "In" in frame.f_globals


def defined(source: str) -> dict[str, float]:
    """Return the names that a cell defines, each with the last line that has a part in it."""
    found: dict[str, float] = {}
    try:
        body = ast.parse(_plain(source)).body
    except SyntaxError:
        names = re.findall(r"(?m)^\s*(?:(?:async +)?(?:def|class) +)?(\w+) *[=(:]", source)
        return dict.fromkeys(names, float("inf"))
    for statement in body:
        end = statement.end_lineno or 0
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[statement.name] = end
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found[node.id] = end
    return found


def _saved(values: Mapping[str, Any]) -> tuple[Path, dict[str, str]] | None:
    """Return the file of the running notebook, and the source of the last cell for each name.

    JupyterLab and VS Code tell which file it is; elsewhere it is the only one that is here.
    """
    said = values.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME") or ""
    here = [Path(str(said))] if str(said).endswith(".ipynb") else sorted(Path.cwd().glob("*.ipynb"))
    cells: dict[str, str] = {}
    try:
        (file,) = here
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
            if cell.get("cell_type") == "code":
                source = "".join(cell["source"])
                cells |= dict.fromkeys(defined(source), source)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return file, cells


def _plain(source: str) -> str:
    """Return the source of a cell without %magics and !commands, which Python does not know."""
    try:
        ast.parse(source)
    except SyntaxError:
        return re.sub(r"(?m)^([ \t]*)[%!].*", r"\1pass", source)
    return source


KERNEL = Kernel()
with suppress(ImportError, AttributeError):  # in a terminal there is no shell
    from IPython import get_ipython

    get_ipython().events.register("pre_run_cell", KERNEL.before)
    get_ipython().events.register("post_run_cell", KERNEL.after)


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
    errors: dict[str, str] = {}
    seconds = CPU_SECONDS
    faulthandler.dump_traceback_later(PATIENCE * seconds, exit=True)
    for number, cell in enumerate(cells, start=1):
        tag = cell.get("metadata", {}).get("nbgrader", {})
        if cell.get("cell_type") == "code" and not tag.get("grade"):
            name = tag.get("grade_id", f"number {number}")
            source = "".join(cell["source"])
            with redirect_stdout(StringIO()):  # what the cells print is not what is asked for
                reason, reached = _run_cell(
                    source, f"{notebook.name}, cell {name}", values, seconds
                )
            seconds = SECONDS if reason.startswith("Stopped") else seconds  # one loop is enough
            faulthandler.dump_traceback_later(PATIENCE * seconds, exit=True)
            for one, line in defined(source).items():
                errors.pop(one, None)
                if reason and line >= reached:
                    errors[one] = reason
    faulthandler.cancel_dump_traceback_later()
    return Names(values, "Save the notebook, then run pytest again.", errors)


def _run_cell(
    source: str, place: str, values: dict[str, Any], seconds: float = CPU_SECONDS
) -> tuple[str, int]:
    """Run one cell as Jupyter would; return what it raised, or "", and in which line of it."""
    source = _plain(source)
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    within = lambda frame: frame.f_globals is values  # noqa: E731
    try:
        with time_limit(seconds, within, of_computing=True):
            exec(compile(source, place, "exec"), values)  # noqa: S102 - the student's own code
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() in a cell ends that cell, as in Jupyter
        frames = [one for one in traceback.walk_tb(error.__traceback__) if within(one[0])]
        return _what_and_where(error, frames), frames[0][1] if frames else 0
    return "", 0
