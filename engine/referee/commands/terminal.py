"""Print what commands say; no other module prints.

A command makes one struct, whose fields are what `--json` writes (`docs/reference/json.md`).
"""

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich import progress
from rich.console import Console, RenderableType
from rich.text import Text

from referee.marks import files

MOST_NAMED = 10
UNLIMITED = 10_000
LINE_SECONDS = 10.0
WAITING_SECONDS = 30.0  # between two lines that name who is waited for


def console(json: Path | None = None) -> Console:
    """Return the console for a command's output; a pipe has lines of any length."""
    screen = Console(stderr=str(json) == "-", emoji=False, markup=False, highlight=False)
    if not screen.is_terminal:
        screen.width = UNLIMITED
    return screen


def said(lines: Iterable[RenderableType], result: Any = None, json: Path | None = None) -> None:
    """Write a result, if there is one, as indented JSON to a file; print lines for people."""
    if result is not None and json is not None:
        content = msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"
        if str(json) == "-":
            sys.stdout.buffer.write(content)
        else:
            files.save(json, content)
    screen = console(json)
    for line in lines:
        screen.print(line, crop=False)


def whether(good: bool, text: str, bad: str = "red") -> Text:
    """Return a line after a sign for success or failure."""
    return Text(f"✓ {text}", "green") if good else Text(f"✗ {text}", bad)


def some(names: Sequence[str]) -> str:
    """Return the first ten names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def first(lines: Sequence[str], what: str) -> list[str]:
    """Return the first ten lines, and one that says how many more there are of what."""
    more = [f"and {len(lines) - MOST_NAMED} more {what}"] if len(lines) > MOST_NAMED else []
    return [*lines[:MOST_NAMED], *more]


def isolation(layers: int) -> str:
    """Return the number of layers of isolation in words; `referee doctor` lists them."""
    return f"sandboxed: {layers} layers" if layers else "not sandboxed"


class Ticker(progress.Progress):
    """Counts what is done, of a total: a bar in a terminal, a line now and then elsewhere."""

    def __init__(self, screen: Console, what: str, total: int) -> None:
        """Begin now."""
        super().__init__(
            "{task.description}", progress.BarColumn(15), progress.MofNCompleteColumn(),
            progress.TimeRemainingColumn(compact=True),
            progress.TextColumn("{task.fields[now]}", markup=False),
            console=screen, disable=not screen.is_terminal,
        )  # fmt: skip
        self.add_task(what, total=total, now="")
        (self._task,) = self.tasks
        self._failures, self._last = 0, time.monotonic()

    def done(self, well: bool) -> None:
        """Tell that something is done, and whether it needs nobody."""
        self._failures += not well
        self.advance(self._task.id)
        self._tell("", 0.0 if self.finished else LINE_SECONDS)

    def waiting(self, jobs: Sequence[tuple[str, float]]) -> None:
        """Tell who is waited for, and for how long, when nothing was done for some seconds."""
        whom = some([f"{name}: {seconds:.0f} s" for name, seconds in jobs])
        self._tell(f"waiting for {whom}", WAITING_SECONDS)

    def _tell(self, text: str, quiet: float) -> None:
        """Change the bar; without one print a line if there was none for so many seconds."""
        task, need = self._task, f"{self._failures} need you" if self._failures else ""
        note = ", ".join(filter(None, [text, need]))
        self.update(task.id, now=note)
        if self.disable and time.monotonic() - self._last >= quiet:
            self._last = time.monotonic()
            count = f"{task.completed:.0f} of {task.total:.0f} in {task.elapsed or 0:.0f} s"
            self.console.print(", ".join(filter(None, [f"{task.description}: {count}", note])))
