"""Set the input of student code and read its results: typed lines, files, figures.

The fixtures `typed`, `files`, `drawn` and `shown` load this source into the student's process; its
answers can be forged there, as all others. Imports nothing of the engine; the shell has the figures
that were displayed.
"""

import io
import sys
from pathlib import Path
from typing import Any

from IPython import get_ipython

notebook: dict[str, Any] = {}  # the player puts the notebook's names here


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
    content = Path(name).read_bytes()
    try:
        return content.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        return content


def names() -> list[str]:
    """Return the files next to the notebook, those in folders, too."""
    return sorted(path.as_posix() for path in Path().rglob("*") if path.is_file())


# --- figures ---------------------------------------------------------------------------------


def drawn() -> list[dict[str, Any]]:
    """Return the figures that were drawn since the last cell, as plain values, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    open_figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    figures = get_ipython().figures
    closed_figures = [figure for figure in figures if figure not in open_figures]
    contents = _contents([*closed_figures, *open_figures])
    pyplot.close("all")
    figures.clear()
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
