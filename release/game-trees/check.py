"""Run the public checks of an assignment on the code in a student's notebook.

`check("MiniMax")` in a notebook runs the checks of the cell "MiniMax" on what the notebook
defines at that moment, and tells where the saved file says something else. The same checks run with
`pytest` in a terminal: there the fixture `student` runs the saved notebook first. The checks of a
cell are the methods of the class `Test_<cell>` in a file `test_*.py` beside the notebook; each
takes `student` alone. That file may say in `NOT_COVERED` what it leaves out, and have `Hints`,
which add to what is said of an error.

This module gives no marks, knows no assignment and writes no file.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - said in words that an older Python understands
    raise ImportError(f"This needs Python 3.11 or newer, and here is {sys.version.split()[0]}.")

import ast
import ctypes
import functools
import json
import linecache
import os
import re
import time
import traceback
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from io import StringIO
from keyword import kwlist
from pathlib import Path
from symtable import SymbolTable, symtable
from threading import Event, Thread, get_ident
from types import FrameType, ModuleType
from typing import Any, NamedTuple

import pytest

PREFIX = "Test_"
BROWSER = sys.platform == "emscripten"  # which has no threads, and is five times slower
SECONDS = 45.0 if BROWSER else 15.0  # of computing, for one check: the slowest of ours takes two
# For one cell, less than grading gives it; `import check; check.CELL_SECONDS = 600` gives it more.
CELL_SECONDS = 60.0 if BROWSER else 20.0
PATIENCE = 3  # times as long by the clock is too long, too
GONE = "\nIs its cell deleted, or no code (click on it, press Esc, then Y)?"
Frames = list[tuple[FrameType, int]]  # the innermost last, each with the line where it was


class ChecksFailed(AssertionError):  # noqa: N818 - it names what happened
    """Say in one line that public checks failed; the printed report says why."""

    def _render_traceback_(self) -> list[str]:
        """Return what Jupyter shows in place of a traceback, which would help nobody here."""
        return [f"{type(self).__name__}: {self}"]


class TooLong(BaseException):  # no `except Exception` of a student's stops it
    """A check or a cell has run for too long."""

    message = ""  # for how long

    def __str__(self) -> str:
        """Return for how long."""
        return self.message


# --- cells -----------------------------------------------------------------------------------


def plain(source: str) -> str:
    """Return the source of a cell without %magics and !commands, which Python does not know."""
    with suppress(SyntaxError):
        ast.parse(source)
        return source
    return re.sub(r"(?m)^([ \t]*)[%!].*", r"\1pass", source)


@functools.cache
def scope(source: str) -> SymbolTable:
    """Return what Python knows of the names of a cell."""
    try:
        return symtable(plain(source), "", "exec")
    except SyntaxError:  # what it would define if it were Python
        heads = r"(?m)^[ \t]*(?:(?:async +)?(?:def|class) +(\w+)|([^\W\d]\w*) *=(?!=))"
        names = {name or other for name, other in re.findall(heads, source)} - {*kwlist}
        return symtable("\n".join(f"{name} = 0" for name in names), "", "exec")


def binds(source: str) -> set[str]:
    """Return the names that a cell defines, but for what it imports."""
    names = scope(source).get_symbols()
    return {one.get_name() for one in names if one.is_assigned() and not one.is_imported()}


def looks_up(source: str, name: str) -> set[str]:
    """Return the globals that a function or class of a cell reads; of a value, its cell's."""
    scopes = [one for one in scope(source).get_children() if one.get_name() == name]
    lookups, scopes = set[str](), scopes or [scope(source)]
    for inner in scopes:  # which grows
        scopes += inner.get_children()
        names = [one for one in inner.get_symbols() if one.is_referenced()]
        lookups |= {one.get_name() for one in names if one.is_global()}
    return lookups - {name}


def line_of(name: str, source: str) -> str:
    """Return the first line of a cell with a name that it defines, as it is shown."""
    return f"`{next(line for line in source.splitlines() if name in line).strip()}`"


class CellRun(NamedTuple):
    """A cell that has run, what stopped it, if anything, and what it has not defined then."""

    source: str
    error: str = ""
    failed: Collection[str] = ()


class Notebook:
    """What a notebook defines, the cells that have run for it, in their order, and its file."""

    def __init__(self, values: Mapping[str, Any], cells: list[CellRun]) -> None:
        """Begin with nothing asked, and no file."""
        self.values, self.cells, self.file, self.code = values, cells, Path(), list[Any]()
        self.requests, self.doubt = set[str](), ""  # what is behind a failure, if there is one

    def read(self, folder: Path, path: str = "") -> None:
        """Read the file at `path`, or else the only notebook; ValueError if that cannot be."""
        files = [Path(path)] if path.endswith(".ipynb") else sorted(folder.glob("*.ipynb"))
        if len(files) != 1:
            names = ", ".join(one.name for one in files) or "none"
            what = f"There must be exactly one notebook in {folder}; found: {names}.\n"
            raise ValueError(
                f"{what}Leave the one that you hand in, move any other, and try again."
            )
        try:
            for cell in json.loads(files[0].read_text(encoding="utf-8"))["cells"]:
                tag = cell["metadata"].get("nbgrader", {})
                if cell["cell_type"] == "code":
                    self.code.append({"source": "".join(cell["source"]), **tag})
        except (OSError, ValueError, KeyError, TypeError) as error:
            what = f"{files[0].name} is not a notebook that can be read ({error!r})."
            raise ValueError(f"{what}\nOpen it in JupyterLab, save it, and try again.") from None
        self.file = files[0]

    @contextmanager
    def running(self, source: str) -> Iterator[None]:
        """Remember a cell that runs here, and stop it after a while; an error ends the cell."""
        old, error = dict(self.values), ""
        try:
            with time_limit(CELL_SECONDS, self.values):
                yield
        except (Exception, SystemExit, KeyboardInterrupt, TooLong) as exception:
            error = what_and_where(exception, walk(exception, self.values))
        names = [one for one in binds(source) if self.values.get(one) is old.get(one)]
        self.cells.append(CellRun(source, error, names if error else []))

    def last(self, name: str, until: int | None = None) -> tuple[int, CellRun]:
        """Return the last cell, and its number, that has run and was to define a name."""
        runs = [(n, one) for n, one in enumerate(self.cells[:until]) if name in binds(one.source)]
        return runs[-1] if runs else (0, CellRun(""))

    def saved_cells(self, name: str) -> list[str]:
        """Return the code cells of the file that define a name."""
        return [one["source"] for one in self.code if name in binds(one["source"])]

    def replacement(self, name: str) -> str:
        """Return which other cell has given the name of a solution to something else, or ""."""
        src, cells = self.last(name)[1].source, self.saved_cells(name)
        answers = [one["source"] for one in self.code if one.get("solution")]
        is_try = name not in [one.get_name() for one in scope(src).get_children()]
        if not src or src in answers or not {*cells} & {*answers} or not (src in cells or is_try):
            return ""  # a solution that has been changed since is none of the saved cells
        return f"`{name}` is something else since the cell with {line_of(name, src)} has run."

    def differences(self) -> list[str]:
        """Return how the names that checks use differ from what the saved notebook defines."""
        lines = dict[object, str]()  # one of what a cell has made, by its number, or of a file
        todo = sorted(self.requests & self.values.keys()) if self.file.name else []
        texts = [file.read_text("utf-8", "replace") for file in self.file.parent.glob("*.py")]
        texts += [cell["source"] for cell in self.code if cell.get("locked")]
        modules = re.findall(r"(?m)^ *(?:from|import) +(\w+)", "\n".join(texts))
        for name in todo:  # which grows
            value, cells, (number, run) = self.values[name], self.saved_cells(name), self.last(name)
            module = str(getattr(value, "__module__", getattr(value, "__name__", "")))
            is_file = (self.file.parent / f"{module}.py").is_file() and module not in modules
            if is_file and not run.source:
                lines[name] = f"Copy `{name}` from {module}.py: only the notebook is handed in."
            # Of several cells that define what is only used, none is sure to be meant.
            if not run.source or (name not in self.requests and len(cells) > 1):
                continue
            lookups = looks_up(run.source, name)
            todo += sorted(lookups & self.values.keys() - {*todo})
            cause = ""
            for other in [one for one in lookups if len(self.saved_cells(one)) == 1]:
                (_, then), (later, now) = self.last(other, number), self.last(other)
                if later > number and then.source not in ("", now.source):
                    cause = other
            why = ""
            if not cells:
                why = f"No code cell of {self.file.name} defines `{name}`.{'' if lines else GONE}"
            elif cells[-1].strip() != run.source.strip():
                why = f"{self.file.name} holds another `{name}`."
            elif "input" in scope(run.source).get_identifiers() - self.values.keys():
                why = f"The cell of `{name}` has `input()`: nobody types when it is graded."
            elif cause and not callable(value):
                why = f"`{name}` was made before `{cause}` was changed: run its cell."
            if why:
                lines.setdefault(number, why)
        return [*lines.values()]


class Student:
    """Offer the names of a notebook as attributes: `student.MiniMax`."""

    def __init__(self, notebook: Notebook) -> None:
        """Remember the notebook."""
        self._notebook = notebook

    def __getattr__(self, name: str) -> Any:
        """Return what the notebook calls `name`; fail the check if it has no such name."""
        notebook, run = self._notebook, self._notebook.last(name)[1]
        notebook.requests.add(name)
        if name in notebook.values and name not in run.failed:
            value = notebook.values[name]
            notebook.doubt = notebook.doubt or notebook.replacement(name)
            if run.error and not callable(value):
                notebook.doubt = f"A cell that this needs stopped with\n{run.error}"
            return value
        why, cells = f"`{name}` is not defined", notebook.saved_cells(name)
        if name in run.failed:
            why = f"the cell that should define `{name}` stopped with\n{run.error}"
        elif run.source.startswith("%%"):
            why += f"\n{run.source.splitlines()[0]} keeps to itself what its cell defines"
        elif cells:
            why += f": the cell with {line_of(name, cells[-1])} should define it"
        elif notebook.file.name:
            why += f", and no code cell of {notebook.file.name} defines it.{GONE}"
        pytest.fail(f"{why}\nMend or run its cell, save the notebook, and try again.", False)


# --- loops -----------------------------------------------------------------------------------


@contextmanager
def time_limit(seconds: float, values: Mapping[str, Any]) -> Iterator[None]:
    """Raise TooLong, again and again, in what runs for long below code with these globals.

    Long are `seconds` of computing, or PATIENCE times as many by the clock, unless it mostly waits,
    as for `input`. A thread looks at them, or in a browser each turn of a loop.
    """
    start, end, thread = (time.process_time(), time.monotonic()), Event(), get_ident()

    def look(*_: object) -> None:
        computing, clock = time.process_time() - start[0], time.monotonic() - start[1]
        late = clock > PATIENCE * seconds and computing > clock / 10
        if computing <= seconds and not late:
            return  # the usual case, at each turn of a loop in a browser
        frame = sys._current_frames().get(thread)
        while frame and frame.f_globals is not values:
            frame = frame.f_back
        if frame:
            times = f"{computing:.3g} seconds of computing, {clock:.3g} by the clock"
            TooLong.message = f"Stopped after {times}: is there a loop that does not end?"
            if BROWSER:
                raise TooLong
            stop = ctypes.pythonapi.PyThreadState_SetAsyncExc
            stop(ctypes.c_ulong(thread), ctypes.py_object(TooLong))

    def tick() -> None:
        while not end.wait(0.05):
            look()

    watch: Any = vars(sys).get("monitoring")
    if BROWSER:
        watch.use_tool_id(watch.PROFILER_ID, "check")
        watch.register_callback(watch.PROFILER_ID, watch.events.JUMP, look)
        watch.set_events(watch.PROFILER_ID, watch.events.JUMP)
    else:
        Thread(target=tick, daemon=True).start()
    try:
        yield
    finally:
        end.set()
        if BROWSER:
            watch.set_events(watch.PROFILER_ID, 0)
            watch.free_tool_id(watch.PROFILER_ID)
        with suppress(TooLong):  # one that is still on its way comes at the next turn of a loop
            for _ in range(9):
                pass


# --- checks ----------------------------------------------------------------------------------


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Iterator[Student]:
    """Give a public check the names that the saved notebook defines."""
    try:
        notebook = load(request.path.parent)
    except ValueError as error:
        pytest.exit(str(error), returncode=1)
    with time_limit(SECONDS, request.function.__globals__):  # a base class has other ones
        yield Student(notebook)


@functools.cache
def load(folder: Path) -> Notebook:
    """Run the code cells of the notebook there in their order, as Jupyter would, but no test."""
    values: dict[str, Any] = {"__name__": "__main__", "display": print}
    notebook = Notebook(values, [])
    notebook.read(folder)
    for number, cell in enumerate(notebook.code, start=1):
        if cell.get("grade"):
            continue
        source = plain(cell["source"])
        place = f"{notebook.file.name}, cell {cell.get('grade_id', number)}"
        linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
        with redirect_stdout(StringIO()), notebook.running(cell["source"]):
            exec(compile(source, place, "exec"), values)  # noqa: S102 - the student's own code
    return notebook


def check(cell: str) -> None:
    """Run the public checks of `cell` on the names of the notebook that calls, and report.

    ChecksFailed (an AssertionError) unless all pass; ValueError if no checks have that name.
    """
    files, here = dict[str, Path](), Path(__file__).parent
    for file in sorted(here.glob("test_*.py"), key=lambda file: -len(file.name)):  # copies first
        source = file.read_text(encoding="utf-8", errors="replace")
        files |= dict.fromkeys(re.findall(rf"(?m)^class {PREFIX}(\w+)", source), file)
    if cell not in files:
        calls = ", ".join(f'check("{name}")' for name in files) or "none: no test_*.py is here"
        raise ValueError(f"there are no checks for {cell!r} in {here}; those I know: {calls}")
    CELL.close()  # checks have a limit of their own
    values = sys._getframe(1).f_globals
    notebook = Notebook(values, RUNS)
    with suppress(ValueError):  # JupyterLab and VS Code say which it is; elsewhere none may be here
        path = values.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME") or ""
        notebook.read(here, path)
    module = ModuleType(files[cell].stem)
    try:
        exec(compile(files[cell].read_bytes(), files[cell], "exec"), vars(module))  # noqa: S102
    except Exception as error:
        what = "".join(traceback.format_exception_only(error))
        raise ChecksFailed(f"{files[cell].name} cannot be run as it is:\n{what}") from None
    outcomes = list(results(vars(module), cell, notebook))
    failures = [title for title, reason in outcomes if reason]
    score = f"{len(outcomes) - len(failures)} of {len(outcomes)} public checks pass"
    for title, reason in outcomes:
        print("✘" if reason else "✔", "\n    ".join([title, *reason.rstrip().splitlines()]))
    print(f"\n{score}.")
    if not failures and hasattr(module, "NOT_COVERED"):
        print(f"They do not cover {module.NOT_COVERED}.")
    lines = notebook.differences()
    names = {f"test_{file.stem.replace('-', '_')}": file.name for file in here.glob("*.ipynb")}
    this = notebook.file.name
    if this and names.get(module.__name__, this) != this:
        lines.append(f"This is {this}; {names[module.__name__]} is handed in.")
    if lines:
        print("But that is not what you would hand in:", *lines, sep="\n")
        print("Save the notebook, run its cells from the top, and check again.")
    if failures:
        raise ChecksFailed(f"{score}. The first to look at:\n✘ {failures[0]}")


def results(checks: Mapping[str, Any], cell: str, notebook: Notebook) -> Iterator[tuple[str, str]]:
    """Yield the title of each check of a cell and why it fails, or ""; after a loop none runs."""
    hints = checks["Hints"](notebook.values) if "Hints" in checks else None
    kind, causes, late = checks[PREFIX + cell], set[str](), False
    tests = {name: one for base in reversed(kind.__mro__) for name, one in vars(base).items()}
    for test in [one for name, one in tests.items() if name.startswith("test_")]:
        title, output = (test.__doc__ or test.__name__).strip().splitlines()[0], StringIO()
        if late:
            yield f"{title} (not run)", " "
            continue
        try:
            with redirect_stdout(output), time_limit(SECONDS, test.__globals__):
                test(kind(), Student(notebook))
            yield title, ""
        except (Exception, SystemExit, KeyboardInterrupt, TooLong, pytest.fail.Exception) as error:
            frames, own_frames, reason = walk(error), walk(error, notebook.values), str(error)
            cause = vars(error).get("cause") or reason.partition(" stopped with\n")[2] or reason
            is_failure = isinstance(error, AssertionError | pytest.fail.Exception)
            if own_frames[-1:] == frames[-1:] or not is_failure:
                reason = what_and_where(error, own_frames or walk(error, test.__globals__))
                cause = reason if own_frames else str(error)
            if notebook.doubt not in reason:
                cause = notebook.doubt
                reason = f"{cause}\n{reason}"
            with suppress(Exception):  # an object of the student's may answer nothing
                reason = hints.added(reason, error, own_frames) if hints else reason
            if lines := output.getvalue().strip().splitlines()[-10:]:
                reason += "\nIt printed: " + "\n            ".join(lines)
            late = isinstance(error, KeyboardInterrupt | TooLong)
            yield (f"{title} (as above)", " ") if cause in causes else (title, reason)
            causes.add(cause)


def walk(error: BaseException | None, values: object = None) -> Frames:
    """Return the frames that an error went through, or of these what has `values` as globals."""
    frames = traceback.walk_tb(error.__traceback__) if error else ()
    return [one for one in frames if values is None or one[0].f_globals is values]


def what_and_where(error: BaseException, frames: Frames) -> str:
    """Return what an error says and the line of code in which the last of `frames` was."""
    what = traceback.format_exception_only(error)[-1].strip()
    what = re.sub(r"[\w.]+\.<locals>\.", "", what.removeprefix("check.TooLong: "))
    if isinstance(error, SyntaxError):
        return f"{what} in line {error.lineno}: {(error.text or '').strip()}"
    if not frames:
        return what
    code, number = frames[-1][0].f_code, frames[-1][1]
    name = "the cell" if code.co_name == "<module>" else code.co_qualname.split("<locals>.")[-1]
    if type(error) is NotImplementedError:
        return f"{name} raises NotImplementedError in line {number}: write your code in its place"
    line = linecache.getline(code.co_filename, number, frames[-1][0].f_globals).strip()
    return f"{what}\nin {name}, line {number}: {line}"


# --- what a running notebook remembers -------------------------------------------------------

RUNS: list[CellRun] = []
CELL = ExitStack()  # what ends with the cell that runs
shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()


def before(cell: Any) -> None:
    """Begin to watch a cell that is about to run."""
    CELL.enter_context(Notebook(shell.user_global_ns, RUNS).running(cell.raw_cell))


def after(result: Any) -> None:
    """Remember the cell that has run."""
    error = result.error_before_exec or result.error_in_exec
    CELL.__exit__(type(error) if error else None, error, getattr(error, "__traceback__", None))


if shell:  # a terminal has none
    shell.events.register("pre_run_cell", before)
    shell.events.register("post_run_cell", after)
