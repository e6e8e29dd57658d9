"""Run notebook cells in an IPython shell without a kernel, and record their outputs.

Part of the player process. It records at most `OUTPUT_CHARACTERS` of text for each cell and counts
the rest.
"""

import base64
import builtins
import contextlib
import io
import linecache
import re
import subprocess
import sys
import traceback
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from referee.model import Kind, Output
from referee.sandbox.wire.messages import Raised

OUTPUT_CHARACTERS = 64 * 1024
IMAGE_CHARACTERS = 1024 * 1024
TEXTS = ("text/html", "text/markdown", "text/latex", "image/svg+xml")
PICTURES = ("image/png", "image/jpeg")
MESSAGE_CHARACTERS = 2000
WARM_UP = "cell of ours"
BUILT_IN = frozenset(name for name in dir(builtins) if not name.startswith("_"))
NOT_CALLABLE = re.compile(r"'(\w+)' object is not callable")


class Recorder:
    """Collects the outputs of a cell, in order, up to a limit."""

    def __init__(self) -> None:
        """Start without outputs."""
        self.clear()

    def clear(self) -> None:
        """Delete all outputs."""
        self._events: list[tuple[Kind, Any]] = []
        self._room = OUTPUT_CHARACTERS
        self._picture_room = IMAGE_CHARACTERS
        self._excess = 0

    def text(self, kind: Kind, text: str) -> None:
        """Record text written to "stdout" or "stderr"."""
        text = sendable(text)
        part = text[: self._room]
        self._room -= len(part)
        self._excess += len(text) - len(part)
        if not part:
            return
        if self._events and self._events[-1][0] == kind:
            self._events[-1][1].append(part)
        else:
            self._events.append((kind, [part]))

    def rich(self, output: Output) -> None:
        """Record a displayed value or an error."""
        sizes = {kind: len(body) for kind, body in output.data.items()}
        picture = sum(sizes.get(kind, 0) for kind in PICTURES)
        size = len(output.text) + sum(map(len, output.traceback)) + sum(sizes.values()) - picture
        if size > self._room or picture > self._picture_room:
            self._excess += size + picture
            return
        self._room -= size
        self._picture_room -= picture
        self._events.append((output.kind, output))

    def outputs(self) -> list[Output]:
        """Return the outputs so far, with a note on how much was left out."""
        outputs = [
            body if isinstance(body, Output) else Output(kind, "".join(body))
            for kind, body in self._events
        ]
        if self._excess:
            note = f"\n[{self._excess:,} more characters of output were not kept]\n"
            outputs.append(Output("stderr", note))
        return outputs

    def printed(self) -> str:
        """Return the recorded standard output as one text."""
        return "".join("".join(body) for kind, body in self._events if kind == "stdout")


class _Stream(io.TextIOBase):
    """A text stream that writes into a recorder."""

    encoding = "utf-8"

    def __init__(self, recorder: Recorder, kind: Kind) -> None:
        self._recorder = recorder
        self._kind = kind

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._recorder.text(self._kind, text)
        return len(text)


class _NoKeyboard(io.StringIO):
    """Standard input, where nobody types: `input()` raises an error that says so."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        raise EOFError("nobody can type here: `input()` waits for a line that never comes")

    def __next__(self) -> str:  # type: ignore[override]
        raise StopIteration


class _Hook(DisplayHook):
    """Records the value of a cell's last expression."""

    shell: Any

    def start_displayhook(self) -> None:
        self._is_active = True

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        self.shell.recorder.rich(_display("execute_result", format_dict))

    def finish_displayhook(self) -> None:
        self._is_active = False


class _Publisher(DisplayPublisher):
    """Records what `display` shows."""

    def publish(self, data: Any, *_: Any, **__: Any) -> None:
        self.shell.recorder.rich(_display("display_data", data))

    def clear_output(self, wait: bool = False) -> None:
        self.shell.recorder.clear()


class _Formatter(DisplayFormatter):
    """Keeps the figures of matplotlib that are displayed, each once."""

    parent: Any

    def format(self, obj: Any, *others: Any, **options: Any) -> Any:
        figures = self.parent.figures
        library = sys.modules.get("matplotlib.figure")
        if library and isinstance(obj, library.Figure) and all(fig is not obj for fig in figures):
            figures.append(obj)
        return super().format(obj, *others, **options)


class _Compiler(CachingCompiler):
    """Names a cell's code after the cell, so that tracebacks say where they come from."""

    label = "cell"

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return f"<{self.label}>"

    def format_code_name(self, name: str) -> tuple[str, str] | None:
        """Return how a traceback names the code of a cell, or None for any other."""
        return ("Cell", name[6:-1]) if name.startswith("<cell ") else None


class NotebookShell(InteractiveShell):
    """An IPython shell that records outputs instead of showing them.

    Figures of matplotlib are pictures among the outputs, as in Jupyter; those that cells have
    displayed are `shown`, those displayed since then `figures`. The last error that was shown, also
    where a magic went on after it, is the `failure`.
    """

    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)
    compiler_class = Type(_Compiler)
    configurables: Any

    def __init__(self) -> None:
        """Start a shell with an empty namespace, `user_ns`."""
        self.recorder = Recorder()
        self.failure: BaseException | None = None
        self.figures: list[Any] = []
        self.shown: list[Any] = []
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        config.InteractiveShell.xmode = "Context"
        config.InteractiveShell.sphinxify_docstring = False
        super().__init__(config=config)
        sys.stdin = _NoKeyboard()
        self._warm_up()

    def _warm_up(self) -> None:
        """Load the modules of a first cell and a first error, so that no copy has to."""
        self.run("1 / 0", WARM_UP, store_history=False)
        self.recorder.clear()
        self.failure = None
        linecache.cache.pop(f"<{WARM_UP}>", None)
        for name in "last_type", "last_value", "last_traceback", "last_exc":
            vars(sys).pop(name, None)

    def run(self, source: str, label: str, store_history: bool = True) -> str | None:
        """Run one cell; return its error as one line, or None. Outputs go to `recorder`."""
        vars(self.compile)["label"] = label
        self.recorder.clear()
        with self.recording():
            result = self.run_cell(source, store_history)
        self.shown += self.figures
        self.figures.clear()
        error = result.error_before_exec or result.error_in_exec
        if error is None:
            return None
        line = (safe_text(error).splitlines() or [""])[0]
        return f"{type(error).__name__}: {line}"[:MESSAGE_CHARACTERS]

    @contextlib.contextmanager
    def recording(self) -> Any:
        """Send standard output and error to the recorder, with IPython's built-ins in place."""
        streams = sys.stdout, sys.stderr
        sys.stdout = _Stream(self.recorder, "stdout")
        sys.stderr = _Stream(self.recorder, "stderr")
        try:
            with self.builtin_trap:
                yield
        finally:
            sys.stdout, sys.stderr = streams

    def init_display_formatter(self) -> None:
        """Format displayed values, and note their figures."""
        self.display_formatter = _Formatter(parent=self)
        self.configurables.append(self.display_formatter)

    def enable_matplotlib(self, gui: Any = None) -> Any:
        """Show figures as pictures, whatever window `%matplotlib` asks for."""
        return super().enable_matplotlib("inline")

    def enable_gui(self, gui: Any = None) -> None:
        """Do nothing: there are no windows."""

    def ask_exit(self) -> None:
        """End the cell that says `exit`; the notebook goes on."""
        raise SystemExit

    def init_magics(self) -> None:
        """Add the magics of notebooks that IPython alone does not have."""
        super().init_magics()
        self.magics_manager.register_function(lambda _: None, magic_name="autosave")

    def system(self, cmd: str) -> None:
        """Run a shell command, as `!command` does, without the terminal that IPython would use."""
        process = subprocess.run(
            self.var_expand(cmd, depth=1), shell=True, stdin=subprocess.DEVNULL, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        )  # fmt: skip
        self.user_ns["_exit_code"] = process.returncode
        sys.stdout.write(process.stdout)

    def _tee(self, channel: str) -> Any:
        """Do not keep a second copy of all output, as IPython would, without a limit."""
        return contextlib.nullcontext()

    def _format_exception_for_storage(self, *_: Any, **__: Any) -> dict[str, Any]:
        """Do not keep errors a second time, either: a student's `__str__` would be asked for it."""
        return {}

    def showtraceback(self, exc_tuple: Any = None, *others: Any, **options: Any) -> None:
        """Show an error; of an exception group only its last line.

        Python's own text for those names every file in the traceback, the grader's too.
        """
        kind, error, _ = self._get_exc_info(exc_tuple)
        self.failure = error
        if isinstance(error, BaseExceptionGroup):
            self._showtraceback(kind, error, traceback.format_exception_only(error))
        else:
            super().showtraceback(exc_tuple, *others, **options)

    def _showtraceback(self, etype: Any, evalue: Any, stb: Any) -> None:
        texts = (line for line in map(str, stb) if not line.startswith("File "))  # not of libraries
        lines = [sendable(line)[:MESSAGE_CHARACTERS] for line in texts]
        name = getattr(etype, "__name__", "Error")
        self.recorder.rich(Output("error", safe_text(evalue), {"name": name}, lines))


def describe_error(error: BaseException) -> Raised:
    """Describe an exception in plain data: its class and those above, message, lines of cells."""
    kinds = [str(kind.__name__) for kind in type(error).__mro__ if kind is not object]
    frames = traceback.extract_tb(error.__traceback__)
    where = [
        f"{frame.filename.strip('<>')}, line {frame.lineno}, in {frame.name}: {frame.line or ''}"
        for frame in frames
        if frame.filename.startswith("<cell ")
    ]
    text = f"{safe_text(error)}{_shadow_note(error)}"
    return Raised(kinds, text, [line[:MESSAGE_CHARACTERS] for line in where[-3:]])


def _shadow_note(error: BaseException) -> str:
    """Return a note on built-in names that could not be called, as they stand for a value there."""
    match = NOT_CALLABLE.fullmatch(safe_text(error)) if type(error) is TypeError else None
    if match is None:
        return ""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    names = BUILT_IN.intersection(frame.f_code.co_names + frame.f_code.co_varnames)
    values = {name: (frame.f_globals | frame.f_locals).get(name) for name in sorted(names)}
    shadows = [f"`{name}`" for name, value in values.items() if type(value).__name__ == match[1]]
    return f"; {', '.join(shadows)} is your own value, not Python's" * bool(shadows)


def safe_text(value: object) -> str:
    """Return `str(value)`, or a note if a student's `__str__` fails."""
    try:
        return sendable(str(value)[:MESSAGE_CHARACTERS])
    except Exception as error:
        return f"(its text cannot be made: {type(error).__name__})"


def _display(kind: Kind, data: dict[str, Any]) -> Output:
    """Return the texts and pictures of a display; the referee makes them safe to show."""
    bodies = {}
    for name in (*TEXTS, *PICTURES):
        body = data.get(name)
        if isinstance(body, bytes) and name in PICTURES:
            body = base64.b64encode(body).decode("ascii")
        if isinstance(body, str):
            bodies[name] = sendable(body)
    return Output(kind, sendable(str(data.get("text/plain", ""))), bodies)


def sendable(text: str) -> str:
    """Return a text without characters that UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")
