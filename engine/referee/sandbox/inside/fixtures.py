"""Set the input of student code and read its results: typed lines, files, clocks, figures.

The fixtures `typed`, `files`, `clock`, `drawn` and `shown` load this source into the student's
process; its answers can be forged there, as all others. Imports nothing of the engine; the shell
has the figures that were displayed.
"""

import datetime
import io
import sys
import time
from pathlib import Path
from typing import Any

from IPython import get_ipython

notebook: dict[str, Any] = {}  # the player puts the notebook's names here
datetime_ = datetime.datetime  # as it is before the clock is stopped
CLOCKS = ("time", "monotonic", "perf_counter", "process_time")
MAX_BYTES = 1024 * 1024
MAX_FILES = 1000
now = 0.0


def answer(*lines: str) -> None:
    """Set the lines that `input()` and `sys.stdin` read."""
    sys.stdin = io.StringIO("".join(f"{line}\n" for line in lines))


# --- files -----------------------------------------------------------------------------------


def write(name: str, content: str | bytes) -> None:
    """Put a file next to the notebook."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def read(name: str) -> str | bytes:
    """Return what a file holds, as text if it is UTF-8."""
    with Path(name).open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"{name} is over {MAX_BYTES:,} bytes")
    try:
        return content.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        return content


def names() -> list[str]:
    """Return the files next to the notebook, those in folders, too."""
    files = sorted(path.as_posix() for path in Path().rglob("*") if path.is_file())
    return files[:MAX_FILES]


# --- time ------------------------------------------------------------------------------------


def stop_clock(seconds: float) -> None:
    """Stop all clocks at a number of seconds; `sleep` sets them forward at once.

    The first call replaces them, in `time`, `datetime` and where the notebook has imported them by
    name.
    """
    global now
    if not isinstance(time.sleep, type(stop_clock)):
        instead: dict[Any, Any] = {getattr(time, name): lambda: now for name in CLOCKS}
        instead |= {time.sleep: _pass, time.time_ns: lambda: int(now * 10**9)}
        instead |= {kind: _stopped(kind) for kind in (datetime.datetime, datetime.date)}
        for place in (vars(time), vars(datetime), notebook):
            for name, value in list(place.items()):
                if isinstance(value, (type(len), type)) and value in instead:
                    place[name] = instead[value]
    now = seconds


def _pass(seconds: float) -> None:
    global now
    now += seconds


def _stopped(kind: Any) -> Any:
    """Return a subclass whose `now` and `today` are the stopped time."""

    class Usual(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, kind)

    def at(cls: Any, tz: Any = None) -> Any:
        moment = datetime_.fromtimestamp(now, tz or datetime.UTC)
        if kind is not datetime_:
            return moment.date()
        return moment if tz else moment.replace(tzinfo=None)

    members = {"__new__": lambda cls, *args, **named: kind(*args, **named)}
    ways = {name: classmethod(at) for name in ("now", "today", "utcnow") if hasattr(kind, name)}
    return Usual(kind.__name__, (kind,), members | ways)


# --- figures ---------------------------------------------------------------------------------


def drawn() -> list[dict[str, Any]]:
    """Return the figures that were drawn since the last cell, as plain values, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    open_figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    displayed = get_ipython().figures
    closed = [figure for figure in displayed if figure not in open_figures]
    contents = _contents([*closed, *open_figures])
    pyplot.close("all")
    displayed.clear()
    return contents


def shown() -> list[dict[str, Any]]:
    """Return the figures that the notebook's cells have displayed, as plain values."""
    return _contents(get_ipython().shown)


def _contents(figures: list[Any]) -> list[dict[str, Any]]:
    return [{"title": _suptitle(figure), "axes": [*map(_axes, figure.axes)]} for figure in figures]


def _suptitle(figure: Any) -> str:
    title = getattr(figure, "_suptitle", None)
    return "" if title is None else str(title.get_text())


def _axes(axes: Any) -> dict[str, Any]:
    legend = axes.get_legend()
    return {
        "title": axes.get_title(),
        "xlabel": axes.get_xlabel(),
        "ylabel": axes.get_ylabel(),
        "xlim": _numbers(axes.get_xlim()),
        "ylim": _numbers(axes.get_ylim()),
        "xscale": axes.get_xscale(),
        "yscale": axes.get_yscale(),
        "xticks": [label.get_text() for label in axes.get_xticklabels()],
        "legend": [text.get_text() for text in legend.get_texts()] if legend else [],
        "lines": [
            {"x": _numbers(line.get_xdata()), "y": _numbers(line.get_ydata()),
             "label": str(line.get_label())}
            for line in axes.get_lines()
        ],
        "points": [[_numbers(pair) for pair in dots.get_offsets()] for dots in axes.collections],
        "bars": [
            {"x": _number(bar.get_x() + bar.get_width() / 2), "height": _number(bar.get_height())}
            for bar in axes.patches if hasattr(bar, "get_height")
        ],
    }  # fmt: skip


def _numbers(values: Any) -> list[Any]:
    return [_number(value) for value in values]


def _number(value: Any) -> Any:
    """Return a number of Python's; a date or a text as it is."""
    return value.item() if hasattr(value, "item") else value
